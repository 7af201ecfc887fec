import { beforeAll, describe, expect, it } from 'vitest';
import type { Overview } from '../../src/features/admin/schema.ts';
import { advanceToNoon, dumpRecords, notFresh, refusal, seen } from '../support/answers.ts';
import { markFirstParty, newApp } from '../support/apps.ts';
import { type Browser, json } from '../support/browser.ts';
import { newDeposit, notice, payAt, runJobs, sync } from '../support/deposits.ts';
import { insertGrant } from '../support/grant-rows.ts';
import { balanceOf, fundedWallet, giveBack, inquire, newHolder, pay } from '../support/money.ts';
import { type Member, newAdmin, newMember, signIn } from '../support/people.ts';
import { creditDeposit, takeBack } from '../support/reports.ts';
import { form } from '../support/sandbox.ts';
import { useService } from '../support/service.ts';
import { allowWithdrawals, withdraw } from '../support/withdrawals.ts';

let boss: Member;
const target = useService({ ADMIN_PIDS: 'the-boss@pid' });
beforeAll(async () => {
  boss = await newAdmin(target, 'the-boss');
});

const reason = 'a test';
const adminOnly = refusal(403, 'Admin only');
const noReason = refusal(400, ['reason must not be empty']);
const movedOn = refusal(409, 'The state has changed in the meantime');

function call(method: string, path: string, body: object, key?: string, by: Browser = boss.browser) {
  const { headers, ...init } = json(method, body);
  const keyed = key === undefined ? headers : { ...headers, 'Idempotency-Key': key };
  return by.fetch(`/v1/admin/${path}`, { ...init, headers: { ...keyed } });
}
const get = (path: string, by: Browser = boss.browser) => by.fetch(`/v1/admin/${path}`);
const answered = async <Body>(answer: Response): Promise<Body> => {
  expect([answer.status, answer.status === 200 ? '' : await answer.clone().text()]).toEqual([200, '']);
  return (await answer.json()) as Body;
};
const auditOf = (about: string) =>
  target.rows<{ actor: string; action: string; detail: string }>(
    'SELECT actor, action, detail FROM audit_log WHERE target = ? ORDER BY seq',
    [about],
  );
const detailsOf = async (about: string) =>
  (await auditOf(about)).map(({ detail }) => {
    const { op, ...shown } = JSON.parse(detail);
    expect(op).toMatch(/^[\w-]{43}$/);
    return shown;
  });

describe('PATCH /v1/admin/ledger', () => {
  it('freezes and unfreezes the ledger, and records each change only once with its reason', async () => {
    const [from, to] = [await newHolder(target, 5_000), await newHolder(target)];
    const frozen = await answered(await call('PATCH', 'ledger', { mode: 'frozen', reason: ' counting ' }));
    expect(frozen).toMatchObject({ mode: 'frozen', withdrawals: false, reason: 'counting' });
    expect(await seen(await inquire(from.browser, to.handle, 10))).toEqual(refusal(503, 'Ledger is frozen'));
    await answered(await call('PATCH', 'ledger', { mode: 'frozen', reason: 'again' }));
    const disabled = await answered(await call('PATCH', 'ledger', { mode: 'disabled', reason }));
    expect(disabled).toMatchObject({ mode: 'disabled', reason });
    expect(await seen(await inquire(from.browser, to.handle, 10))).toEqual(
      refusal(503, 'Ledger is disabled'),
    );
    const open = await answered(await call('PATCH', 'ledger', { mode: 'open', withdrawals: true, reason }));
    expect(open).toMatchObject({ mode: 'open', withdrawals: true, reason: null });
    await answered(await call('PATCH', 'ledger', { withdrawals: false, reason }));
    expect((await pay(from, to, 10)).status).toBe('completed');
    expect(await detailsOf('ledger')).toEqual([
      { mode: 'frozen', reason: 'counting' },
      { mode: 'disabled', reason },
      { mode: 'open', withdrawals: true, reason },
      { withdrawals: false, reason },
    ]);
  });

  it('needs a mode or a switch, and a reason', async () => {
    const before = await dumpRecords(target);
    const wrong: [object, string][] = [
      [{ reason }, 'mode or withdrawals must be given'],
      [{ mode: 'shut', reason }, 'mode must be open, frozen or disabled'],
      [{ withdrawals: 1, reason }, 'withdrawals must be true or false'],
      [{ mode: 'open', reason: '  ' }, 'reason must not be empty'],
    ];
    for (const [body, message] of wrong)
      expect(await seen(await call('PATCH', 'ledger', body))).toEqual(refusal(400, [message]));
    expect(await dumpRecords(target)).toEqual(before);
  });
});

