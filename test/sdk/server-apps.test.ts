import { Webhook } from 'standardwebhooks';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createApproval,
  type VerifyAppOptions,
  verifyAppToken,
  verifySession,
  verifyWebhook,
} from '../../sdk/server.ts';
import { approvalOf, newPayStage } from '../support/approvals.ts';
import { markChecked, ownResource } from '../support/apps.ts';
import { decide, decisionFields } from '../support/popup.ts';
import { useService } from '../support/service.ts';
import { compactJwt, decodeJwt, type ServiceKey, serviceKey } from '../support/signing.ts';
import { appSignIn, newRelation, post, type Relation, tokensOf } from '../support/token.ts';

// Runs in Node and in workerd.

type Parts = Record<string, unknown>;

const api = 'https://api.example.com/notes';
const bearing = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

describe('verifyAppToken', () => {
  const target = useService({ BASE_URL: 'http://app-tokens.localhost:8787' });
  let relation: Relation;
  let token: string;
  let key: ServiceKey;
  let header: Parts;
  let payload: Parts;
  const options = (): VerifyAppOptions => ({
    baseUrl: target.origin,
    audience: api,
    now: () => target.now(),
    fetch: async (url: string) => target.request(url.slice(target.origin.length)),
  });
  const verify = (one: string, changes: Partial<VerifyAppOptions> = {}) =>
    verifyAppToken(bearing(one), { ...options(), ...changes });
  beforeAll(async () => {
    relation = await newRelation(target);
    await ownResource(target, { resource: api, owner: relation.app.id });
    token = (await appSignIn(relation, { scope: 'openid wallet:read', resource: api })).access_token;
    key = await serviceKey(target);
    ({ header, payload } = decodeJwt(token));
  });

  it('returns the calling app, the person it acts for and its scopes', async () => {
    expect(await verify(token)).toEqual({
      appId: relation.app.id,
      pid: `${relation.person.handle}@pid`,
      scopes: ['openid', 'wallet:read'],
      grantId: payload['grant_id'],
      authenticatedAt: new Date(Number(payload['auth_time']) * 1000).toISOString(),
      tokenExpiresAt: new Date(Number(payload['exp']) * 1000).toISOString(),
    });
    expect(await verifyAppToken(new Request(api, bearing(token)), options())).not.toBeNull();
    const answer = await post(relation, '/v1/auth/token', { grant_type: 'client_credentials' });
    const { access_token } = await tokensOf(answer);
    const own = await verify(access_token, { audience: `${target.origin}/v1` });
    expect(own).toMatchObject({ appId: relation.app.id, pid: null, grantId: null });
  });

  it('rejects every other token and a person’s session, and verifySession rejects an app’s token', async () => {
    const access = (await relation.person.browser.cookie('pid_access')) ?? '';
    const seconds = Math.floor(target.now() / 1000);
    const sign = (changes: Parts, head: Parts = header) =>
      compactJwt(head, { ...payload, ...changes }, key.sign);
    const forgeries: Record<string, string> = {
      'a session of a person': access,
      'no token': '',
      'another audience': await sign({ aud: `${target.origin}/v1` }),
      'several audiences': await sign({ aud: [api] }),
      'another issuer': await sign({ iss: 'https://id.example.com' }),
      expired: await sign({ exp: seconds - 31 }),
      'not valid yet': await sign({ nbf: seconds + 40 }),
      'another type': await sign({}, { ...header, typ: 'JWT' }),
      'alg none': await compactJwt({ ...header, alg: 'none' }, payload, () => 'A'.repeat(86)),
      'no app': await sign({ client_id: undefined }),
      'no scope': await sign({ scope: undefined }),
      'a subject that is neither person nor app': await sign({ sub: 'somebody' }),
      'a changed signature': `${token.slice(0, -4)}AAAA`,
    };
    for (const [name, forged] of Object.entries(forgeries))
      expect([name, await verify(forged)]).toEqual([name, null]);
    expect(await verifyAppToken({ headers: { authorization: `Basic ${token}` } }, options())).toBeNull();
    const asSession = { headers: { cookie: `pid_access=${token}` } };
    expect(await verifySession(asSession, { ...options(), baseUrl: target.origin })).toBeNull();
  });
});

