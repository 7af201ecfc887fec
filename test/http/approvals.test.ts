import { beforeAll, describe, expect, it } from 'vitest';
import type { Inquiry, Transfer } from '../../src/features/transfer/schema.ts';
import {
  anotherBrowser,
  inOneTrip,
  refusal,
  seen,
  sessionIdOf,
  unauthenticated,
} from '../support/answers.ts';
import { approvalOf, approved, askApproval, newPayStage, type PayStage } from '../support/approvals.ts';
import { markChecked, newApp } from '../support/apps.ts';
import { json, openBrowser } from '../support/browser.ts';
import { balanceOf, fundedWallet, newHolder } from '../support/money.ts';
import { newMember } from '../support/people.ts';
import { decide, decisionFields } from '../support/popup.ts';
import { useService } from '../support/service.ts';
import { appSignIn } from '../support/token.ts';

const target = useService();

let stage: PayStage;
beforeAll(async () => {
  stage = await newPayStage(target);
});

const rejected = refusal(403, 'Transfer was rejected');
const late = refusal(400, 'Approval request has expired', 'approval_expired');
const required = refusal(403, 'User approval is required');
const notAllowed = refusal(403, 'Origin is not allowed');
const unknown = refusal(404, 'Unknown transaction');

/** The status and code of an error page, and whether it stays in the popup. */
async function refused(page: Response): Promise<[number, string | null, boolean]> {
  return [page.status, page.headers.get('X-Error-Code'), (await page.text()).includes('data-phase="error"')];
}

