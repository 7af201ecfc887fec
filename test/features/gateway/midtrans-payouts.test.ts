import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { run } from '../../../src/db/database.ts';
import { resolveWithdrawal } from '../../../src/features/admin/documents.ts';
import { moneyInvariants } from '../../../src/features/admin/money-invariants.ts';
import { readOverview } from '../../../src/features/admin/overview.ts';
import { payoutGateway } from '../../../src/features/gateway/configured.ts';
import { sendPayouts } from '../../../src/features/withdrawal/payout.ts';
import { refusal, seen } from '../../support/answers.ts';
import { makeServiceFiles, openFileService, type ServiceFiles } from '../../support/file-service.ts';
import type { InProcessTarget } from '../../support/in-process.ts';
import { mailsTo } from '../../support/mailbox.ts';
import { payoutKeys, startMidtransPayouts } from '../../support/midtrans-payouts.ts';
import { balanceOf, newHolder } from '../../support/money.ts';
import type { Member } from '../../support/people.ts';
import { allowWithdrawals, askWithdrawal, withdraw } from '../../support/withdrawals.ts';

type Midtrans = Awaited<ReturnType<typeof startMidtransPayouts>>;

let midtrans: Midtrans;
let files: ServiceFiles;
let service: InProcessTarget;
let member: Member;

beforeEach(async () => {
  midtrans = await startMidtransPayouts();
  files = await makeServiceFiles();
  service = await openFileService(files, {
    IDP_ISSUER: inject('lyingIssuer'),
    IDP_CLIENT_ID: 'peridot',
    IDP_CLIENT_SECRET: 'provider secret',
    RATE_LIMITS: '{"*":1000000}',
    PAYOUT_GATEWAY: 'midtrans',
    MIDTRANS_BASE_URL: midtrans.url,
    MIDTRANS_PAYOUT_CREATOR_KEY: payoutKeys.creator,
    MIDTRANS_PAYOUT_APPROVER_KEY: payoutKeys.approver,
    MIDTRANS_PAYOUT_MERCHANT_KEY: payoutKeys.merchant,
  });
  await allowWithdrawals(service);
  member = await newHolder(service, 50_000);
});
afterEach(async () => {
  const broken = Object.entries(await run(service.deps.db, moneyInvariants(0)));
  await service.close();
  await files.remove();
  await midtrans.stop();
  expect(broken.filter(([, rows]) => rows.length > 0)).toEqual([]);
});

const only = () => {
  const [payout, ...others] = midtrans.payouts.values();
  if (!payout || others.length > 0) throw new Error(`${others.length + 1} payouts`);
  return payout;
};
/** Advances the clock and runs the job. */
async function later(seconds: number): Promise<void> {
  await service.advance(seconds);
  await sendPayouts(service.deps);
}
async function stateOf(id: string): Promise<unknown> {
  const [row] = await service.rows('SELECT status, failure FROM withdrawals WHERE id = ?', [id]);
  return Object.values(row ?? {});
}
const balance = () => balanceOf(service, member.handle);

