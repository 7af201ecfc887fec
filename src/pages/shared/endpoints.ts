import {
  dropTicketEndpoint,
  linkTicketEndpoint,
  previewClaimEndpoint,
} from '../../features/claim/endpoints.ts';
import {
  forgotPasswordEndpoint,
  loginWithPasswordEndpoint,
  registerEmailEndpoint,
  resetPasswordEndpoint,
  verifyEmailEndpoint,
} from '../../features/email/endpoints.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { bucketName } from '../../http/rate-limit.ts';
import { accountPaths, claimPath, signInPath } from '../../lib/page-paths.ts';

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
  path: signInPath,
} as const satisfies Endpoint;

export const showAccountEndpoint = {
  method: 'GET',
  path: accountPaths.home,
} as const satisfies Endpoint;

export const showClaimEndpoint = {
  method: 'GET',
  path: claimPath,
} as const satisfies Endpoint;

export const showClaimLinkEndpoint = {
  method: 'GET',
  path: linkTicketEndpoint.path,
  limit: { requests: previewClaimEndpoint.limit, bucket: bucketName(previewClaimEndpoint) },
} as const satisfies Endpoint;

export const leaveClaimEndpoint = {
  method: 'POST',
  path: '/v1/auth/claim/leave',
  limit: { requests: dropTicketEndpoint.limit, bucket: bucketName(dropTicketEndpoint) },
} as const satisfies Endpoint;

/** The pages of email and password. Each has a form that posts to the endpoint at the same address. */
export const emailPageEndpoints = {
  register: pageAt(registerEmailEndpoint.path),
  verify: pageAt(verifyEmailEndpoint.path),
  login: pageAt(loginWithPasswordEndpoint.path),
  forgot: pageAt(forgotPasswordEndpoint.path),
  reset: pageAt(resetPasswordEndpoint.path),
};

function pageAt<Path extends `/${string}`>(path: Path) {
  return { method: 'GET', path, limit: 60 } as const satisfies Endpoint;
}
