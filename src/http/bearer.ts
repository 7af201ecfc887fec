import type { AppContext } from './context.ts';

/** The token of `Authorization: Bearer` (RFC 6750 section 2.1), empty if there is none after the scheme; null without that header. */
export function bearerToken(c: AppContext): string | null {
  const header = c.req.header('Authorization');
  return header !== undefined && /^bearer\b/i.test(header) ? header.slice('bearer'.length).trim() : null;
}

/** Tells a Bearer caller why it was refused (RFC 6750 section 3). */
export function challenge(
  c: AppContext,
  error: 'invalid_token' | 'insufficient_scope',
  scope?: string,
): void {
  c.header('WWW-Authenticate', `Bearer error="${error}"${scope === undefined ? '' : `, scope="${scope}"`}`);
}
