import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { all } from '../../../src/db/database.ts';
import { resolveWithdrawal } from '../../../src/features/admin/documents.ts';
import { adjustAccounts, reverseTransfer } from '../../../src/features/admin/money.ts';
import { readOverview } from '../../../src/features/admin/overview.ts';
import { resolveDeposit } from '../../../src/features/admin/reviews.ts';
import { resolveSecondPayment } from '../../../src/features/admin/second-payments.ts';
import { listUnexplained } from '../../../src/features/admin/unexplained.ts';
import { selectDeposits } from '../../../src/features/deposit/deposit.ts';
import { reconcileDeposit } from '../../../src/features/deposit/reconcile.ts';
import { GatewayUnavailable, type PaymentGateway } from '../../../src/features/gateway/gateway.ts';
import { workPayouts } from '../../../src/features/withdrawal/payout.ts';
import { useDepositLooks } from '../../support/deposit-looks.ts';
import { mailsTo } from '../../support/mailbox.ts';
import { adjust, appAccount, gateway, newHolder, pay } from '../../support/money.ts';
import { createPayoutProvider } from '../../support/payout-provider.ts';
import { allowWithdrawals, withdraw } from '../../support/withdrawals.ts';

const stage = useDepositLooks();
const { app, depositIn, look, marks, since } = stage;

const total = (kind: string, owner: string) =>
  stage.service.rows<{ available: number; debt: number }>(
    `SELECT credits_posted - debits_posted - debits_pending AS available, debt FROM accounts WHERE kind = ? AND owner = ?`,
    [kind, owner],
  );
const payerOf = (id: string) => `payer${Number(id.slice(4))}`;
const walletOf = async (id: string) => (await total('wallet', payerOf(id)))[0];
const rowOf = async (id: string) =>
  (await stage.service.rows('SELECT status, failure, returned FROM deposits WHERE id = ?', [id]))[0];
const accountOf = async (id: string) =>
  (await stage.service.rows<{ account: number }>('SELECT account FROM deposits WHERE id = ?', [id]))[0]
    ?.account ?? 0;

it('a partial refund is taken first from the wallet, then from the fees of the app and the operator', async () => {
  const id = await depositIn('credited');
  const [before] = await total('app', app);
  for (const [returned, wallet, fee] of [
    [4000, 5850, 0],
    [9850, 0, 0],
    [9900, 0, 50],
    [9850, 0, 0],
    [100, 9750, 0],
  ] as const) {
    await look(id, { state: 'partly_refunded', returned });
    expect([await rowOf(id), (await walletOf(id))?.available]).toEqual([
      { status: 'credited', failure: null, returned },
      wallet,
    ]);
    expect((await total('app', app))[0]?.available).toBe((before?.available ?? 0) - fee);
  }
});

it('a fee that an app has already swept becomes the app’s debt, and its next fee settles it', async () => {
  const [first, second] = [await depositIn('credited'), await depositIn('pending')];
  const [{ available } = { available: 0 }] = await total('app', app);
  const fees = await appAccount(stage.service, app);
  await adjust(stage.service, { from: fees, to: gateway, amount: available });
  await look(first, { state: 'failed' });
  expect(await total('app', app)).toEqual([{ available: 0, debt: 100 }]);
  await look(second, { state: 'paid' });
  expect(await total('app', app)).toEqual([{ available: 0, debt: 0 }]);
});

it('an app is notified of a debt without learning the balance', async () => {
  const id = await depositIn('credited');
  await adjust(stage.service, { from: await accountOf(id), to: gateway, amount: 9000 });
  const before = await marks();
  await look(id, { state: 'partly_refunded', returned: 4000 });
  expect(await walletOf(id)).toEqual({ available: 0, debt: 3150 });
  expect((await since(before, 'deposits', id)).events).toBe('deposit.reversed, wallet.debt');
  const [event] = await stage.service.rows<{ data: string }>(
    `SELECT data FROM webhook_events WHERE type = 'wallet.debt' ORDER BY seq DESC LIMIT 1`,
  );
  expect(JSON.parse(event?.data ?? '')).toEqual({
    ...{ depositId: id, pid: `${payerOf(id)}@pid`, asset: 'IDR', returned: 4000 },
  });
});

