import { type Endpoint, get, post } from '../../http/endpoint.ts';
import { type ProviderId, providerIds } from '../../lib/credential-kinds.ts';
import { member } from '../session/require-session.ts';
import { callbackQuery, linkInput, loginInput, startQuery } from './schema.ts';

export const idpEndpoints = {
  getSignInUrl: post('/v1/auth/login', { openToApps: 'first_party', limit: 20, body: loginInput }),
  listProviders: get('/v1/auth/providers', { openToApps: 'first_party', limit: 60 }),
  getLinkUrl: post('/v1/credentials/link', { actor: member, limit: 20, body: linkInput }),
};

/**
 * Every provider has the same two endpoints, which share their limits. The paths are literal, because a pattern could
 * shadow a sibling.
 */
export const startSignInEndpoint = (provider: ProviderId) =>
  get(`/v1/auth/${provider}`, {
    limit: { requests: 100, bucket: 'GET /v1/auth/idp' },
    refusesPrefetch: true,
    query: startQuery,
  });

export const finishSignInEndpoint = (provider: ProviderId) =>
  get(`/v1/auth/${provider}/callback`, {
    limit: { requests: 100, bucket: 'GET /v1/auth/idp/callback' },
    refusesPrefetch: true,
    query: callbackQuery,
  });

export const navigationEndpoints: Readonly<Record<string, Endpoint>> = Object.fromEntries(
  providerIds.flatMap((id) => [
    [`start ${id}`, startSignInEndpoint(id)],
    [`finish ${id}`, finishSignInEndpoint(id)],
  ]),
);
