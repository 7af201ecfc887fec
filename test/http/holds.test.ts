import { beforeAll, describe, expect, it } from 'vitest';
import { refusal, seen } from '../support/answers.ts';
import { approvalOf, approved, newPayStage } from '../support/approvals.ts';
import { markFirstParty } from '../support/apps.ts';
import { json } from '../support/browser.ts';
import { runJobs } from '../support/deposits.ts';
import { askAs, type HoldStage, newHoldStage, ownToken } from '../support/holds.ts';
import { balanceOf, inquire } from '../support/money.ts';
import { useService } from '../support/service.ts';

const target = useService();
const dayMs = 86_400_000;

let stage: HoldStage;
let token = '';

beforeAll(async () => {
  stage = await newHoldStage(target);
  token = await ownToken(stage);
  await stage.person.browser.fetch(
    `/v1/apps/${stage.app.id}/fees/transfer`,
    json('PUT', { fixed: 100, bps: 100, payer: 'payer' }),
  );
});

const ask = (path: string, body?: object) => askAs(target, token, path, body);

async function wallet(): Promise<{ balance: number; held: number; available: number }> {
  const answer = await stage.person.browser.fetch('/v1/wallet/balance');
  return (await answer.json()) as { balance: number; held: number; available: number };
}

async function held(): Promise<number | undefined> {
  const rows = await target.rows<{ held: number }>(
    `SELECT debits_pending AS held FROM accounts WHERE owner = ? AND kind = 'wallet'`,
    [stage.person.handle],
  );
  return rows[0]?.held;
}

const eventsOf = async (id: string) =>
  (
    await target.rows<{ type: string; data: string }>(
      `SELECT type, data FROM webhook_events WHERE json_extract(data, '$.id') = ? ORDER BY seq`,
      [id],
    )
  ).map(({ type, data }) => [type, JSON.parse(data).status, JSON.parse(data).amount]);

const grantTo = (columns: string) =>
  target.rows(`UPDATE grants SET ${columns} WHERE app_id = ?`, [stage.app.id]);

