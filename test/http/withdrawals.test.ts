import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { moneyInvariants } from '../../src/features/admin/money-invariants.ts';
import type { Transaction } from '../../src/features/ledger/schema.ts';
import type { Withdrawal } from '../../src/features/withdrawal/schema.ts';
import { inOneTrip, notFresh, refusal, seen, settledLog } from '../support/answers.ts';
import type { Browser } from '../support/browser.ts';
import { mailsTo } from '../support/mailbox.ts';
import { balanceOf, newHolder } from '../support/money.ts';
import { newMember } from '../support/people.ts';
import { useService } from '../support/service.ts';
import {
  accounts,
  allowWithdrawals,
  askWithdrawal,
  confirmWithdrawal,
  quoteOf,
  runJobs,
  withdraw,
} from '../support/withdrawals.ts';

const target = useService();
const fee = 2_500;
beforeAll(async () => {
  await allowWithdrawals(target);
  await target.rows(
    `INSERT INTO fee_versions VALUES ('platform', 'withdrawal', 1, ${fee}, 0, 0, NULL, 'payer', 'operator', 1)`,
  );
});

/** After every test the money invariants must hold. */
afterEach(async () => {
  for (const [name, { text, values }] of Object.entries(moneyInvariants(0)))
    expect([name, await target.rows(text, values)]).toEqual([name, []]);
});

const read = async <Body>(browser: Browser, path: string): Promise<Body> => {
  const answer = await browser.fetch(path);
  expect(answer.status, path).toBe(200);
  return (await answer.json()) as Body;
};
const get = (browser: Browser, id: string) => read<Withdrawal>(browser, `/v1/fiat/withdrawals/${id}`);
const post = (browser: Browser, id: string, action: 'sync' | 'cancel') =>
  browser.fetch(`/v1/fiat/withdrawals/${id}/${action}`, { method: 'POST' });
const held = async (handle: string) =>
  (
    await target.rows<{ held: number }>('SELECT debits_pending AS held FROM accounts WHERE owner = ?', [
      handle,
    ])
  )[0]?.held;
const setMode = (mode: string) => target.rows('UPDATE ledger SET mode = ?', [mode]);
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);

/** Emails are sent in the background, which would add round trips to the next request. */
const mailsAreSent = () =>
  expect.poll(() => target.rows('SELECT id FROM mails WHERE next_at IS NOT NULL')).toEqual([]);

/** The round trips of an action to the database, where they can be counted. */
async function tripsOf(act: () => Promise<unknown>): Promise<number | null> {
  const before = target.trips()?.database;
  await act();
  return before === undefined ? null : (target.trips()?.database ?? 0) - before;
}

