import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { sendJson } from '../../http/answer.ts';
import type { AppEnv } from '../../http/context.ts';
import { startedAt } from '../../http/origin.ts';
import { serve } from '../../http/serve.ts';
import { setOauthCookie } from './cookie.ts';
import { idpEndpoints } from './endpoints.ts';
import { startLink } from './idp.ts';

/** Linking an account of a provider to the identity that is signed in. */
export function linkRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();

  /**
   * Answers the path at which the browser starts the link. A cookie binds it to this session. 401, 403 without a recent
   * sign-in, 503 when the provider is not configured.
   */
  serve(routes, deps, idpEndpoints.getLinkUrl, async (c, { actor, body }) => {
    const { provider, returnTo: path } = body;
    const returnTo = startedAt(c, deps, path) ?? null;
    const { sessionId } = actor;
    const { sealed, url } = await startLink(deps, { provider, sessionId, returnTo, page: null });
    setOauthCookie(c, deps, sealed);
    return sendJson(c, { url });
  });

  return routes;
}
