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

/** The metadata of this service as a protected resource, at the path that its audience `BASE_URL/v1` defines (RFC 9728 section 3.1). */
export const resourceMetadataPath = '/.well-known/oauth-protected-resource/v1';

interface Challenge {
  /** Absent for a request without a token, which gets no reason (RFC 6750 section 3.1). */
  readonly error?: 'invalid_token' | 'insufficient_scope';
  /** The scopes that the request needs. */
  readonly scope?: string | undefined;
}

/**
 * Sends a Bearer caller the reason for the rejection (RFC 6750 section 3), and where to get a token (RFC 9728 section
 * 5.1).
 */
export function challenge(
  c: AppContext,
  { config }: { readonly config: { readonly origin: string } },
  { error, scope }: Challenge = {},
): void {
  const parameters = { error, scope, resource_metadata: config.origin + resourceMetadataPath };
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  c.header('WWW-Authenticate', `Bearer ${given.map(([name, value]) => `${name}="${value}"`).join(', ')}`);
}

/** Names the authentication method, after a client failed to authenticate (RFC 6749 section 5.2). */
export function challengeClient(c: AppContext): void {
  c.header('WWW-Authenticate', 'Basic realm="Peridot"');
}