describe('a withdrawal', () => {
  it('is quoted with holder and fee, held once, paid once, and shown in every list', async () => {
    const { browser, handle, claims } = await newHolder(target, 100_000);
    const banks = await read<{ data: unknown[] }>(browser, '/v1/fiat/banks');
    expect(banks.data).toContainEqual({ code: 'BCA', name: 'Bank Central Asia' });
    let answer = new Response();
    const trips = await tripsOf(async () => {
      answer = await askWithdrawal(browser, 40_000);
    });
    if (trips !== null) expect(trips).toBe(2);
    const quoted = await seen(answer);
    expect(quoted).toEqual([
      200,
      {
        withdrawalId: expect.stringMatching(/^wdr_[0-9a-z]{26}$/),
        accountHolderName: 'Budi Santoso',
        asset: 'IDR',
        amount: 40_000,
        fees: { payer: fee, payee: 0, app: 0, platform: fee, total: fee },
        totalDebit: 42_500,
        expiresAt: time,
      },
    ]);
    const { withdrawalId: id } = quoted[1] as { withdrawalId: string };
    expect(await read(browser, '/v1/fiat/withdrawals')).toEqual({ data: [], nextCursor: null });
    expect(await seen(await browser.fetch(`/v1/fiat/withdrawals/${id}`))).toEqual(
      refusal(404, 'Unknown transaction'),
    );

    const confirmed = await inOneTrip(target, () => confirmWithdrawal(browser, id));
    expect(confirmed.headers.get('Idempotent-Replayed')).toBeNull();
    const shown = {
      id,
      status: 'held',
      asset: 'IDR',
      amount: 40_000,
      fees: { payer: fee, payee: 0, app: 0, platform: fee, total: fee },
      totalDebit: 42_500,
      destination: 'BCA ••••7895',
      provider: 'sandbox',
      failure: null,
      waitsFor: null,
      createdAt: time,
      endedAt: null,
      returnedAt: null,
    };
    expect(await seen(confirmed)).toEqual([200, shown]);
    const again = await confirmWithdrawal(browser, id);
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
    expect(await seen(again)).toEqual([200, shown]);
    expect([await balanceOf(target, handle), await held(handle)]).toEqual([100_000, 42_500]);

    await runJobs(target);
    expect(await get(browser, id)).toEqual({ ...shown, status: 'paid', endedAt: time });
    expect(await read(browser, '/v1/fiat/withdrawals?status=paid')).toMatchObject({ data: [{ id }] });
    expect(await read(browser, '/v1/fiat/withdrawals?status=failed')).toMatchObject({ data: [] });
    expect([await balanceOf(target, handle), await held(handle)]).toEqual([57_500, 0]);
    const line = {
      id,
      kind: 'withdrawal',
      direction: 'out',
      amount: 42_500,
      fees: fee,
      balanceAfter: 57_500,
      counterparty: null,
      reference: { type: 'withdrawal', id },
      memo: null,
      appId: null,
    };
    const lines = await read<{ data: Transaction[] }>(browser, '/v1/wallet/transactions?kind=withdrawal');
    expect(lines.data).toMatchObject([line]);
    expect(await read(browser, `/v1/wallet/transactions/${id}`)).toMatchObject({
      ...line,
      legs: [
        { direction: 'out', amount: 40_000, account: 'payout' },
        { direction: 'out', amount: fee, account: 'platform' },
      ],
    });
    expect(await read(browser, '/v1/me/export')).toMatchObject({ withdrawals: [{ id, status: 'paid' }] });
    const kinds = (await mailsTo(target, claims.email)).map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['withdrawal_held', 'withdrawal_paid']));
    expect(kinds.filter((kind) => kind.startsWith('withdrawal_'))).toHaveLength(2);
  });

  it('returns the full amount if it fails, and shows the reason', async () => {
    const { browser, handle, claims } = await newHolder(target, 50_000);
    const { id } = await withdraw(browser, 20_000, accounts.fails);
    await runJobs(target);
    expect(await get(browser, id)).toMatchObject({ status: 'failed', failure: 'The account is closed' });
    expect([await balanceOf(target, handle), await held(handle)]).toEqual([50_000, 0]);
    const [mail] = await mailsTo(target, claims.email);
    expect(mail?.kind).toBe('withdrawal_failed');
    expect(mail?.content?.text).toContain('BCA ••••7891');
    expect(mail?.content?.text).toMatch(/Rp.?20\.000|IDR.?20,000/);
    expect(await seen(await post(browser, id, 'cancel'))).toEqual(
      refusal(400, 'Withdrawal can no longer be cancelled'),
    );
  });

  it('stays submitted after a lost response, and is paid once', async () => {
    const { browser, handle } = await newHolder(target, 50_000);
    const { id } = await withdraw(browser, 20_000, accounts.timesOut);
    await runJobs(target);
    expect(await get(browser, id)).toMatchObject({ status: 'submitted' });
    expect([await balanceOf(target, handle), await held(handle)]).toEqual([50_000, 22_500]);
    expect(await seen(await post(browser, id, 'cancel'))).toEqual(
      refusal(400, 'Withdrawal can no longer be cancelled'),
    );
    for (let minute = 0; minute < 4; minute += 1) {
      await target.advance(90);
      await runJobs(target);
    }
    expect(await get(browser, id)).toMatchObject({ status: 'paid', returnedAt: null });
    expect([await balanceOf(target, handle), await held(handle)]).toEqual([27_500, 0]);
    const sent = (await settledLog(target)).filter(
      (text) => text.includes('withdrawal.sent') && text.includes(id),
    );
    expect(sent).toHaveLength(1);
  });

  it('stays submitted while it is pending at the provider, even after a sync', async () => {
    const { browser } = await newHolder(target, 50_000);
    const { id } = await withdraw(browser, 20_000, accounts.stays);
    await mailsAreSent();
    expect(await seen(await inOneTrip(target, () => post(browser, id, 'sync')))).toMatchObject([
      200,
      { status: 'held' },
    ]);
    await runJobs(target);
    await target.advance(7200);
    await runJobs(target);
    await browser.fetch('/v1/auth/refresh', { method: 'POST' });
    const trips = await tripsOf(async () => {
      expect(await seen(await post(browser, id, 'sync'))).toMatchObject([200, { status: 'submitted' }]);
    });
    if (trips !== null) expect(trips).toBe(1);
  });

  it('is credited again without its fee if the bank returns it', async () => {
    const { browser, handle, claims } = await newHolder(target, 50_000);
    const { id } = await withdraw(browser, 20_000, accounts.returns);
    await runJobs(target);
    expect(await get(browser, id)).toMatchObject({ status: 'paid' });
    expect(await seen(await post(browser, id, 'sync'))).toMatchObject([
      200,
      { status: 'returned', endedAt: time, returnedAt: time },
    ]);
    expect(await balanceOf(target, handle)).toBe(47_500);
    const { data } = await read<{ data: Transaction[] }>(browser, '/v1/wallet/transactions');
    expect(data[0]).toMatchObject({
      id: `rev_${id}`,
      kind: 'reversal',
      direction: 'in',
      amount: 20_000,
      reference: { type: 'withdrawal', id },
    });
    expect(await read(browser, `/v1/wallet/transactions/rev_${id}`)).toMatchObject({ amount: 20_000 });
    expect((await mailsTo(target, claims.email))[0]?.kind).toBe('withdrawal_returned');
  });

  it('can be cancelled in one round trip while held, and is then never sent', async () => {
    const { browser, handle } = await newHolder(target, 50_000);
    const { id } = await withdraw(browser, 20_000);
    await mailsAreSent();
    expect(await seen(await inOneTrip(target, () => post(browser, id, 'cancel')))).toMatchObject([
      200,
      { status: 'cancelled', endedAt: time },
    ]);
    expect((await post(browser, id, 'cancel')).status).toBe(200);
    await runJobs(target);
    expect(await get(browser, id)).toMatchObject({ status: 'cancelled' });
    expect([await balanceOf(target, handle), await held(handle)]).toEqual([50_000, 0]);
    expect((await confirmWithdrawal(browser, id)).headers.get('Idempotent-Replayed')).toBe('true');
  });

  it('takes the job two round trips, one to submit and one to complete', async () => {
    const { browser } = await newHolder(target, 50_000);
    await runJobs(target);
    const idle = await tripsOf(() => runJobs(target));
    await withdraw(browser, 20_000);
    await mailsAreSent();
    const busy = await tripsOf(() => runJobs(target));
    // The idle run also looks for due withdrawals.
    if (idle !== null && busy !== null) expect(busy - idle).toBe(1);
  });
});

