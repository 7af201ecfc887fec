import type { Deps } from '../../deps.ts';
import { type AppContext, type ClientInfo, clientInfo } from '../../http/context.ts';
import { requireOwnPage } from '../../http/origin.ts';
import { cookieScope, readLeavingSession, setSessionCookies } from '../session/cookies.ts';
import type { CookieScope } from '../session/refresh-token.ts';
import type { IssuedTokens } from '../session/session.ts';
import { setClaimCookie } from './cookies.ts';

/** The parts of a request that a sign-in needs. */
export interface SignInContext {
  readonly client: ClientInfo;
  readonly scope: CookieScope;
  /** The session of this browser's refresh token, which a new sign-in revokes. */
  readonly replaces: string | null;
  /** The popup request that this sign-in approves, if any. */
  readonly popup: string | null;
}

export type SignInOutcome =
  | { readonly type: 'signed_in'; readonly tokens: IssuedTokens }
  | { readonly type: 'claim_required'; readonly ticket: string };

/**
 * The context of a request that signs in. Only our own pages, which show the requester, can approve a popup request;
 * otherwise a page of another site could have its own request approved by anyone who signs in there.
 * @param popup the id of the popup request, if given
 * @throws AppError origin_not_allowed for a popup request from another page
 * @throws AppError unauthenticated if there are two refresh cookies
 */
export function signInContext(c: AppContext, deps: Deps, popup: string | null): SignInContext {
  if (popup !== null) requireOwnPage(c, deps);
  return {
    client: clientInfo(c),
    scope: cookieScope(deps.config),
    replaces: readLeavingSession(c, deps),
    popup,
  };
}

/** Sets the cookies of an outcome: those of a session, or that of a claim ticket. */
export function answerSignIn(c: AppContext, deps: Deps, outcome: SignInOutcome): void {
  if (outcome.type === 'signed_in') setSessionCookies(c, deps, outcome.tokens, deps.now());
  else setClaimCookie(c, deps, outcome.ticket);
}