/** A person who owes 5,000 while their withdrawal of 25,000 is held. */
async function heldWithDebt() {
  await allowWithdrawals(stage.service);
  const member = await newHolder(stage.service, 20_000);
  const [wallet] = await stage.service.rows<{ id: number }>('SELECT id FROM accounts WHERE owner = ?', [
    member.handle,
  ]);
  const account = wallet?.id ?? 0;
  const id = await depositIn('pending', { handle: member.handle, account });
  await look(id, { state: 'paid' });
  const { id: held } = await withdraw(member.browser, 25_000);
  await look(id, { state: 'refunded' });
  expect(await total('wallet', member.handle)).toEqual([{ available: 0, debt: 5000 }]);
  return { member, account, held };
}

it('a person is notified of a debt only once, with the amount reversed and the amount owed', async () => {
  const { member, account, held } = await heldWithDebt();
  const told = async () =>
    (await mailsTo(stage.service, member.claims.email)).filter(({ kind }) => kind === 'wallet_debt');
  const [mail] = await told();
  expect(mail?.content?.text).toMatch(/Jumlah: Rp\s9\.850\n.*Utang: Rp\s5\.000\n/s);
  const id = await depositIn('pending', { handle: member.handle, account });
  for (const state of ['paid', 'refunded', 'refunded'] as const) await look(id, { state });
  const [second, ...others] = await told();
  expect([second?.content?.text, others.length]).toEqual([
    expect.stringMatching(/Jumlah: Rp\s9\.850\n.*Utang: Rp\s5\.000\n/s),
    1,
  ]);
  // A reversal that the wallet covers creates no debt.
  for (const state of ['paid', 'paid'] as const) await look(id, { state });
  await adjust(stage.service, { from: gateway, to: account, amount: 9850 });
  await look(id, { state: 'failed' });
  expect(await told()).toHaveLength(2);
  await member.browser.fetch(`/v1/fiat/withdrawals/${held}/cancel`, { method: 'POST' });
});

it('a debt appears on the admin desk with the person, the outstanding amount and the start date', async () => {
  const { member, account, held } = await heldWithDebt();
  const listed = async () => {
    const asked = { kind: 'debt', pid: `${member.handle}@pid` } as const;
    return (await listUnexplained(stage.service.deps, 'operator', asked)).data;
  };
  const [{ since } = { since: '' }] = await listed();
  await stage.service.advance(3600);
  await stage.service.rows(
    `INSERT INTO adjustments (id, kind, debit, credit, amount, reason, actor, at)
    VALUES ('adj_part_of_debt', 'correction', ${gateway}, CAST(? AS INTEGER), 1000, 'test', 'test', CAST(? AS INTEGER))`,
    [account, stage.service.now()],
  );
  expect(await listed()).toMatchObject([{ kind: 'debt', amount: 4000, since }]);
  // The older part is settled first.
  const id = await depositIn('pending', { handle: member.handle, account });
  await look(id, { state: 'paid' });
  expect(await listed()).toEqual([]);
  await stage.service.advance(3600);
  await look(id, { state: 'refunded' });
  const [again] = await listed();
  expect(again?.amount).toBe(4000);
  expect(Date.parse(again?.since ?? '') - Date.parse(since)).toBeGreaterThanOrEqual(7_200_000);
  await member.browser.fetch(`/v1/fiat/withdrawals/${held}/cancel`, { method: 'POST' });
});

it('a withdrawal from a wallet with a debt waits and is paid once the debt is settled', async () => {
  const { member, account, held } = await heldWithDebt();
  const { gateway: payouts, sent } = createPayoutProvider();
  const work = () => workPayouts(stage.service.deps, payouts);
  const seen = async () => (await member.browser.fetch(`/v1/fiat/withdrawals/${held}`)).json();
  await work();
  expect([await seen(), sent]).toMatchObject([{ status: 'held', waitsFor: 'debt' }, []]);
  await adjust(stage.service, { from: gateway, to: account, amount: 5000 });
  expect(await seen()).toMatchObject({ status: 'held', waitsFor: null });
  await work();
  expect([await seen(), sent]).toMatchObject([{ status: 'paid' }, [held]]);
});

it('a withdrawal waiting for a debt appears on the admin desk immediately, where failing the withdrawal settles the debt first', async () => {
  const { member, held } = await heldWithDebt();
  const { stuck, stuckWithdrawals } = await readOverview(stage.service.deps, 'operator');
  expect(stuckWithdrawals).toContainEqual(
    expect.objectContaining({ id: held, status: 'held', failure: 'debt' }),
  );
  const isHeld = ({ kind, status, ids }: (typeof stuck)[number]) =>
    kind === 'withdrawal' && status === 'held' && ids.includes(held);
  expect(stuck.filter(isHeld)).toHaveLength(1);
  await resolveWithdrawal(stage.service.deps, 'operator', { id: held, outcome: 'failed', reason: 'debt' });
  expect(await total('wallet', member.handle)).toEqual([{ available: 20_000, debt: 0 }]);
});

