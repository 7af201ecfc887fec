import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { sendJson } from '../../http/answer.ts';
import { type AppEnv, clientInfo } from '../../http/context.ts';
import { serve } from '../../http/serve.ts';
import { listCredentials, renamePasskey, unlinkCredential } from './credential.ts';
import { credentialEndpoints } from './endpoints.ts';

/** What signs the person in (interface section 2). */
export function credentialRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();

  /** All credentials of the signed-in person, the oldest first. */
  serve(routes, deps, credentialEndpoints.listCredentials, async (c, { actor }) =>
    sendJson(c, await listCredentials(deps, actor.handle)),
  );

  /** Names a passkey. 404 when it is not the person's. */
  serve(routes, deps, credentialEndpoints.renamePasskey, async (c, { actor, body, params }) => {
    const { sessionId } = actor;
    const { name } = body;
    return sendJson(c, await renamePasskey(deps, { sessionId, credentialId: params.id, name }));
  });

  /** Unlinks a credential. 400 for the last one, 403 unless signed in lately, 404 when it is not the person's. */
  serve(routes, deps, credentialEndpoints.unlinkCredential, async (c, { actor, params }) => {
    const { sessionId } = actor;
    await unlinkCredential(deps, { sessionId, credentialId: params.id, client: clientInfo(c) });
    return c.body(null, 204);
  });

  return routes;
}