describe('PATCH /v1/admin/wallets/:handle', () => {
  it('freezes one wallet: no money enters or leaves it until it is active again', async () => {
    const [held, other] = [await newHolder(target, 1_000), await newHolder(target, 1_000)];
    const set = (status: string) => call('PATCH', `wallets/${held.handle}`, { status, reason });
    expect(await answered(await set('frozen'))).toEqual({ pid: `${held.handle}@pid`, status: 'frozen' });
    expect(await seen(await inquire(held.browser, other.handle, 10))).toEqual(
      refusal(403, 'Wallet is frozen'),
    );
    expect((await inquire(other.browser, held.handle, 10)).status).not.toBe(200);
    expect((await held.browser.fetch('/v1/wallet')).status).toBe(200);
    await answered(await set('frozen'));
    await answered(await set('active'));
    await pay(held, other, 10);
    expect((await detailsOf(held.handle)).map(({ status }) => status)).toEqual(['frozen', 'active']);
  });

  it('returns 404 for a person without a wallet', async () => {
    const { handle } = await newMember(target);
    for (const name of [handle, 'nobody-here', '%00'])
      expect(await seen(await call('PATCH', `wallets/${name}`, { status: 'frozen', reason }))).toEqual(
        refusal(404, 'Wallet does not exist'),
      );
    const answer = await call('PATCH', `wallets/${handle}`, { status: 'closed', reason });
    expect(await seen(answer)).toEqual(refusal(400, ['status must be active or frozen']));
  });
});

describe('POST /v1/admin/transfers/:id/reverse', () => {
  const reverse = (id: string) => call('POST', `transfers/${id}/reverse`, { reason });

  it('reverses a transfer only once', async () => {
    const [from, to] = [await newHolder(target, 1_000), await newHolder(target)];
    const { id } = await pay(from, to, 400);
    expect(await answered(await reverse(id))).toMatchObject({ id, status: 'reversed' });
    expect([await balanceOf(target, from.handle), await balanceOf(target, to.handle)]).toEqual([1_000, 0]);
    expect(await (await to.browser.fetch(`/v1/fiat/transfers/${id}`)).json()).toMatchObject({
      status: 'reversed',
    });
    expect(await seen(await reverse(id))).toEqual(movedOn);
    expect(await auditOf(id)).toMatchObject([{ actor: 'the-boss', action: 'transfer.reversed' }]);
  });

  it('rejects an unknown or refunded transfer, and one whose money cannot be returned', async () => {
    const [from, to] = [await newHolder(target, 1_000), await newHolder(target)];
    const asked = (await (await inquire(from.browser, to.handle, 10)).json()) as { id: string };
    const before = await dumpRecords(target);
    for (const id of [asked.id.replace('inq_', 'trf_'), 'trf_x', '%00'])
      expect(await seen(await reverse(id))).toEqual(refusal(404, 'Unknown transaction'));
    expect(await dumpRecords(target)).toEqual(before);
    const spent = await pay(from, to, 400);
    await pay(to, from, 100);
    expect(await seen(await reverse(spent.id))).toEqual(refusal(400, 'Insufficient internal credit'));
    const refunded = await pay(from, to, 300);
    const refund = (await (await giveBack(to.browser, refunded.id, 'k', { amount: 1 })).json()) as {
      id: string;
    };
    for (const id of [refunded.id, refund.id]) expect(await seen(await reverse(id))).toEqual(movedOn);
    const stopped = await pay(from, to, 50);
    await call('PATCH', 'ledger', { mode: 'frozen', reason });
    expect(await seen(await reverse(stopped.id))).toEqual(refusal(503, 'Ledger is frozen'));
    await call('PATCH', 'ledger', { mode: 'open', reason });
    expect(await auditOf(stopped.id)).toEqual([]);
  });
});

describe('a wallet whose identity is closed', () => {
  it('is reported as closed, not frozen, by every decision that would move its money', async () => {
    const [gone, payee] = [await newHolder(target, 100), await newHolder(target)];
    const paid = await pay(gone, payee, 100);
    const deposit = await newDeposit(gone);
    expect((await gone.browser.fetch('/v1/me', json('DELETE', { handle: gone.handle }))).status).toBe(204);
    await payAt(target, deposit, 'pay', 'once');
    const state = () => target.rows('SELECT failure FROM deposits WHERE id = ?', [deposit.id]);
    await expect.poll(state).toEqual([{ failure: 'account_closed' }]);
    const closed = refusal(403, 'Wallet is closed', 'wallet_closed');
    const [credit, reject] = [{ decision: 'credit' }, { decision: 'reject' }];
    const resolve = (body: object) => call('POST', `deposits/${deposit.id}/resolve`, { ...body, reason });
    const move = { from: 'gateway', to: `${gone.handle}@pid`, amount: 5, reason };
    for (const answer of [
      await call('POST', `transfers/${paid.id}/reverse`, { reason }),
      await call('POST', 'adjustments', move, 'to-a-closed-one'),
      await resolve(credit),
    ])
      expect(await seen(answer)).toEqual(closed);
    await answered(await resolve(reject));
  });

  it('accepts only adjustments that forgive its debt', async () => {
    const gone = await newHolder(target);
    const account = await fundedWallet(target, gone.handle, 0);
    const deposit = { id: `dep_${'8'.repeat(26)}`, account, gross: 700, at: target.now() };
    await creditDeposit(target, deposit);
    await pay(gone, await newHolder(target), 700);
    expect((await gone.browser.fetch('/v1/me', json('DELETE', { handle: gone.handle }))).status).toBe(204);
    await takeBack(target, deposit.id, 700, target.now());
    const forgive = (amount: number) =>
      call(
        'POST',
        'adjustments',
        { from: 'suspense', to: `${gone.handle}@pid`, amount, reason },
        `debt-${amount}`,
      );
    const debts = async () => (await get(`unexplained?kind=debt&pid=${gone.handle}@pid`)).json();
    const closed = refusal(403, 'Wallet is closed', 'wallet_closed');
    expect(await debts()).toMatchObject({ data: [{ amount: 700 }] });
    expect(await seen(await forgive(701))).toEqual(closed);
    await answered(await forgive(699));
    expect(await debts()).toMatchObject({ data: [{ amount: 1 }] });
    expect(await seen(await forgive(2))).toEqual(closed);
    await answered(await forgive(1));
    expect(await debts()).toEqual({ count: 0, data: [] });
    expect(await balanceOf(target, gone.handle)).toBe(0);
  });
});

