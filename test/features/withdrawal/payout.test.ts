import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { run } from '../../../src/db/database.ts';
import { AppError } from '../../../src/errors.ts';
import { resolveWithdrawal } from '../../../src/features/admin/documents.ts';
import { moneyInvariants } from '../../../src/features/admin/money-invariants.ts';
import { readOverview } from '../../../src/features/admin/overview.ts';
import type { PayoutGateway, PayoutStatus } from '../../../src/features/gateway/gateway.ts';
import { workPayouts } from '../../../src/features/withdrawal/payout.ts';
import { makeServiceFiles, openFileService, type ServiceFiles } from '../../support/file-service.ts';
import type { InProcessTarget } from '../../support/in-process.ts';
import { mailsTo } from '../../support/mailbox.ts';
import { adjust, balanceOf, gateway, newHolder } from '../../support/money.ts';
import { createPayoutProvider, type PayoutProvider } from '../../support/payout-provider.ts';
import type { Member } from '../../support/people.ts';
import { creditDeposit, takeBack } from '../../support/reports.ts';
import { testSecretKey } from '../../support/target.ts';
import { allowWithdrawals, runJobs, withdraw } from '../../support/withdrawals.ts';

const hour = 3600;
let files: ServiceFiles;
let service: InProcessTarget;
let provider: PayoutProvider;
let member: Member;

beforeEach(async () => {
  files = await makeServiceFiles();
  service = await openFileService(files, {
    IDP_ISSUER: inject('lyingIssuer'),
    IDP_CLIENT_ID: 'peridot',
    IDP_CLIENT_SECRET: 'provider secret',
    RATE_LIMITS: '{"*":1000000}',
  });
  await allowWithdrawals(service);
  provider = createPayoutProvider();
  member = await newHolder(service, 50_000);
});
afterEach(async () => {
  const broken = Object.entries(await run(service.deps.db, moneyInvariants(0)));
  await service.close();
  await files.remove();
  expect(broken.filter(([, rows]) => rows.length > 0)).toEqual([]);
});

const work = () => workPayouts(service.deps, provider.gateway);
const rowOf = async (id: string) =>
  (
    await service.rows<{ status: string; failure: string | null; next_at: number | null; tries: number }>(
      'SELECT status, failure, next_at, tries FROM withdrawals WHERE id = ?',
      [id],
    )
  )[0];
const statusOf = async (id: string) => (await rowOf(id))?.status;
/** A held withdrawal, one millisecond after the previous one. */
async function withdrawn(amount = 20_000): Promise<string> {
  await service.advance(0.001);
  return (await withdraw(member.browser, amount)).id;
}

/** Advances the clock while the worker runs regularly. */
async function passing(seconds: number, steps = 8): Promise<void> {
  for (let step = 0; step < steps; step += 1) {
    await service.advance(seconds / steps);
    await work();
  }
}

/** Decides as the operator; null if there is nothing to decide. */
async function resolve(id: string, outcome: 'paid' | 'failed') {
  try {
    return await resolveWithdrawal(service.deps, 'operator', { id, outcome, reason: 'looked it up' });
  } catch (error) {
    if (error instanceof AppError && error.code === 'moved_on') return null;
    throw error;
  }
}

