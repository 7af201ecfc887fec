import { claimEndpoints } from '../../features/claim/endpoints.ts';
import { emailEndpoints } from '../../features/email/endpoints.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { bucketName } from '../../http/rate-limit.ts';
import { accountPaths, claimPath, signInPath } from '../../lib/page-paths.ts';

export const pageEndpoints = {
  getHealth: { method: 'GET', path: '/healthz' },
  getReadiness: { method: 'GET', path: '/readyz' },
  showSignIn: { method: 'GET', path: signInPath },
  showAccount: { method: 'GET', path: accountPaths.home },
  showClaim: { method: 'GET', path: claimPath },
  showClaimed: { method: 'GET', path: `${claimPath}/done` },
  showClaimLink: {
    method: 'GET',
    path: claimEndpoints.linkTicket.path,
    limit: { requests: claimEndpoints.previewClaim.limit, bucket: bucketName(claimEndpoints.previewClaim) },
  },
  leaveClaim: {
    method: 'POST',
    path: '/v1/auth/claim/leave',
    limit: { requests: claimEndpoints.dropTicket.limit, bucket: bucketName(claimEndpoints.dropTicket) },
  },
} as const satisfies Record<string, Endpoint>;

/** The pages of email and password. Each has a form that posts to the endpoint at the same address. */
export const emailPageEndpoints = {
  register: pageAt(emailEndpoints.registerEmail.path),
  verify: pageAt(emailEndpoints.verifyEmail.path),
  login: pageAt(emailEndpoints.signInWithPassword.path),
  forgot: pageAt(emailEndpoints.forgotPassword.path),
  reset: pageAt(emailEndpoints.resetPassword.path),
};

function pageAt<Path extends `/${string}`>(path: Path) {
  return { method: 'GET', path, limit: 60 } as const satisfies Endpoint;
}