describe('a withdrawal is rejected', () => {
  it('with the documented texts', async () => {
    const { browser } = await newHolder(target, 50_000);
    const asked = async (amount: unknown, account?: string) =>
      seen(await askWithdrawal(browser, amount, account));
    for (const amount of [0, -1, 1.5, '10000', null])
      expect(await asked(amount)).toEqual(refusal(400, ['amount must be a positive integer']));
    expect(await asked(9_999)).toEqual(
      refusal(400, 'Amount too small: minimum withdrawal is 10000 IDR', 'amount_too_small'),
    );
    expect(await asked(1_000_000_000_001)).toEqual(
      refusal(400, 'Amount too large: maximum is 1000000000000 IDR'),
    );
    expect(await asked(20_000, '12')).toEqual(
      refusal(400, ['destination.accountNumber must have 5 to 20 digits']),
    );
    expect(await asked(20_000, accounts.unknown)).toEqual(refusal(404, 'Unknown bank account'));
    const [poor, spending] = [await quoteOf(browser, 47_500), await quoteOf(browser, 10_000)];
    await confirmWithdrawal(browser, spending);
    for (const answer of [await confirmWithdrawal(browser, poor), await askWithdrawal(browser, 47_500)])
      expect(await seen(answer)).toEqual(refusal(400, 'Insufficient internal credit'));
    const stranger = await newHolder(target, 50_000);
    for (const id of [poor, 'wdr_nothing'])
      expect(await seen(await confirmWithdrawal(stranger.browser, id))).toEqual(
        refusal(404, 'Unknown transaction'),
      );
    const { id } = await withdraw(browser, 20_000);
    for (const act of ['sync', 'cancel'] as const)
      expect(await seen(await post(stranger.browser, id, act))).toEqual(refusal(404, 'Unknown transaction'));
    expect(await seen(await stranger.browser.fetch(`/v1/fiat/withdrawals/${id}`))).toEqual(
      refusal(404, 'Unknown transaction'),
    );
    const late = await quoteOf(browser, 10_000);
    await target.advance(301);
    expect(await seen(await confirmWithdrawal(browser, late))).toEqual(refusal(400, 'Quote has expired'));
  });

  it('without the money or after 20 unused quotes, before the provider reveals an account holder', async () => {
    const { browser, handle } = await newHolder(target, 50_000);
    const poor = refusal(400, 'Insufficient internal credit');
    for (const account of [accounts.pays, accounts.unknown])
      expect(await seen(await askWithdrawal(browser, 47_501, account))).toEqual(poor);
    const { id } = await withdraw(browser, 20_000);
    await target.rows(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 18)
      INSERT INTO withdrawals (id, handle, account, asset, amount, fee, gateway, destination_enc, destination_hint, created_at,
        expires_at) SELECT w.id || i, w.handle, w.account, w.asset, 1, 0, w.gateway, 'x', 'x', w.created_at + 60000, w.expires_at
      FROM n JOIN withdrawals w ON w.id = ?`,
      [id],
    );
    const last = await quoteOf(browser, 10_000);
    await target.advance(60);
    expect((await post(browser, id, 'cancel')).status).toBe(200);
    for (const account of [accounts.pays, accounts.unknown]) {
      const full = await askWithdrawal(browser, 10_000, account);
      expect([full.status, full.headers.get('X-Error-Code')]).toEqual([429, 'rate_limited']);
      expect(Number(full.headers.get('Retry-After'))).toBeGreaterThan(80_000);
    }
    expect((await confirmWithdrawal(browser, last)).status).toBe(200);
    expect((await askWithdrawal(browser, 10_000)).status).toBe(200);
    expect(await balanceOf(target, handle)).toBe(50_000);
  });

  it('without a wallet, with a frozen one, and without a recent sign-in', async () => {
    const { browser } = await newMember(target);
    expect(await seen(await askWithdrawal(browser, 20_000))).toEqual(refusal(404, 'Wallet does not exist'));
    const holder = await newHolder(target, 50_000);
    const id = await quoteOf(holder.browser, 20_000);
    const freeze = (status: string) =>
      target.rows('UPDATE accounts SET status = ? WHERE owner = ?', [status, holder.handle]);
    await freeze('frozen');
    expect(await seen(await askWithdrawal(holder.browser, 20_000))).toEqual(refusal(403, 'Wallet is frozen'));
    expect(await seen(await confirmWithdrawal(holder.browser, id))).toEqual(refusal(403, 'Wallet is frozen'));
    await freeze('active');
    await target.advance(900);
    await holder.browser.fetch('/v1/auth/refresh', { method: 'POST' });
    const stale = await quoteOf(holder.browser, 20_000);
    expect(await seen(await confirmWithdrawal(holder.browser, stale))).toEqual(notFresh);
  });

  it('if withdrawals are disabled, but one that is already held is completed', async () => {
    const { browser } = await newHolder(target, 90_000);
    const [first, second, quoted] = [
      (await withdraw(browser, 20_000)).id,
      (await withdraw(browser, 20_000)).id,
      await quoteOf(browser, 20_000),
    ];
    await allowWithdrawals(target, false);
    const disabled = refusal(403, 'Withdrawals are disabled');
    expect(await seen(await browser.fetch('/v1/fiat/banks'))).toEqual(disabled);
    expect(await seen(await askWithdrawal(browser, 20_000))).toEqual(disabled);
    expect(await seen(await confirmWithdrawal(browser, quoted))).toEqual(disabled);
    expect(await seen(await post(browser, second, 'cancel'))).toMatchObject([200, { status: 'cancelled' }]);
    await runJobs(target);
    expect(await get(browser, first)).toMatchObject({ status: 'paid' });
    await allowWithdrawals(target);
    expect((await confirmWithdrawal(browser, quoted)).status).toBe(200);
  });

  it('if the ledger is frozen, and pending results are applied once it is open again', async () => {
    const { browser, handle } = await newHolder(target, 90_000);
    const { id } = await withdraw(browser, 20_000);
    const { id: returning } = await withdraw(browser, 20_000, accounts.returns);
    const { id: quiet } = await withdraw(browser, 20_000);
    await setMode('frozen');
    const frozen = refusal(503, 'Ledger is frozen');
    expect((await browser.fetch('/v1/fiat/banks')).status).toBe(200);
    expect(await seen(await askWithdrawal(browser, 20_000))).toEqual(frozen);
    expect(await seen(await confirmWithdrawal(browser, id))).toEqual(frozen);
    expect(await seen(await post(browser, id, 'cancel'))).toEqual(frozen);
    await runJobs(target);
    expect(await get(browser, id)).toMatchObject({ status: 'held' });
    await setMode('open');
    expect(await seen(await post(browser, quiet, 'cancel'))).toMatchObject([200, { status: 'cancelled' }]);
    await runJobs(target);
    expect(await get(browser, id)).toMatchObject({ status: 'paid' });
    await setMode('disabled');
    expect(await seen(await post(browser, returning, 'sync'))).toEqual(refusal(503, 'Ledger is disabled'));
    expect(await get(browser, returning)).toMatchObject({ status: 'paid' });
    await setMode('open');
    await target.advance(3700);
    await runJobs(target);
    await browser.fetch('/v1/auth/refresh', { method: 'POST' });
    expect(await get(browser, returning)).toMatchObject({ status: 'returned' });
    expect([await balanceOf(target, handle), await held(handle)]).toEqual([90_000 - 22_500 - fee, 0]);
  });
});
