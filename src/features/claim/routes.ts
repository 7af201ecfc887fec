import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { sendJson } from '../../http/answer.ts';
import { type AppEnv, clientInfo } from '../../http/context.ts';
import { serve } from '../../http/serve.ts';
import { sessionOf } from '../session/access-token.ts';
import { setSessionCookies } from '../session/cookies.ts';
import { signInContext } from '../sign-in/context.ts';
import { clearClaimCookie, readClaimCookie } from '../sign-in/cookies.ts';
import { linkWaiting } from '../sign-in/link.ts';
import { checkHandle, claim, dropTicket, previewClaim } from './claim.ts';
import { claimEndpoints } from './endpoints.ts';

/** The claim screen's calls, all made with the `pid_claim` cookie (interface sections 3 and 4). */
export function claimRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();

  /** Who the person continues as, and a free handle to start from. 410 without a usable ticket. */
  serve(routes, deps, claimEndpoints.previewClaim, async (c) =>
    sendJson(c, await previewClaim(deps, readClaimCookie(c, deps))),
  );

  /** Whether a handle can be claimed now, and up to three others when not. */
  serve(routes, deps, claimEndpoints.checkHandle, async (c, { params }) =>
    sendJson(c, await checkHandle(deps, readClaimCookie(c, deps), params.handle)),
  );

  /** Claims the handle: identity, profile, credential and session at once. 400, 409, 410. */
  serve(routes, deps, claimEndpoints.claim, async (c, { body }) => {
    const { handle, displayName = null } = body;
    const tokens = await claim(
      deps,
      { ticket: readClaimCookie(c, deps), handle, displayName },
      signInContext(c, deps, null),
    );
    setSessionCookies(c, deps, tokens, deps.now());
    clearClaimCookie(c, deps);
    return sendJson(c, sessionOf(deps, tokens.claims));
  });

  /** "I already have a PID": links what waits with the ticket to who is signed in. 401, 403, 409, 410. */
  serve(routes, deps, claimEndpoints.linkTicket, async (c, { actor, body }) => {
    const { sessionId } = actor;
    const ticket = readClaimCookie(c, deps);
    const credential = await linkWaiting(deps, {
      sessionId,
      client: clientInfo(c),
      ticket,
      agreedTo: body.id,
    });
    clearClaimCookie(c, deps);
    return sendJson(c, credential);
  });

  /** "This is not me": gives the ticket back. */
  serve(routes, deps, claimEndpoints.dropTicket, async (c) => {
    const ticket = readClaimCookie(c, deps);
    if (ticket !== null) await dropTicket(deps, ticket);
    clearClaimCookie(c, deps);
    return c.body(null, 204);
  });

  return routes;
}