describe('a payout', () => {
  it.each(['not taken', 'call lost', 'answer lost'] as const)(
    'is made only once and never returned if its first call ends with "%s"',
    async (fault) => {
      const id = await withdrawn();
      provider.plan([fault]);
      expect(await work()).toEqual({ answered: 0, unanswered: 1 });
      expect(await rowOf(id)).toMatchObject({ status: 'submitted', tries: 1 });
      expect(await work()).toEqual({ answered: 0, unanswered: 0 });
      provider.isUp = false;
      await passing(600);
      expect(await statusOf(id)).toBe('submitted');
      provider.isUp = true;
      await passing(hour);
      expect(await statusOf(id)).toBe('paid');
      expect([...provider.payouts.keys()]).toEqual([id]);
      // A payout that arrived is found by its id, and not sent again.
      expect(provider.sent).toHaveLength(fault === 'answer lost' ? 1 : 2);
      expect(await balanceOf(service, member.handle)).toBe(30_000);
    },
  );

  it('fails on the provider’s rejection only if no other call was made', async () => {
    const id = await withdrawn();
    provider.plan(['refused']);
    await work();
    expect(await rowOf(id)).toMatchObject({
      status: 'failed',
      failure: 'The account is blocked',
      next_at: null,
    });
    const second = await withdrawn();
    provider.plan(['call lost', ...Array<'refused'>(10).fill('refused')]);
    await work();
    await passing(hour / 4);
    expect(await statusOf(second)).toBe('submitted');
    provider.plan([]);
    await passing(2 * hour);
    expect(await statusOf(second)).toBe('paid');
  });

  it('waits for the operator and is not sent again if the provider has no record of it after a day', async () => {
    const id = await withdrawn();
    provider.plan(Array<'call lost'>(1000).fill('call lost'));
    await work();
    expect(await resolve(id, 'failed')).toBeNull();
    await passing(23 * hour, 24);
    const calls = provider.sent.length;
    expect(calls).toBeGreaterThan(5);
    await passing(2 * hour, 4);
    const sent = provider.sent.length;
    expect(await rowOf(id)).toMatchObject({ status: 'submitted', failure: 'unknown' });
    await passing(48 * hour, 30);
    expect(provider.sent).toHaveLength(sent);
    expect(await resolve(id, 'failed')).toMatchObject({ status: 'failed' });
    expect(await resolve(id, 'paid')).toBeNull();
    expect(await balanceOf(service, member.handle)).toBe(50_000);
    expect(await service.rows('SELECT actor, action, target FROM audit_log')).toEqual([
      { actor: 'operator', action: 'withdrawal.resolved', target: id },
    ]);
    await passing(48 * hour);
    expect(provider.sent).toHaveLength(sent);
    expect((await mailsTo(service, member.claims.email))[0]?.kind).toBe('withdrawal_failed');
  });

  it('is tracked to its end if the provider finds it after a day', async () => {
    const id = await withdrawn();
    provider.plan(['answer lost'], 'pending');
    await work();
    await passing(26 * hour, 30);
    expect(await rowOf(id)).toMatchObject({ status: 'submitted', failure: null });
    expect(await resolve(id, 'failed')).toBeNull();
    provider.turn(id, 'failed');
    await passing(2 * hour, 4);
    expect(await rowOf(id)).toMatchObject({ status: 'failed', failure: 'The account is closed' });
  });

  it('waits for the operator if the response has the id of another payout, moves no money and does not delay other payouts', async () => {
    const first = await withdrawn(10_000);
    const others: string[] = [];
    let reused = others;
    const named = (status: PayoutStatus, id: string): PayoutStatus =>
      status.payoutId !== undefined && reused.includes(id) ? { ...status, payoutId: `pyt_${first}` } : status;
    const gateway: PayoutGateway = {
      ...provider.gateway,
      async createPayout(payout) {
        return named(await provider.gateway.createPayout(payout), payout.id);
      },
      async getPayout(payout) {
        return named(await provider.gateway.getPayout(payout), payout.id);
      },
    };
    provider.plan([], 'pending');
    await workPayouts(service.deps, gateway);
    for (let count = 0; count < 4; count += 1) others.push(await withdrawn(10_000));
    const [failed = '', pending = '', corrected = '', last = ''] = others;
    reused = [failed, pending, corrected];
    expect(await workPayouts(service.deps, gateway)).toEqual({ answered: 4, unanswered: 0 });
    const waiting = { status: 'submitted', failure: 'payout_reused', next_at: expect.any(Number) };
    for (const id of [failed, pending, corrected]) expect(await rowOf(id)).toMatchObject(waiting);
    expect(await rowOf(last)).toMatchObject({ status: 'submitted', failure: null });
    for (const id of [first, corrected, last]) provider.turn(id, 'paid');
    provider.turn(failed, 'failed');
    await service.advance(61);
    expect(await workPayouts(service.deps, gateway)).toEqual({ answered: 5, unanswered: 0 });
    for (const id of [first, last]) expect(await statusOf(id)).toBe('paid');
    for (const id of [failed, pending, corrected]) expect(await rowOf(id)).toMatchObject(waiting);
    expect(service.log().some((line) => line.includes('withdrawal.payout_reused'))).toBe(true);
    expect((await readOverview(service.deps, 'operator')).stuck).toMatchObject([
      { kind: 'withdrawal', status: 'submitted', count: 3, ids: [failed, pending, corrected] },
    ]);
    // The provider reports the right payout, or the operator looks it up.
    reused = [failed, pending];
    await service.advance(hour);
    await workPayouts(service.deps, gateway);
    expect(await rowOf(corrected)).toMatchObject({ status: 'paid', failure: null });
    expect(await resolve(failed, 'failed')).toMatchObject({ status: 'failed' });
    expect(await resolve(pending, 'paid')).toMatchObject({ status: 'paid' });
    // A returned payout is credited to the withdrawal it was made for.
    for (const id of [first, pending]) provider.turn(id, 'returned');
    for (let day = 0; day < 20; day += 1) {
      await service.advance(24 * hour);
      await workPayouts(service.deps, gateway);
    }
    expect([await statusOf(first), await rowOf(pending)]).toMatchObject([
      'returned',
      { status: 'paid', next_at: null },
    ]);
    expect(await balanceOf(service, member.handle)).toBe(20_000);
  });

  it('stays unresolved and is not sent again if the response has the id of another payout, regardless of later responses', async () => {
    const [first, second] = [await withdrawn(10_000), await withdrawn(10_000)];
    const gateway: PayoutGateway = {
      ...provider.gateway,
      createPayout: async (payout) => ({
        ...(await provider.gateway.createPayout(payout)),
        payoutId: `pyt_${first}`,
      }),
    };
    provider.plan([], 'pending');
    await workPayouts(service.deps, gateway);
    const waiting = { status: 'submitted', failure: 'payout_reused' };
    expect(await rowOf(second)).toMatchObject(waiting);
    provider.isUp = false;
    await service.advance(61);
    await work();
    expect(await rowOf(second)).toMatchObject(waiting);
    provider.isUp = true;
    provider.turn(second, 'unknown');
    await passing(2 * hour, 4);
    expect(await rowOf(second)).toMatchObject(waiting);
    expect(provider.sent).toEqual([first, second]);
    expect(await resolve(second, 'failed')).toMatchObject({ status: 'failed' });
  });

  it('can be marked paid by the operator and cancelled while held', async () => {
    const [stopped, paid] = [await withdrawn(), await withdrawn()];
    expect(await resolve(stopped, 'failed')).toMatchObject({ status: 'cancelled' });
    expect(await resolve(paid, 'paid')).toBeNull();
    await expect(resolve('wdr_nothing', 'paid')).rejects.toMatchObject({ code: 'transaction_not_found' });
    provider.plan([], 'pending');
    await work();
    await service.rows(`UPDATE ledger SET mode = 'frozen'`);
    await expect(resolve(paid, 'paid')).rejects.toMatchObject({ code: 'ledger_frozen' });
    await service.rows(`UPDATE ledger SET mode = 'open'`);
    expect(await resolve(paid, 'paid')).toMatchObject({ status: 'paid' });
    expect(provider.sent).toEqual([paid]);
  });

  it('is not sent for a frozen wallet or a suspended person', async () => {
    const id = await withdrawn();
    const wallet = (status: string) =>
      service.rows('UPDATE accounts SET status = ? WHERE owner = ?', [status, member.handle]);
    const person = (status: string) =>
      service.rows('UPDATE identities SET status = ? WHERE handle = ?', [status, member.handle]);
    await wallet('frozen');
    await work();
    await wallet('active');
    await person('suspended');
    await work();
    expect([await statusOf(id), provider.sent]).toEqual(['held', []]);
    await person('active');
    await work();
    expect(await statusOf(id)).toBe('paid');
    // A sent payout completes regardless of the wallet; a returned one waits for the wallet.
    provider.turn(id, 'returned');
    await wallet('frozen');
    await passing(2 * hour, 3);
    expect(await rowOf(id)).toMatchObject({ status: 'paid', next_at: expect.any(Number) });
    await passing(20 * 24 * hour, 30);
    await wallet('active');
    await passing(48 * hour, 3);
    expect(await rowOf(id)).toMatchObject({ status: 'returned', next_at: null });
    expect(await balanceOf(service, member.handle)).toBe(50_000);
  });

  it('settles the debt of a closed account if the bank returns it, and the rest stays in suspense', async () => {
    const id = await withdrawn();
    await work();
    const [wallet] = await service.rows<{ id: number }>('SELECT id FROM accounts WHERE owner = ?', [
      member.handle,
    ]);
    const [account, deposit] = [wallet?.id ?? 0, `dep_${'7'.repeat(26)}`];
    await creditDeposit(service, { id: deposit, account, gross: 12_000, at: service.now() });
    await adjust(service, { from: account, to: gateway, amount: 42_000 });
    const closed = await member.browser.fetch('/v1/me', {
      method: 'DELETE',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ handle: member.handle }),
    });
    expect(closed.status).toBe(204);
    await takeBack(service, deposit, 12_000, service.now());
    provider.turn(id, 'returned');
    await passing(2 * hour);
    expect(await statusOf(id)).toBe('returned');
    expect(
      await service.rows(
        'SELECT credits_posted - debits_posted AS balance, debt FROM accounts WHERE id = ?',
        [account],
      ),
    ).toEqual([{ balance: 0, debt: 0 }]);
    expect(
      await service.rows(
        `SELECT credits_posted - debits_posted AS balance FROM accounts WHERE kind = 'suspense' AND owner = 'system'`,
      ),
    ).toEqual([{ balance: 8000 }]);
  });

  it('is checked fewer than ten times in the two weeks after payment', async () => {
    const id = await withdrawn();
    await work();
    let looks = 0;
    const { getPayout } = provider.gateway;
    const counting = {
      ...provider.gateway,
      getPayout: (asked: Parameters<typeof getPayout>[0]) => {
        looks += 1;
        return getPayout(asked);
      },
    };
    for (let halfDay = 0; halfDay < 60; halfDay += 1) {
      await service.advance(12 * hour);
      await workPayouts(service.deps, counting);
    }
    expect(looks).toBeGreaterThan(5);
    expect(looks).toBeLessThan(10);
    expect(await rowOf(id)).toMatchObject({ status: 'paid', next_at: null });
  });

  it('is checked once more if the provider did not respond to the last check', async () => {
    const id = await withdrawn();
    await work();
    provider.isUp = false;
    await service.advance(15 * 24 * hour);
    await work();
    provider.isUp = true;
    provider.turn(id, 'returned');
    await service.advance(24 * hour);
    await work();
    expect(await rowOf(id)).toMatchObject({ status: 'returned', next_at: null });
  });

  it('ends only once if two workers and the person act simultaneously', async () => {
    const id = await withdrawn();
    await Promise.all([work(), work(), work()]);
    expect(provider.sent).toEqual([id]);
    const mails = (await mailsTo(service, member.claims.email)).filter(
      ({ kind }) => kind === 'withdrawal_paid',
    );
    expect(mails).toHaveLength(1);
  });
});