describe('POST /v1/admin/adjustments', () => {
  let keys = 0;
  function move(from: string, to: string, amount: unknown, key?: string) {
    keys += 1;
    return call('POST', 'adjustments', { from, to, amount, reason }, key ?? `key-${keys}`);
  }

  it('moves money once per idempotency key', async () => {
    const holder = await newHolder(target);
    const pid = `${holder.handle}@pid`;
    const made = await answered<{ id: string }>(await move('gateway', pid, 700, 'one'));
    expect(made).toMatchObject({ from: 'gateway', to: pid, asset: 'IDR', amount: 700 });
    const again = await move('gateway', pid, 700, 'one');
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
    expect(await answered(again)).toEqual(made);
    expect(await seen(await move('gateway', pid, 701, 'one'))).toEqual(
      refusal(409, 'Idempotency-Key was already used with a different request'),
    );
    expect(await balanceOf(target, holder.handle)).toBe(700);
    await answered(await move(pid, 'suspense', 200));
    expect(await balanceOf(target, holder.handle)).toBe(500);
    expect(await detailsOf(made.id)).toEqual([{ from: 'gateway', to: pid, amount: 700, reason }]);
    const lines = await answered<{ data: { kind: string; amount: number }[] }>(
      await holder.browser.fetch('/v1/wallet/transactions'),
    );
    expect(lines.data.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['correction', 200],
      ['correction', 700],
    ]);
  });

  it('never overdraws an account, and accepts only known accounts and whole amounts', async () => {
    const [holder, stranger] = [await newHolder(target, 50), await newMember(target)];
    const pid = `${holder.handle}@pid`;
    const before = await dumpRecords(target);
    const account = (name: string) =>
      refusal(400, [
        `${name} must be a PID, the id of an app, platform, gateway, payout, suspense, bank or provider_fee`,
      ]);
    const refusals: [Promise<Response>, unknown][] = [
      [move(pid, 'suspense', 51), refusal(400, 'Insufficient internal credit')],
      [move('platform', pid, 1_000_000), refusal(400, 'Insufficient internal credit')],
      [move('gateway', `${stranger.handle}@pid`, 5), refusal(404, 'Wallet does not exist')],
      [move('treasury', pid, 5), account('from')],
      [move(pid, 'ayu', 5), account('to')],
      [move(pid, pid, 5), refusal(400, ['to must be another account than from'])],
      [move('gateway', pid, 1.5), refusal(400, ['amount must be a positive integer'])],
      [move('gateway', pid, 1e13), refusal(400, 'Amount too large: maximum is 1000000000000 IDR')],
      [
        call('POST', 'adjustments', { from: 'gateway', to: pid, amount: 5, reason }),
        refusal(400, 'Idempotency-Key is required'),
      ],
    ];
    for (const [answer, expected] of refusals) expect(await seen(await answer)).toEqual(expected);
    expect(await dumpRecords(target)).toEqual(before);
  });
});

