import { beforeAll, describe, expect, it } from 'vitest';
import { type ProtectOptions, protectResource } from '../../sdk/server.ts';
import { ownResource } from '../support/apps.ts';
import { useService } from '../support/service.ts';
import { appSignIn, newRelation, type Relation } from '../support/token.ts';

const resource = 'https://mcp.example.com/mcp';
const address = 'https://mcp.example.com/.well-known/oauth-protected-resource/mcp';
const target = useService({ BASE_URL: 'http://resource.localhost:8787' });
let relation: Relation;
beforeAll(async () => {
  relation = await newRelation(target);
  await ownResource(target, { resource, owner: relation.app.id });
});

const protect = (changes: Partial<ProtectOptions> = {}) =>
  protectResource({
    baseUrl: target.origin,
    resource,
    scopes: ['openid'],
    now: () => target.now(),
    fetch: async (url: string) => target.request(url.slice(target.origin.length)),
    ...changes,
  });
const bearing = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const signIn = async (scope: string) => (await appSignIn(relation, { scope, resource })).access_token;

describe('a protected resource', () => {
  it('serves its metadata at the path derived from its address', () => {
    expect(protect({ allScopes: ['openid', 'email'], name: 'Notes' })).toMatchObject({
      metadataPath: '/.well-known/oauth-protected-resource/mcp',
      metadata: {
        resource,
        authorization_servers: [target.origin],
        scopes_supported: ['openid', 'email'],
        bearer_methods_supported: ['header'],
        resource_name: 'Notes',
      },
    });
    const paths = ['https://mcp.example.com', 'https://mcp.example.com/'].map(
      (one) => protect({ resource: one }).metadataPath,
    );
    expect(new Set(paths)).toEqual(new Set(['/.well-known/oauth-protected-resource']));
  });

  it('accepts a client with a token for this resource and the required scopes', async () => {
    const token = await signIn('openid email');
    for (const request of [bearing(token), new Request(resource, bearing(token))]) {
      const { app, refusal } = await protect().check(request, { scopes: ['email'] });
      expect(refusal).toBeNull();
      expect(app).toMatchObject({ appId: relation.app.id, pid: `${relation.person.handle}@pid` });
    }
  });

  it('returns 401 with the scopes and where to get a token', async () => {
    const rest = `scope="openid", resource_metadata="${address}"`;
    const { refusal } = await protect().check({ headers: {} });
    expect([refusal?.status, refusal?.headers['WWW-Authenticate']]).toEqual([401, `Bearer ${rest}`]);
    const foreign = await appSignIn(relation, { scope: 'openid' });
    for (const token of ['x', foreign.access_token]) {
      const wrong = await protect().check(bearing(token));
      expect(wrong.refusal?.headers['WWW-Authenticate']).toBe(`Bearer error="invalid_token", ${rest}`);
    }
  });

  it('returns 403 with the scopes that a client needs to step up [PR-03]', async () => {
    const token = await signIn('openid profile');
    const { refusal } = await protect().check(bearing(token), { scopes: ['email'] });
    expect([refusal?.status, refusal?.headers['WWW-Authenticate']]).toEqual([
      403,
      `Bearer error="insufficient_scope", scope="openid profile email", resource_metadata="${address}"`,
    ]);
    expect(JSON.parse(refusal?.body ?? '')).toEqual({ error: 'insufficient_scope' });
  });

  it('requires a new sign-in if the last one is too old (RFC 9470) [PR-03]', async () => {
    const token = await signIn('openid');
    const recent = { signInMaxAgeSeconds: 60 };
    expect((await protect().check(bearing(token), { signInMaxAgeSeconds: 1e6 })).refusal).toBeNull();
    const later = protect({ now: () => target.now() + 61_000 });
    const { refusal } = await later.check(bearing(token), recent);
    expect([refusal?.status, refusal?.headers['WWW-Authenticate']]).toEqual([
      401,
      `Bearer error="insufficient_user_authentication", scope="openid", max_age="60", resource_metadata="${address}"`,
    ]);
  });
});