describe('a payout at Midtrans', () => {
  it('is created with one API key, approved with the other, and marked paid once the bank confirms it', async () => {
    const { id } = await withdraw(member.browser, 20_000);
    midtrans.takeCalls();
    await later(1);
    const calls = () => midtrans.takeCalls().map(({ path, key }) => [path.replace('/iris/api/v1/', ''), key]);
    expect(calls()).toEqual([['payouts', payoutKeys.creator]]);
    // It is approved after it was read back unchanged.
    await later(61);
    const { reference_no: reference } = only();
    expect(calls()).toEqual([
      [`payouts/${reference}`, payoutKeys.creator],
      ['payouts/approve', payoutKeys.approver],
    ]);
    expect(only()).toMatchObject({
      amount: '20000.00',
      beneficiary_name: 'BUDI SANTOSO',
      notes: id.replace('_', ' '),
      status: 'approved',
    });
    expect([await stateOf(id), await balance()]).toEqual([['submitted', null], 50_000]);
    only().status = 'completed';
    await later(121);
    expect([await stateOf(id), await balance()]).toEqual([['paid', null], 30_000]);
  });

  it.each(['drop', 'drop after', 503] as const)(
    'is made only once if the first call ends with: %s',
    async (fault) => {
      const { id } = await withdraw(member.browser, 20_000);
      midtrans.fail(fault);
      await later(1);
      await later(61);
      only().status = 'completed';
      await later(121);
      expect(await stateOf(id)).toEqual(['paid', null]);
    },
  );

  it('waits for the operator if the outcome of its creation is still unknown after a day', async () => {
    const { id } = await withdraw(member.browser, 20_000);
    midtrans.fail('drop after', ...Array.from({ length: 9 }, () => 503));
    await later(1);
    for (let look = 0; look < 9; look += 1) await later(7200);
    midtrans.forget();
    await later(86_400);
    expect([await stateOf(id), midtrans.payouts.size, await balance()]).toEqual([
      ['submitted', 'unknown'],
      1,
      50_000,
    ]);
  });

  it('is approved again if the first approval was lost or the Midtrans balance was empty', async () => {
    const { id } = await withdraw(member.browser, 20_000);
    midtrans.spend(990_000);
    await later(1);
    await later(61);
    expect(only().status).toBe('queued');
    expect(service.log().some((line) => line.includes('gateway.not_approved'))).toBe(true);
    midtrans.spend(-990_000);
    await later(121);
    expect([await stateOf(id), only().status]).toEqual([['submitted', null], 'approved']);
  });

  it('returns the money if Midtrans refuses, rejects or fails it, or if the bank later returns it', async () => {
    const ids = [];
    for (const status of ['rejected', 'failed']) {
      const { id } = await withdraw(member.browser, 10_000);
      await later(1);
      Object.assign(only(), { status, error_message: 'Account is closed' });
      await later(61);
      ids.push(await stateOf(id));
      midtrans.payouts.clear();
    }
    expect([ids, await balance()]).toEqual([Array(2).fill(['failed', 'Account is closed']), 50_000]);
    const blocked = await withdraw(member.browser, 10_000, '1111111111');
    await later(1);
    expect([await stateOf(blocked.id), midtrans.payouts.size, await balance()]).toEqual([
      ['failed', 'beneficiary_account is blocked'],
      0,
      50_000,
    ]);
    const { id } = await withdraw(member.browser, 10_000);
    await later(1);
    only().status = 'completed';
    await later(61);
    expect(await stateOf(id)).toEqual(['paid', null]);
    only().status = 'failed';
    await later(3600);
    expect([((await stateOf(id)) as unknown[])[0], await balance()]).toEqual(['returned', 50_000]);
  });

  it('is flagged if Midtrans fails it after an administrator marked it paid, and only an administrator returns the money', async () => {
    const { deps } = service;
    const resolve = (id: string, outcome: 'paid' | 'failed') =>
      resolveWithdrawal(deps, 'operator', { id, outcome, reason: 'looked it up' });
    const { id } = await withdraw(member.browser, 20_000);
    await later(1);
    await resolve(id, 'paid');
    // The payout is unknown to Midtrans, which is why it was marked paid; it is not approved after that.
    await later(3600);
    expect([await stateOf(id), only().status]).toEqual([['paid', 'declared'], 'queued']);
    only().status = 'failed';
    for (let look = 0; look < 2; look += 1) await later(86_400);
    expect([await stateOf(id), await balance()]).toEqual([['paid', 'contradicted'], 30_000]);
    await expect(service.rows(`UPDATE withdrawals SET status = 'returned', returned_at = 1`)).rejects.toThrow(
      'guard:desk_decided',
    );
    const audit = `SELECT action FROM audit_log WHERE actor = 'system' AND target = ?`;
    expect(await service.rows(audit, [id])).toEqual([{ action: 'withdrawal.contradicted' }]);
    const { stuck, stuckWithdrawals } = await readOverview(deps, 'operator');
    expect([stuck, stuckWithdrawals]).toMatchObject([
      [{ kind: 'withdrawal', status: 'contradicted', ids: [id] }],
      [{ id, status: 'paid', failure: 'contradicted' }],
    ]);
    await resolve(id, 'failed');
    expect([await stateOf(id), await balance()]).toEqual([['returned', null], 50_000]);
    expect((await mailsTo(service, member.claims.email))[0]?.kind).toBe('withdrawal_returned');
  });

  it('follows Midtrans after an administrator marked it paid, and can be marked paid again', async () => {
    const { deps } = service;
    const resolve = (id: string) =>
      resolveWithdrawal(deps, 'operator', { id, outcome: 'paid', reason: 'looked it up' });
    const { id } = await withdraw(member.browser, 20_000);
    await later(1);
    await resolve(id);
    only().status = 'failed';
    await later(3600);
    expect(await stateOf(id)).toEqual(['paid', 'contradicted']);
    await resolve(id);
    expect([await stateOf(id), await balance()]).toEqual([['paid', 'declared'], 30_000]);
    await expect(resolve(id)).rejects.toMatchObject({ code: 'moved_on' });
    only().status = 'completed';
    await service.rows('UPDATE withdrawals SET next_at = ?', [service.now()]);
    await later(1);
    expect(await stateOf(id)).toEqual(['paid', null]);
    only().status = 'failed';
    await later(86_400);
    expect([await stateOf(id), await balance()]).toEqual([['returned', null], 50_000]);
  });

  it('is not settled by a response about another payout, note or amount [D-97]', async () => {
    const { id } = await withdraw(member.browser, 20_000);
    await later(1);
    only().status = 'completed';
    for (const lie of [{ reference_no: 'another' }, { notes: 'wdr 1' }, { amount: '20001.00' }]) {
      midtrans.lie(lie);
      await later(7200);
      expect([lie, await stateOf(id)]).toEqual([lie, ['submitted', null]]);
    }
    expect(service.log().some((line) => line.includes('gateway.contradicted'))).toBe(true);
    midtrans.lie({});
    await later(7200);
    expect(await stateOf(id)).toEqual(['paid', null]);
  });
});