describe('an approval request', () => {
  it('is registered by the app’s page, shown to the payer, decided only once, and redeemed by the app', async () => {
    const inquiry = await stage.inquire(7000);
    const approval = approvalOf(stage, inquiry.id);
    const asked = target.now();
    const [status, made] = await seen(await approval.register());
    expect([status, made]).toEqual([
      200,
      { id: approval.id, status: 'created', expiresAt: expect.stringMatching(/^\d{4}-.*Z$/) },
    ]);
    const until = Date.parse((made as { expiresAt: string }).expiresAt);
    expect(until).toBeGreaterThanOrEqual(asked + 120_000);
    expect(until).toBeLessThanOrEqual(target.now() + 120_000);
    expect(await approval.poll()).toMatchObject({ status: 'created', kind: 'approval', reason: null });
    expect(await seen(await approval.confirm())).toEqual(required);
    const page = await inOneTrip(target, () => approval.show());
    const text = await page.text();
    expect(page.status).toBe(200);
    expect(text).toContain('<strong><bdi>Corner Shop</bdi></strong> asks for a payment');
    expect(text).toMatch(/>IDR\s7,000<\/p>/);
    expect(text).toContain(`${stage.shop.handle}@pid`);
    const fields = { ...(await decisionFields(await approval.show())), decision: 'approved' };
    const press = () => decide(target, stage.person.browser, approval.id, fields);
    const pressed = target.now();
    const decided = await inOneTrip(target, press);
    expect([decided.status, decided.headers.get('Location')]).toEqual([303, `/popup/done?c=${approval.id}`]);
    const before = await balanceOf(target, stage.shop.handle);
    const { expiresAt: redeemableUntil, ...given } = await approval.poll();
    expect(given).toMatchObject({ status: 'approved' });
    const redeemable = Date.parse(String(redeemableUntil));
    expect(redeemable).toBeGreaterThanOrEqual(pressed + 30_000);
    expect(redeemable).toBeLessThanOrEqual(target.now() + 30_000);
    const done = await approval.show();
    expect(await done.text()).toMatch(/data-phase="done".*You approved the payment/s);
    const paid = await approval.confirm();
    expect([paid.status, (await paid.json()) as Transfer]).toMatchObject([
      200,
      { status: 'completed', amount: 7000 },
    ]);
    expect((await balanceOf(target, stage.shop.handle)) - before).toBe(7000);
    expect(await approval.poll()).toMatchObject({ status: 'redeemed' });
    // A repeat returns the same transfer, whatever happened to the approval.
    expect((await approval.confirm()).headers.get('Idempotent-Replayed')).toBe('true');
  });

  it('expires with its inquiry, and can be sent again only by the same opener [case 15]', async () => {
    const inquiry = await stage.inquire();
    await target.advance(240);
    const approval = approvalOf(stage, inquiry.id);
    const first = (await (await approval.register()).json()) as { expiresAt: string };
    expect(first.expiresAt).toBe(inquiry.expiresAt);
    expect(await (await approval.register()).json()).toEqual({
      id: approval.id,
      status: 'created',
      expiresAt: inquiry.expiresAt,
    });
    const exists = refusal(409, 'Popup request already exists');
    expect(await seen(await approval.register({ challenge: approvalOf(stage, '').challenge }))).toEqual(
      exists,
    );
    const other = await stage.inquire(1);
    expect(await seen(await approval.register({ inquiryId: other.id }))).toEqual(exists);
    await approval.ask('cancel');
    expect(await seen(await approval.register())).toEqual(exists);
    expect(await approval.poll()).toMatchObject({ status: 'cancelled' });
    expect(await seen(await approval.confirm())).toEqual(rejected);
  });

  it('is rejected unless the inquiry is open, needs approval, and belongs to the payer and the app', async () => {
    const { id } = await stage.inquire();
    const approval = approvalOf(stage, id);
    const stranger = await newHolder(target);
    expect(await seen(await approval.register({}, stranger.browser))).toEqual(unknown);
    expect(await seen(await approval.register({ inquiryId: 'inq_nothing' }))).toEqual(unknown);
    expect(await seen(await approval.register({ inquiryId: undefined }))).toEqual(
      refusal(400, ['inquiryId must be a string']),
    );
    expect(await seen(await approval.register({}, openBrowser(target)))).toEqual(unauthenticated);
    expect(await seen(await approval.register({}, undefined, { Origin: 'https://evil.example' }))).toEqual(
      notAllowed,
    );
    // An app that passes another app's inquiry.
    const evil = await newApp(stranger.browser, { allowedOrigins: ['https://other.example'] });
    const asEvil = { Origin: 'https://other.example', 'X-App-Id': evil.id };
    expect(await seen(await approval.register({}, undefined, asEvil))).toEqual(unknown);
    // The person's own transfer, on a first-party page.
    const own = await stage.person.browser.fetch(
      '/v1/fiat/transfers/inquiry',
      json('POST', { to: `${stage.shop.handle}@pid`, amount: 5 }),
    );
    const { id: ownId } = (await own.json()) as Inquiry;
    const firstParty = { Origin: target.origin, 'X-App-Id': '' };
    expect(await seen(await approval.register({ inquiryId: ownId }, undefined, firstParty))).toEqual(
      refusal(400, 'Transfer needs no approval'),
    );
    expect(await seen(await approval.register({}, undefined, firstParty))).toEqual(unknown);
    await stage.call(`/v1/fiat/transfers/inquiry/${id}/cancel`, {});
    expect(await seen(await approval.register())).toEqual(refusal(400, 'Transfer inquiry has expired'));
    const ended = await newPayStage(target);
    const last = approvalOf(ended, (await ended.inquire()).id);
    await target.rows('UPDATE sessions SET revoked_at = 1, revoked_reason = ? WHERE id = ?', [
      'logout',
      await sessionIdOf(ended.person),
    ]);
    expect(await seen(await last.register())).toEqual(unauthenticated);
    expect(
      await target.rows('SELECT id FROM popup_requests WHERE id IN (?, ?)', [approval.id, last.id]),
    ).toEqual([]);
  });

  it('is registered by the app’s back end with its secret, for one of its pages', async () => {
    await markChecked(target, stage.app.id);
    const { id } = await stage.inquire();
    const approval = approvalOf(stage, id);
    const body = { client_id: stage.app.id, client_secret: stage.app.secret?.value };
    const denied = refusal(401, 'Client authentication failed');
    expect(await seen(await approval.registerByBackEnd({ ...body, client_secret: 'guess' }, {}))).toEqual(
      denied,
    );
    expect(await seen(await approval.registerByBackEnd({ client_id: stage.app.id }, {}))).toEqual(denied);
    const basic = (secret: string) => ({ Authorization: `Basic ${btoa(`${stage.app.id}:${secret}`)}` });
    expect(await seen(await approval.registerByBackEnd({}, basic('guess')))).toEqual(denied);
    expect(await seen(await approval.registerByBackEnd({ origin: 'https://evil.example' }))).toEqual(
      notAllowed,
    );
    expect(await seen(await approval.registerByBackEnd({ origin: undefined }))).toEqual(
      refusal(400, ['origin must be a string']),
    );
    expect(await seen(await approval.registerByBackEnd({ inquiryId: 'inq_nothing' }))).toEqual(unknown);
    const spa = await newApp(stage.person.browser, { type: 'spa' });
    expect(await seen(await approval.registerByBackEnd({ client_id: spa.id }, {}))).toEqual(denied);
    expect((await approval.registerByBackEnd(body, {})).status).toBe(200);
    const trips = target.trips();
    expect((await approval.registerByBackEnd()).status).toBe(200);
    if (trips) expect((target.trips()?.database ?? 0) - trips.database).toBe(2);
    const path = `/v1/popup/requests/${approval.id}/poll`;
    const poll = () => target.request(path, json('POST', { verifier: approval.verifier }));
    const asked = await inOneTrip(target, poll);
    expect(await asked.json()).toMatchObject({ status: 'created', kind: 'approval' });
    expect((await approval.decide('approved')).status).toBe(303);
    // The app redeems it, without the session that approved it.
    const { access_token } = await appSignIn(stage, { scope: 'fiat:transfer' });
    const init = json('POST', { inquiryId: id, approvalId: approval.id, verifier: approval.verifier });
    const paid = await target.request('/v1/fiat/transfers/confirm', {
      ...init,
      headers: { ...init.headers, Authorization: `Bearer ${access_token}` },
    });
    expect(paid.status).toBe(200);
  });
});

