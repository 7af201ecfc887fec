import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { sendJson } from '../../http/answer.ts';
import { jsonBody, validBody } from '../../http/body.ts';
import type { AppEnv } from '../../http/context.ts';
import { requireSession } from '../session/require-session.ts';
import { setIdentityStatus } from './identity-status.ts';
import { requireAdmin } from './require-admin.ts';
import { identityStatusInput } from './schema.ts';

/** What the identities in ADMIN_PIDS may do. Every change leaves a line in the audit log. */
export function adminRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();

  /**
   * Suspends an identity, which signs it out everywhere, or lets it in again. 403 unless an administrator who
   * signed in lately, 404 for an unknown handle, 409 for a closed identity.
   */
  routes.patch(
    '/v1/admin/identities/:handle',
    requireSession(deps, 'PATCH /v1/admin/identities/:handle'),
    requireAdmin(deps),
    jsonBody(),
    validBody(identityStatusInput),
    async (c) => {
      const { sessionId } = c.get('actor');
      const input = { sessionId, handle: c.req.param('handle'), ...c.req.valid('json') };
      return sendJson(c, await setIdentityStatus(deps, input));
    },
  );

  return routes;
}
