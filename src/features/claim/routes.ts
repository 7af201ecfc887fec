import { clientInfo } from '../../http/context.ts';
import { routesOf } from '../../http/serve.ts';
import { sessionOf } from '../session/access-token.ts';
import { setSessionCookies } from '../session/cookies.ts';
import { signInContext } from '../sign-in/context.ts';
import { clearClaimCookie, readClaimCookie } from '../sign-in/cookies.ts';
import { linkWaiting } from '../sign-in/link.ts';
import { checkHandle, claim, dropTicket, previewClaim } from './claim.ts';
import { claimEndpoints } from './endpoints.ts';

/** The endpoints of the claim screen, all called with the `pid_claim` cookie (interface sections 3 and 4). */
export const claimRoutes = routesOf(claimEndpoints, {
  /** Returns the account the person continues with, and a suggested available handle. 410 without a usable ticket. */
  previewClaim: ({ c, deps }) => previewClaim(deps, readClaimCookie(c, deps)),

  checkHandle: ({ c, deps, params }) => checkHandle(deps, readClaimCookie(c, deps), params.handle),

  /** Claims the handle, creating identity, profile, credential and session together. 400, 409, 410. */
  async claim({ c, deps, body: { handle, displayName = null } }) {
    const input = { ticket: readClaimCookie(c, deps), handle, displayName };
    const tokens = await claim(deps, input, signInContext(c, deps, null));
    setSessionCookies(c, deps, tokens, deps.now());
    clearClaimCookie(c, deps);
    return sessionOf(deps, tokens.claims);
  },

  /** "I already have a PID": links the ticket's credential to the signed-in person. 401, 403, 409, 410. */
  async linkTicket({ c, deps, actor: { sessionId }, body: { id: agreedTo } }) {
    const ticket = readClaimCookie(c, deps);
    const credential = await linkWaiting(deps, { sessionId, client: clientInfo(c), ticket, agreedTo });
    clearClaimCookie(c, deps);
    return credential;
  },

  /** "This is not me": discards the ticket. */
  async dropTicket({ c, deps }) {
    const ticket = readClaimCookie(c, deps);
    if (ticket !== null) await dropTicket(deps, ticket);
    clearClaimCookie(c, deps);
  },
});
