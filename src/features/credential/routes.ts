import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { sendJson } from '../../http/answer.ts';
import { jsonBody, validBody } from '../../http/body.ts';
import { type AppEnv, clientInfo } from '../../http/context.ts';
import { requireSession } from '../session/require-session.ts';
import { listCredentials, renamePasskey, unlinkCredential } from './credential.ts';
import { credentialNameInput } from './schema.ts';

/** What signs the person in (interface section 2). */
export function credentialRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();

  /** All credentials of the signed-in person, the oldest first. */
  routes.get('/v1/credentials', requireSession(deps, 'GET /v1/credentials'), async (c) =>
    sendJson(c, await listCredentials(deps, c.get('actor').handle)),
  );

  /** Names a passkey. 404 when it is not the person's. */
  routes.patch(
    '/v1/credentials/:id',
    requireSession(deps, 'PATCH /v1/credentials/:id'),
    jsonBody(),
    validBody(credentialNameInput),
    async (c) => {
      const { sessionId } = c.get('actor');
      const { name } = c.req.valid('json');
      return sendJson(c, await renamePasskey(deps, { sessionId, credentialId: c.req.param('id'), name }));
    },
  );

  /** Unlinks a credential. 400 for the last one, 403 unless signed in lately, 404 when it is not the person's. */
  routes.delete('/v1/credentials/:id', requireSession(deps, 'DELETE /v1/credentials/:id'), async (c) => {
    const { sessionId } = c.get('actor');
    await unlinkCredential(deps, { sessionId, credentialId: c.req.param('id'), client: clientInfo(c) });
    return c.body(null, 204);
  });

  return routes;
}
