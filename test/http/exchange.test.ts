import { describe, expect, it } from 'vitest';
import { seen } from '../support/answers.ts';
import { ownResource } from '../support/apps.ts';
import { openBrowser } from '../support/browser.ts';
import { ownSpellings } from '../support/oauth.ts';
import { openPopup, signInInPopup } from '../support/popup.ts';
import { ask, lastPage, popupType, press } from '../support/popup-tokens.ts';
import { useService } from '../support/service.ts';
import { decodeJwt } from '../support/signing.ts';
import {
  appSignIn,
  newRelation,
  post,
  type Relation,
  refresh,
  tokensOf,
  userinfo,
} from '../support/token.ts';

const target = useService({ RATE_LIMITS: 'off' });

const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token';

const errorOf = async (answer: Response) => {
  const { error } = (await answer.json()) as { error?: string };
  return [answer.status, error];
};

/** The popup result for an app, in which the person has signed in. */
async function approvedPopup(relation: Relation): Promise<string> {
  // By then the service has also read that this app lists the origin.
  await target.advance(61);
  const opener = await ask(relation, 'openid profile offline_access');
  const browser = openBrowser(target);
  await openPopup(browser, opener);
  await signInInPopup(target, browser, opener.id, relation.person.claims);
  const rows = await target.rows('SELECT status FROM popup_requests WHERE id = ?', [opener.id]);
  expect(rows).toEqual([{ status: 'approved' }]);
  return `${opener.id}.${opener.verifier}.${(await lastPage(browser, opener)).result}`;
}

const redeem = (relation: Relation, subject: string, headers?: Record<string, string>) =>
  post(relation, '/v1/auth/exchange', { subject_token: subject, subject_token_type: popupType }, headers);

describe('an approved popup request', () => {
  it('is exchanged only once for tokens with every scope that the person allowed', async () => {
    const relation = await newRelation(target);
    const { app, person } = relation;
    await appSignIn(relation, { scope: 'openid profile offline_access' });
    const subject = await approvedPopup(relation);
    const answers = await Promise.all(Array.from({ length: 10 }, () => redeem(relation, subject)));
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(9);
    const tokens = await tokensOf(won[0] as Response);
    expect(tokens).toMatchObject({
      issued_token_type: accessTokenType,
      scope: 'offline_access openid profile',
    });
    const { payload } = decodeJwt(tokens.access_token);
    expect(payload).toMatchObject({ sub: `${person.handle}@pid`, client_id: app.id });
    expect((await userinfo(target, tokens.access_token)).status).toBe(200);
    await tokensOf(await refresh(relation, tokens.refresh_token));
  });

  it('is rejected for another app, from another origin, with another verifier, too late, and without a grant', async () => {
    const relation = await newRelation(target, { type: 'spa' });
    const other = await newRelation(target);
    const second = await newRelation(target, {
      type: 'spa',
      allowedOrigins: ['https://shop.example.com', 'https://second.example.com'],
    });
    await appSignIn(relation);
    const subject = await approvedPopup(relation);
    const [id = '', verifier = '', ...result] = subject.split('.');
    const refused = [400, 'invalid_grant'];
    expect(await errorOf(await redeem(other, subject))).toEqual(refused);
    expect(await errorOf(await redeem(second, subject))).toEqual(refused);
    for (const wrong of [`${id}.${verifier.slice(1)}A.${result.join('.')}`, `${id}.`, id, '.']) {
      expect(await errorOf(await redeem(relation, wrong))).toEqual(refused);
    }
    const elsewhere = { Origin: 'https://second.example.com' };
    expect(await errorOf(await redeem(relation, subject, elsewhere))).toEqual([401, 'invalid_client']);
    await target.advance(31);
    expect(await errorOf(await redeem(relation, subject))).toEqual(refused);

    const stranger = await newRelation(target);
    await target.advance(61);
    const opener = await ask(stranger);
    await press(stranger, opener);
    const { result: handed } = await lastPage(stranger.person.browser, opener);
    expect(handed).toMatch(/^[\w-]{43}\.[\w-]{22}$/);
    expect(await errorOf(await redeem(stranger, `${opener.id}.${opener.verifier}.${handed}`))).toEqual(
      refused,
    );
    const [row] = await target.rows('SELECT count(*) AS n FROM app_sessions WHERE app_id = ?', [
      stranger.app.id,
    ]);
    expect(row).toEqual({ n: 0 });
  });
});

