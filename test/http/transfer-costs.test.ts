import { expect, it } from 'vitest';
import { sql } from '../../src/db/database.ts';
import { closeIdentities } from '../../src/features/identity/statements.ts';
import { readOwn, selectPage } from '../../src/features/ledger/transactions.ts';
import { confirm, inquire } from '../../src/features/transfer/statements.ts';
import { inOneTrip } from '../support/answers.ts';
import { fillWallet } from '../support/long-wallet.ts';
import { inquire as ask, confirmInquiry, fundedWallet, giveBack, newHolder } from '../support/money.ts';
import { newMember } from '../support/people.ts';
import { useService } from '../support/service.ts';

/** The cost of a statement on D1, which counts rows. */
interface Counting {
  costOf?(sql: string, values: unknown[]): Promise<{ read: number; written: number }>;
}
const { costOf } = (await import('#target')) as Counting;
const target = useService();

it('a transfer takes two round trips for the inquiry, and one to confirm or refund it', async () => {
  const [from, to] = [await newHolder(target, 1000), await newHolder(target)];
  const before = target.trips()?.database ?? 0;
  const { id } = (await (await ask(from.browser, to.handle, 300)).json()) as { id: string };
  if (target.trips() !== null) expect((target.trips()?.database ?? 0) - before).toBe(2);
  expect((await inOneTrip(target, () => confirmInquiry(from.browser, id))).status).toBe(200);
  const paid = id.replace('inq_', 'trf_');
  expect((await inOneTrip(target, () => giveBack(to.browser, paid, 'key'))).status).toBe(200);
});

it.skipIf(costOf === undefined)('a confirmation writes seven D1 rows', async () => {
  const [from, to] = [await newMember(target), await newMember(target)];
  const [payerAccount, payeeAccount] = [
    await fundedWallet(target, from.handle, 1000),
    await fundedWallet(target, to.handle, 0),
  ];
  const [session] = await target.rows<{ id: string }>('SELECT id FROM sessions WHERE handle = ?', [
    from.handle,
  ]);
  const now = target.now();
  const fees = { payerFee: 0, payeeFee: 0, appFee: 0, platformFee: 0 };
  const asked = inquire({
    id: 'costs',
    payer: from.handle,
    payee: to.handle,
    payerAccount,
    payeeAccount,
    appAccount: null,
    amount: 100,
    ...fees,
    app: null,
    grant: null,
    needsApproval: false,
    aboveStepUp: 0,
    memo: null,
    now,
  });
  const done = confirm({
    ...{ id: 'costs', payer: from.handle, requestId: 'op', app: null, sessionId: session?.id ?? '', now },
    ...{ approvalId: null, verifierHash: null, limits: null },
  });
  const costs = [];
  for (const { text, values } of [asked, done]) costs.push(await costOf?.(text, values));
  expect(costs).toEqual([
    { read: 7, written: 2 },
    { read: 23, written: 7 },
  ]);
});

it.skipIf(costOf === undefined)(
  'a wallet page reads as many D1 rows after 3,000 movements as after 60 [D-100]',
  async () => {
    const pages: Record<string, object> = {
      all: {},
      in: { direction: 'in' },
      out: { direction: 'out' },
      transfers: { kind: 'transfer' },
      'transfers out': { kind: 'transfer', direction: 'out' },
      refunds: { kind: 'refund' },
      corrections: { kind: 'correction' },
      'before a time': { to: 3 },
    };
    const costs = async (length: number) => {
      const { handle } = await newMember(target);
      const account = await fundedWallet(target, handle, 0);
      await fillWallet(target, { handle, account, length });
      const [session] = await target.rows<{ id: string }>('SELECT id FROM sessions WHERE handle = ?', [
        handle,
      ]);
      const caller = {
        by: 'person',
        handle,
        sessionId: session?.id ?? '',
        appId: null,
        grantId: null,
      } as const;
      const read: Record<string, number> = {};
      for (const [name, query] of Object.entries(pages)) {
        const asked = { ...caller, scopes: null };
        for (const { text, values } of [
          readOwn(asked, target.now()),
          selectPage(asked, { limit: 20, ...query }),
        ])
          read[name] = (read[name] ?? 0) + ((await costOf?.(text, values))?.read ?? 0);
      }
      return read;
    };
    const short = await costs(60);
    expect(short).toEqual({
      all: 75,
      in: 71,
      out: 71,
      transfers: 71,
      'transfers out': 69,
      refunds: 71,
      corrections: 12,
      'before a time': 75,
    });
    expect(await costs(3000)).toEqual(short);
  },
);

it.skipIf(costOf === undefined)(
  'closing an identity reads the same number of D1 rows, however many inquiries are open [D-100]',
  async () => {
    const [payer, payee] = [await newHolder(target), await newHolder(target)];
    const { id } = (await (await ask(payer.browser, payee.handle, 300)).json()) as { id: string };
    const costOfClosing = async () => {
      const { handle } = await newMember(target);
      const { text, values } = closeIdentities(sql`handle = ${handle}`, sql`${target.now()}`);
      return costOf?.(text, values);
    };
    const before = await costOfClosing();
    const columns =
      'payer, payee, payer_account, payee_account, asset, amount, payer_fee, payee_fee, app_fee';
    const rest = 'platform_fee, debit_total, net_amount, created_at, expires_at';
    await target.rows(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
        INSERT INTO transfers (id, ${columns}, ${rest}) SELECT id || i, ${columns}, ${rest} FROM transfers, n WHERE id = ?`,
      [id.replace('inq_', '')],
    );
    expect(await costOfClosing()).toEqual(before);
  },
);