describe('a decision', () => {
  it('can be made only by the payer, and anyone else has to sign in as the payer [case 27]', async () => {
    const approval = await askApproval(stage);
    const stranger = await newHolder(target);
    const page = await (await approval.show(stranger.browser)).text();
    expect(page).toContain(`You are signed in as ${stranger.handle}@pid`);
    expect(page).not.toContain(stage.shop.handle);
    const [own] = await target.rows<{ digest: string }>('SELECT digest FROM popup_requests WHERE id = ?', [
      approval.id,
    ]);
    for (const decision of ['approved', 'denied'] as const) {
      const answer = await approval.decide(
        decision,
        { kind: 'approval', digest: own?.digest ?? '' },
        stranger.browser,
      );
      expect([answer.status, (await answer.text()).includes(`Signed in as ${stranger.handle}@pid`)]).toEqual([
        403,
        true,
      ]);
    }
    expect(await approval.poll()).toMatchObject({ status: 'opened' });
    // A browser without a session is redirected first to a renewal, and then to the sign-in.
    const nobody = openBrowser(target);
    const renewed = await approval.show(nobody);
    expect(renewed.status).toBe(302);
    const back = await nobody.navigate(renewed.headers.get('Location') ?? '');
    const signIn = await nobody.navigate(back.headers.get('Location') ?? '');
    expect(await signIn.text()).toContain('To see the payment request, sign in with the account');
    const form = { kind: 'approval', digest: own?.digest ?? '' };
    expect(await refused(await approval.decide('denied', form, nobody))).toEqual([
      401,
      'unauthenticated',
      true,
    ]);
    expect(await approval.poll()).toMatchObject({ status: 'opened' });
  });

  it('from an edited form ends the request as tampered, and one from another page has no effect [cases 17, 18]', async () => {
    const approval = await askApproval(stage);
    const other = await askApproval(stage, 1);
    const session = await anotherBrowser(target, stage.person);
    // The token of another session.
    const elsewhere = await approval.decide('approved', {}, session);
    expect(elsewhere.status).toBe(303);
    const [first, second] = [await askApproval(stage), await askApproval(stage)];
    expect(await refused(await first.decide('approved', { token: 'x' }))).toEqual([
      400,
      'popup_altered',
      true,
    ]);
    expect(await first.poll()).toMatchObject({ status: 'opened' });
    const [foreign] = await target.rows<{ digest: string }>(
      'SELECT digest FROM popup_requests WHERE id = ?',
      [other.id],
    );
    expect(await refused(await second.decide('approved', { digest: foreign?.digest ?? '' }))).toEqual([
      400,
      'popup_altered',
      true,
    ]);
    expect(await second.poll()).toMatchObject({ status: 'invalid', reason: 'tampered' });
    expect(await (await second.show()).text()).toContain('This request was altered');
    expect(await seen(await second.confirm())).toEqual(rejected);
    // Approved in one session, and redeemed by the page in another.
    expect(await seen(await approval.confirm())).toEqual(rejected);
    expect((await approval.confirm({}, session)).status).toBe(200);
  });

  it('is impossible after the inquiry ends, and a repeat has no effect [cases 16, 18]', async () => {
    const [changed, denied] = [await askApproval(stage), await askApproval(stage)];
    expect((await changed.show()).status).toBe(200);
    await stage.call(`/v1/fiat/transfers/inquiry/${changed.inquiryId}/cancel`, {});
    expect(await (await changed.show()).text()).toContain('The payment has changed');
    expect(await changed.poll()).toMatchObject({ status: 'invalid', reason: 'terms_changed' });
    const digest = await target.rows<{ digest: string }>('SELECT digest FROM popup_requests WHERE id = ?', [
      denied.id,
    ]);
    expect((await denied.decide('denied')).status).toBe(303);
    expect(await denied.poll()).toMatchObject({ status: 'denied', reason: null });
    const again = { kind: 'approval', digest: digest[0]?.digest ?? '' };
    expect((await denied.decide('approved', again)).status).toBe(303);
    expect(await denied.poll()).toMatchObject({ status: 'denied' });
    expect(await (await denied.show()).text()).toContain('You denied the payment');
    expect(await seen(await denied.confirm())).toEqual(rejected);
  });

  it('is rejected if it is late, and an approval expires after thirty seconds [cases 11, 16, 17]', async () => {
    const [expired, lapsed, given] = [await askApproval(stage), await approved(stage), await approved(stage)];
    const other = await askApproval(stage);
    expect(await seen(await given.confirm({ verifier: other.verifier }))).toEqual(rejected);
    expect(await seen(await given.confirm({ approvalId: lapsed.id, verifier: lapsed.verifier }))).toEqual(
      rejected,
    );
    expect(await seen(await given.confirm({ approvalId: undefined, verifier: undefined }))).toEqual(required);
    const stranger = await newHolder(target);
    expect(await seen(await given.confirm({}, stranger.browser))).toEqual(unknown);
    const [row] = await target.rows<{ digest: string }>('SELECT digest FROM popup_requests WHERE id = ?', [
      expired.id,
    ]);
    await expired.show();
    await target.advance(31);
    expect(await lapsed.poll()).toMatchObject({ status: 'lapsed' });
    expect(await (await lapsed.show()).text()).toContain('The approval was not used in time');
    expect(await seen(await lapsed.confirm())).toEqual(late);
    await target.advance(90);
    expect(await expired.poll()).toMatchObject({ status: 'expired' });
    expect(
      await refused(await expired.decide('approved', { kind: 'approval', digest: row?.digest ?? '' })),
    ).toEqual([400, 'popup_expired', true]);
    expect(await (await expired.show()).text()).toContain('This request has expired');
    expect(await seen(await expired.confirm())).toEqual(late);
  });
});