describe('an access token', () => {
  const narrow = (
    relation: Relation,
    token: string,
    fields: Record<string, string> = {},
    path = '/v1/auth/exchange',
  ) => post(relation, path, { subject_token: token, subject_token_type: accessTokenType, ...fields });

  it('can be exchanged for one with fewer scopes or another audience that expires no later [OA-11, BC-08]', async () => {
    const relation = await newRelation(target, { allowedOrigins: ['https://api.shop.example.com'] });
    const audience = 'https://api.shop.example.com/own';
    await ownResource(target, { resource: audience, owner: relation.app.id });
    const first = await appSignIn(relation);
    await target.advance(300);
    const less = await tokensOf(await narrow(relation, first.access_token, { scope: 'openid' }));
    expect(Object.keys(less)).not.toContain('refresh_token');
    expect(less).toMatchObject({ scope: 'openid', issued_token_type: accessTokenType });
    const { payload } = decodeJwt(less.access_token);
    const { payload: original } = decodeJwt(first.access_token);
    expect(payload).toMatchObject({ act: { sub: relation.app.id }, sid: first.sid, exp: original['exp'] });
    expect(payload['jti']).not.toBe(original['jti']);
    expect((await userinfo(target, less.access_token)).status).toBe(200);

    const grant_type = 'urn:ietf:params:oauth:grant-type:token-exchange';
    const elsewhere = await narrow(relation, first.access_token, { audience, grant_type }, '/v1/auth/token');
    const { access_token } = await tokensOf(elsewhere);
    expect(decodeJwt(access_token).payload['aud']).toBe(audience);
    expect((await userinfo(target, access_token)).status).toBe(401);
  });

  it('is rejected for a resource other than its own', async () => {
    const resource = 'https://api.shop.example.com/';
    const other = 'https://other.example.com/';
    const relation = await newRelation(target, { type: 'native', allowedOrigins: [new URL(other).origin] });
    await ownResource(target, { resource, owner: relation.app.id });
    await ownResource(target, { resource: other, owner: relation.app.id });
    const { access_token } = await appSignIn(relation, { resource });
    for (const audience of [`${target.origin}/v1`, other]) {
      expect(await errorOf(await narrow(relation, access_token, { audience }))).toEqual([
        400,
        'invalid_target',
      ]);
    }
    const less = await tokensOf(await narrow(relation, access_token, { scope: 'openid', resource }));
    expect(decodeJwt(less.access_token).payload).toMatchObject({ aud: resource, scope: 'openid' });
  });

  it('is never exchanged for a token with the audience of a session [D-91]', async () => {
    const relation = await newRelation(target);
    const { access_token } = await appSignIn(relation);
    const resource = 'https://api.shop.example.com/';
    for (const own of ownSpellings(target.origin)) {
      for (const named of [{ resource: own }, { audience: own }, { resource, audience: own }]) {
        expect(await errorOf(await narrow(relation, access_token, named))).toEqual([400, 'invalid_target']);
      }
    }
  });

  it('is rejected for more scopes, for another app, a second time, and after its sign-in is revoked', async () => {
    const relation = await newRelation(target);
    const other = await newRelation(target);
    const {
      access_token,
      id_token = '',
      refresh_token,
      code,
    } = await appSignIn(relation, { scope: 'openid offline_access' });
    expect(await errorOf(await narrow(relation, access_token, { scope: 'openid email' }))).toEqual([
      400,
      'invalid_scope',
    ]);
    for (const resource of ['shop', 'http://shop.example.com/', 'https://shop.example.com/#a', 'urn:x:y']) {
      expect(await errorOf(await narrow(relation, access_token, { resource }))).toEqual([
        400,
        'invalid_target',
      ]);
    }
    const refused = [400, 'invalid_grant'];
    expect(await errorOf(await narrow(other, access_token))).toEqual(refused);
    for (const token of [id_token, refresh_token, 'x']) {
      expect(await errorOf(await narrow(relation, token))).toEqual(refused);
    }
    const { access_token: less } = await tokensOf(await narrow(relation, access_token));
    expect(await errorOf(await narrow(relation, less))).toEqual(refused);
    for (const fields of [
      { subject_token_type: 'urn:ietf:params:oauth:token-type:id_token' },
      { requested_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' },
      { actor_token: access_token },
    ] as Record<string, string>[]) {
      expect(await errorOf(await narrow(relation, access_token, fields))).toEqual([400, 'invalid_request']);
    }
    await post(relation, '/v1/auth/revoke', { token: refresh_token });
    expect(await errorOf(await narrow(relation, access_token))).toEqual(refused);
    expect(code).toBeTruthy();
  });
});

describe('revocation', () => {
  const revoke = (relation: Relation, token: string, fields: Record<string, string> = {}) =>
    post(relation, '/v1/auth/revoke', { token, ...fields });

  it('revokes the family of a refresh or access token, and is safe to repeat [OA-08]', async () => {
    const relation = await newRelation(target);
    for (const name of ['refresh_token', 'access_token'] as const) {
      const tokens = await appSignIn(relation);
      for (let time = 0; time < 2; time += 1) {
        const answer = await revoke(relation, tokens[name], { token_type_hint: name });
        expect([answer.status, await answer.text()]).toEqual([200, '']);
      }
      expect((await refresh(relation, tokens.refresh_token)).status).toBe(400);
      expect((await userinfo(target, tokens.access_token)).status).toBe(401);
    }
  });

  it('does not affect tokens of other clients, and reveals nothing [OA-08]', async () => {
    const relation = await newRelation(target);
    const other = await newRelation(target);
    const tokens = await appSignIn(relation);
    for (const token of [tokens.refresh_token, tokens.access_token, tokens.code, 'x']) {
      const answer = await revoke(other, token, { token_type_hint: 'grant' });
      expect([answer.status, await answer.text()]).toEqual([200, '']);
    }
    const wrong = await post(
      relation,
      '/v1/auth/revoke',
      { token: tokens.refresh_token },
      { Authorization: `Basic ${btoa('a:b')}` },
    );
    expect(await errorOf(wrong)).toEqual([401, 'invalid_client']);
    await tokensOf(await refresh(relation, tokens.refresh_token));
  });

  it('with the hint `grant` revokes the grant and all its sign-ins', async () => {
    const relation = await newRelation(target);
    const first = await appSignIn(relation);
    const second = await appSignIn(relation);
    expect((await revoke(relation, first.refresh_token, { token_type_hint: 'grant' })).status).toBe(200);
    expect((await refresh(relation, second.refresh_token)).status).toBe(400);
    const grants = await target.rows('SELECT revoked_by FROM grants WHERE app_id = ?', [relation.app.id]);
    expect(grants).toEqual([{ revoked_by: 'app' }]);
  });

  it('for an app without a secret revokes the grant only with a live refresh token [OA-08]', async () => {
    const relation = await newRelation(target, { type: 'spa' });
    const first = await appSignIn(relation);
    const second = await appSignIn(relation);
    const state = () => target.rows('SELECT revoked_by FROM grants WHERE app_id = ?', [relation.app.id]);
    const hint = { token_type_hint: 'grant' };
    // An access token, which resources also see, revokes only its own sign-in.
    expect((await revoke(relation, first.access_token, hint)).status).toBe(200);
    expect((await userinfo(target, first.access_token)).status).toBe(401);
    expect(await state()).toEqual([{ revoked_by: null }]);
    const live = await tokensOf(await refresh(relation, second.refresh_token));
    expect((await revoke(relation, live.refresh_token, hint)).status).toBe(200);
    expect(await state()).toEqual([{ revoked_by: 'app' }]);
  });
});

describe('introspection', () => {
  const introspect = async (relation: Relation, token: string) =>
    seen(await post(relation, '/v1/auth/introspect', { token }));

  it('describes only the client’s own tokens [OA-09]', async () => {
    const relation = await newRelation(target);
    const other = await newRelation(target);
    const { access_token, refresh_token, id_token = '', sid, grantId, scope } = await appSignIn(relation);
    const common = {
      active: true,
      client_id: relation.app.id,
      sub: `${relation.person.handle}@pid`,
      scope,
      iss: target.origin,
      exp: expect.any(Number),
      iat: expect.any(Number),
      grant_id: grantId,
      sid,
    };
    const { payload } = decodeJwt(access_token);
    expect(await introspect(relation, access_token)).toEqual([
      200,
      {
        ...common,
        token_type: 'Bearer',
        aud: `${target.origin}/v1`,
        jti: payload['jti'],
        auth_time: payload['auth_time'],
        exp: payload['exp'],
      },
    ]);
    expect(await introspect(relation, refresh_token)).toEqual([
      200,
      { ...common, token_type: 'refresh_token' },
    ]);
    for (const token of [id_token, 'x', `${refresh_token}x`]) {
      expect(await introspect(relation, token)).toEqual([200, { active: false }]);
    }
    for (const token of [access_token, refresh_token]) {
      expect(await introspect(other, token)).toEqual([200, { active: false }]);
    }
    await tokensOf(await refresh(relation, refresh_token));
    expect(await introspect(relation, refresh_token)).toEqual([200, { active: false }]);
    await post(relation, '/v1/auth/revoke', { token: access_token });
    expect(await introspect(relation, access_token)).toEqual([200, { active: false }]);
  });

  it('never describes refresh tokens to an app without a secret, so a thief does not learn when one is rotated [OA-09]', async () => {
    const relation = await newRelation(target, { type: 'native' });
    const { access_token, refresh_token } = await appSignIn(relation);
    expect(await introspect(relation, access_token)).toMatchObject([200, { active: true }]);
    expect(await introspect(relation, refresh_token)).toEqual([200, { active: false }]);
    const { refresh_token: next } = await tokensOf(await refresh(relation, refresh_token));
    for (const token of [refresh_token, next])
      expect(await introspect(relation, token)).toEqual([200, { active: false }]);
    await tokensOf(await refresh(relation, next));
  });

  it('describes tokens issued to the app itself', async () => {
    const relation = await newRelation(target);
    const own = await tokensOf(await post(relation, '/v1/auth/token', { grant_type: 'client_credentials' }));
    const [status, body] = await introspect(relation, own.access_token);
    expect([status, body]).toMatchObject([200, { active: true, sub: relation.app.id, scope: 'fiat:read' }]);
  });
});

describe('userinfo', () => {
  it('returns claims by scope, on GET and POST, with the token in the header or the form [OP-05, OP-06, OP-07, OP-09, OP-10, OC-05]', async () => {
    const relation = await newRelation(target);
    const { person } = relation;
    const all = await appSignIn(relation);
    const claims = {
      sub: `${person.handle}@pid`,
      name: person.claims.name,
      preferred_username: person.handle,
      email: person.claims.email,
      email_verified: true,
      locale: expect.stringMatching(/^(en|id)$/),
    };
    const send = (init: { method?: string; headers?: Record<string, string>; body?: string }, query = '') =>
      target.request(`/v1/auth/userinfo${query}`, init);
    const bearer = { Authorization: `Bearer ${all.access_token}` };
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const body = `access_token=${all.access_token}`;
    expect(await seen(await send({ headers: bearer }))).toEqual([200, claims]);
    expect(await seen(await send({ method: 'POST', headers: bearer }))).toEqual([200, claims]);
    expect(await seen(await send({ method: 'POST', headers: form, body }))).toEqual([200, claims]);
    expect(await errorOf(await send({ method: 'POST', headers: { ...form, ...bearer }, body }))).toEqual([
      400,
      'invalid_request',
    ]);
    expect(await errorOf(await send({}, `?${body}`))).toEqual([401, 'invalid_token']);
    expect(await errorOf(await send({ method: 'POST' }, `?${body}`))).toEqual([400, 'invalid_request']);
    const { access_token } = await appSignIn(relation, { scope: 'openid' });
    expect(await seen(await userinfo(target, access_token))).toEqual([200, { sub: claims.sub }]);
  });

  it('rejects an invalid token, one without openid, and one whose sign-in has been revoked [OC-05]', async () => {
    const relation = await newRelation(target);
    const { access_token } = await appSignIn(relation, { scope: 'wallet:read' });
    const missing = await userinfo(target, access_token);
    const way = `scope="openid", resource_metadata="${target.origin}/.well-known/oauth-protected-resource/v1"`;
    expect(missing.headers.get('WWW-Authenticate')).toBe(`Bearer error="insufficient_scope", ${way}`);
    expect(await errorOf(missing)).toEqual([403, 'insufficient_scope']);
    for (const token of ['', 'x', `${access_token}x`]) {
      const answer = await userinfo(target, token);
      expect(answer.headers.get('WWW-Authenticate')).toBe(`Bearer error="invalid_token", ${way}`);
      expect(await errorOf(answer)).toEqual([401, 'invalid_token']);
    }
    // A request without a token gets no reason (RFC 6750 section 3.1).
    const bare = await target.request('/v1/auth/userinfo');
    expect([bare.status, bare.headers.get('WWW-Authenticate')]).toEqual([401, `Bearer ${way}`]);
    const tokens = await appSignIn(relation);
    await target.rows("UPDATE grants SET revoked_at = 1, revoked_by = 'person' WHERE id = ?", [
      tokens.grantId,
    ]);
    expect(await errorOf(await userinfo(target, tokens.access_token))).toEqual([401, 'invalid_token']);
  });
});

describe('discovery', () => {
  it('is one document at two addresses, cached for an hour, with the supported features [OP-04, CP-01, OA-10]', async () => {
    const [first, second] = await Promise.all(
      ['openid-configuration', 'oauth-authorization-server'].map((name) =>
        target.request(`/.well-known/${name}`),
      ),
    );
    expect(first?.headers.get('Cache-Control')).toBe('public, max-age=3600');
    const metadata = (await first?.json()) as Record<string, unknown>;
    expect(await second?.json()).toEqual(metadata);
    expect(metadata).toMatchObject({
      issuer: target.origin,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      id_token_signing_alg_values_supported: ['RS256', 'ES256'],
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
      claims_parameter_supported: true,
    });
    const addresses = Object.entries(metadata).filter(
      ([name]) => name.endsWith('_endpoint') || name === 'jwks_uri',
    );
    expect(addresses).toHaveLength(8);
    for (const [name, address] of addresses) {
      const path = String(address).slice(target.origin.length);
      const method = /^(token|revocation|introspection|device_authorization)_/.test(name) ? 'POST' : 'GET';
      expect([name, (await target.request(path, { method })).status]).not.toEqual([name, 404]);
    }
    expect(Object.keys(metadata).join()).not.toMatch(/pushed_|backchannel_authentication|registration_/);
  });
});
