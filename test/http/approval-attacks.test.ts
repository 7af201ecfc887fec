import { beforeAll, describe, expect, it } from 'vitest';
import { secretHash } from '../../src/lib/secret.ts';
import { anotherBrowser, notFresh, refusal, seen, sessionIdOf } from '../support/answers.ts';
import {
  type Approval,
  approvalOf,
  approved,
  askApproval,
  newPayStage,
  type PayStage,
} from '../support/approvals.ts';
import { markChecked, markFirstParty, newApp } from '../support/apps.ts';
import { json } from '../support/browser.ts';
import { balanceOf, newHolder } from '../support/money.ts';
import { decide, decisionFields, makeOpener, registered } from '../support/popup.ts';
import { redeem } from '../support/popup-tokens.ts';
import { form } from '../support/sandbox.ts';
import { useService } from '../support/service.ts';
import { appSignIn, credentials } from '../support/token.ts';

const target = useService({ RATE_LIMITS: 'off' });

let stage: PayStage;
beforeAll(async () => {
  stage = await newPayStage(target);
});

const rejected = refusal(403, 'Transfer was rejected');
const unknown = refusal(404, 'Unknown transaction');
const notAllowed = refusal(403, 'Origin is not allowed');
const noRequest = refusal(404, 'Popup request does not exist');

const rowOf = async ({ id }: Approval) => {
  const columns = 'status, digest, params, session_id, redeemed_op';
  const [row] = await target.rows<Record<string, string>>(
    `SELECT ${columns} FROM popup_requests WHERE id = ?`,
    [id],
  );
  return row ?? {};
};
const paid = () => balanceOf(target, stage.shop.handle);

describe('a page on another site', () => {
  it('cannot decide a request, even with the request’s id, the digest and the PID of the signed-in person', async () => {
    const approval = await askApproval(stage);
    await approval.show();
    const { digest = '' } = await rowOf(approval);
    const own = { kind: 'approval', digest, decision: 'approved' };
    const path = `/popup/requests/${approval.id}/decision`;
    const from = async (headers: Record<string, string>, fields: Record<string, string> = own) => {
      const { body, headers: sent } = form(fields, target.origin);
      const { Origin: _, ...rest } = sent ?? {};
      const init = { method: 'POST', body: body ?? '', headers: { ...rest, ...headers } };
      return (await stage.person.browser.navigate(path, init)).status;
    };
    const site = (value: string) => ({ 'Sec-Fetch-Site': value });
    for (const decision of ['approved', 'denied']) {
      const fields = { ...own, decision };
      expect(await from({ Origin: stage.origin, ...site('same-site') }, fields)).toBe(403);
      expect(
        await from({ Origin: stage.origin, 'X-App-Id': stage.app.id, ...site('same-site') }, fields),
      ).toBe(403);
      expect(await from({ Origin: 'null', ...site('cross-site') }, fields)).toBe(403);
      for (const value of ['none', 'same-site', 'cross-site'])
        expect(await from(site(value), fields)).toBe(403);
    }
    // From our own page, but without a proof, or with the proof of another request or session.
    const other = await decisionFields(await (await askApproval(stage)).show());
    const session = await anotherBrowser(target, stage.person);
    const elsewhere = await decisionFields(await approval.show(session));
    const opener = await registered(target, target.origin);
    const login = await decisionFields(await stage.person.browser.navigate(`/popup/login?c=${opener.id}`));
    for (const token of ['', other.token, elsewhere.token, login.token]) {
      expect(await from({ Origin: target.origin }, { ...own, token })).toBe(400);
    }
    // As a request of the other kind.
    const { kind: _, ...untyped } = { ...own, token: (await decisionFields(await approval.show())).token };
    expect(await from({ Origin: target.origin }, untyped)).toBe(401);
    const asApproval = { kind: 'approval', ...login, decision: 'approved' };
    expect((await decide(target, stage.person.browser, opener.id, asApproval)).status).toBe(404);
    expect(await rowOf(approval)).toMatchObject({ status: 'opened', session_id: null });
    const signIn = await stage.person.browser.navigate(`/popup/login?c=${approval.id}`);
    expect(signIn.headers.get('Location')).toBe(`/popup/approve?c=${approval.id}`);
  });

  it('cannot frame, read or prefetch the approval page [case 21]', async () => {
    const approval = await askApproval(stage);
    const path = `/popup/approve?c=${approval.id}`;
    const { browser } = stage.person;
    const early = await browser.navigate(path, { headers: { 'Sec-Purpose': 'prefetch' } });
    expect([early.status, (await rowOf(approval))['status']]).toEqual([400, 'created']);
    const asApp = { Origin: stage.origin, 'X-App-Id': stage.app.id };
    expect(await seen(await browser.fetch(path, { headers: asApp }))).toEqual(notAllowed);
    const page = await approval.show();
    expect(page.headers.get('Content-Security-Policy')).toMatch(/frame-ancestors 'none'/);
    expect(page.headers.get('Content-Security-Policy')).toMatch(/form-action 'self'/);
    expect(page.headers.get('Cache-Control')).toContain('no-store');
    expect(page.headers.get('Access-Control-Allow-Origin')).toBeNull();
  });
});