it('a reversal to a payer with a debt shows the balance after each line, including fees', async () => {
  const [from, to] = [await newHolder(stage.service, 1000), await newHolder(stage.service)];
  await stage.service.rows(`INSERT INTO fee_versions (scope, operation, version, fixed, bps, payer, created_by, created_at)
    VALUES ('platform', 'transfer', 1, 30, 0, 'payer', 'test', 1)`);
  const { id: transfer } = await pay(from, to, 100);
  const [wallet] = await stage.service.rows<{ id: number }>('SELECT id FROM accounts WHERE owner = ?', [
    from.handle,
  ]);
  const id = await depositIn('pending', { handle: from.handle, account: wallet?.id ?? 0 });
  await look(id, { state: 'paid' });
  await adjust(stage.service, { from: wallet?.id ?? 0, to: gateway, amount: 870 + 9850 - 9735 });
  await look(id, { state: 'refunded' });
  expect(await total('wallet', from.handle)).toEqual([{ available: 0, debt: 115 }]);
  await reverseTransfer(stage.service.deps, 'operator', { id: transfer, reason: 'test' });
  const answer = await from.browser.fetch('/v1/wallet/transactions');
  const { data } = (await answer.json()) as {
    data: { kind: string; direction: string; amount: number; balanceAfter: number }[];
  };
  const lines = data.reverse().map(({ kind, direction, amount, balanceAfter }) => ({
    ...{ kind, delta: direction === 'in' ? amount : -amount, balanceAfter },
  }));
  expect(lines.slice(-3)).toEqual([
    { kind: 'reversal', delta: 130, balanceAfter: 130 },
    { kind: 'debt', delta: -100, balanceAfter: 30 },
    { kind: 'debt', delta: -15, balanceAfter: 15 },
  ]);
  let balance = 0;
  for (const { delta, balanceAfter } of lines) {
    balance += delta;
    expect(balanceAfter).toBe(balance);
  }
});

it('money held for a withdrawal settles a debt only once it is released', async () => {
  const { member, held } = await heldWithDebt();
  await member.browser.fetch(`/v1/fiat/withdrawals/${held}/cancel`, { method: 'POST' });
  expect(await total('wallet', member.handle)).toEqual([{ available: 20_000, debt: 0 }]);
});

it.each(['frozen', 'closed'])(
  'a %s wallet owes the missing amount and receives restored money',
  async (status) => {
    const [spent, kept] = [await depositIn('credited'), await depositIn('credited')];
    await adjust(stage.service, { from: await accountOf(spent), to: gateway, amount: 9850 });
    if (status === 'closed') await look(kept, { state: 'refunded' });
    for (const id of [spent, kept])
      await stage.service.rows('UPDATE accounts SET status = ? WHERE id = ?', [status, await accountOf(id)]);
    for (const id of [spent, kept]) await look(id, { state: 'refunded' });
    expect([await walletOf(spent), await walletOf(kept)]).toEqual([
      { available: 0, debt: 9850 },
      { available: 0, debt: 0 },
    ]);
    const [suspense] = await total('suspense', 'system');
    for (const id of [spent, kept]) await look(id, { state: 'paid' });
    const isClosed = status === 'closed';
    expect([await walletOf(spent), await walletOf(kept)]).toEqual([
      { available: 0, debt: 0 },
      { available: isClosed ? 0 : 9850, debt: 0 },
    ]);
    expect((await total('suspense', 'system'))[0]?.available).toBe(
      (suspense?.available ?? 0) + (isClosed ? 9850 : 0),
    );
  },
);

it('an administrator forgives part of a closed wallet’s debt, and returned money settles the rest first', async () => {
  const id = await depositIn('credited');
  await adjust(stage.service, { from: await accountOf(id), to: gateway, amount: 9850 });
  await stage.service.rows(`UPDATE accounts SET status = 'closed' WHERE id = ?`, [await accountOf(id)]);
  await look(id, { state: 'refunded' });
  const forgive = (amount: number) =>
    adjustAccounts(stage.service.deps, 'operator', {
      ...{
        from: 'gateway',
        to: `${payerOf(id)}@pid`,
        amount,
        reason: 'they are gone',
        key: `${id}-${amount}`,
      },
    });
  await expect(forgive(9851)).rejects.toMatchObject({ code: 'wallet_closed' });
  await forgive(3000);
  await expect(forgive(6851)).rejects.toMatchObject({ code: 'wallet_closed' });
  expect(await walletOf(id)).toEqual({ available: 0, debt: 6850 });
  const [suspense] = await total('suspense', 'system');
  await look(id, { state: 'partly_refunded', returned: 9000 });
  expect(await walletOf(id)).toEqual({ available: 0, debt: 6000 });
  await look(id, { state: 'paid' });
  expect(await walletOf(id)).toEqual({ available: 0, debt: 0 });
  expect((await total('suspense', 'system'))[0]?.available).toBe((suspense?.available ?? 0) + 3000);
  await expect(forgive(1)).rejects.toMatchObject({ code: 'wallet_closed' });
});