describe('POST /v1/admin/deposits/:id/resolve', () => {
  const decide = (id: string, decision: string) =>
    call('POST', `deposits/${id}/resolve`, { decision, reason });

  it('credits or rejects a payment only once', async () => {
    const holder = await newHolder(target);
    const deposits = [await newDeposit(holder, 50_000), await newDeposit(holder, 60_000)];
    for (const one of deposits) {
      await payAt(target, one, 'wrong');
      await sync(holder.browser, one.id);
    }
    const ids = deposits.map(({ id }) => id);
    const waiting = { pid: `${holder.handle}@pid`, status: 'review', failure: 'amount_mismatch' };
    const list = await answered<{ data: { id: string }[] }>(await get('deposits?status=review'));
    expect(list.data.filter(({ id }) => ids.includes(id))).toMatchObject([
      { ...waiting, id: ids[1], amount: 60_000, paidAmount: 60_001, paidCurrency: 'IDR' },
      { ...waiting, id: ids[0], amount: 50_000, paidAmount: 50_001 },
    ]);
    expect((await answered<Overview>(await get('overview'))).reviews).toBeGreaterThanOrEqual(2);
    const [first = '', second = ''] = ids;
    const credited = { status: 'credited', failure: null, amount: 50_001, netAmount: 50_001 };
    expect(await answered(await decide(first, 'credit'))).toMatchObject(credited);
    expect(await answered(await decide(second, 'reject'))).toMatchObject({
      status: 'failed',
      failure: 'rejected',
    });
    expect(await balanceOf(target, holder.handle)).toBe(50_001);
    for (const id of ids)
      for (const decision of ['credit', 'reject'])
        expect(await seen(await decide(id, decision))).toEqual(movedOn);
    // The audit log stores the facts of the decision; the deposit shows only the result.
    const about = { pid: `${holder.handle}@pid`, failure: 'amount_mismatch', currency: 'IDR' };
    for (const [id, decision, asked] of [
      [first, 'credit', 50_000],
      [second, 'reject', 60_000],
    ] as const) {
      const [row] = await target.rows<{ payment: string }>('SELECT payment FROM deposits WHERE id = ?', [id]);
      const { payment } = row ?? {};
      expect(await detailsOf(id)).toEqual([{ ...about, decision, asked, paid: asked + 1, payment, reason }]);
    }
    expect(await seen(await decide('dep_none', 'credit'))).toEqual(refusal(404, 'Unknown transaction'));
  });

  const state = async (id: string) =>
    (await target.rows<object>('SELECT status, failure, next_at FROM deposits WHERE id = ?', [id]))[0];

  it('keeps a deposit rejected if the provider reports it again or its owner syncs it', async () => {
    const holder = await newHolder(target);
    const { id } = await newDeposit(holder);
    await payAt(target, { id }, 'wrong');
    await sync(holder.browser, id);
    await answered(await decide(id, 'reject'));
    expect(await answered(await sync(holder.browser, id))).toMatchObject({ failure: 'rejected' });
    await target.advance(2);
    await notice(target, id);
    await expect.poll(() => state(id)).toEqual({ status: 'failed', failure: 'rejected', next_at: null });
    // A rejected payment is not in the books, but the order's other payments are.
    const suspended = () => target.rows<object>('SELECT kind, amount FROM adjustments WHERE ref = ?', [id]);
    expect(await suspended()).toEqual([]);
    await payAt(target, { id }, 'pay');
    await target.advance(2);
    await notice(target, id);
    await expect.poll(suspended).toEqual([{ kind: 'second_payment', amount: 50_000 }]);
    expect(await state(id)).toEqual({ status: 'failed', failure: 'rejected', next_at: null });
    expect(await balanceOf(target, holder.handle)).toBe(0);
  });

  it('applies a refund that arrived during the review after the decision', async () => {
    const holder = await newHolder(target);
    const [whole, part] = [await newDeposit(holder), await newDeposit(holder)];
    await payAt(target, whole, 'wrong');
    await payAt(target, part, 'pay');
    await payAt(target, part, 'partly');
    for (const { id } of [whole, part])
      expect(await answered(await sync(holder.browser, id))).toMatchObject({ status: 'review' });
    expect(await state(part.id)).toMatchObject({ failure: 'partly_refunded' });
    await payAt(target, whole, 'refund');
    for (const { id } of [whole, part]) await answered(await decide(id, 'credit'));
    await runJobs(target);
    expect(await state(whole.id)).toMatchObject({ status: 'reversed', failure: null });
    expect(await state(part.id)).toMatchObject({ status: 'credited', failure: null });
    expect(await balanceOf(target, holder.handle)).toBe(40_000);
    await payAt(target, part, 'refund');
    await target.advance(2);
    await notice(target, part.id);
    await expect.poll(() => state(part.id)).toMatchObject({ status: 'reversed', failure: null });
    expect(await balanceOf(target, holder.handle)).toBe(0);
  });

  it('credits with the fee at checkout, even if the app has since changed it [D-88]', async () => {
    const [owner, holder] = [await newMember(target), await newHolder(target)];
    const app = await newApp(owner.browser, { scopes: ['fiat:deposit'] });
    await markFirstParty(target, app.id);
    await insertGrant(target, app.id, holder.handle, ['fiat:deposit']);
    const { headers, ...init } = json('POST', { amount: 50_000 });
    const asApp = { ...headers, Origin: 'https://shop.example.com', 'X-App-Id': app.id };
    const { id } = await answered<{ id: string }>(
      await holder.browser.fetch('/v1/fiat/deposits/checkout', { ...init, headers: asApp }),
    );
    const setFee = async (bps: number) =>
      answered(await owner.browser.fetch(`/v1/apps/${app.id}/fees/deposit`, json('PUT', { fixed: 0, bps })));
    await payAt(target, { id }, 'wrong');
    await sync(holder.browser, id);
    await setFee(100);
    expect(await answered(await decide(id, 'credit'))).toMatchObject({ netAmount: 50_001 });
    const next = await answered<{ id: string }>(
      await holder.browser.fetch('/v1/fiat/deposits/checkout', { ...init, headers: asApp }),
    );
    await setFee(1000);
    await payAt(target, next, 'wrong');
    await sync(holder.browser, next.id);
    // A hundredth of 50,001, rounded up.
    expect(await answered(await decide(next.id, 'credit'))).toMatchObject({ netAmount: 49_500 });
  });
});

