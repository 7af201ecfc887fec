import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { sendJson } from '../../http/answer.ts';
import type { AppEnv } from '../../http/context.ts';
import { serve } from '../../http/serve.ts';
import { adminEndpoints } from './endpoints.ts';
import { setIdentityStatus } from './identity-status.ts';

/** What the identities in ADMIN_PIDS may do. Every change leaves a line in the audit log. */
export function adminRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();

  /**
   * Suspends an identity, which signs it out everywhere, or reactivates it. 403 unless an administrator whose sign-in
   * is recent, 404 for an unknown handle, 409 for a closed identity.
   */
  serve(routes, deps, adminEndpoints.setIdentityStatus, async (c, { actor, body, params }) => {
    const { sessionId } = actor;
    const input = { sessionId, handle: params.handle, ...body };
    return sendJson(c, await setIdentityStatus(deps, input));
  });

  return routes;
}