describe('an amount above the payer’s step-up amount', () => {
  it('requires a sign-in after the request, and the page offers one', async () => {
    const payer = await newPayStage(target);
    const set = (stepUpAmount: unknown) =>
      payer.person.browser.fetch('/v1/me', json('PATCH', { stepUpAmount }));
    expect(await seen(await set(-1))).toEqual(
      refusal(400, ['stepUpAmount must be null or an integer from 0 to 1000000000000']),
    );
    expect(await (await set(1000)).json()).toMatchObject({ stepUpAmount: 1000 });
    expect((await approved(payer, 1000)).id).toBeDefined();
    const above = await askApproval(payer, 1001);
    const page = await (await above.show()).text();
    expect(page).toContain('Sign in again for this payment');
    expect(page).toContain(`href="/v1/auth/idp?popup=${above.id}&amp;prompt=login"`);
    expect(page).not.toContain('value="approved"');
    expect(page).not.toContain('/v1/auth/google');
    const session = await anotherBrowser(target, payer.person);
    expect((await above.decide('approved', {}, session)).status).toBe(303);
    expect((await above.confirm({}, session)).status).toBe(200);
    // A person with a passkey has to use it.
    await target.rows(
      `INSERT INTO credentials (id, handle, provider, provider_user_id, linked_at, last_login_at, public_key, sign_count, passkey_user_id)
        VALUES (?, ?, 'passkey', ?, 1, 1, 'key', 0, 'user')`,
      [`crd_${above.id}`, payer.person.handle, above.id],
    );
    const next = await askApproval(payer, 1001);
    const later = await anotherBrowser(target, payer.person);
    expect(await (await next.show(later)).text()).toMatch(/data-passkey(?!.*auth\/idp\?)/s);
    await target.rows('UPDATE profiles SET step_up_amount = NULL WHERE handle = ?', [payer.person.handle]);
    const form = await next.show(later);
    await target.rows('UPDATE profiles SET step_up_amount = 0 WHERE handle = ?', [payer.person.handle]);
    const fields = await decisionFields(form);
    expect(await refused(await next.decide('approved', fields, later))).toEqual([403, 'not_fresh', true]);
    expect(await next.poll()).toMatchObject({ status: 'opened' });
  });

  it('depends on a limit that can be changed only after a recent sign-in', async () => {
    const { browser } = await newMember(target);
    await target.advance(901);
    const set = (body: object) => browser.fetch('/v1/me', json('PATCH', body));
    await browser.fetch('/v1/auth/refresh', { method: 'POST' });
    const old = refusal(403, 'Sign in again to continue');
    expect(await seen(await set({ stepUpAmount: null, displayName: 'Nobody' }))).toEqual(old);
    expect(await (await set({ displayName: 'Somebody' })).json()).toMatchObject({ stepUpAmount: null });
  });
});