it('an app is notified of a second payment and of its resolution', async () => {
  const id = await depositIn('credited');
  const before = await marks();
  for (let count = 0; count < 2; count += 1) {
    const payments = [id, `${id} again`].map((payment) => ({
      id: payment,
      amount: 10_000,
      currency: 'IDR',
      method: 'qris',
    }));
    await look(id, { state: 'paid', payments });
  }
  const [second] = await stage.service.rows<{ id: string }>(
    'SELECT id FROM second_payments WHERE deposit = ?',
    [id],
  );
  const { id: one = '' } = second ?? {};
  await resolveSecondPayment(stage.service.deps, 'operator', {
    id: one,
    decision: 'credit',
    reason: 'asked',
  });
  expect((await walletOf(id))?.available).toBe(19_850);
  const events = await stage.service.rows<{ type: string; data: string }>(
    'SELECT type, data FROM webhook_events WHERE seq > ? ORDER BY seq',
    [before.event],
  );
  const data = { id: one, depositId: id, pid: `${payerOf(id)}@pid`, asset: 'IDR', amount: 10_000 };
  expect(events.map((event) => [event.type, JSON.parse(event.data)])).toEqual([
    ['deposit.second_payment', { ...data, status: 'open' }],
    ['deposit.second_payment', { ...data, status: 'credited' }],
  ]);
});

it('another payment attempt for an order does not affect the credited payment', async () => {
  const id = await depositIn('credited');
  for (const state of ['open', 'declined', 'expired', 'failed'] as const)
    await look(id, { state, payment: `${id} again` });
  expect(await rowOf(id)).toEqual({ status: 'credited', failure: null, returned: 0 });
  await look(id, { state: 'paid', payment: `${id} again` });
  expect(await stage.service.rows('SELECT kind, amount FROM adjustments WHERE ref = ?', [id])).toEqual([
    { kind: 'second_payment', amount: 10_000 },
  ]);
  await look(id, { state: 'refunded', payment: `${id} again` });
  expect(await rowOf(id)).toEqual({ status: 'credited', failure: 'contradicted', returned: 0 });
});

it('a refund of an unknown amount, or of a different amount or currency, moves no money [D-97]', async () => {
  for (const returned of [undefined, 0, 10_001]) {
    const id = await depositIn('credited');
    await look(id, { state: 'partly_refunded', returned });
    expect(await rowOf(id)).toEqual({ status: 'credited', failure: 'refund_uncovered', returned: 0 });
  }
  for (const change of [{ amount: 9999 }, { amount: undefined }, { currency: 'USD' }]) {
    const id = await depositIn('credited');
    await look(id, {
      state: 'refunded',
      payments: [{ id, amount: 10_000, currency: 'IDR', method: 'card', ...change }],
    });
    expect(await rowOf(id)).toEqual({ status: 'credited', failure: 'contradicted', returned: 0 });
    expect((await walletOf(id))?.available).toBe(9850);
  }
});

/** The operator bears the amount that the provider has returned and that was not debited from the wallet. */
const bear = (id: string, returnedAmount: number) =>
  resolveDeposit(stage.service.deps, 'operator', { id, decision: 'credit', returnedAmount, reason: 'seen' });

it.each(['failed', 'refunded'] as const)(
  'after the operator bore part of a payment that becomes %s, the rest is reversed only once',
  async (state) => {
    const id = await depositIn('credited');
    await look(id, { state: 'partly_refunded', returned: undefined });
    await bear(id, 3000);
    const borne = { status: 'credited', failure: 'refund_borne' };
    expect([await rowOf(id), (await walletOf(id))?.available]).toEqual([{ ...borne, returned: 0 }, 9850]);
    await look(id, { state: 'partly_refunded', returned: 3000 });
    expect((await walletOf(id))?.available).toBe(9850);
    await look(id, { state: 'partly_refunded', returned: 4000 });
    expect((await walletOf(id))?.available).toBe(8850);
    for (let again = 0; again < 2; again += 1) await look(id, { state });
    expect([await rowOf(id), await walletOf(id)]).toEqual([
      { ...borne, returned: 7000 },
      { available: 2850, debt: 0 },
    ]);
    const before = await marks();
    await look(id, { state: 'paid' });
    expect(await rowOf(id)).toEqual({ status: 'credited', failure: null, returned: 0 });
    expect((await since(before, 'deposits', id)).audit).toBe('deposit.restored');
    // The operator no longer bears restored money.
    await look(id, { state });
    expect(await walletOf(id)).toEqual({ available: 0, debt: 0 });
  },
);