describe('PUT /v1/admin/fees/:operation', () => {
  const put = (operation: string, fee: object, ifMatch?: string) => {
    const { headers, ...init } = json('PUT', fee);
    const matched = ifMatch === undefined ? headers : { ...headers, 'If-Match': ifMatch };
    return boss.browser.fetch(`/v1/admin/fees/${operation}`, { ...init, headers: { ...matched } });
  };

  it('sets versions of the operator’s fee, which people then pay', async () => {
    const [from, to] = [await newHolder(target, 1_000), await newHolder(target)];
    const first = await put('transfer', { fixed: 5, bps: 0, reason });
    expect(first.headers.get('ETag')).toBe('"1"');
    expect(await answered(first)).toMatchObject({ operation: 'transfer', fixed: 5, version: 1 });
    const { fees, id } = await pay(from, to, 100);
    expect(fees).toMatchObject({ platform: 5, total: 5 });
    expect((await put('transfer', { fixed: 5, bps: 0, reason }, '"1"')).headers.get('ETag')).toBe('"1"');
    expect(await seen(await put('transfer', { fixed: 6, bps: 0, reason }, '"0"'))).toEqual(
      refusal(409, 'Fee was changed by someone else'),
    );
    expect(await answered(await put('transfer', { fixed: 0, bps: 0, reason }, '"1"'))).toMatchObject({
      version: 2,
    });
    expect((await detailsOf('transfer')).map(({ fixed }) => fixed)).toEqual([5, 0]);
    // With its fee, the reversal returns everything.
    await answered(await call('POST', `transfers/${id}/reverse`, { reason }));
    expect(await balanceOf(target, from.handle)).toBe(1_000);
  });

  it('rejects an invalid fee', async () => {
    expect(await seen(await put('gift', { fixed: 5, bps: 0, reason }))).toEqual(
      refusal(400, ['operation must be one of: deposit, transfer, withdrawal']),
    );
    expect(await seen(await put('deposit', { fixed: 5, bps: 0, payer: 'payee', reason }))).toEqual(
      refusal(400, ['payer must be payer, except for a transfer']),
    );
    expect(await seen(await put('deposit', { fixed: 5, bps: 0, min: 5, max: 4, reason }))).toEqual(
      refusal(400, ['max must be greater than or equal to min']),
    );
  });
});

