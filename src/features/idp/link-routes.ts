import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { sendJson } from '../../http/answer.ts';
import { jsonBody, validBody } from '../../http/body.ts';
import type { AppEnv } from '../../http/context.ts';
import { startedAt } from '../../http/origin.ts';
import { requireSession } from '../session/require-session.ts';
import { attemptTtlSeconds } from './attempt.ts';
import { oauthCookieName, setOauthCookie } from './cookie.ts';
import { startLink } from './idp.ts';
import { linkInput } from './schema.ts';

/** Linking an account of a provider to the identity that is signed in. */
export function linkRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();

  /**
   * Answers the path at which the browser starts the link; what binds it to this session waits in a cookie. 401,
   * 403 unless signed in lately, 503 when the provider is not configured.
   */
  routes.post(
    '/v1/credentials/link',
    requireSession(deps, 'POST /v1/credentials/link'),
    jsonBody(),
    validBody(linkInput),
    async (c) => {
      const { provider, returnTo: path } = c.req.valid('json');
      const returnTo = startedAt(c, deps, path) ?? null;
      const { sessionId } = c.get('actor');
      const wish = { provider, sessionId, returnTo, page: null };
      const { sealed, url } = await startLink(deps, wish);
      setOauthCookie(c, deps, {
        name: oauthCookieName(deps.config),
        value: sealed,
        maxAgeSeconds: attemptTtlSeconds,
      });
      return sendJson(c, { url });
    },
  );

  return routes;
}