it('another refund of an unknown amount adds a separate line on the admin desk', async () => {
  const id = await depositIn('credited');
  await look(id, { state: 'partly_refunded', returned: 1000 });
  await look(id, { state: 'partly_refunded', returned: undefined });
  for (const wrong of [undefined, 999, 10_001])
    await expect(bear(id, wrong as number)).rejects.toMatchObject({ code: 'validation_failed' });
  await bear(id, 2000);
  const before = await marks();
  await look(id, { state: 'partly_refunded', returned: undefined });
  expect(await since(before, 'deposits', id)).toMatchObject({
    ...{ becomes: 'credited (refund_uncovered)', moves: '-', audit: 'deposit.refund_uncovered' },
  });
  await bear(id, 5000);
  await look(id, { state: 'refunded' });
  expect(await rowOf(id)).toEqual({ status: 'credited', failure: 'refund_borne', returned: 6000 });
});

it('a refund borne by the operator without a stored amount waits until an administrator enters one', async () => {
  const id = await depositIn('credited');
  await stage.service.rows(`UPDATE deposits SET failure = 'refund_borne', borne = NULL WHERE id = ?`, [id]);
  await look(id, { state: 'refunded' });
  expect([await rowOf(id), (await walletOf(id))?.available]).toEqual([
    { status: 'credited', failure: 'refund_uncovered', returned: 0 },
    9850,
  ]);
  await bear(id, 10_000);
  await look(id, { state: 'refunded' });
  expect((await walletOf(id))?.available).toBe(9850);
});

it('a refund is checked again after a provider outage', async () => {
  const id = await depositIn('credited');
  const down = { getStatus: () => Promise.reject(new GatewayUnavailable('down')) };
  await stage.service.rows('UPDATE deposits SET next_at = ? WHERE id = ?', [stage.service.now(), id]);
  const [row] = await all(stage.service.deps.db, selectDeposits(sql`id = ${id}`));
  if (!row) throw new Error('no deposit');
  await expect(
    reconcileDeposit(stage.service.deps, down as Partial<PaymentGateway> as PaymentGateway, row),
  ).rejects.toThrow();
  const waiting = await stage.service.rows(
    'SELECT id FROM deposits WHERE id = ? AND next_at >= asked_at + 3600000',
    [id],
  );
  expect(waiting).toHaveLength(1);
});

it.each([
  { state: 'refunded', wallet: 0 },
  { state: 'partly_refunded', returned: 4000, wallet: 5850 },
] as const)(
  'money that was $state is restored by a settlement but not by a capture',
  async ({ wallet, ...said }) => {
    const id = await depositIn('credited');
    await look(id, said);
    const before = await marks();
    await look(id, { state: 'captured' });
    expect(await since(before, 'deposits', id)).toMatchObject({ moves: '-', audit: '-', events: '-' });
    expect((await walletOf(id))?.available).toBe(wallet);
    const [next] = await stage.service.rows<{ next_at: number }>(
      'SELECT next_at FROM deposits WHERE id = ?',
      [id],
    );
    expect(next?.next_at).toBeGreaterThan(stage.service.now());
    await look(id, { state: 'paid' });
    expect((await walletOf(id))?.available).toBe(9850);
  },
);

it('a captured card payment is credited immediately under CARD_CREDIT=capture, and a void reverses it', async () => {
  const id = await depositIn('pending');
  const deps = {
    ...stage.service.deps,
    config: {
      ...stage.service.deps.config,
      gateways: { ...stage.service.deps.config.gateways, cardCredit: 'capture' as const },
    },
  };
  await look(id, { state: 'captured' }, { deps });
  expect(await rowOf(id)).toEqual({ status: 'credited', failure: null, returned: 0 });
  await look(id, { state: 'failed' }, { deps });
  expect(await rowOf(id)).toEqual({ status: 'reversed', failure: null, returned: 10_000 });
});