describe('the admin desk', () => {
  const changes: [string, string, object][] = [
    ['PATCH', 'ledger', { mode: 'frozen' }],
    ['PATCH', 'wallets/the-boss', { status: 'frozen' }],
    ['PATCH', 'apps/app_x', { status: 'suspended' }],
    ['POST', 'transfers/trf_x/reverse', {}],
    ['POST', 'withdrawals/wdr_x/resolve', { outcome: 'paid' }],
    ['POST', 'deposits/dep_x/resolve', { decision: 'reject' }],
    ['POST', 'adjustments', { from: 'gateway', to: 'suspense', amount: 1 }],
    ['PUT', 'fees/deposit', { fixed: 1, bps: 0 }],
  ];
  const reads = ['overview', 'audit', 'deposits'];

  it('is limited to administrators with a recent sign-in, and requires a reason for each change', async () => {
    const member = await newMember(target);
    const before = await dumpRecords(target);
    for (const [method, path, body] of changes) {
      expect(await seen(await call(method, path, body, 'k', member.browser))).toEqual(adminOnly);
      for (const blank of ['', ' \t ']) {
        const answer = await call(method, path, { ...body, reason: blank }, 'k');
        expect(await seen(answer)).toEqual(noReason);
      }
    }
    for (const path of reads) expect(await seen(await get(path, member.browser))).toEqual(adminOnly);
    expect(await dumpRecords(target)).toEqual(before);
    await target.advance(901);
    await boss.browser.fetch('/v1/auth/refresh', { method: 'POST' });
    for (const [method, path, body] of changes)
      expect(await seen(await call(method, path, { ...body, reason }, 'k'))).toEqual(notFresh);
    for (const path of reads) expect(await seen(await get(path))).toEqual(notFresh);
    await signIn(target, boss.browser, boss.claims);
  });

  it('lists its audit log newest first, without request ids', async () => {
    await call('PATCH', 'ledger', { withdrawals: true, reason: 'first' });
    await call('PATCH', 'ledger', { withdrawals: false, reason: 'second' });
    interface Line {
      readonly detail: object;
    }
    const page = await answered<{ data: Line[]; nextCursor: string }>(await get('audit?limit=1'));
    const line = { actor: 'the-boss', action: 'ledger.mode', target: 'ledger', at: expect.any(String) };
    expect(page.data).toEqual([{ ...line, detail: { withdrawals: false, reason: 'second' } }]);
    const next = await answered<{ data: Line[] }>(await get(`audit?limit=1&cursor=${page.nextCursor}`));
    expect(next.data).toEqual([{ ...line, detail: { withdrawals: true, reason: 'first' } }]);
  });

  it('lists stuck items, such as a deposit still unpaid after the last check with the provider', async () => {
    const { handle } = await newHolder(target);
    await target.rows(
      `INSERT INTO deposits (id, handle, account, asset, gross, app_fee, platform_fee, net, gateway, created_at, updated_at,
        expires_at) SELECT 'dep_forgotten', owner, id, asset, 10000, 0, 0, 10000, 'sandbox', 1, 1, 2 FROM accounts
        WHERE owner = ?`,
      [handle],
    );
    const become = (status: string) =>
      target.rows(`UPDATE deposits SET status = ?, session = 's', url = 'u' WHERE id = 'dep_forgotten'`, [
        status,
      ]);
    await become('pending');
    const stuck = async () => (await answered<Overview>(await get('overview'))).stuck;
    const oldestAt = '1970-01-01T00:00:00.001Z';
    const forgotten = {
      kind: 'unfinished_deposit',
      status: 'pending',
      count: 1,
      oldestAt,
      ids: ['dep_forgotten'],
    };
    expect(await stuck()).toContainEqual(forgotten);
    await become('expired');
    expect(await stuck()).not.toContainEqual(forgotten);
  });

  it('shows its switches, the operator’s accounts, and a day’s provider turnover in Jakarta time', async () => {
    await advanceToNoon(target);
    await signIn(target, boss.browser, boss.claims);
    const { handle } = await newMember(target);
    await target.rows(
      `INSERT INTO accounts (kind, owner, asset, created_at) VALUES ('wallet', ?, 'IDR', 1)`,
      [handle],
    );
    const made = await call(
      'POST',
      'adjustments',
      { from: 'gateway', to: `${handle}@pid`, amount: 75, reason },
      'day',
    );
    const { createdAt } = await answered<{ createdAt: string }>(made);
    const day = new Date(Date.parse(createdAt) + 7 * 3_600_000).toISOString().slice(0, 10);
    const shown = await answered<Overview>(await get('overview'));
    expect(shown).toMatchObject({ ledger: { mode: 'open', withdrawals: false, reason: null }, day });
    expect(shown.accounts.map(({ kind }) => kind)).toEqual([
      'platform',
      'gateway',
      'payout',
      'suspense',
      'debts',
      'bank',
      'provider_fee',
    ]);
    const [correction] = shown.totals.filter(({ kind }) => kind === 'correction');
    expect(correction?.amount).toBeGreaterThanOrEqual(75);
    const long = await answered<Overview>(await get('overview?day=2020-02-29'));
    expect([long.day, long.totals]).toEqual(['2020-02-29', []]);
    for (const bad of ['2020-02-30', 'x'])
      expect(await seen(await get(`overview?day=${bad}`))).toEqual(
        refusal(400, ['day must be a date such as 2026-11-22']),
      );
  });
});