describe('another app', () => {
  it('cannot request approval for another app’s inquiry, or poll, cancel or redeem it [cases 14, 17]', async () => {
    const developer = await newHolder(target);
    const allowedOrigins = ['https://evil-shop.example.com'];
    const evil = await newApp(developer.browser, { allowedOrigins, scopes: ['openid', 'fiat:transfer'] });
    const asEvil = { Origin: 'https://evil-shop.example.com', 'X-App-Id': evil.id };
    const { id: inquiryId } = await stage.inquire();
    const asked = approvalOf(stage, inquiryId);
    const { client_id, client_secret } = { client_id: stage.app.id, client_secret: evil.secret?.value };
    const origin = { origin: asEvil.Origin };
    expect(await seen(await asked.registerByBackEnd(origin, credentials(evil)))).toEqual(unknown);
    expect(await seen(await asked.registerByBackEnd({}, credentials(evil)))).toEqual(notAllowed);
    const noClient = refusal(401, 'Client authentication failed');
    expect(await seen(await asked.registerByBackEnd({ client_id, client_secret }, {}))).toEqual(noClient);
    expect(await seen(await asked.register({ client_id, ...origin }))).toEqual(noClient);
    for (const spelling of [
      `${stage.origin}/`,
      `${stage.origin}:443`,
      stage.origin.toUpperCase(),
      'null',
      '',
      '*',
    ])
      expect(await seen(await asked.registerByBackEnd({ origin: spelling }))).toEqual(notAllowed);
    expect(await rowOf(asked)).toEqual({});
    // It even has the verifier.
    const approval = await approved(stage);
    const ask = (action: string, verifier: string, headers: Record<string, string>) =>
      stage.call(`/v1/popup/requests/${approval.id}/${action}`, { verifier }, stage.person.browser, headers);
    for (const action of ['poll', 'cancel']) {
      expect(await seen(await ask(action, approval.verifier, asEvil))).toEqual(noRequest);
      expect(await seen(await ask(action, asked.verifier, {}))).toEqual(noRequest);
      expect((await ask(action, approval.id, {})).status).toBe(400);
    }
    const before = await paid();
    const body = { inquiryId: approval.inquiryId, approvalId: approval.id, verifier: approval.verifier };
    const confirm = '/v1/fiat/transfers/confirm';
    expect(await seen(await stage.call(confirm, body, stage.person.browser, asEvil))).toEqual(unknown);
    const evilToken = await appSignIn(
      { target, app: evil, person: stage.person },
      { scope: 'fiat:transfer' },
    );
    const strange = await appSignIn({ ...stage, person: developer }, { scope: 'fiat:transfer' });
    for (const { access_token } of [evilToken, strange]) {
      const init = json('POST', body);
      const headers = { ...init.headers, Authorization: `Bearer ${access_token}` };
      expect(await seen(await target.request(confirm, { ...init, headers }))).toEqual(unknown);
    }
    // Nor does the person have such an inquiry on one of our pages.
    expect(await seen(await stage.person.browser.fetch(confirm, json('POST', body)))).toEqual(unknown);
    expect(await paid()).toBe(before);
  });
});

