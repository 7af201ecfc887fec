import { beforeAll, describe, expect, it } from 'vitest';
import type { Overview, Proposal } from '../../src/features/admin/schema.ts';
import { dumpRecords, refusal, seen } from '../support/answers.ts';
import { newApp } from '../support/apps.ts';
import { type Browser, json } from '../support/browser.ts';
import { newDeposit, payAt, sync } from '../support/deposits.ts';
import { mailsTo } from '../support/mailbox.ts';
import { appAccount, balanceOf, fundedWallet, newHolder, pay } from '../support/money.ts';
import { type Member, newAdmin, newMember, signIn } from '../support/people.ts';
import { form } from '../support/sandbox.ts';
import { useService } from '../support/service.ts';
import { allowWithdrawals, withdraw } from '../support/withdrawals.ts';

const limit = 100_000;
const ADMIN_PIDS = 'the-boss@pid,the-deputy@pid,the-clerk@pid';
const target = useService({ ADMIN_PIDS, DESK_SECOND_ABOVE: `${limit}` });
let [boss, deputy, clerk]: Member[] = [];
beforeAll(async () => {
  boss = await newAdmin(target, 'the-boss');
  deputy = await newAdmin(target, 'the-deputy');
  clerk = await newAdmin(target, 'the-clerk');
  for (const { handle, browser } of [boss, deputy, clerk]) {
    await browser.fetch('/v1/wallet', { method: 'POST' });
    await fundedWallet(target, handle, 1_000_000);
  }
  await target.rows(`UPDATE profiles SET locale = 'id' WHERE handle = 'the-clerk'`);
  await allowWithdrawals(target);
});
const administrators = () => [boss, deputy, clerk] as [Member, Member, Member];

const reason = 'letter 118';
const another = refusal(403, 'Another administrator has to decide');
const movedOn = refusal(409, 'The state has changed in the meantime');
const none = refusal(404, 'Proposal does not exist');

function send(by: Member, path: string, body: object, key?: string) {
  const { headers, ...init } = json('POST', { reason, ...body });
  const keyed = key === undefined ? headers : { ...headers, 'Idempotency-Key': key };
  return by.browser.fetch(`/v1/admin/${path}`, { ...init, headers: { ...keyed } });
}
async function answered<Body>(answer: Response, status = 200): Promise<Body> {
  expect([answer.status, answer.status === status ? '' : await answer.clone().text()]).toEqual([status, '']);
  return (await answer.json()) as Body;
}
const proposed = async (answer: Response) => answered<Proposal>(answer, 202);
const end = (by: Member, { id }: { id: string }, decision = 'approve', why = 'seen the letter') =>
  send(by, `proposals/${id}/resolve`, { decision, reason: why });
const auditOf = async (about: string) => {
  const lines = await target.rows<{ actor: string; action: string; detail: string }>(
    'SELECT actor, action, detail FROM audit_log WHERE target = ? ORDER BY seq',
    [about],
  );
  return lines.map(({ detail, ...line }) => {
    const { op: _, ...shown } = JSON.parse(detail);
    return { ...line, ...shown };
  });
};

let keys = 0;
function move(by: Member, from: string, to: string, amount: number, key?: string) {
  keys += 1;
  return send(by, 'adjustments', { from, to, amount }, key ?? `key-${keys}`);
}
async function review(holder: Member, amount: number, fields: object = {}): Promise<string> {
  const { id } = await newDeposit(holder, amount, fields);
  await payAt(target, { id }, 'wrong');
  await sync(holder.browser, id);
  return id;
}
async function paidTwice(holder: Member, amount: number): Promise<string> {
  const { id } = await newDeposit(holder, amount);
  await payAt(target, { id }, 'twice');
  await sync(holder.browser, id);
  const [second] = await target.rows<{ id: string }>('SELECT id FROM second_payments WHERE deposit = ?', [
    id,
  ]);
  return second?.id ?? '';
}
async function unknownPayout(holder: Member, amount: number): Promise<string> {
  const { id } = await withdraw(holder.browser, amount);
  await target.rows(
    `UPDATE withdrawals SET status = 'submitted', submitted_at = held_at, failure = 'unknown' WHERE id = ?`,
    [id],
  );
  return id;
}
const overview = async (by: Member) => {
  const answer = await by.browser.fetch('/v1/admin/overview');
  return (await answered<Overview & { proposals: Proposal[] }>(answer)).proposals;
};

