import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { type AppContext, clientInfo, isNavigation, isWindow } from '../../http/context.ts';
import { hostCookieName, setHostCookie } from '../../http/host-cookie.ts';
import { cookieValues } from '../../lib/cookie.ts';
import { isFirstParty, originOfAddress } from '../../lib/origin.ts';
import { signInPath } from '../../lib/page-paths.ts';
import { pause } from '../../lib/pause.ts';
import { secretHash } from '../../lib/secret.ts';
import { withQuery } from '../../lib/with-query.ts';
import { clearSessionCookies, cookieScope, setSessionCookies } from './cookies.ts';
import type { RefreshToken } from './refresh-token.ts';
import { readActor } from './require-session.ts';
import { RefreshRefused, refreshSession } from './session.ts';

/** How long a request that lost a race waits for the winner's response to reach the browser. */
const winnerArrivesMs = 500;
/** How many returns to one URL within ten seconds are treated as a loop. */
const loopSeconds = 10;
const mostReturns = 2;

/**
 * Renews the session for a server-rendered page, and redirects back to it, with `signed_out=1` if there is no session.
 * A page that keeps redirecting here gets `signed_out=1` and then the sign-in page, because its server does not receive
 * the cookies or ignores the parameter.
 * @throws AppError not_found unless it is a browser navigation; validation_failed for a URL that is not first-party
 */
export async function continueSession(
  c: AppContext,
  deps: Deps,
  { presented, returnTo }: { presented: RefreshToken | null; returnTo: string },
): Promise<Response> {
  if (!isNavigation(c) || !isWindow(c)) throw new AppError('not_found');
  if (!isFirstParty(deps.config, originOfAddress(returnTo) ?? '')) {
    throw new AppError('validation_failed', ['returnTo must be an address on an allowed origin']);
  }
  const address = withoutMark(returnTo);
  const returns = countReturns(c, deps, address);
  if (returns <= mostReturns && (await isRenewed(c, deps, presented, returns))) return c.redirect(address);
  const ignoresMark = address !== returnTo || returns > mostReturns + 1;
  return c.redirect(
    ignoresMark ? withQuery(signInPath, { returnTo: address }) : withQuery(address, { signed_out: '1' }),
  );
}

/** Counts the browser's recent redirects to this URL, including this one. Stored in the browser. */
function countReturns(c: AppContext, deps: Deps, address: string): number {
  const name = hostCookieName(deps.config, 'pid_continue');
  const id = secretHash(address).slice(0, 8);
  const [carried = ''] = cookieValues(c.req.header('Cookie'), name);
  const [of, counted, since] = carried.split('.');
  const now = Math.floor(deps.now() / 1000);
  const isSame = of === id && now - Number(since) < loopSeconds;
  const count = isSame ? (Number(counted) || 0) + 1 : 1;
  const value = `${id}.${count}.${isSame ? since : now}`;
  setHostCookie(c, deps, { name, value, maxAgeSeconds: loopSeconds });
  return count;
}

/** Returns whether the browser now has fresh cookies, or gets them with this response. */
async function isRenewed(
  c: AppContext,
  deps: Deps,
  presented: RefreshToken | null,
  returns: number,
): Promise<boolean> {
  if (presented === null) return false;
  // Another tab has just renewed them, so no token is used.
  if (returns > 1 && (await readActor(c, deps))?.sessionId === presented.sessionId) return true;
  try {
    const input = { presented, scope: cookieScope(deps.config), client: clientInfo(c) };
    setSessionCookies(c, deps, await refreshSession(deps, input), deps.now());
    return true;
  } catch (error) {
    if (!(error instanceof RefreshRefused)) throw error;
    if (error.sessionEnded) clearSessionCookies(c, deps);
    // Another tab has won, but its cookies may not have arrived yet, because signing takes time.
    else await pause(winnerArrivesMs, c.req.raw.signal);
    return !error.sessionEnded;
  }
}

/** The URL without `signed_out`, which the last response added; otherwise unchanged. */
function withoutMark(address: string): string {
  const url = new URL(address);
  if (!url.searchParams.has('signed_out')) return address;
  url.searchParams.delete('signed_out');
  return url.href;
}