describe('an approval', () => {
  it('does not act as a sign-in, nor a sign-in as an approval', async () => {
    const { person, app, origin } = stage;
    await appSignIn(stage, { scope: 'openid fiat:transfer' });
    const approval = await approved(stage);
    const handedOver = 'UPDATE popup_requests SET result_hash = ? WHERE id = ?';
    await target.rows(handedOver, [secretHash('result.person'), approval.id]);
    expect((await redeem(stage, approval, 'result.person')).status).toBe(400);
    const opener = makeOpener(target, origin);
    expect((await opener.register({}, { 'X-App-Id': app.id })).status).toBe(200);
    const page = await person.browser.navigate(`/popup/login?c=${opener.id}`);
    const login = { ...(await decisionFields(page)), decision: 'approved' };
    expect((await decide(target, person.browser, opener.id, login)).status).toBe(303);
    const signedIn = await target.rows('SELECT status FROM popup_requests WHERE id = ?', [opener.id]);
    expect(signedIn).toEqual([{ status: 'approved' }]);
    const other = await stage.inquire();
    const asApproval = { approvalId: opener.id, verifier: opener.verifier, inquiryId: other.id };
    expect(await seen(await approval.confirm(asApproval))).toEqual(rejected);
    expect((await approval.confirm()).status).toBe(200);
  });

  it('cannot pay after the inquiry is cancelled, the grant is revoked, or a party, wallet or app is suspended or frozen', async () => {
    const stages: [change: (of: PayStage) => [string, string], status: number][] = [
      [({ app }) => [`UPDATE apps SET status = 'suspended' WHERE id = ?`, app.id], 403],
      [({ person }) => [`UPDATE identities SET status = 'suspended' WHERE handle = ?`, person.handle], 401],
      [({ shop }) => [`UPDATE identities SET status = 'suspended' WHERE handle = ?`, shop.handle], 404],
      [({ person }) => [`UPDATE accounts SET status = 'frozen' WHERE owner = ?`, person.handle], 403],
      [({ shop }) => [`UPDATE accounts SET status = 'frozen' WHERE owner = ?`, shop.handle], 404],
      [({ person }) => [`UPDATE transfers SET status = 'cancelled' WHERE payer = ?`, person.handle], 400],
      [
        ({ person }) => [
          `UPDATE grants SET revoked_at = 1, revoked_by = 'person' WHERE handle = ?`,
          person.handle,
        ],
        403,
      ],
    ];
    const answers: number[] = [];
    for (const [change] of stages) {
      const one = await newPayStage(target);
      await appSignIn(one, { scope: 'fiat:transfer' });
      const approval = await approved(one);
      const [statement, value] = change(one);
      await target.rows(statement, [value]);
      answers.push((await approval.confirm()).status);
      expect([await balanceOf(target, one.shop.handle), (await rowOf(approval))['status']]).toEqual([
        0,
        'approved',
      ]);
    }
    expect(answers).toEqual(stages.map(([, status]) => status));
    const [signedOut, frozen] = [await newPayStage(target), await approved(stage)];
    const last = await approved(signedOut);
    await target.rows(`UPDATE sessions SET revoked_at = 1, revoked_reason = 'logout' WHERE id = ?`, [
      await sessionIdOf(signedOut.person),
    ]);
    expect((await last.confirm()).status).toBe(401);
    await target.rows(`UPDATE ledger SET mode = 'frozen' WHERE id = 1`, []);
    const held = (await frozen.confirm()).status;
    await target.rows(`UPDATE ledger SET mode = 'open' WHERE id = 1`, []);
    expect([held, (await frozen.confirm()).status]).toEqual([503, 200]);
  });

  it('is recorded only for a transfer that needs one', async () => {
    const one = await newPayStage(target);
    await appSignIn(one, { scope: 'fiat:transfer' });
    const elsewhere = await approved(stage);
    await markFirstParty(target, one.app.id);
    await target.rows('UPDATE grants SET per_transfer = 1000 WHERE handle = ?', [one.person.handle]);
    const { id, requiresApproval } = await one.inquire(1000);
    expect(requiresApproval).toBe(false);
    const forged = { inquiryId: id, approvalId: elsewhere.id, verifier: elsewhere.verifier };
    expect((await one.call('/v1/fiat/transfers/confirm', forged)).status).toBe(200);
    const rows = await target.rows('SELECT status, approval_id FROM transfers WHERE id = ?', [id.slice(4)]);
    expect(rows).toEqual([{ status: 'confirmed', approval_id: null }]);
    expect(await rowOf(elsewhere)).toMatchObject({ status: 'approved', redeemed_op: null });
  });
});

