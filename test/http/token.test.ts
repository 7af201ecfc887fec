import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { ownResource } from '../support/apps.ts';
import { openBrowser } from '../support/browser.ts';
import { ownSpellings } from '../support/oauth.ts';
import { newMember, signIn } from '../support/people.ts';
import { useService } from '../support/service.ts';
import { decodeJwt } from '../support/signing.ts';
import {
  appSignIn,
  type Code,
  codeFields,
  credentials,
  exchange,
  newCode,
  newRelation,
  post,
  type Relation,
  refresh,
  tokensOf,
  userinfo,
} from '../support/token.ts';

const target = useService({ RATE_LIMITS: 'off' });

const path = '/v1/auth/token';

/** The body of an error in both formats. */
function problem(status: number, code: string, message?: string) {
  const texts: Record<string, string> = {
    invalid_grant: 'The code or token is invalid, expired or already used',
    invalid_client: 'Client authentication failed',
    invalid_scope: 'The scope is unknown or exceeds what was granted',
    invalid_target: 'The resource does not belong to this sign-in',
  };
  const text = message ?? texts[code];
  return [status, { statusCode: status, message: text, code, error: code, error_description: text }];
}

const seen = async (answer: Response) => [answer.status, await answer.json()];

/** An `invalid_request` whose message describes the problem. */
const badRequest = (message: string) => [
  400,
  {
    statusCode: 400,
    message: [message],
    code: 'validation_failed',
    error: 'invalid_request',
    error_description: message.replaceAll(/["\\]/g, ''),
  },
];

async function stateOf({ sid }: Pick<Code, 'sid'>) {
  const [row] = await target.rows<Record<string, unknown>>(
    'SELECT used_by, token_hash, revoked_reason FROM app_sessions WHERE id = ?',
    [sid],
  );
  return row;
}

/** Uses the code at the end, when it must still work. */
async function stillWorks(relation: Relation, code: Code): Promise<void> {
  await tokensOf(await exchange(relation, code));
}

describe('a code', () => {
  it('is exchanged for an access token, a refresh token and an ID token that the published keys verify [OP-01, OP-03, OA-06, OA-13, OC-01]', async () => {
    const relation = await newRelation(target);
    const { app, person } = relation;
    const code = await newCode(relation, { nonce: 'n-0S6_WzA2Mj' });
    const answer = await exchange(relation, code);
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    const tokens = await tokensOf(answer);
    expect(tokens).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 900,
      scope: 'openid profile email offline_access',
      refresh_token: expect.any(String),
      id_token: expect.any(String),
    });
    const access = decodeJwt(tokens.access_token);
    expect(access.header).toEqual({ alg: 'ES256', kid: expect.any(String), typ: 'at+jwt' });
    const seconds = Math.floor(target.now() / 1000);
    expect(access.payload).toEqual({
      iss: target.origin,
      sub: `${person.handle}@pid`,
      aud: `${target.origin}/v1`,
      client_id: app.id,
      scope: 'openid profile email offline_access',
      grant_id: code.grantId,
      sid: code.sid,
      auth_time: expect.any(Number),
      iat: expect.any(Number),
      exp: expect.any(Number),
      jti: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(Number(access.payload['exp']) - Number(access.payload['iat'])).toBe(900);
    expect(Math.abs(Number(access.payload['iat']) - seconds)).toBeLessThan(300);

    const keySet = (await (await target.request('/.well-known/jwks.json')).json()) as JSONWebKeySet;
    const verified = await jwtVerify(tokens.id_token ?? '', createLocalJWKSet(keySet), {
      issuer: target.origin,
      audience: app.id,
      algorithms: ['RS256'],
      currentDate: new Date(target.now()),
    });
    expect(verified.protectedHeader).toEqual({ alg: 'RS256', kid: expect.any(String) });
    expect(verified.payload).toEqual({
      iss: target.origin,
      sub: `${person.handle}@pid`,
      aud: app.id,
      iat: expect.any(Number),
      exp: expect.any(Number),
      auth_time: expect.any(Number),
      amr: ['fed'],
      sid: code.sid,
      nonce: 'n-0S6_WzA2Mj',
      name: person.claims.name,
      preferred_username: person.handle,
      email: person.claims.email,
      email_verified: true,
    });
  });

  it('yields an ES256 ID token for an app that chose it, and none without openid [OC-01, OC-08]', async () => {
    const relation = await newRelation(target, { idTokenAlg: 'ES256' });
    const { id_token = '' } = await appSignIn(relation, { scope: 'openid' });
    expect(decodeJwt(id_token).header).toEqual({ alg: 'ES256', kid: expect.any(String) });
    expect(decodeJwt(id_token).payload).not.toHaveProperty('name');
    const tokens = await appSignIn(relation, { scope: 'wallet:read' });
    expect(Object.keys(tokens)).not.toContain('id_token');
    expect(Object.keys(tokens)).not.toContain('refresh_token');
  });

  it('yields an ID token without a nonce if the request had none [OP-08]', async () => {
    const { id_token = '' } = await appSignIn(await newRelation(target), { nonce: null });
    expect(decodeJwt(id_token).payload).not.toHaveProperty('nonce');
  });

  it('can be exchanged as JSON too, with the secret in the body [OP-32]', async () => {
    const relation = await newRelation(target);
    const code = await newCode(relation);
    const { id, secret } = relation.app;
    const body = { ...codeFields(code), client_id: id, client_secret: secret?.value };
    const headers = { 'Content-Type': 'application/json' };
    const answer = await target.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
    await tokensOf(answer);
  });

  it('is rejected with a wrong, missing or plain verifier, and stays usable [D-71, OP-38, BC-02]', async () => {
    const relation = await newRelation(target);
    const code = await newCode(relation);
    const other = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
    for (const code_verifier of [other, code.verifier.toUpperCase(), `${code.verifier}x`]) {
      expect(await seen(await exchange(relation, code, { code_verifier }))).toEqual(
        problem(400, 'invalid_grant'),
      );
    }
    const malformed = [
      '',
      'short',
      code.verifier.slice(1),
      'v'.repeat(129),
      `${code.verifier}!`,
      `${code.verifier}é`,
    ];
    for (const code_verifier of malformed) {
      expect(await seen(await exchange(relation, code, { code_verifier }))).toMatchObject([
        400,
        { error: 'invalid_request' },
      ]);
    }
    await stillWorks(relation, code);
  });

  it('is rejected with another redirect URI, and stays usable [D-70]', async () => {
    const relation = await newRelation(target);
    const code = await newCode(relation);
    const uris = [
      `${code.redirectUri}/`,
      `${code.redirectUri}?a=b`,
      code.redirectUri.toUpperCase(),
      'https://evil.example',
    ];
    for (const redirect_uri of uris) {
      expect(await seen(await exchange(relation, code, { redirect_uri }))).toEqual(
        problem(400, 'invalid_grant'),
      );
    }
    await stillWorks(relation, code);
  });

  it('is rejected for another client, even with its own secret, and stays usable [BC-04]', async () => {
    const relation = await newRelation(target);
    const other = await newRelation(target);
    const spa = await newRelation(target, { type: 'spa' });
    const code = await newCode(relation);
    for (const stranger of [other, spa]) {
      expect(await seen(await exchange({ ...relation, app: stranger.app }, code))).toEqual(
        problem(400, 'invalid_grant'),
      );
    }
    expect(await stateOf(code)).toMatchObject({ used_by: null, revoked_reason: null });
    await stillWorks(relation, code);
  });

  it('is rejected after the person signs out, because no logout token would follow', async () => {
    const relation = await newRelation(target);
    const code = await newCode(relation);
    const headers = { Origin: target.origin };
    await relation.person.browser.fetch('/v1/auth/logout', { method: 'POST', headers });
    expect(await seen(await exchange(relation, code))).toEqual(problem(400, 'invalid_grant'));
  });

  it('is rejected after sixty seconds [D-72]', async () => {
    const relation = await newRelation(target);
    const late = await newCode(relation);
    const inTime = await newCode(relation);
    await target.advance(30);
    await stillWorks(relation, inTime);
    await target.advance(31);
    expect(await seen(await exchange(relation, late))).toEqual(problem(400, 'invalid_grant'));
    expect(await stateOf(late)).toMatchObject({ revoked_reason: null });
  });

  it('is exchanged only once, even if ten requests present it concurrently [D-72]', async () => {
    const relation = await newRelation(target);
    const code = await newCode(relation);
    const answers = await Promise.all(Array.from({ length: 10 }, () => exchange(relation, code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)]);
  });

  it('revokes its tokens when its client presents it again [D-72, OP-28, OP-29]', async () => {
    const relation = await newRelation(target);
    const code = await newCode(relation);
    const tokens = await tokensOf(await exchange(relation, code));
    expect((await userinfo(target, tokens.access_token)).status).toBe(200);
    // Without the client's secret it is not a replay by the client.
    const stranger = { Authorization: `Basic ${btoa(`${relation.app.id}:pids_wrong`)}` };
    expect((await post(relation, path, codeFields(code), stranger)).status).toBe(401);
    expect((await userinfo(target, tokens.access_token)).status).toBe(200);

    await target.advance(31);
    expect(await seen(await exchange(relation, code))).toEqual(problem(400, 'invalid_grant'));
    expect(await stateOf(code)).toMatchObject({ revoked_reason: 'replay' });
    expect((await userinfo(target, tokens.access_token)).status).toBe(401);
    expect(await seen(await refresh(relation, tokens.refresh_token))).toEqual(problem(400, 'invalid_grant'));
    const replays = () =>
      target.log().filter((line) => line.includes('"app_session.replay"') && line.includes(code.sid));
    await expect.poll(() => replays().length).toBe(1);
    expect(replays().join()).not.toContain(code.code);
    expect(JSON.parse(replays()[0] ?? '')).toMatchObject({ owner: relation.person.handle });
  });
});

it('whoever finds a used code without its verifier cannot sign the person out with it [D-72]', async () => {
  for (const type of ['native', 'web']) {
    const relation = await newRelation(target, { type });
    const code = await newCode(relation);
    const { access_token } = await tokensOf(await exchange(relation, code));
    const code_verifier = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
    expect(await seen(await exchange(relation, code, { code_verifier }))).toEqual(
      problem(400, 'invalid_grant'),
    );
    expect(await stateOf(code)).toMatchObject({ revoked_reason: null });
    expect((await userinfo(target, access_token)).status).toBe(200);
  }
});

describe('a refresh token', () => {
  it('is rotated, yields no ID token, and revokes its family immediately when replayed [OP-37, BC-05, OC-07]', async () => {
    const relation = await newRelation(target);
    const first = await appSignIn(relation);
    const second = await tokensOf(await refresh(relation, first.refresh_token));
    expect(Object.keys(second).sort()).toEqual([
      'access_token',
      'expires_in',
      'refresh_token',
      'scope',
      'token_type',
    ]);
    const third = await tokensOf(await refresh(relation, second.refresh_token));
    expect(await seen(await refresh(relation, first.refresh_token))).toEqual(problem(400, 'invalid_grant'));
    expect(await stateOf(first)).toMatchObject({ revoked_reason: 'replay' });
    expect((await refresh(relation, third.refresh_token)).status).toBe(400);
    expect((await userinfo(target, third.access_token)).status).toBe(401);
  });

  it('is useless to another client, and the attempt has no side effects [OP-37, OA-05]', async () => {
    const relation = await newRelation(target);
    const other = await newRelation(target);
    const { refresh_token } = await appSignIn(relation);
    const stolen = await refresh({ ...relation, app: other.app }, refresh_token);
    expect(await seen(stolen)).toEqual(problem(400, 'invalid_grant'));
    const [body = '', id = '', mac = ''] = refresh_token.split('.');
    for (const forged of [
      `${body}.${id}`,
      `${refresh_token.startsWith('A') ? 'B' : 'A'}${refresh_token.slice(1)}`,
      `${body}.${id}.${'A'.repeat(mac.length)}`,
      'x',
    ]) {
      expect(await seen(await refresh(relation, forged))).toEqual(problem(400, 'invalid_grant'));
    }
    await tokensOf(await refresh(relation, refresh_token));
  });

  it('expires thirty days after the sign-in to the app, however often it is refreshed', async () => {
    const relation = await newRelation(target);
    let { refresh_token } = await appSignIn(relation);
    for (let day = 0; day < 29; day += 7) {
      await target.advance(7 * 86_400 - 3600);
      ({ refresh_token } = await tokensOf(await refresh(relation, refresh_token)));
      if (day === 21) break;
    }
    await target.advance(3 * 86_400);
    expect(await seen(await refresh(relation, refresh_token))).toEqual(problem(400, 'invalid_grant'));
  });

  it('yields fewer scopes on request, and never more [OA-05]', async () => {
    const relation = await newRelation(target);
    const { refresh_token } = await appSignIn(relation);
    expect(await seen(await refresh(relation, refresh_token, { scope: 'openid wallet:read' }))).toEqual(
      problem(400, 'invalid_scope'),
    );
    const less = await tokensOf(await refresh(relation, refresh_token, { scope: 'openid openid' }));
    expect(less.scope).toBe('openid');
    expect((await tokensOf(await refresh(relation, less.refresh_token))).scope).toBe(
      'openid profile email offline_access',
    );
  });

  it('is valid only for the sign-in’s resource [OA-12, BC-08]', async () => {
    const relation = await newRelation(target);
    const resource = 'https://api.shop.example.com/token';
    await ownResource(target, { resource, owner: relation.app.id });
    const code = await newCode(relation, { resource });
    expect(await seen(await exchange(relation, code, { resource: `${target.origin}/v1` }))).toEqual(
      problem(400, 'invalid_target'),
    );
    const first = await tokensOf(await exchange(relation, code, { resource }));
    expect(decodeJwt(first.access_token).payload['aud']).toBe(resource);
    expect((await userinfo(target, first.access_token)).status).toBe(401);
    expect(
      await seen(await refresh(relation, first.refresh_token, { resource: 'https://evil.example/' })),
    ).toEqual(problem(400, 'invalid_target'));
    const second = await tokensOf(await refresh(relation, first.refresh_token));
    expect(decodeJwt(second.access_token).payload['aud']).toBe(resource);
  });

  it('may not name this service or a path below it as its resource [D-91]', async () => {
    const relation = await newRelation(target);
    const code = await newCode(relation);
    for (const resource of ownSpellings(target.origin)) {
      expect(await seen(await exchange(relation, code, { resource }))).toEqual(
        problem(400, 'invalid_target'),
      );
    }
    const { refresh_token } = await tokensOf(await exchange(relation, code));
    for (const resource of ownSpellings(target.origin)) {
      expect(await seen(await refresh(relation, refresh_token, { resource }))).toEqual(
        problem(400, 'invalid_target'),
      );
    }
    const before = 'UPDATE app_sessions SET resource = ? WHERE id = ?';
    await target.rows(before, [target.origin, code.sid]);
    expect(await seen(await refresh(relation, refresh_token))).toEqual(problem(400, 'invalid_target'));
    // The rejection has not used the token.
    await target.rows(before, [null, code.sid]);
    await tokensOf(await refresh(relation, refresh_token));
  });
});

describe('a sign-in to an app', () => {
  const now = () => target.now();
  it.each<[string, (relation: Relation, sid: string) => Promise<unknown>, string]>([
    [
      'a revoked grant',
      ({ app }) =>
        target.rows("UPDATE grants SET revoked_at = ?, revoked_by = 'person' WHERE app_id = ?", [
          now(),
          app.id,
        ]),
      'invalid_grant',
    ],
    [
      'an expired grant',
      ({ app }) => target.rows('UPDATE grants SET expires_at = ? WHERE app_id = ?', [now(), app.id]),
      'invalid_grant',
    ],
    [
      'a suspended app',
      ({ app }) => target.rows("UPDATE apps SET status = 'suspended' WHERE id = ?", [app.id]),
      'invalid_client',
    ],
    [
      'a deleted app',
      ({ app, person }) => person.browser.fetch(`/v1/apps/${app.id}`, { method: 'DELETE' }),
      'invalid_client',
    ],
    [
      'a revoked secret',
      ({ app, person }) =>
        person.browser.fetch(`/v1/apps/${app.id}/secrets/${app.secret?.id}?force=true`, { method: 'DELETE' }),
      'invalid_client',
    ],
    [
      'a suspended person',
      ({ person }) =>
        target.rows("UPDATE identities SET status = 'suspended' WHERE handle = ?", [person.handle]),
      'invalid_grant',
    ],
    [
      'a restore',
      () => target.rows('UPDATE settings SET sessions_not_before = ? WHERE id = 1', [now() + 1]),
      'invalid_grant',
    ],
  ])('is revoked immediately with %s, for refresh tokens and codes [S-05]', async (_, end, code) => {
    const relation = await newRelation(target);
    const { refresh_token, sid } = await appSignIn(relation);
    const unused = await newCode(relation);
    await end(relation, sid);
    try {
      const expected = problem(code === 'invalid_client' ? 401 : 400, code);
      expect(await seen(await refresh(relation, refresh_token))).toEqual(expected);
      expect(await seen(await exchange(relation, unused))).toEqual(expected);
      expect((await stateOf({ sid }))?.['token_hash']).not.toBeNull();
    } finally {
      await target.rows('UPDATE settings SET sessions_not_before = 0 WHERE id = 1');
    }
  });
});

describe('the end of a session', () => {
  it('revokes only its app sign-ins without offline_access [S-05]', async () => {
    const relation = await newRelation(target);
    const scope = 'openid wallet:read';
    const online = await appSignIn(relation, { scope });
    const unused = await newCode(relation, { scope });
    const offline = await appSignIn(relation, { scope: `${scope} offline_access` });
    const elsewhere = { ...relation, person: { ...relation.person, browser: openBrowser(target) } };
    await signIn(target, elsewhere.person.browser, relation.person.claims);
    const another = await appSignIn(elsewhere, { scope });
    const introspect = async ({ access_token: token }: { access_token: string }) =>
      (await post(relation, '/v1/auth/introspect', { token })).json();

    const { browser } = relation.person;
    expect((await browser.fetch('/v1/auth/logout', { method: 'POST' })).status).toBe(204);

    expect(await introspect(online)).toEqual({ active: false });
    expect((await userinfo(target, online.access_token)).status).toBe(401);
    expect(await seen(await exchange(relation, unused))).toEqual(problem(400, 'invalid_grant'));
    expect(await introspect(offline)).toMatchObject({ active: true });
    await tokensOf(await refresh(relation, offline.refresh_token));
    expect((await userinfo(target, another.access_token)).status).toBe(200);
    await expect.poll(() => stateOf(online)).toMatchObject({ revoked_reason: 'signed_out' });
  });

  it('invalidates them even before their rows are updated [S-05]', async () => {
    const relation = await newRelation(target, { backchannelLogoutUri: 'https://shop.example.com/logout' });
    const { person, app } = relation;
    const scope = 'openid wallet:read';
    const [online, replayed] = [await newCode(relation, { scope }), await newCode(relation, { scope })];
    const tokens = await tokensOf(await exchange(relation, online));
    await tokensOf(await exchange(relation, replayed));
    const offline = await appSignIn(relation, { scope: `${scope} offline_access` });
    // As if the process died before it began.
    await target.rows('CREATE TRIGGER unwritten BEFORE DELETE ON sign_outs BEGIN SELECT RAISE(IGNORE); END');
    try {
      expect((await person.browser.fetch('/v1/auth/logout', { method: 'POST' })).status).toBe(204);
      const { access_token: token } = tokens;
      expect((await userinfo(target, token)).status).toBe(401);
      expect(await (await post(relation, '/v1/auth/introspect', { token })).json()).toEqual({
        active: false,
      });
      const narrower = {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: token,
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      };
      const narrowed = await post(relation, '/v1/auth/token', narrower);
      expect(await seen(narrowed)).toEqual(problem(400, 'invalid_grant'));
      expect(await seen(await exchange(relation, replayed))).toEqual(problem(400, 'invalid_grant'));
      expect(await stateOf(replayed)).toMatchObject({ revoked_reason: 'replay' });
      expect(await stateOf(online)).toMatchObject({ revoked_reason: null });
      await tokensOf(await refresh(relation, offline.refresh_token));
    } finally {
      await target.rows('DROP TRIGGER unwritten');
    }
    const told = () =>
      target.rows(
        `SELECT json_extract(data, '$.sid') AS sid FROM webhook_events WHERE app_id = ? AND type = 'logout' ORDER BY sid`,
        [app.id],
      );
    expect(await told()).toEqual([]);
    await target.request('/dev/scheduled', { method: 'POST' });
    const sids = [online, replayed, offline]
      .map(({ sid }) => ({ sid }))
      .sort((a, b) => (a.sid < b.sid ? -1 : 1));
    expect(await told()).toEqual(sids);
    expect(await stateOf(online)).toMatchObject({ revoked_reason: 'signed_out' });
    expect(await stateOf(offline)).toMatchObject({ revoked_reason: null });
  });
});

describe('a client', () => {
  it('gets 401 in both formats with a wrong or empty secret or another app’s, and only hashes are stored [D-73]', async () => {
    const relation = await newRelation(target);
    const other = await newRelation(target);
    const code = await newCode(relation);
    const { id, secret } = relation.app;
    const basic = (text: string) => ({ Authorization: `Basic ${btoa(text)}` });
    const value = secret?.value ?? '';
    const wrong: [Record<string, string>, Record<string, string>][] = [
      [basic(`${id}:pids_wrong`), {}],
      [basic(`${id}:`), {}],
      [basic(`${id}:${value}x`), {}],
      [basic(`${id}:${value.slice(0, -1)}`), {}],
      [basic(`${id}:${other.app.secret?.value}`), {}],
      [basic(`app_unknown:${value}`), {}],
      [basic(`${id}`), {}],
      [basic(''), {}],
      [{ Authorization: 'Basic %%%' }, {}],
      [basic(`${id}:%ZZ`), {}],
      [{}, { client_id: id }],
      [{}, { client_id: id, client_secret: 'pids_wrong' }],
      [{}, { client_secret: value }],
      [{ Authorization: `Bearer ${value}` }, {}],
    ];
    for (const [headers, fields] of wrong) {
      const answer = await target.request(path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
        body: new URLSearchParams({ ...codeFields(code), ...fields }).toString(),
      });
      expect(await seen(answer)).toEqual(problem(401, 'invalid_client'));
      expect(answer.headers.get('WWW-Authenticate')).toBe('Basic realm="Peridot"');
    }
    const rows = await target.rows<{ hash: string }>('SELECT * FROM app_secrets WHERE app_id = ?', [id]);
    expect(JSON.stringify(rows)).not.toContain(value.slice(5));
    await stillWorks(relation, code);
  });

  it('may form-encode its credentials for Basic, but not identify itself twice [OA-03]', async () => {
    const relation = await newRelation(target);
    const code = await newCode(relation);
    const { id, secret } = relation.app;
    const encoded = encodeURIComponent(secret?.value ?? '').replaceAll('_', '%5F');
    const headers = { Authorization: `Basic ${btoa(`${id}:${encoded}`)}` };
    const twice = { ...codeFields(code), client_secret: secret?.value ?? '' };
    expect((await post(relation, path, twice, headers)).status).toBe(400);
    const other = { ...codeFields(code), client_id: 'app_other' };
    expect((await post(relation, path, other, headers)).status).toBe(400);
    await tokensOf(await post(relation, path, { ...codeFields(code), client_id: id }, headers));
  });

  it('without a secret authenticates with PKCE, and must not present a secret [OA-03, BC-09]', async () => {
    const relation = await newRelation(target, { type: 'spa' });
    const { app } = relation;
    const code = await newCode(relation);
    const secret = { ...codeFields(code), client_id: app.id, client_secret: 'pids_any' };
    expect(await seen(await post(relation, path, secret, {}))).toEqual(problem(401, 'invalid_client'));
    const { refresh_token } = await tokensOf(await exchange(relation, code));
    await tokensOf(await refresh(relation, refresh_token));
  });

  it('gets access tokens for itself, which do not name a person [OA-04]', async () => {
    const relation = await newRelation(target);
    const own = (fields: Record<string, string> = {}, app = relation.app) =>
      post({ target, app }, path, { grant_type: 'client_credentials', ...fields });
    const tokens = await tokensOf(await own());
    expect(Object.keys(tokens).sort()).toEqual(['access_token', 'expires_in', 'scope', 'token_type']);
    expect(decodeJwt(tokens.access_token).payload).toEqual({
      iss: target.origin,
      sub: relation.app.id,
      aud: `${target.origin}/v1`,
      client_id: relation.app.id,
      scope: 'fiat:read',
      iat: expect.any(Number),
      exp: expect.any(Number),
      jti: expect.any(String),
    });
    expect(await seen(await own({ scope: 'openid' }))).toEqual(problem(400, 'invalid_scope'));
    expect(await seen(await own({ resource: 'https://api.example.com/' }))).toEqual(
      problem(400, 'invalid_target'),
    );
    for (const resource of ownSpellings(target.origin)) {
      expect(await seen(await own({ resource }))).toEqual(problem(400, 'invalid_target'));
    }
    expect((await userinfo(target, tokens.access_token)).status).toBe(401);
    const spa = await newRelation(target, { type: 'spa' });
    expect((await own({}, spa.app)).status).toBe(400);
  });
});

describe('the token endpoint', () => {
  it('rejects malformed token requests [OA-01]', async () => {
    const relation = await newRelation(target);
    const { app } = relation;
    const code = await newCode(relation);
    const form = 'application/x-www-form-urlencoded';
    const send = (body: string, type: string | null = form, query = '') =>
      target.request(`${path}${query}`, {
        method: 'POST',
        headers: { ...(type === null ? {} : { 'Content-Type': type }), ...credentials(app) },
        body,
      });
    const good = new URLSearchParams(codeFields(code)).toString();
    expect(await seen(await send(good, form, `?client_secret=${app.secret?.value}`))).toEqual(
      badRequest('query must be empty'),
    );
    expect(await seen(await send(`${good}&code=x`))).toEqual(badRequest('code must not be given twice'));
    const many = Array.from({ length: 100 }, (_, index) => `&a${index}`).join('');
    expect(await seen(await send(good + many))).toEqual(badRequest('body must have at most 100 fields'));
    expect(await seen(await send('{"grant_type":1}', 'application/json'))).toEqual(
      badRequest('grant_type must be a string'),
    );
    expect((await send('{"code":"a","code":"b"}', 'application/json')).status).toBe(400);
    expect((await send('[]', 'application/json')).status).toBe(400);
    expect(await seen(await send(good.replace(/&redirect_uri=[^&]*/, '')))).toEqual(
      badRequest('redirect_uri must be given'),
    );
    expect((await send(good.replace('authorization_code', 'password'))).status).toBe(400);
    expect((await send(good, 'text/plain')).status).toBe(415);
    expect((await send(good, 'multipart/form-data; boundary=x')).status).toBe(415);
    expect((await send(good, null)).status).toBe(415);
    expect((await send(`${good}&x=${'y'.repeat(16 * 1024)}`)).status).toBe(413);
    expect([404, 405]).toContain((await target.request(`${path}?${good}`)).status);
    const unknown = await send('grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer');
    expect([unknown.status, await unknown.json()]).toMatchObject([400, { error: 'unsupported_grant_type' }]);
    await stillWorks(relation, code);
  });

  it('serves only the app’s own pages, without cookies [BC-09]', async () => {
    const relation = await newRelation(target, { type: 'spa' });
    const other = await newRelation(target, {
      type: 'spa',
      allowedOrigins: ['https://other.example.com'],
      redirectUris: ['https://other.example.com/'],
    });
    const code = await newCode(relation);
    const from = (origin: string) => post(relation, path, codeFields(code), { Origin: origin });
    const unlisted = await from('https://evil.example');
    expect(unlisted.headers.get('WWW-Authenticate')).toBe('Basic realm="Peridot"');
    expect(await seen(unlisted)).toEqual(problem(401, 'invalid_client'));
    const [otherOrigin = ''] = other.app.allowedOrigins;
    expect(await seen(await from(otherOrigin))).toEqual(problem(401, 'invalid_client'));
    const [origin = ''] = relation.app.allowedOrigins;
    const answer = await post(relation, path, codeFields(code), {
      Origin: origin,
      'X-App-Id': relation.app.id,
    });
    await tokensOf(answer.clone() as Response);
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe(origin);
    expect(answer.headers.get('Access-Control-Allow-Credentials')).toBeNull();
    for (const address of [
      path,
      '/v1/auth/userinfo',
      '/.well-known/openid-configuration',
      '/.well-known/jwks.json',
    ]) {
      const asked = await target.request(address, { method: 'OPTIONS', headers: { Origin: origin } });
      expect(asked.headers.get('Access-Control-Allow-Origin')).toBe(origin);
      expect(asked.headers.get('Access-Control-Allow-Credentials')).toBeNull();
      expect(asked.headers.get('Access-Control-Allow-Headers')).toContain('Authorization');
      const refused = await target.request(address, {
        method: 'OPTIONS',
        headers: { Origin: 'https://evil.example' },
      });
      expect(refused.headers.get('Access-Control-Allow-Origin')).toBeNull();
    }
  });
});

describe('tokens issued for one use', () => {
  it('are rejected for another: app tokens as cookies, session and ID tokens as Bearer [D-18]', async () => {
    const relation = await newRelation(target, { idTokenAlg: 'ES256' });
    const tokens = await appSignIn(relation);
    const rsa = await appSignIn(await newRelation(target));
    const member = await newMember(target);
    const access = (await member.browser.cookie('pid_access')) ?? '';
    for (const token of [
      tokens.access_token,
      tokens.id_token ?? '',
      rsa.id_token ?? '',
      tokens.refresh_token,
    ]) {
      for (const address of ['/v1/auth/session', '/v1/me', '/v1/apps']) {
        const headers = { Cookie: `pid_access=${token}` };
        expect((await target.request(address, { headers })).status).toBe(401);
      }
    }
    for (const token of [
      access,
      tokens.id_token ?? '',
      rsa.id_token ?? '',
      tokens.refresh_token,
      tokens.code,
    ]) {
      expect((await userinfo(target, token)).status).toBe(401);
    }
    expect((await userinfo(target, tokens.access_token)).status).toBe(200);
  });
});