describe('createApproval', () => {
  const target = useService({ BASE_URL: 'http://approvals.localhost:8787' });

  it('requests an approval for an inquiry, which the page then redeems', async () => {
    const stage = await newPayStage(target);
    await markChecked(target, stage.app.id);
    const inquiry = await stage.inquire(3_000);
    const options = {
      baseUrl: target.origin,
      appId: stage.app.id,
      secret: stage.app.secret?.value ?? '',
      inquiryId: inquiry.id,
      origin: stage.origin,
      fetch: (url: string, init: RequestInit) =>
        target.request(url.slice(target.origin.length), {
          method: 'POST',
          headers: init.headers as Record<string, string>,
          body: String(init.body),
        }),
    };
    const { requestId, verifier, expiresAt } = await createApproval(options);
    expect(Date.parse(expiresAt)).toBeGreaterThan(target.now());
    const { browser } = stage.person;
    const page = await browser.navigate(`/popup/approve?c=${requestId}`);
    const fields = { ...(await decisionFields(page)), decision: 'approved' };
    expect((await decide(target, browser, requestId, fields)).status).toBe(303);
    const { confirm } = approvalOf(stage, inquiry.id);
    expect((await confirm({ approvalId: requestId, verifier })).status).toBe(200);
    for (const [changes, message] of [
      [{ secret: 'pids_wrong' }, 'Client authentication failed'],
      [{ inquiryId: 'inq_none' }, 'Unknown transaction'],
      [{ origin: 'https://evil.example' }, 'Origin is not allowed'],
    ] as const) {
      const refused = await createApproval({ ...options, ...changes }).catch((error: Error) => error);
      expect(refused).toMatchObject({ message, cause: { statusCode: expect.any(Number) } });
    }
  });
});

describe('verifyWebhook', () => {
  const secret = `whsec_${btoa('a secret of thirty-two bytes 123')}`;
  const former = `whsec_${btoa('another secret of thirty-two byt')}`;
  const body = JSON.stringify({ type: 'ping', timestamp: '2026-01-01T00:00:00.000Z', data: { n: 1 } });
  const at = Date.parse('2026-01-01T00:00:00Z');
  const signedBy = (by: string, text = body) => new Webhook(by).sign('evt_1', new Date(at), text);
  const headers = (changes: Record<string, string> = {}) => ({
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(at / 1000),
    'webhook-signature': signedBy(secret),
    ...changes,
  });
  const verify = (changes: Record<string, string> = {}, text = body, now = at) =>
    verifyWebhook({ headers: headers(changes) }, text, secret, { now: () => now });

  it('returns the event of a genuine delivery, even while two secrets are in use', async () => {
    const event = { id: 'evt_1', type: 'ping', timestamp: '2026-01-01T00:00:00.000Z', data: { n: 1 } };
    expect(await verify()).toEqual(event);
    const request = new Request(api, { method: 'POST', headers: headers(), body });
    expect(await verifyWebhook(request, await request.text(), secret, { now: () => at })).toEqual(event);
    expect(await verify({ 'webhook-signature': `${signedBy(former)} ${signedBy(secret)}` })).toEqual(event);
    expect([await verify({}, body, at + 300_000), await verify({}, body, at - 300_000)]).toEqual([
      event,
      event,
    ]);
  });

  it('returns null for anything else', async () => {
    const forgeries: [string, Parameters<typeof verify>][] = [
      ['another body', [{}, body.replace('1', '2')]],
      ['another id', [{ 'webhook-id': 'evt_2' }]],
      ['another secret', [{ 'webhook-signature': signedBy(former) }]],
      ['another version', [{ 'webhook-signature': signedBy(secret).replace('v1', 'v2') }]],
      ['an empty signature', [{ 'webhook-signature': 'v1,' }]],
      ['no signature', [{ 'webhook-signature': '' }]],
      ['too old', [{}, body, at + 301_000]],
      ['from the future', [{}, body, at - 301_000]],
      ['no time', [{ 'webhook-timestamp': '' }]],
      ['a time that is none', [{ 'webhook-timestamp': 'now' }]],
    ];
    for (const [name, args] of forgeries) expect([name, await verify(...args)]).toEqual([name, null]);
    expect(await verifyWebhook({ headers: {} }, body, secret)).toBeNull();
  });
});