describe('the approval page', () => {
  it('shows user-chosen names as isolated text that does not look like an address, along with the origin and the PID [cases 19, 20]', async () => {
    const payer = await newPayStage(target);
    const name = 'https://bank.example</strong> \u05e9\u05dc\u05d5\u05dd';
    await target.rows('UPDATE apps SET name = ? WHERE id = ?', [name, payer.app.id]);
    const displayName = '\u0410yu <script>alert(1)</script>';
    await payer.shop.browser.fetch('/v1/me', json('PATCH', { displayName }));
    const page = await (await (await askApproval(payer)).show()).text();
    expect(page).toContain('<strong><bdi>https bank example strong \u05e9\u05dc\u05d5\u05dd</bdi></strong>');
    expect(page).toContain(`<br/><span class="mono">${payer.origin}</span>`);
    expect(page).toContain('<bdi>\u0410 yu script alert(1) script</bdi>');
    expect(page).toContain(`<small class="mono">${payer.shop.handle}@pid</small>`);
    expect(page).not.toContain('<script>alert');
  });
});

describe('a payment that cannot be made', () => {
  it('is shown, but can only be denied', async () => {
    const payer = await newPayStage(target);
    const low = await askApproval(payer, 100_001);
    const cases: [string, string, string][] = [
      ['SELECT 1', 'SELECT 1', 'Your balance is too low'],
      [
        "UPDATE accounts SET status = 'frozen' WHERE owner = ?",
        "UPDATE accounts SET status = 'active' WHERE owner = ?",
        'Your wallet is frozen',
      ],
    ];
    for (const [before, after, title] of cases) {
      const values = before.includes('?') ? [payer.person.handle] : [];
      await target.rows(before, values);
      const page = await (await low.show()).text();
      expect(page).toContain(title);
      expect(page).not.toContain('value="approved"');
      expect(page).toContain('value="denied"');
      await target.rows(after, values);
    }
    expect((await low.decide('denied')).status).toBe(303);
  });
});

