import type { Config } from '../config.ts';
import type { Logger } from '../deps.ts';
import { canonicalAddress, forwardedAddress, inNetworks } from '../lib/address.ts';

export interface ClientAddresses {
  /**
   * The client's address: the socket's peer, or behind TRUSTED_PROXIES (addresses or networks such as 10.0.0.0/8) the
   * last address in X-Forwarded-For that is not a proxy.
   */
  of(request: Request, peer: string | undefined): string;
  /** Lists the problems with TRUSTED_PROXIES revealed by the last hour's requests. */
  warnings(): string[];
}

const forwardingHeaders = ['X-Forwarded-For', 'Forwarded', 'X-Real-IP', 'X-Forwarded-Proto'];
const logEveryMs = 60_000;
const hourMs = 3_600_000;
const unnamed =
  'TRUSTED_PROXIES does not list the proxy in front of the service, so everyone behind it shares one address’s rate limits';

/** Reads client addresses on Bun. A proxy missing from TRUSTED_PROXIES is logged once a minute. */
export function createClientAddresses(
  { TRUSTED_PROXIES, production }: Pick<Config, 'TRUSTED_PROXIES' | 'production'>,
  log: Logger,
  now: () => number,
): ClientAddresses {
  const isTrusted = inNetworks(TRUSTED_PROXIES);
  let seenAt = Number.NEGATIVE_INFINITY;
  let lookedAt = Number.NEGATIVE_INFINITY;
  // Most consecutive requests come from the same proxy or busy client.
  let last: { readonly text: string; readonly peer: string } = { text: '', peer: 'unknown' };
  // Bun serves plain HTTP and production needs HTTPS, so there must be a proxy.
  if (production && TRUSTED_PROXIES.length === 0) {
    log.warn('proxy.not_trusted', { message: 'TRUSTED_PROXIES is empty: name the TLS proxy in front' });
  }

  function noteForwarded(request: Request, peer: string): void {
    const at = now();
    // Reading headers costs more than everything else, and one check per millisecond is enough to detect a proxy.
    if (at === lookedAt) return;
    lookedAt = at;
    if (Math.abs(at - seenAt) < logEveryMs) return;
    if (!forwardingHeaders.some((name) => request.headers.has(name))) return;
    seenAt = at;
    log.warn('proxy.not_trusted', { message: unnamed, peer });
  }

  return {
    of(request, text = '') {
      if (text !== last.text) last = { text, peer: canonicalAddress(text) ?? 'unknown' };
      const { peer } = last;
      if (TRUSTED_PROXIES.length > 0 && peer !== 'unknown' && isTrusted(peer)) {
        return forwardedAddress(request.headers.get('X-Forwarded-For') ?? '', isTrusted) ?? peer;
      }
      noteForwarded(request, peer);
      return peer;
    },
    warnings: () => (now() - seenAt < hourMs ? [unnamed] : []),
  };
}
