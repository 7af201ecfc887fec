import { routesOf } from '../../http/serve.ts';
import { adminEndpoints } from './endpoints.ts';
import { setIdentityStatus } from './identity-status.ts';

/** What the identities in ADMIN_PIDS may do. Every change leaves a line in the audit log. */
export const adminRoutes = routesOf(adminEndpoints, {
  /**
   * Suspends an identity, which signs it out everywhere, or reactivates it. 403 unless an administrator whose sign-in
   * is recent, 404 for an unknown handle, 409 for a closed identity.
   */
  setIdentityStatus: ({ deps, actor: { sessionId }, body, params: { handle } }) =>
    setIdentityStatus(deps, { sessionId, handle, ...body }),
});
