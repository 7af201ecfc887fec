import { resourceMetadataPath } from '../../http/bearer.ts';
import { get, lazySchema, post } from '../../http/endpoint.ts';
import type { CountedBy, Limit } from '../../http/rate-limit.ts';
import { memoize } from '../../lib/memoize.ts';
import { byIdentity, member } from '../session/require-session.ts';

const schema = lazySchema(() => import('./schema.ts'));

export const authorizeEndpoints = {
  authorize: post('/v1/auth/authorize', {
    actor: member,
    limit: 20,
    ownPagesOnly: true,
    // Apps may send their request as a form (OpenID Connect Core section 3.1.2.1); the page forwards it as a GET.
    takesForms: true,
    isOauth: true,
    body: schema('authorizeInput'),
  }),
};

/** Apps redirect the browser to this address; pages respond. */
export const authorizePageEndpoints = {
  showAuthorize: get(authorizeEndpoints.authorize.path, {
    limit: { requests: 60, by: byIdentity },
    refusesPrefetch: true,
    isOauth: true,
  }),
};

/** Apps send browsers here to end the session (OpenID Connect RP-Initiated Logout 1.0). Pages respond. */
export const logoutPageEndpoints = {
  showLogout: get('/v1/auth/end-session', {
    limit: { requests: 60, by: byIdentity },
    refusesPrefetch: true,
  }),
  confirmLogout: post('/v1/auth/end-session', {
    limit: { requests: 20, by: byIdentity },
    // Apps may send their request as a form; the page forwards it as a GET.
    takesForms: true,
  }),
};

const counting = memoize(() => import('./counted-family.ts'));

/** Counted by the family of the code or token, which its MAC proves; other requests by address. */
const byFamily: CountedBy = {
  per: 'session',
  key: async (c, deps) => (await counting()).countedFamily(c, deps),
};

/** All of an app's tokens share a limit of 600. */
const ofFamily = (requests: number) => ({ requests, by: byFamily, ceiling: 600 }) satisfies Limit;

const clients = { isOauth: true, openToClients: true } as const;

export const oauthEndpoints = {
  requestToken: post('/v1/auth/token', {
    limit: { ...ofFamily(20), storeDown: 'refuse' },
    form: schema('tokenInput'),
    ...clients,
  }),
  exchangeToken: post('/v1/auth/exchange', {
    limit: { ...ofFamily(20), storeDown: 'refuse' },
    form: schema('exchangeInput'),
    ...clients,
  }),
  startDevice: post('/v1/auth/device', { limit: 20, form: schema('deviceInput'), ...clients }),
  revokeToken: post('/v1/auth/revoke', {
    limit: ofFamily(20),
    form: schema('ownTokenInput'),
    ...clients,
    endsSessions: true,
    causesEvents: true,
  }),
  introspectToken: post('/v1/auth/introspect', {
    limit: ofFamily(60),
    form: schema('ownTokenInput'),
    isOauth: true,
  }),
  getUserinfo: get('/v1/auth/userinfo', { limit: ofFamily(60), ...clients }),
  postUserinfo: post('/v1/auth/userinfo', { limit: ofFamily(60), form: schema('userinfoInput'), ...clients }),
  getProviderMetadata: get('/.well-known/openid-configuration', { openToClients: true }),
  getServerMetadata: get('/.well-known/oauth-authorization-server', { openToClients: true }),
  getResourceMetadata: get('/.well-known/oauth-protected-resource', { openToClients: true }),
  getResourceMetadataByPath: get(resourceMetadataPath, { openToClients: true }),
};
