import type { Endpoint } from '../../http/endpoint.ts';

export const getHealthEndpoint = {
  method: 'GET',
  path: '/healthz',
} as const satisfies Endpoint;

export const getReadinessEndpoint = {
  method: 'GET',
  path: '/readyz',
} as const satisfies Endpoint;

export const showSignInEndpoint = {
  method: 'GET',
  path: '/signin',
} as const satisfies Endpoint;

export const showAccountEndpoint = {
  method: 'GET',
  path: '/account',
} as const satisfies Endpoint;

export const showClaimEndpoint = {
  method: 'GET',
  path: '/claim',
} as const satisfies Endpoint;

export const showClaimLinkEndpoint = {
  method: 'GET',
  path: '/v1/auth/claim/link',
  limit: { requests: 60, bucket: 'GET /v1/auth/claim' },
} as const satisfies Endpoint;

export const leaveClaimEndpoint = {
  method: 'POST',
  path: '/v1/auth/claim/leave',
  limit: { requests: 20, bucket: 'DELETE /v1/auth/claim' },
} as const satisfies Endpoint;

/** The page of each step of email and password; its form posts to the endpoint of the same path. */
export const emailPageEndpoint = <Step extends string>(step: Step) =>
  ({ method: 'GET', path: `/v1/auth/email/${step}`, limit: 60 }) as const satisfies Endpoint;

export const emailPageEndpoints = (['register', 'verify', 'login', 'forgot', 'reset'] as const).map(
  emailPageEndpoint,
);
