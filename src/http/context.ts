import type { Context } from 'hono';
import type { AccessClaims } from '../features/session/access-token.ts';
import type { RefreshToken } from '../features/session/refresh-token.ts';
import type { ClientInfo } from '../features/session/session.ts';

/** What an entry hands over with each request, besides the request itself. */
export interface Connection {
  /** Who connects, from the socket or from the platform's own edge; never from a header a client may set. */
  readonly address: string;
  readonly country: string | null;
}

export interface AppEnv {
  Bindings: Connection;
  Variables: {
    requestId: string;
    /** The verified access token's claims; set where a route requires a session. */
    actor: AccessClaims;
    /** The refresh token that came along, if this service issued it; null if not. */
    presented: RefreshToken | null;
    /** The popup request that this navigation is part of; set where there is one. */
    popup: string | undefined;
    /** Where somebody who is signed in came from to link an account, and goes back to when that fails. */
    back: string | undefined;
  };
}

export type AppContext = Context<AppEnv>;

/** Who sends the request, as sessions remember it. The user agent is cut, because its sender chooses its length. */
export function clientInfo(c: AppContext): ClientInfo {
  return {
    address: c.env.address,
    userAgent: c.req.header('User-Agent')?.slice(0, 256) ?? null,
    country: c.env.country,
    requestId: c.get('requestId'),
  };
}

/**
 * Whether the request is a browser opening a page, rather than a script or another program. Older browsers do
 * not say so; there it counts that HTML is what they would like best.
 */
export function isNavigation(c: AppContext): boolean {
  const accept = c.req.header('Accept') ?? '';
  const mode = c.req.header('Sec-Fetch-Mode');
  return mode === undefined
    ? accept.startsWith('text/html')
    : mode === 'navigate' && accept.includes('text/html');
}