describe('a Midtrans callback', () => {
  const send = (callback: { body: string; headers: Record<string, string> }) =>
    service.request('/v1/gateways/midtrans/payout-webhook', { method: 'POST', ...callback });

  it('only brings the next check forward to the current time', async () => {
    const { id } = await withdraw(member.browser, 20_000);
    await later(1);
    await later(61);
    const { reference_no: reference } = only();
    expect(await seen(await send(midtrans.callback(reference)))).toEqual([200, { received: true }]);
    await later(0);
    expect(await stateOf(id)).toEqual(['submitted', null]);
    only().status = 'completed';
    await send(midtrans.callback(reference));
    await later(0);
    expect(await stateOf(id)).toEqual(['paid', null]);
    expect((await send(midtrans.callback('unknown'))).status).toBe(200);
  });

  it('is rejected without a signature by the merchant key, or for an unknown provider', async () => {
    const forged = midtrans.callback('reference', 'another key');
    expect((await send(forged)).status).toBe(401);
    expect((await send({ ...forged, headers: {} })).status).toBe(401);
    const other = await service.request('/v1/gateways/sandbox/payout-webhook', { method: 'POST', ...forged });
    expect(other.status).toBe(404);
  });
});

describe('a payout destination', () => {
  it('has the account holder returned by Midtrans and a bank that Midtrans lists', async () => {
    expect(await (await member.browser.fetch('/v1/fiat/banks')).json()).toEqual({
      data: [{ code: 'bca', name: 'Bank Central Asia' }],
    });
    expect(await (await askWithdrawal(member.browser, 20_000)).json()).toMatchObject({
      accountHolderName: 'BUDI SANTOSO',
    });
    expect(await seen(await askWithdrawal(member.browser, 20_000, '0000000000'))).toEqual(
      refusal(404, 'Unknown bank account'),
    );
    midtrans.fail(401);
    await expect((await payoutGateway(service.deps)).listBanks()).rejects.toThrow();
  });
});
