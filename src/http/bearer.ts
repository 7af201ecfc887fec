import type { AppContext } from './context.ts';

/**
 * The access token of `Authorization`, with the scheme Bearer (RFC 6750 section 2.1) or DPoP (RFC 9449 section 7.1);
 * empty if none follows the scheme, null without the header.
 */
export function headerToken(c: AppContext): string | null {
  const [, token = null] = /^(?:bearer|dpop)\b(.*)$/is.exec(c.req.header('Authorization') ?? '') ?? [];
  return token === null ? null : token.trim();
}

/** Returns whether the scheme is DPoP: the token must be bound to a key, and a proof of it must accompany the request. */
export function usesDpop(c: AppContext): boolean {
  return /^dpop\b/i.test(c.req.header('Authorization') ?? '');
}

/**
 * Sends a Bearer caller the reason for the rejection (RFC 6750 section 3).
 * @param error null for a request without a token, which gets no reason (section 3.1)
 */
export function challenge(
  c: AppContext,
  error: 'invalid_token' | 'insufficient_scope' | null,
  scope?: string,
): void {
  const parts = [error && `error="${error}"`, scope && `scope="${scope}"`].filter(Boolean);
  c.header('WWW-Authenticate', ['Bearer', parts.join(', ')].filter(Boolean).join(' '));
}

/** Names the way in which a client authenticates, after it failed to (RFC 6749 section 5.2). */
export function challengeClient(c: AppContext): void {
  c.header('WWW-Authenticate', 'Basic realm="Peridot"');
}
