import { expect, it } from 'vitest';
import { confirm, inquire } from '../../src/features/transfer/statements.ts';
import { inOneTrip } from '../support/answers.ts';
import { inquire as ask, confirmInquiry, fundedWallet, giveBack, newHolder } from '../support/money.ts';
import { newMember } from '../support/people.ts';
import { useService } from '../support/service.ts';

/** What a statement costs, where rows are counted: on D1. */
interface Counting {
  costOf?(sql: string, values: unknown[]): Promise<{ read: number; written: number }>;
}
const { costOf } = (await import('#target')) as Counting;
const target = useService();

it('a transfer takes two trips to ask, and one to confirm, repeat or refund it', async () => {
  const [from, to] = [await newHolder(target, 1000), await newHolder(target)];
  const before = target.trips()?.database ?? 0;
  const { id } = (await (await ask(from.browser, to.handle, 300)).json()) as { id: string };
  if (target.trips() !== null) expect((target.trips()?.database ?? 0) - before).toBe(2);
  expect((await inOneTrip(target, () => confirmInquiry(from.browser, id))).status).toBe(200);
  const paid = id.replace('inq_', 'trf_');
  expect((await inOneTrip(target, () => giveBack(to.browser, paid, 'key'))).status).toBe(200);
});

it.skipIf(costOf === undefined)('confirming writes seven rows of D1', async () => {
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
    memo: null,
    now,
  });
  const done = confirm({ id: 'costs', payer: from.handle, op: 'op', sessionId: session?.id ?? '', now });
  const costs = [];
  for (const { text, values } of [asked, done]) costs.push(await costOf?.(text, values));
  expect(costs).toEqual([
    { read: 7, written: 2 },
    { read: 27, written: 7 },
  ]);
});