describe('a bank account', () => {
  const sealed = async (id: string) =>
    (
      await service.rows<{ sealed: string }>(
        'SELECT destination_enc AS sealed FROM withdrawals WHERE id = ?',
        [id],
      )
    )[0]?.sealed ?? '';

  it('is stored encrypted, encrypted again under a new key, and erased after 90 days', async () => {
    const id = await withdrawn();
    const before = await sealed(id);
    expect(JSON.stringify(await service.rows('SELECT * FROM withdrawals'))).not.toContain('1234567895');
    const next = Buffer.from('another key of thirty-two bytes!').toString('base64');
    await service.restart({ SECRET_KEY: next, SECRET_KEY_PREVIOUS: testSecretKey });
    await runJobs(service);
    const after = await sealed(id);
    expect(after).not.toBe(before);
    await service.restart({ SECRET_KEY: next });
    await runJobs(service);
    expect(await sealed(id)).toBe(after);
    await work();
    await passing(hour, 4);
    expect(await statusOf(id)).toBe('paid');
    await service.advance(89 * 24 * hour);
    await runJobs(service);
    expect(await sealed(id)).toBe(after);
    await service.advance(2 * 24 * hour);
    await runJobs(service);
    expect(await sealed(id)).toBe('');
    expect(await service.rows('SELECT destination_hint AS hint FROM withdrawals WHERE id = ?', [id])).toEqual(
      [{ hint: 'BCA ••••7895' }],
    );
  });

  it('is never sent anywhere if no key decrypts it', async () => {
    const [id, other] = [await withdrawn(), await withdrawn()];
    await service.rows(
      'UPDATE withdrawals SET destination_enc = (SELECT destination_enc FROM withdrawals WHERE id = ?) WHERE id = ?',
      [other, id],
    );
    await work();
    await passing(26 * hour, 30);
    expect(provider.sent).toEqual([other]);
    expect(await rowOf(id)).toMatchObject({ status: 'submitted', failure: 'unknown' });
  });
});

it('an unconfirmed quote is deleted after a day', async () => {
  await withdrawn();
  const destination = { bankCode: 'BCA', accountNumber: '1234567895' };
  const asked = await member.browser.fetch('/v1/fiat/withdrawals/inquiry', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ amount: 10_000, destination }),
  });
  expect(asked.status).toBe(200);
  await service.advance(25 * hour);
  await runJobs(service);
  expect(await service.rows('SELECT status FROM withdrawals')).toEqual([{ status: 'paid' }]);
});
