import type { Deps } from '../../../deps.ts';
import { type AppContext, isWindow } from '../../../http/context.ts';
import { hostCookieName, setHostCookie } from '../../../http/host-cookie.ts';
import { cookieNames, cookieValues } from '../../../lib/cookie.ts';
import {
  decryptWaitingRequest,
  encryptWaitingRequest,
  type WaitingRequest,
  waitingSeconds,
} from './waiting-request.ts';

/**
 * The maximum number of requests waiting in one browser, and the maximum size of their cookies. The newest request of
 * each app has priority over further requests of any app, so that one app never displaces another; the oldest of the
 * rest are dropped. With the attempts of external sign-ins and the session's cookies they fit in the 8 kB Cookie header
 * that common proxies accept; otherwise any page could lock its visitors out for as long as the cookies last.
 */
const mostWaiting = 5;
const mostBytes = 3_500;
/** The suffix of a cookie name that the service may have set; other cookies are ignored. */
const waitingName = /_[\w-]{8}$/;

/** Stores a request shown in a window in this browser until the person has signed in or decided. */
export async function keepWaitingRequest(c: AppContext, deps: Deps, request: WaitingRequest): Promise<void> {
  if (!isWindow(c)) return;
  const header = c.req.header('Cookie');
  const own = nameOf(deps, request.id);
  const names = cookieNames(header, nameOf(deps, '')).filter((name) => waitingName.test(name));
  const others = await Promise.all(
    names.slice(0, 2 * mostWaiting).map(async (name) => {
      const [value = ''] = cookieValues(header, name);
      return { name, size: value.length, held: await decryptWaitingRequest(deps, value) };
    }),
  );
  const value = await encryptWaitingRequest(deps, request);
  let bytes = value.length;
  let kept = 1;
  const seen = new Map([[request.clientId, 1]]);
  const ranked = others
    .filter(({ name }) => name !== own)
    .sort((a, b) => (b.held?.askedAt ?? 0) - (a.held?.askedAt ?? 0))
    .map((one) => ({ ...one, turn: one.held ? countUp(seen, one.held.clientId) : Number.POSITIVE_INFINITY }))
    .sort((a, b) => a.turn - b.turn);
  for (const { name, size, held } of ranked) {
    bytes += size;
    kept += 1;
    if (held === null || kept > mostWaiting || bytes > mostBytes) clear(c, deps, name);
  }
  setHostCookie(c, deps, { name: own, value, maxAgeSeconds: waitingSeconds, path: '/' });
}

/** How often a key has occurred so far, including this time. */
function countUp(seen: Map<string, number>, key: string): number {
  const count = (seen.get(key) ?? 0) + 1;
  seen.set(key, count);
  return count;
}

/** This browser's request with an id; null if there is none, or it has expired. */
export async function findWaitingRequest(
  c: AppContext,
  deps: Deps,
  id: string | null | undefined,
): Promise<WaitingRequest | null> {
  if (id == null || !/^[\w-]{8}$/.test(id)) return null;
  const [value = ''] = cookieValues(c.req.header('Cookie'), nameOf(deps, id));
  const request = await decryptWaitingRequest(deps, value);
  return request?.id === id ? request : null;
}

/** Removes a completed request. */
export function dropWaitingRequest(c: AppContext, deps: Deps, { id }: WaitingRequest): void {
  const name = nameOf(deps, id);
  if (cookieValues(c.req.header('Cookie'), name).length > 0) clear(c, deps, name);
}

function clear(c: AppContext, deps: Deps, name: string): void {
  setHostCookie(c, deps, { name, value: '', maxAgeSeconds: 0, path: '/' });
}

/** The sign-in page reads the cookie too, so its path is `/` on every host. */
function nameOf(deps: Deps, id: string): string {
  return `${hostCookieName(deps.config, 'pid_authorize')}_${id}`;
}