describe('an administrator', () => {
  it('cannot decide on money that goes to them [D-96]', async () => {
    const [own, other] = administrators();
    const payee = await newHolder(target);
    const paid = await pay(own, payee, 1_000);
    const deposit = await review(own, 50_000);
    const payout = await unknownPayout(own, 20_000);
    const second = await paidTwice(own, 50_000);
    const app = await newApp(own.browser);
    await appAccount(target, app.id);
    const before = await dumpRecords(target);
    const inOwnFavour: [string, object][] = [
      [`deposits/${deposit}/resolve`, { decision: 'credit' }],
      [`deposits/${deposit}/resolve`, { decision: 'reject' }],
      [`second-payments/${second}/resolve`, { decision: 'credit' }],
      [`second-payments/${second}/resolve`, { decision: 'return' }],
      [`withdrawals/${payout}/resolve`, { outcome: 'failed' }],
      [`withdrawals/${payout}/resolve`, { outcome: 'paid' }],
      [`transfers/${paid.id}/reverse`, {}],
      ['adjustments', { from: 'gateway', to: `${own.handle}@pid`, amount: 5 }],
      ['adjustments', { from: 'gateway', to: app.id, amount: 5 }],
    ];
    for (const [path, body] of inOwnFavour)
      expect([path, await seen(await send(own, path, body, 'own'))]).toEqual([path, another]);
    const page = await own.browser.navigate(
      '/admin',
      form({ act: 'review', id: deposit, decision: 'credit', reason }, target.origin),
    );
    expect([page.status, await page.text()]).toEqual([
      403,
      expect.stringContaining('Another administrator has to decide'),
    ]);
    expect(await dumpRecords(target)).toEqual(before);
    await answered(await send(other, `deposits/${deposit}/resolve`, { decision: 'credit' }));
    await answered(await send(other, `transfers/${paid.id}/reverse`, {}));
    await answered(await move(own, `${own.handle}@pid`, 'suspense', 5));
  });

  it('cannot unfreeze their own wallet [D-96]', async () => {
    const [own, other] = administrators();
    const set = (by: Member, status: string) =>
      by.browser.fetch(`/v1/admin/wallets/${own.handle}`, json('PATCH', { status, reason }));
    await answered(await set(own, 'frozen'));
    expect(await seen(await set(own, 'active'))).toEqual(another);
    await answered(await set(other, 'active'));
  });
});

