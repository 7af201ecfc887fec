import type { AppContext } from './context.ts';

/**
 * The token of `Authorization: Bearer` (RFC 6750 section 2.1), empty if none follows the scheme; null without the
 * header.
 */
export function bearerToken(c: AppContext): string | null {
  const header = c.req.header('Authorization');
  return header !== undefined && /^bearer\b/i.test(header) ? header.slice('bearer'.length).trim() : null;
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
