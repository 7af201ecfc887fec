import { beforeAll, describe, expect, it } from 'vitest';
import { useService } from '../support/service.ts';
import { decodeJwt } from '../support/signing.ts';
import { appSignIn, newRelation, post, type Relation, refresh, tokensOf } from '../support/token.ts';

const target = useService();
let relation: Relation;
beforeAll(async () => {
  relation = await newRelation(target);
});

const address = () => `${target.origin}/.well-known/oauth-protected-resource/v1`;
const challengeOf = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await target.request(path, { headers });
  return [answer.status, answer.headers.get('WWW-Authenticate')];
};

describe('the protected resource metadata', () => {
  it.each(['', '/v1'])('is at /.well-known/oauth-protected-resource%s [PR-01]', async (path) => {
    const answer = await target.request(`/.well-known/oauth-protected-resource${path}`);
    expect(await answer.json()).toMatchObject({
      resource: `${target.origin}/v1`,
      authorization_servers: [target.origin],
      scopes_supported: expect.arrayContaining(['openid', 'wallet:read']),
      bearer_methods_supported: ['header'],
    });
  });

  it('is named in a 401, with the required scope [PR-02]', async () => {
    const rest = `scope="wallet:read", resource_metadata="${address()}"`;
    expect(await challengeOf('/v1/wallet')).toEqual([401, `Bearer ${rest}`]);
    const wrong = { Authorization: 'Bearer wrong' };
    expect(await challengeOf('/v1/wallet', wrong)).toEqual([401, `Bearer error="invalid_token", ${rest}`]);
  });

  it('is named in a 403, with the missing scope [PR-02]', async () => {
    const { access_token } = await appSignIn(relation, { scope: 'openid' });
    const headers = { Authorization: `Bearer ${access_token}` };
    expect(await challengeOf('/v1/wallet', headers)).toEqual([
      403,
      `Bearer error="insufficient_scope", scope="wallet:read", resource_metadata="${address()}"`,
    ]);
  });

  it('is not named by operations that accept no tokens', async () => {
    expect(await challengeOf('/v1/grants')).toEqual([401, null]);
  });
});

describe('the service’s own identifier as a resource', () => {
  const own = () => `${target.origin}/v1`;

  it('may be sent with every request, and has no effect', async () => {
    const code = await appSignIn(relation, { resource: own() });
    const { payload } = decodeJwt(code.access_token);
    expect(payload).toMatchObject({ aud: own() });
    const next = await tokensOf(await refresh(relation, code.refresh_token, { resource: own() }));
    expect(decodeJwt(next.access_token).payload).toMatchObject({ aud: own() });
    const app = await post(relation, '/v1/auth/token', { grant_type: 'client_credentials', resource: own() });
    expect(decodeJwt((await tokensOf(app)).access_token).payload).toMatchObject({ aud: own() });
  });

  it('is rejected with invalid_target for a sign-in to another resource', async () => {
    const { refresh_token, sid } = await appSignIn(relation);
    await target
      .rows(`UPDATE app_sessions SET resource = 'https://api.example.com' WHERE id = ?`, [sid])
      .catch(() => {});
    const answer = await refresh(relation, refresh_token, { resource: own() });
    expect(await answer.json()).toMatchObject({ error: 'invalid_target' });
  });
});
