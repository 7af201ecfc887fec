import { type LookupAddress, promises } from 'node:dns';
import type { Deps } from '../deps.ts';
import { withTimeout } from '../lib/with-timeout.ts';

/** The part of Bun's resolver used here. */
declare const Bun: undefined | { dns: { lookup(name: string, options: object): Promise<LookupAddress[]> } };

/** How long to wait for a response before a name counts as unresolvable. */
const patienceMs = 3000;
/** How long a resolved name is cached. */
const knownForMs = 30_000;

/** All addresses of a name. Rejects if it has none, or if its name server does not answer in time. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/**
 * Resolves a name without a thread. The operating system's resolver occupies one for up to ten seconds when a name
 * server does not answer, and Bun has few, which also sign tokens: a few such names would stop every sign-in. c-ares,
 * which reads the hosts file too, gives up after five seconds. On Node no service runs, only commands and tests.
 */
export const resolveName: Resolve = (hostname) => {
  const isBun = typeof Bun !== 'undefined';
  const found = isBun
    ? Bun.dns.lookup(hostname, { backend: 'c-ares' })
    : promises.lookup(hostname, { all: true });
  return withTimeout(found, patienceMs, 'the name server');
};

/**
 * Requests to the operator's providers on Bun, whose `fetch` resolves names in those threads: a name whose server does
 * not answer fails before it occupies one. Names that only the operating system knows are left to `fetch`.
 * @param now milliseconds
 */
export function fetchResolved(
  fetch: Deps['fetch'],
  now: () => number,
  resolve: Resolve = resolveName,
): Deps['fetch'] {
  const knownUntil = new Map<string, number>();
  return async (request) => {
    const { hostname } = new URL(request.url);
    if ((knownUntil.get(hostname) ?? 0) <= now()) {
      await resolve(hostname).catch((error: unknown) => {
        // A response has a code, even if it is that there is no such name.
        if (!(error instanceof Error && 'code' in error)) throw error;
      });
      knownUntil.set(hostname, now() + knownForMs);
    }
    return fetch(request);
  };
}
