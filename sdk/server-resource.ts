import { type VerifiedApp, verifyAppToken } from './server-app.ts';
import { readHeader, type ServerRequest } from './server-request.ts';
import type { VerifyAppOptions } from './server-token.ts';

/** Options for `protectResource`. */
export interface ProtectOptions extends Omit<VerifyAppOptions, 'audience'> {
  /** The address of this server, such as `https://mcp.example.com/mcp`; it must be the `aud` of access tokens. */
  resource: string;
  /** The scopes that every request needs. */
  scopes?: readonly string[];
  /** All scopes that requests may need, for clients that ask for everything at once. Defaults to `scopes`. */
  allScopes?: readonly string[];
  /** The name of this server, for people. */
  name?: string;
}

/** Additional requirements of a single request. */
export interface ResourceAccess {
  scopes?: readonly string[];
  /** The maximum age of the person's sign-in in seconds (RFC 9470). */
  signInMaxAgeSeconds?: number;
}

/** A response to send instead: `new Response(refusal.body, refusal)`, or by the functions of a Node.js server. */
export interface Refusal {
  status: 401 | 403;
  headers: Record<string, string>;
  body: string;
}

/** A server whose clients come with access tokens. */
export interface ProtectedResource {
  /** The path at which to serve `metadata`, as JSON, to anyone and with `Access-Control-Allow-Origin: *`. */
  metadataPath: string;
  /** The metadata by which clients find the service that issues tokens (RFC 9728). */
  metadata: Record<string, unknown>;
  /**
   * Checks a request's access token. Without a valid one the refusal is 401 with the address of the metadata and the
   * scopes (RFC 9728 section 5.1); with too few scopes 403 `insufficient_scope` with all that are needed and those of the token; after a sign-in that
   * is too old 401 `insufficient_user_authentication` (RFC 9470).
   * @throws Error if the service's keys cannot be read: respond with 503
   */
  check(
    request: ServerRequest,
    needed?: ResourceAccess,
  ): Promise<{ app: VerifiedApp; refusal: null } | { app: null; refusal: Refusal }>;
}

/**
 * Protects a server, such as an MCP server, by access tokens of the service: its metadata, and a check of each request.
 * Register `resource` with the service before, so that clients may ask for it.
 * @throws TypeError if `baseUrl` or `resource` is not a URL
 */
export function protectResource(options: ProtectOptions): ProtectedResource {
  const { resource, scopes: always = [], allScopes = always, name, now = Date.now } = options;
  const { origin, pathname, search } = new URL(resource);
  const metadataPath = `/.well-known/oauth-protected-resource${pathname === '/' ? '' : pathname}${search}`;
  const metadata = {
    resource,
    authorization_servers: [new URL(options.baseUrl).origin],
    scopes_supported: [...allScopes],
    bearer_methods_supported: ['header'],
    dpop_signing_alg_values_supported: ['ES256', 'EdDSA', 'Ed25519'],
    ...(name !== undefined && { resource_name: name }),
  };

  function refuse(error: string | null, parameters: Record<string, string>): { app: null; refusal: Refusal } {
    const all = { ...(error && { error }), ...parameters, resource_metadata: origin + metadataPath };
    const challenge = Object.entries(all).filter(([, value]) => value !== '');
    return {
      app: null,
      refusal: {
        status: error === 'insufficient_scope' ? 403 : 401,
        headers: {
          'Content-Type': 'application/json',
          'WWW-Authenticate': `Bearer ${challenge.map(([key, value]) => `${key}="${value}"`).join(', ')}`,
        },
        body: JSON.stringify({ error: error ?? 'unauthorized' }),
      },
    };
  }

  return {
    metadataPath,
    metadata,
    async check(request, { scopes = [], signInMaxAgeSeconds: maxAge } = {}) {
      const needed = [...new Set([...always, ...scopes])];
      const scope = needed.join(' ');
      const app = await verifyAppToken(request, { ...options, audience: resource });
      // A request without a token gets no reason (RFC 6750 section 3.1).
      if (app === null)
        return refuse(readHeader(request, 'authorization') === null ? null : 'invalid_token', { scope });
      // With the scopes that the token has, so that the next token replaces it.
      const joined = [...new Set([...app.scopes, ...needed])].join(' ');
      if (needed.some((one) => !app.scopes.includes(one)))
        return refuse('insufficient_scope', { scope: joined });
      const signedInAt = Date.parse(app.authenticatedAt ?? '') || 0;
      if (maxAge !== undefined && signedInAt + maxAge * 1000 <= now())
        return refuse('insufficient_user_authentication', { scope: joined, max_age: String(maxAge) });
      return { app, refusal: null };
    },
  };
}
