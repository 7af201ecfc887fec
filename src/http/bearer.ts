import type { AppContext } from './context.ts';

/**
 * The token of `Authorization: Bearer` (RFC 6750 section 2.1), empty if none follows the scheme; null without the
 * header.
 */
export function bearerToken(c: AppContext): string | null {
  const header = c.req.header('Authorization');
  return header !== undefined && /^bearer\b/i.test(header) ? header.slice('bearer'.length).trim() : null;
}

/** Sends a Bearer caller the reason for the rejection (RFC 6750 section 3). */
export function challenge(
  c: AppContext,
  error: 'invalid_token' | 'insufficient_scope',
  scope?: string,
): void {
  c.header('WWW-Authenticate', `Bearer error="${error}"${scope === undefined ? '' : `, scope="${scope}"`}`);
}