describe('a hold', () => {
  it('reserves the approved amount, and pays the captured amount with its fee', async () => {
    const before = await wallet();
    const hold = await stage.held(10_000);
    expect(hold).toMatchObject({ status: 'held', amount: 10_000, totalDebit: 10_200, refundable: 0 });
    expect(Date.parse(hold.heldUntil ?? '') - Date.parse(hold.createdAt)).toBe(7 * dayMs);
    const { balance } = before;
    expect(await wallet()).toMatchObject({ balance, held: 10_200, available: before.available - 10_200 });
    // The app raises its fee, but the displayed fee applies.
    await stage.person.browser.fetch(
      `/v1/apps/${stage.app.id}/fees/transfer`,
      json('PUT', { fixed: 1000, bps: 100, payer: 'payer' }),
    );
    const captured = await ask(`${hold.id}/capture`, { amount: 4001 });
    const paid = { id: hold.id, status: 'completed', amount: 4001, totalDebit: 4142, refundable: 4001 };
    expect(await captured.json()).toMatchObject({ ...paid, fees: { app: 141, total: 141 } });
    const after = balance - 4142;
    expect(await wallet()).toMatchObject({ balance: after, held: 0, available: after });
    expect(await balanceOf(target, stage.shop.handle)).toBe(4001);
    expect(await balanceOf(target, stage.app.id)).toBe(141);
    expect(await eventsOf(hold.id)).toEqual([
      ['transfer.held', 'held', 10_000],
      ['transfer.captured', 'completed', 4001],
    ]);
    const [line] = (
      (await (await stage.person.browser.fetch('/v1/wallet/transactions')).json()) as {
        data: { amount: number; kind: string }[];
      }
    ).data;
    expect(line).toMatchObject({ kind: 'transfer', amount: 4142 });
  });

  it('can be captured only once, never above its amount, and not after its release', async () => {
    const [one, released] = [await stage.held(1000), await stage.held(1000)];
    expect(await seen(await ask(`${one.id}/capture`, { amount: 1001 }))).toEqual(
      refusal(400, 'Capture exceeds the hold', 'capture_exceeds'),
    );
    const both = await Promise.all([0, 1].map(() => ask(`${one.id}/capture`, { amount: 600 })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const again = refusal(409, 'Hold was already captured', 'hold_captured');
    expect(await seen(await ask(`${one.id}/capture`, {}))).toEqual(again);
    expect(await seen(await ask(`${one.id}/release`, {}))).toEqual(again);
    for (let tries = 0; tries < 2; tries += 1)
      expect(await (await ask(`${released.id}/release`, {})).json()).toMatchObject({ status: 'released' });
    expect(await seen(await ask(`${released.id}/capture`, {}))).toEqual(
      refusal(409, 'Hold was already released', 'hold_released'),
    );
    expect(await wallet()).toMatchObject({ held: 0 });
    expect((await eventsOf(released.id)).at(-1)).toEqual(['transfer.released', 'released', 1000]);
  });

  it('needs its own approval, which does not work for a payment, nor does a payment’s approval work for a hold', async () => {
    const hold = await stage.approvedHold(500);
    expect(await seen(await hold.confirm())).toEqual(
      refusal(400, 'Transfer inquiry is for a hold', 'for_hold'),
    );
    const payment = await approved(stage, 500);
    expect(await seen(await stage.hold(payment))).toEqual(
      refusal(400, 'Transfer inquiry is not for a hold', 'not_for_hold'),
    );
    expect((await stage.hold(hold)).status).toBe(200);
    const again = await stage.hold(hold);
    expect([again.status, again.headers.get('Idempotent-Replayed')]).toEqual([200, 'true']);
    const { id: inquiry } = await stage.inquireHold(500);
    expect(await seen(await stage.call(`/v1/fiat/transfers/${inquiry}/hold`, {}))).toEqual(
      refusal(403, 'User approval is required', 'approval_required'),
    );
    // Once held, it can be neither cancelled nor approved again.
    const path = `/v1/fiat/transfers/inquiry/${hold.inquiryId}`;
    expect(await seen(await stage.call(`${path}/cancel`, {}))).toEqual(
      refusal(400, 'Transfer inquiry can no longer be cancelled', 'inquiry_not_open'),
    );
    expect(await seen(await approvalOf(stage, hold.inquiryId).register())).toEqual(
      refusal(400, 'Transfer inquiry has expired', 'inquiry_expired'),
    );
  });

  it('is shown to its payer before the approval, and in the wallet in both languages', async () => {
    const approval = approvalOf(stage, (await stage.inquireHold(700)).id);
    await approval.register();
    const asked = await (await approval.show()).text();
    expect(asked).toMatch(
      /The app holds this amount first\..*The amount is held when the app receives your answer/s,
    );
    expect(asked).not.toContain('The payment is made');
    await stage.held(800);
    const page = await (await stage.person.browser.navigate('/account/wallet')).text();
    expect(page).toMatch(/Held by apps.*IDR\s1,808.*until/s);
    const headers = { 'Accept-Language': 'id' };
    const indonesian = await stage.person.browser.navigate('/account/wallet', { headers });
    expect(await indonesian.text()).toContain('Ditahan oleh aplikasi');
  });

  it('is available only to apps, and can be ended only by its own app', async () => {
    const own = await inquire(stage.person.browser, stage.shop.handle, 100, { hold: true });
    expect(await seen(own)).toEqual(refusal(400, ['hold is for apps'], 'validation_failed'));
    const hold = await stage.held(900);
    const other = await ownToken(await newPayStage(target));
    const unknown = refusal(404, 'Unknown transaction', 'transaction_not_found');
    for (const action of ['capture', 'release']) {
      expect(await seen(await askAs(target, other, `${hold.id}/${action}`, {}))).toEqual(unknown);
      for (const { browser } of [stage.person, stage.shop]) {
        const answer = await browser.fetch(`/v1/fiat/transfers/${hold.id}/${action}`, json('POST', {}));
        expect(await seen(answer)).toEqual(unknown);
      }
    }
    expect((await ask(`${hold.id}/release`, {})).status).toBe(200);
  });

  it('counts in full toward a grant’s limits, and can be captured even after the grant is revoked', async () => {
    const hold = async () => {
      const { id, requiresApproval } = await stage.inquireHold(1000);
      return { requiresApproval, answer: await stage.call(`/v1/fiat/transfers/${id}/hold`, {}) };
    };
    await target.rows(
      `INSERT INTO grants (id, app_id, handle, scopes, per_transfer, max_uses, fee_bps, fee_fixed, created_at)
        VALUES (?, ?, ?, '["openid","fiat:transfer"]', 5000, 1, 1000, 1000, 1)`,
      ['grt_of_holds', stage.app.id, stage.person.handle],
    );
    await markFirstParty(target, stage.app.id);
    await target.advance(61);
    const { requiresApproval, answer } = await hold();
    expect([requiresApproval, answer.status]).toEqual([false, 200]);
    expect((await hold()).requiresApproval).toBe(true);
    await grantTo(`revoked_at = ${target.now()}, revoked_by = 'person'`);
    const { id } = (await answer.json()) as { id: string };
    expect((await ask(`${id}/capture`, { amount: 10 })).status).toBe(200);
  });

  it('is released automatically after 7 days, and cannot be captured after that', async () => {
    const hold = await stage.held(1500);
    await target.advance((7 * dayMs) / 1000);
    token = await ownToken(stage);
    const tooLate = refusal(409, 'Hold has expired', 'hold_expired');
    expect(await seen(await ask(`${hold.id}/capture`, {}))).toEqual(tooLate);
    await runJobs(target);
    expect(await held()).toBe(0);
    expect(await seen(await ask(`${hold.id}/capture`, {}))).toEqual(tooLate);
    expect((await eventsOf(hold.id)).at(-1)).toEqual(['transfer.released', 'expired', 1500]);
  });

  it('cannot be captured from a suspended person or by an app without a secret', async () => {
    const other = await newHoldStage(target);
    const token = await ownToken(other);
    const hold = await other.held(1000);
    const suspend = (status: string) =>
      target.rows('UPDATE identities SET status = ? WHERE handle = ?', [status, other.person.handle]);
    await suspend('suspended');
    expect(await seen(await askAs(target, token, `${hold.id}/capture`, {}))).toEqual(
      refusal(403, 'Wallet is frozen', 'wallet_frozen'),
    );
    await suspend('active');
    await target.rows('DELETE FROM app_secrets WHERE app_id = ?', [other.app.id]);
    for (const action of ['capture', 'release'])
      expect((await askAs(target, token, `${hold.id}/${action}`, {})).status).toBe(403);
    expect(await balanceOf(target, other.shop.handle)).toBe(0);
  });
});