describe('a payment above the balance', () => {
  it('leads to a top-up that covers the shortfall after the deposit fee, and continues once the money arrives', async () => {
    const payer = await newPayStage(target);
    const low = await askApproval(payer, 115_000);
    const shownBy = async () => (await low.show()).text();
    expect(await shownBy()).toMatch(
      /href="\/account\/wallet\/top-up\?amount=15000" target="_blank"[^>]*>Top up IDR\s15,000</,
    );
    await target.rows(
      `INSERT INTO fee_versions (scope, operation, version, fixed, bps, payer, created_by, created_at)
        VALUES ('platform', 'deposit', 1, 2000, 1000, 'payer', ?, 0)`,
      [payer.person.handle],
    );
    // 18,889 - (1,889 + 2,000) = 15,000
    expect(await shownBy()).toMatch(/Top up IDR\s18,889</);
    const form = await (await payer.person.browser.navigate('/account/wallet/top-up?amount=18889')).text();
    expect(form).toMatch(/<input[^>]*id="amount"[^>]*value="18889"/);
    expect(
      await (await payer.person.browser.navigate('/account/wallet/top-up?amount=lots')).text(),
    ).not.toContain('lots"');
    await fundedWallet(target, payer.person.handle, 15_000);
    expect(await shownBy()).not.toMatch(/data-low=/);
    expect(await shownBy()).toContain('value="approved"');
  });
});

describe('twenty concurrent requests', () => {
  const twenty = <T>(act: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: 20 }, (_, index) => act(index)));
  const statusOf = ({ status }: Response) => status;

  it('redeem an approval for only one transfer, whichever inquiry they specify [R-05]', async () => {
    const payer = await newPayStage(target);
    const [approval, other] = [await approved(payer, 300), await askApproval(payer, 300)];
    const answers = await twenty((index) =>
      approval.confirm({ inquiryId: index % 2 === 0 ? approval.inquiryId : other.inquiryId }),
    );
    expect(answers.map(statusOf)).toEqual(answers.map((_, index) => (index % 2 === 0 ? 200 : 403)));
    const transfers = await Promise.all(
      answers
        .filter((_, index) => index % 2 === 0)
        .map(async (answer) => ((await answer.json()) as Transfer).id),
    );
    expect(new Set(transfers).size).toBe(1);
    expect(await balanceOf(target, payer.shop.handle)).toBe(300);
    expect(await seen(await approval.confirm({ inquiryId: other.inquiryId }))).toEqual(rejected);
  });

  it('decide a request only once, and pay only if the request was approved [case 23]', async () => {
    const payer = await newPayStage(target);
    const [request, again] = [await askApproval(payer, 400), await askApproval(payer, 500)];
    const decisions = await twenty((index) => request.decide(index % 2 === 0 ? 'approved' : 'denied'));
    expect(new Set(decisions.map(statusOf))).toEqual(new Set([303]));
    const { status } = await request.poll();
    const paid = await twenty(() => request.confirm());
    expect(new Set(paid.map(statusOf))).toEqual(new Set([status === 'approved' ? 200 : 403]));
    const sum = status === 'approved' ? 400 : 0;
    expect(await balanceOf(target, payer.shop.handle)).toBe(sum);
    // Two windows for one inquiry, both approved.
    const second = approvalOf(payer, again.inquiryId);
    await second.register();
    for (const one of [again, second]) expect((await one.decide('approved')).status).toBe(303);
    const both = await twenty((index) => [again, second][index % 2]?.confirm() ?? again.confirm());
    expect(new Set(both.map(statusOf))).toEqual(new Set([200]));
    expect(await balanceOf(target, payer.shop.handle)).toBe(sum + 500);
    const states = [(await again.poll())['status'], (await second.poll())['status']];
    expect(states.toSorted()).toEqual(['approved', 'redeemed']);
  });
});
