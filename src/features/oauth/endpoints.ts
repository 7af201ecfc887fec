import type { Endpoint } from '../../http/endpoint.ts';
import type { CountedBy, Limit } from '../../http/rate-limit.ts';
import { once } from '../../lib/once.ts';
import { byIdentity, member } from '../session/require-session.ts';

export const authorizeEndpoints = {
  authorize: {
    method: 'POST',
    path: '/v1/auth/authorize',
    actor: member,
    limit: 20,
    ownPagesOnly: true,
    // Apps may send their request as a form (OpenID Connect Core section 3.1.2.1); the page leads it on as a GET.
    takesForms: true,
    isOauth: true,
    body: async () => (await import('./schema.ts')).authorizeInput,
  },
} as const satisfies Record<string, Endpoint>;

/** Where apps send the browser; answered by pages. */
export const authorizePageEndpoints = {
  showAuthorize: {
    method: 'GET',
    path: authorizeEndpoints.authorize.path,
    limit: { requests: 60, by: byIdentity },
    refusesPrefetch: true,
    isOauth: true,
  },
} as const satisfies Record<string, Endpoint>;

const counting = once(() => import('./counted-family.ts'));

/** By the family of the code or token, which its MAC proves; requests without one by address. */
const byFamily: CountedBy = {
  per: 'session',
  key: async (c, deps) => (await counting()).countedFamily(c, deps),
};

/** All tokens of an app share a ceiling of 600. */
const ofFamily = (requests: number) => ({ requests, by: byFamily, ceiling: 600 }) satisfies Limit;

const clients = { isOauth: true, openToClients: true } as const;

export const oauthEndpoints = {
  requestToken: {
    method: 'POST',
    path: '/v1/auth/token',
    limit: { ...ofFamily(20), storeDown: 'refuse' },
    form: async () => (await import('./schema.ts')).tokenInput,
    ...clients,
  },
  exchangeToken: {
    method: 'POST',
    path: '/v1/auth/exchange',
    limit: { ...ofFamily(20), storeDown: 'refuse' },
    form: async () => (await import('./schema.ts')).exchangeInput,
    ...clients,
  },
  revokeToken: {
    method: 'POST',
    path: '/v1/auth/revoke',
    limit: ofFamily(20),
    form: async () => (await import('./schema.ts')).ownTokenInput,
    ...clients,
  },
  introspectToken: {
    method: 'POST',
    path: '/v1/auth/introspect',
    limit: ofFamily(60),
    form: async () => (await import('./schema.ts')).ownTokenInput,
    isOauth: true,
  },
  getUserinfo: { method: 'GET', path: '/v1/auth/userinfo', limit: ofFamily(60), ...clients },
  postUserinfo: {
    method: 'POST',
    path: '/v1/auth/userinfo',
    limit: ofFamily(60),
    form: async () => (await import('./schema.ts')).userinfoInput,
    ...clients,
  },
  getProviderMetadata: { method: 'GET', path: '/.well-known/openid-configuration', openToClients: true },
  getServerMetadata: { method: 'GET', path: '/.well-known/oauth-authorization-server', openToClients: true },
} as const satisfies Record<string, Endpoint>;
