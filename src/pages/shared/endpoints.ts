import { accountEndpoints } from '../../features/account/endpoints.ts';
import { claimEndpoints } from '../../features/claim/endpoints.ts';
import { emailEndpoints } from '../../features/email/endpoints.ts';
import { get, post } from '../../http/endpoint.ts';
import { bucketName } from '../../http/rate-limit.ts';
import { accountPaths, claimPath, logoRoute, signInPath } from '../../lib/page-paths.ts';

export const pageEndpoints = {
  getHealth: get('/healthz'),
  getReadiness: get('/readyz'),
  showSignIn: get(signInPath),
  showAccount: get(accountPaths.home, {
    limit: {
      requests: accountEndpoints.getMe.limit,
      bucket: bucketName(accountEndpoints.getMe),
      by: { per: 'identity' },
    },
  }),
  showLogo: get(logoRoute, { limit: 60 }),
  showClaim: get(claimPath),
  showClaimed: get(`${claimPath}/done`),
  showClaimLink: get(claimEndpoints.linkTicket.path, {
    limit: { requests: claimEndpoints.previewClaim.limit, bucket: bucketName(claimEndpoints.previewClaim) },
  }),
  leaveClaim: post('/v1/auth/claim/leave', {
    limit: { requests: claimEndpoints.dropTicket.limit, bucket: bucketName(claimEndpoints.dropTicket) },
  }),
};

/** The email and password pages. Each has a form that posts to the endpoint at the same path. */
export const emailPageEndpoints = {
  register: pageAt(emailEndpoints.registerEmail.path),
  verify: pageAt(emailEndpoints.verifyEmail.path),
  login: pageAt(emailEndpoints.signInWithPassword.path),
  forgot: pageAt(emailEndpoints.forgotPassword.path),
  reset: pageAt(emailEndpoints.resetPassword.path),
};

function pageAt<const Path extends `/${string}`>(path: Path) {
  return get(path, { limit: 60 });
}
