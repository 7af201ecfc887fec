import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { sendJson } from '../../http/answer.ts';
import { jsonBody, validBody } from '../../http/body.ts';
import { type AppEnv, clientInfo } from '../../http/context.ts';
import { rateLimit } from '../../http/rate-limit.ts';
import { sessionOf } from '../session/access-token.ts';
import {
  clearClaimCookie,
  cookieScope,
  readClaimCookie,
  readLeavingSession,
  setSessionCookies,
} from '../session/cookies.ts';
import { requireSession } from '../session/require-session.ts';
import { linkWaiting } from '../sign-in/link.ts';
import { checkHandle, claim, dropTicket, previewClaim } from './claim.ts';
import { claimInput } from './schema.ts';

/** The claim screen's calls, all made with the `pid_claim` cookie (interface sections 3 and 4). */
export function claimRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();

  /** Who the person continues as, and a free handle to start from. 410 without a usable ticket. */
  routes.get('/v1/auth/claim', rateLimit(deps, 'GET /v1/auth/claim'), async (c) =>
    sendJson(c, await previewClaim(deps, readClaimCookie(c, deps))),
  );

  /** Whether a handle can be claimed now, and up to three others when not. */
  routes.get(
    '/v1/auth/claim/handles/:handle',
    rateLimit(deps, 'GET /v1/auth/claim/handles/:handle'),
    async (c) => sendJson(c, await checkHandle(deps, readClaimCookie(c, deps), c.req.param('handle'))),
  );

  /** Claims the handle: identity, profile, credential and session at once. 400, 409, 410. */
  routes.post(
    '/v1/auth/claim',
    rateLimit(deps, 'POST /v1/auth/claim'),
    jsonBody(),
    validBody(claimInput),
    async (c) => {
      const { handle, displayName = null } = c.req.valid('json');
      const tokens = await claim(
        deps,
        { ticket: readClaimCookie(c, deps), handle, displayName },
        {
          client: clientInfo(c),
          scope: cookieScope(deps.config),
          replaces: readLeavingSession(c, deps),
          popup: null,
        },
      );
      setSessionCookies(c, deps, tokens, deps.now());
      clearClaimCookie(c, deps);
      return sendJson(c, sessionOf(deps, tokens.claims));
    },
  );

  /** "I already have a PID": links what waits with the ticket to who is signed in. 401, 403, 409, 410. */
  routes.post(
    '/v1/auth/claim/link',
    requireSession(deps, 'POST /v1/auth/claim/link'),
    jsonBody(),
    async (c) => {
      const { sessionId } = c.get('actor');
      const ticket = readClaimCookie(c, deps);
      const credential = await linkWaiting(deps, { sessionId, client: clientInfo(c), ticket });
      clearClaimCookie(c, deps);
      return sendJson(c, credential);
    },
  );

  /** "This is not me": gives the ticket back. */
  routes.delete('/v1/auth/claim', rateLimit(deps, 'DELETE /v1/auth/claim'), async (c) => {
    const ticket = readClaimCookie(c, deps);
    if (ticket !== null) await dropTicket(deps, ticket);
    clearClaimCookie(c, deps);
    return c.body(null, 204);
  });

  return routes;
}