describe('/admin', () => {
  const post = (fields: Record<string, string>, by: Browser = boss.browser) =>
    by.navigate('/admin', form(fields, target.origin));

  it('shows the admin desk only to administrators, in both languages', async () => {
    const page = await boss.browser.navigate('/admin');
    const html = await page.text();
    expect([page.status, html.includes('Move money between accounts')]).toEqual([200, true]);
    for (const words of ['Money not explained', 'because the service, a provider and the bank do not agree'])
      expect(html).toContain(words);
    expect(html).toContain('Last failed check of the books');
    // Each link leads to a part of the page, and no two forms have the same button.
    const links = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.length).toBeGreaterThan(6);
    for (const id of links) expect(html).toContain(`id="${id}"`);
    const onDemand = html.replaceAll(/<form [^>]*aria-label=.*?<\/form>/gs, '');
    const buttons = [...onDemand.matchAll(/<button type="submit" class="[^"]*main[^"]*">([^<]+)/g)].map(
      ([, text]) => text,
    );
    expect(new Set(buttons).size).toBe(buttons.length);
    const indonesian = await boss.browser.navigate('/admin', { headers: { 'Accept-Language': 'id' } });
    expect(await indonesian.text()).toContain('Administrasi');
    const { browser } = await newMember(target);
    const refused = await browser.navigate('/admin');
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('Admin only')]);
  });

  it('carries out each of its forms only once, and explains rejections', async () => {
    const [from, to] = [await newHolder(target, 900), await newHolder(target)];
    const { id } = await pay(from, to, 100);
    const { id: app } = await newApp(from.browser);
    const pid = `${to.handle}@pid`;
    const deposit = await newDeposit(from, 50_000);
    await payAt(target, deposit, 'wrong');
    await sync(from.browser, deposit.id);
    const forms: Record<string, string>[] = [
      { act: 'ledger', mode: '', withdrawals: 'true' },
      { act: 'ledger', mode: 'open', withdrawals: 'false' },
      { act: 'app', id: app, status: 'suspended' },
      { act: 'review', id: deposit.id, decision: 'credit' },
      { act: 'adjust', from: 'gateway', to: pid, amount: '70', key: `page-${id}`, confirmed: '1' },
      { act: 'adjust', from: 'gateway', to: pid, amount: '70', key: `page-${id}`, confirmed: '1' },
      {
        act: 'fee',
        operation: 'withdrawal',
        fixed: '3.000',
        percent: '0.7',
        min: '0',
        max: '',
        payer: 'payer',
      },
    ];
    for (const fields of forms) {
      const answer = await post({ ...fields, reason: 'by the page' });
      expect([fields, answer.status, answer.headers.get('Location')]).toEqual([
        ...[fields, 303, expect.stringMatching(new RegExp(`^/admin\\?done=${fields['act']}(&of=.+)?$`))],
      ]);
    }
    expect([await balanceOf(target, from.handle), await balanceOf(target, to.handle)]).toEqual([50_801, 170]);
    expect(await target.rows(`SELECT fixed, bps FROM fee_versions WHERE operation = 'withdrawal'`)).toEqual([
      { fixed: 3_000, bps: 70 },
    ]);
    const audit = (await (await boss.browser.navigate('/admin/audit?action=fee.changed')).text()).replaceAll(
      '\u00a0',
      ' ',
    );
    expect(audit).toContain('fixed: IDR 3,000, percentage: 0.7%');
    expect(await (await boss.browser.navigate('/admin?done=ledger')).text()).toContain(
      'Open: people can pay and top up. Withdrawals: Off',
    );
    for (const [fields, status, text] of [
      [{ act: 'adjust', from: 'suspense', to: 'no one', amount: '5', key: 'k' }, 400, 'neither a PID nor'],
      [{ act: 'adjust', from: 'suspense', to: 'nobody-here', amount: '5' }, 400, 'no such wallet or account'],
      [{ act: 'adjust', from: 'suspense', to: to.handle, amount: '2.5' }, 400, 'such as 120000 or 120.000'],
      [{ act: 'adjust', from: pid, to: 'suspense', amount: '171' }, 400, 'There is only'],
      [{ act: 'adjust', from: pid, to: to.handle, amount: '5' }, 400, 'another account than the one above'],
      [{ act: 'withdrawal', id: 'wdr_x', outcome: 'paid' }, 404, 'nothing with this ID'],
      [{ act: 'wallet' }, 400, 'role="alert"'],
      [{ act: 'review', id: deposit.id, decision: 'reject' }, 409, 'The state has changed in the meantime'],
      [{ act: 'other' }, 400, 'role="alert"'],
      [{ act: 'constructor' }, 400, 'role="alert"'],
      [{ act: '__proto__' }, 400, 'role="alert"'],
      [{ act: 'toString' }, 400, 'role="alert"'],
    ] as const) {
      const answer = await post({ ...fields, reason });
      expect([fields, answer.status, await answer.text()]).toEqual([
        fields,
        status,
        expect.stringContaining(text),
      ]);
    }
    const typed = await (await post({ act: 'difference', id: 'dif_typed', reason: ' ' })).text();
    expect(typed).toContain('value="dif_typed"');
    expect(typed).toContain('Say why, in up to 500 characters.');
  });

  it('shows what a correction would do before it moves the money, and afterwards what it moved', async () => {
    const [from, to] = [await newHolder(target, 500_000), await newHolder(target, 1_000)];
    const fields = { act: 'adjust', key: from.handle, reason: 'letter 118' };
    const entered = { ...fields, from: `@${from.handle.toUpperCase()}`, to: to.handle, amount: 'Rp 120.000' };
    const text = async (answer: Response) => (await answer.text()).replaceAll('\u00a0', ' ');
    const review = await text(await post(entered));
    expect(review).toContain('Balance: IDR 500,000 now, IDR 380,000 afterwards');
    expect(review).toContain('Balance: IDR 1,000 now, IDR 121,000 afterwards');
    expect(review).toContain('Move IDR 120,000');
    expect(await balanceOf(target, to.handle)).toBe(1_000);
    const edited = await text(await post({ ...entered, edit: '1' }));
    expect(edited).toMatch(/<details id="adjust" open/);
    const moved = await post({ ...entered, confirmed: '1' });
    const done = await text(await boss.browser.navigate(moved.headers.get('Location') ?? ''));
    expect(done).toMatch(
      new RegExp(
        `IDR 120,000 moved from .*${from.handle}@pid.* to .*${to.handle}@pid.*/admin/transactions/adj_`,
      ),
    );
    expect(await balanceOf(target, to.handle)).toBe(121_000);
    const linked = await text(await boss.browser.navigate(`/admin?from=${from.handle}@pid&amount=5.000`));
    expect(linked).toMatch(/<details id="adjust" open/);
    for (const value of [`${from.handle}@pid`, '5.000']) expect(linked).toContain(`value="${value}"`);
  });

  it('names the effect of each switch, and shows on every page of the desk that money is stopped', async () => {
    const shown = async (path = '/admin') => (await boss.browser.navigate(path)).text();
    const stopped = 'All money is stopped';
    const open = await shown();
    expect(open).toContain('Frozen: nobody can pay, top up or withdraw');
    expect(open).not.toContain(stopped);
    const answer = await post({ act: 'ledger', mode: 'frozen', reason: 'Counting' });
    const done = await shown(answer.headers.get('Location') ?? '');
    expect(done).toMatch(/role="status"[^>]*>.*Frozen: nobody can pay, top up or withdraw/);
    for (const path of ['/admin', '/admin/people', '/admin/audit', `/admin/people/${boss.handle}`])
      expect([path, await shown(path)]).toEqual([path, expect.stringContaining(stopped)]);
    expect(await shown()).toContain('Reason: Counting');
    await post({ act: 'ledger', mode: 'open', reason });
    expect(await shown()).not.toContain(stopped);
  });

  it('says that the service stopped the money itself if a check of the books failed', async () => {
    await target.rows(`UPDATE ledger SET mode = 'frozen', reason = 'balanced: IDR' WHERE id = 1`);
    await target.rows(
      `INSERT INTO audit_log (at, actor, action, target, detail) VALUES (?, 'system', 'ledger.mode', 'ledger', ?)`,
      [target.now(), JSON.stringify({ mode: 'frozen', reason: 'balanced: IDR' })],
    );
    const shown = await (await boss.browser.navigate('/admin/audit')).text();
    expect(shown).toContain('a check of the books failed');
    await post({ act: 'ledger', mode: 'open', reason });
  });

  it('shows every case that awaits a decision, with a form for each', async () => {
    const holder = await newHolder(target, 90_000);
    const deposit = await newDeposit(holder, 50_000);
    await payAt(target, deposit, 'wrong');
    await sync(holder.browser, deposit.id);
    await allowWithdrawals(target);
    expect(await (await boss.browser.navigate('/admin')).text()).toContain(
      'On: people can withdraw to their bank while',
    );
    const { id } = await withdraw(holder.browser, 20_000);
    await target.rows(
      `UPDATE withdrawals SET status = 'submitted', submitted_at = held_at, failure = 'unknown' WHERE id = ?`,
      [id],
    );
    const shown = async () => (await boss.browser.navigate('/admin')).text();
    /** A document's form on the page. */
    const formOf = (html: string, of: string) =>
      new RegExp(`<form [^>]*aria-label="${of}".*?</form>`, 's').exec(html)?.[0];
    const html = await shown();
    expect(html).toContain(`${holder.handle}@pid, another amount was paid (amount_mismatch): asked `);
    expect(html).toMatch(
      new RegExp(
        `${holder.handle}@pid, [^<]*20,000: the provider does not say what happened \\(unknown\\), held since `,
      ),
    );
    const undecided = await post({ act: 'withdrawal', id, outcome: '', reason });
    expect([undecided.status, await undecided.text()]).toEqual([
      400,
      expect.stringContaining('<p class="problem">choose</p>'),
    ]);
    for (const [act, of, choice] of [
      ['review', deposit.id, 'decision'],
      ['withdrawal', id, 'outcome'],
    ] as const) {
      const own = formOf(html, of);
      expect(own).toContain(`name="act" value="${act}"`);
      expect(own).toContain(`name="id" value="${of}"`);
      expect(own).toContain(`id="${act}-${of}-${choice}"`);
    }
    const refused = await post({ act: 'review', id: deposit.id, decision: 'credit', reason: ' ' });
    expect(formOf(await refused.text(), deposit.id)).toContain('selected');
    for (const fields of [
      { act: 'review', id: deposit.id, decision: 'reject' },
      { act: 'withdrawal', id, outcome: 'failed' },
    ])
      expect((await post({ ...fields, reason })).status).toBe(303);
    const after = await shown();
    expect([formOf(after, deposit.id), formOf(after, id)]).toEqual([undefined, undefined]);
    await allowWithdrawals(target, false);
  });

  it('requires a recent sign-in', async () => {
    await target.advance(901);
    await boss.browser.fetch('/v1/auth/refresh', { method: 'POST' });
    const stale = await boss.browser.navigate('/admin');
    const again = await stale.text();
    expect([stale.status, again]).toEqual([403, expect.stringContaining('/signin?returnTo=')]);
    // They have no passkey, so nothing offers one.
    expect(again).not.toContain('data-passkey');
    expect(again).not.toContain('role="alert"');
    const refused = await post({ act: 'day', day: '2026-11-20', reason: 'kept' });
    expect([refused.status, await refused.text()]).toEqual([
      403,
      expect.stringContaining('What you typed is kept.'),
    ]);
    await signIn(target, boss.browser, boss.claims);
    const kept = await (await boss.browser.navigate('/admin')).text();
    expect(kept).toMatch(/<details id="day" open/);
    expect(kept).toMatch(/<input [^>]*id="day-day"[^>]* autofocus=""[^>]*value="2026-11-20"/);
  });
});