describe('above DESK_SECOND_ABOVE', () => {
  it('one administrator can only propose, and a second one moves the money [D-96]', async () => {
    const [maker, checker] = administrators();
    const [holder, payee] = [await newHolder(target, 400_000), await newHolder(target)];
    const paid = await pay(holder, payee, limit + 1);
    const deposit = await review(holder, limit);
    const payout = await unknownPayout(holder, limit + 1);
    const second = await paidTwice(holder, limit + 1);
    const pid = `${holder.handle}@pid`;
    const cases: [string, string, object, number, () => Promise<unknown>, unknown][] = [
      [
        'transfer.reversed',
        `transfers/${paid.id}/reverse`,
        {},
        limit + 1,
        () => statusOf('transfers', paid.id.slice(4)),
        'reversed',
      ],
      [
        'deposit.resolved',
        `deposits/${deposit}/resolve`,
        { decision: 'credit' },
        limit + 1,
        () => statusOf('deposits', deposit),
        'credited',
      ],
      [
        'withdrawal.resolved',
        `withdrawals/${payout}/resolve`,
        { outcome: 'failed' },
        limit + 1,
        () => statusOf('withdrawals', payout),
        'failed',
      ],
      [
        'ledger.adjusted',
        'adjustments',
        { from: 'gateway', to: `${payee.handle}@pid`, amount: limit + 2 },
        limit + 2,
        () => balanceOf(target, payee.handle),
        limit + 2,
      ],
      [
        'second_payment.resolved',
        `second-payments/${second}/resolve`,
        { decision: 'credit' },
        limit + 1,
        () => statusOf('second_payments', second),
        'credited',
      ],
    ];
    const statusOf = async (table: string, id: string) =>
      (await target.rows<{ status: string }>(`SELECT status FROM ${table} WHERE id = ?`, [id]))[0]?.status;
    for (const [action, path, body, amount, state, done] of cases) {
      const before = await state();
      const made = await proposed(await send(maker, path, body, `two-${action}`));
      const gainer = action === 'ledger.adjusted' ? `${payee.handle}@pid` : pid;
      expect(made).toMatchObject({ action, amount, reason, maker: 'the-boss@pid', outcome: null });
      expect(made.gainers).toEqual([gainer]);
      expect(await state()).toEqual(before);
      expect(await overview(checker)).toContainEqual(made);
      // A repeated request returns the same proposal.
      expect(await proposed(await send(maker, path, body, `two-${action}`))).toEqual(made);
      expect(await seen(await end(maker, made))).toEqual(another);
      expect(await state()).toEqual(before);
      const approved = await answered<Proposal>(await end(checker, made));
      expect(approved).toMatchObject({ id: made.id, outcome: 'approved', decidedBy: 'the-deputy@pid' });
      expect([action, await state()]).toEqual([action, done]);
      expect(await overview(checker)).toEqual([]);
      expect(await auditOf(made.target)).toMatchObject([
        { actor: 'the-boss', action: 'proposal.made', proposal: made.id, decides: action, amount, reason },
        { actor: 'the-deputy', action, proposal: made.id, maker: 'the-boss', reason: 'seen the letter' },
      ]);
      for (const by of [maker, checker])
        for (const decision of ['approve', 'reject'])
          expect(await seen(await end(by, made, decision))).toEqual(movedOn);
    }
    // The key of an approved adjustment returns that adjustment.
    const again = await send(maker, 'adjustments', cases[3]?.[2] ?? {}, 'two-ledger.adjusted');
    expect([again.status, again.headers.get('Idempotent-Replayed')]).toEqual([200, 'true']);
  });

  it('an amount up to the limit needs only one administrator', async () => {
    const [maker] = administrators();
    const holder = await newHolder(target);
    await answered(await move(maker, 'gateway', `${holder.handle}@pid`, limit));
    expect(await balanceOf(target, holder.handle)).toBe(limit);
  });

  it('a proposal can be withdrawn by its author and rejected by another administrator', async () => {
    const [maker, checker] = administrators();
    const holder = await newHolder(target);
    const ask = (key: string) => move(maker, 'gateway', `${holder.handle}@pid`, limit + 1, key);
    const [first, second] = [await proposed(await ask('one')), await proposed(await ask('two'))];
    const withdrawn = await answered<Proposal>(await end(maker, first, 'reject', 'a typo'));
    expect(withdrawn).toMatchObject({ outcome: 'withdrawn', decidedBy: null });
    const rejected = await answered<Proposal>(await end(checker, second, 'reject', 'no letter'));
    expect(rejected).toMatchObject({ outcome: 'rejected', decidedBy: 'the-deputy@pid' });
    for (const gone of [first, second]) expect(await seen(await end(checker, gone))).toEqual(movedOn);
    expect(await auditOf(first.target)).toMatchObject([
      { action: 'proposal.made' },
      { actor: 'the-boss', action: 'proposal.withdrawn', proposal: first.id, reason: 'a typo' },
    ]);
    expect(await auditOf(second.target)).toMatchObject([
      { action: 'proposal.made' },
      { actor: 'the-deputy', action: 'proposal.rejected', maker: 'the-boss', reason: 'no letter' },
    ]);
    expect(await balanceOf(target, holder.handle)).toBe(0);
    expect(await seen(await end(checker, { id: 'prp_none' }))).toEqual(none);
  });

  it('two administrators who approve concurrently move the money only once', async () => {
    const [maker, ...checkers] = administrators();
    const holder = await newHolder(target);
    const made = await proposed(await move(maker, 'gateway', `${holder.handle}@pid`, limit + 1));
    const answers = await Promise.all([...checkers, ...checkers].map((by) => end(by, made)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect(await balanceOf(target, holder.handle)).toBe(limit + 1);
  });

  it('neither the author nor the beneficiary can approve', async () => {
    const [maker, gainer, third] = administrators();
    const deposit = await review(gainer, limit);
    const made = await proposed(await send(maker, `deposits/${deposit}/resolve`, { decision: 'credit' }));
    for (const by of [maker, gainer]) expect(await seen(await end(by, made))).toEqual(another);
    await answered(await end(third, made));
  });

  it('a proposal cannot be approved if its subject has changed since [D-96]', async () => {
    const [maker, checker] = administrators();
    const holder = await newHolder(target, limit * 3);
    const deposit = await review(holder, limit);
    const seenDeposit = await proposed(
      await send(maker, `deposits/${deposit}/resolve`, { decision: 'credit' }),
    );
    await target.rows(`UPDATE deposits SET failure = 'partly_refunded' WHERE id = ?`, [deposit]);
    const { id: payout } = await withdraw(holder.browser, limit + 1);
    const seenHeld = await proposed(
      await send(maker, `withdrawals/${payout}/resolve`, { outcome: 'failed' }),
    );
    await target.rows(
      `UPDATE withdrawals SET status = 'submitted', submitted_at = held_at, failure = 'unknown' WHERE id = ?`,
      [payout],
    );
    for (const made of [seenDeposit, seenHeld]) expect(await seen(await end(checker, made))).toEqual(movedOn);
    const moved = 'SELECT 1 FROM legs WHERE ref IN (?, ?) AND kind IN (?, ?)';
    expect(await target.rows(moved, [deposit, payout, 'deposit', 'withdrawal_end'])).toEqual([]);
    // A second proposal about the same document has to wait until the first ends.
    const other = { outcome: 'paid' };
    expect(await seen(await send(maker, `withdrawals/${payout}/resolve`, other))).toEqual(movedOn);
    await answered(await end(maker, seenHeld, 'reject'));
    await proposed(await send(maker, `withdrawals/${payout}/resolve`, other));
  });

  it('a proposal expires', async () => {
    const [maker, checker] = administrators();
    const holder = await newHolder(target);
    const made = await proposed(await move(maker, 'gateway', `${holder.handle}@pid`, limit + 1));
    await target.advance(3 * 86_400 + 1);
    for (const { browser, claims } of administrators()) await signIn(target, browser, claims);
    expect(await overview(checker)).toEqual([]);
    expect(await seen(await end(checker, made))).toEqual(movedOn);
  });

  it('a proposal is mailed to those who may approve it, in their language', async () => {
    const [maker, gainer, third] = administrators();
    const toBoss = await mailsTo(target, maker.claims.email);
    const before = (await mailsTo(target, gainer.claims.email)).length;
    const made = await proposed(await move(maker, 'gateway', `${gainer.handle}@pid`, 2_500_000));
    const [mail] = await mailsTo(target, third.claims.email);
    expect(mail?.kind).toBe('desk_proposal');
    expect(mail?.content?.subject).toBe('Keputusan atas uang menunggu persetujuan Anda di Peridot');
    for (const part of ['the-boss@pid', 'Rp 2.500.000', made.target, `${target.origin}/admin`])
      expect(mail?.content?.text.replaceAll('\u00a0', ' ')).toContain(part);
    expect(await mailsTo(target, maker.claims.email)).toHaveLength(toBoss.length);
    expect(await mailsTo(target, gainer.claims.email)).toHaveLength(before);
    await answered(await end(maker, made, 'reject'));
  });

  it('a proposal can be made and approved with the page’s forms', async () => {
    const [maker, checker] = administrators();
    const holder = await newHolder(target);
    const post = (by: Browser, fields: Record<string, string>) =>
      by.navigate('/admin', form({ reason, ...fields }, target.origin));
    const fields = {
      act: 'adjust',
      from: 'gateway',
      to: `${holder.handle}@pid`,
      amount: '100001',
      key: 'page',
      confirmed: '1',
    };
    const asked = await post(maker.browser, fields);
    expect([asked.status, asked.headers.get('Location')]).toEqual([303, '/admin?done=proposed']);
    const shown = await (await maker.browser.navigate('/admin?done=proposed')).text();
    expect(shown).toContain('A second administrator has to approve it');
    const [made] = await overview(checker);
    const id = made?.id ?? '';
    const html = await (await checker.browser.navigate('/admin')).text();
    expect(html).toContain(`aria-label="${id}"`);
    expect(html).toMatch(
      new RegExp(`the-boss@pid proposes Money moved between accounts [^<]*${holder.handle}@pid`),
    );
    const approve = { act: 'proposal', id, decision: 'approve' };
    expect((await post(maker.browser, approve)).status).toBe(403);
    const approved = await post(checker.browser, approve);
    expect([approved.status, approved.headers.get('Location')]).toEqual([
      303,
      `/admin?done=proposal&of=${id}`,
    ]);
    expect(await balanceOf(target, holder.handle)).toBe(100_001);
    const undecided = await post(checker.browser, { ...approve, decision: '' });
    expect([undecided.status, await undecided.text()]).toEqual([
      400,
      expect.stringContaining('<p class="problem">choose</p>'),
    ]);
  });

  it('a proposal by a suspended or former administrator is void [D-96]', async () => {
    const [maker, checker, third] = administrators();
    const holder = await newHolder(target);
    const ask = (by: Member) => move(by, 'gateway', `${holder.handle}@pid`, limit + 1);
    const [suspended, removed] = [await proposed(await ask(third)), await proposed(await ask(maker))];
    const setStatus = (status: string) =>
      checker.browser.fetch('/v1/admin/identities/the-clerk', json('PATCH', { status, reason }));
    await answered(await setStatus('suspended'));
    await target.restart({ ADMIN_PIDS: 'the-deputy@pid,the-clerk@pid' });
    expect(await overview(checker)).toEqual([]);
    for (const made of [suspended, removed]) expect(await seen(await end(checker, made))).toEqual(movedOn);
    expect(await balanceOf(target, holder.handle)).toBe(0);
    // A single administrator cannot move money above the limit.
    const alone = refusal(403, 'The amount needs the approval of a second administrator, and there is none');
    expect(await seen(await ask(checker))).toEqual(alone);
    await answered(await setStatus('active'));
    await proposed(await ask(checker));
    expect(await seen(await move(checker, 'gateway', 'the-clerk@pid', limit + 1))).toEqual(alone);
    await target.restart({ ADMIN_PIDS });
  });
});

describe('the decision on a proposal', () => {
  it('requires an administrator with a recent sign-in', async () => {
    const [maker] = administrators();
    const member = await newMember(target);
    const answer = await send(member, 'proposals/prp_x/resolve', { decision: 'approve' });
    expect(await seen(answer)).toEqual(refusal(403, 'Admin only'));
    await target.advance(901);
    await maker.browser.fetch('/v1/auth/refresh', { method: 'POST' });
    expect(await seen(await end(maker, { id: 'prp_x' }))).toEqual(refusal(403, 'Sign in again to continue'));
  });
});