describe('the digest of an approval request', () => {
  it('differs by inquiry, origin and spelling, and no text can be mistaken for another field [case 19]', async () => {
    const origins = ['https://one.example.com', 'https://two.example.com'];
    const one = await newPayStage(target);
    await one.person.browser.fetch(
      `/v1/apps/${one.app.id}`,
      json('PATCH', { allowedOrigins: [one.origin, ...origins] }),
    );
    await markChecked(target, one.app.id);
    const memos = ['', 'a', '"', '","netAmount":1,"operation":"x', '\\","to":{"pid":"x@pid"}'];
    const digests = new Set<string>();
    for (const memo of memos) {
      const body = { to: `${one.shop.handle}@pid`, amount: 10, memo };
      const { id } = (await (await one.call('/v1/fiat/transfers/inquiry', body)).json()) as { id: string };
      for (const origin of [one.origin, ...origins]) {
        const approval = approvalOf(one, id);
        expect((await approval.registerByBackEnd({ origin })).status).toBe(200);
        const { digest = '', params = '' } = await rowOf(approval);
        digests.add(digest);
        expect(JSON.parse(params)).toMatchObject({
          memo: memo || null,
          netAmount: 10,
          origin,
          inquiryId: id,
        });
        expect(Object.keys(JSON.parse(params))).toEqual(Object.keys(JSON.parse(params)).toSorted());
      }
    }
    expect(digests.size).toBe(memos.length * 3);
    // Characters that change the text direction or are invisible never reach a page.
    for (const bad of ['\u202e', '\u2066', '\u2069', '\u200b', '\u200f', '\u0000', '\u2028']) {
      const text = `a${bad}b`;
      const memo = await one.call('/v1/fiat/transfers/inquiry', {
        to: `${one.shop.handle}@pid`,
        amount: 1,
        memo: text,
      });
      const name = await one.shop.browser.fetch('/v1/me', json('PATCH', { displayName: text }));
      const app = await one.person.browser.fetch(`/v1/apps/${one.app.id}`, json('PATCH', { name: text }));
      expect([memo.status, name.status, app.status]).toEqual([400, 400, 400]);
    }
  });
});

describe('the step-up', () => {
  it('rejects sign-ins from before the request, renewals, repeats and other people’s sign-ins', async () => {
    const one = await newPayStage(target);
    const { person } = one;
    await person.browser.fetch('/v1/me', json('PATCH', { stepUpAmount: 0 }));
    const asked = await askApproval(one);
    const shown = async (browser = person.browser) =>
      (await (await asked.show(browser)).text()).includes('value="approved"');
    expect(await shown()).toBe(false);
    await target.advance(1);
    await person.browser.fetch('/v1/auth/refresh', { method: 'POST' });
    expect([(await asked.register()).status, await shown()]).toEqual([200, false]);
    expect(await shown(one.shop.browser)).toBe(false);
    // A proof from before the person set a step-up amount does not help.
    await target.rows('UPDATE profiles SET step_up_amount = NULL WHERE handle = ?', [person.handle]);
    const fields = { ...(await decisionFields(await asked.show())), decision: 'approved' };
    await target.rows('UPDATE profiles SET step_up_amount = 0 WHERE handle = ?', [person.handle]);
    expect((await decide(target, person.browser, asked.id, fields)).status).toBe(403);
    // No app can disable it.
    const turnOff = { ...json('PATCH', { stepUpAmount: null }) };
    const asApp = { Origin: one.origin, 'X-App-Id': one.app.id };
    const headers = { ...turnOff.headers, ...asApp };
    expect(await seen(await person.browser.fetch('/v1/me', { ...turnOff, headers }))).toEqual(notAllowed);
    await target.advance(901);
    await person.browser.fetch('/v1/auth/refresh', { method: 'POST' });
    expect(await seen(await person.browser.fetch('/v1/me', turnOff))).toEqual(notFresh);
    // A request before the sign-in is accepted, one after it is not.
    const session = await anotherBrowser(target, person);
    await target.advance(1);
    const inquiry = await one.call(
      '/v1/fiat/transfers/inquiry',
      { to: `${one.shop.handle}@pid`, amount: 5 },
      session,
    );
    const { id } = (await inquiry.json()) as { id: string };
    const late = approvalOf(one, id);
    expect((await late.register({}, session)).status).toBe(200);
    expect(await (await late.show(session)).text()).not.toContain('value="approved"');
    expect(await rowOf(late)).toMatchObject({ status: 'opened' });
  });
});
