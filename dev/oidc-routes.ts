import type { Hono } from 'hono';
import type { Deps } from '../src/deps.ts';
import { sendJson } from '../src/http/answer.ts';
import { readForm } from '../src/http/body.ts';
import type { AppEnv } from '../src/http/context.ts';
import { Routes } from '../src/http/routes.ts';
import { fromBase64, fromUtf8, utf8 } from '../src/lib/encoding.ts';
import type { SandboxInstance } from './instance.ts';
import { applyFault, oidcTokens, readPerson, redeemCode } from './provider.ts';
import { providerKey } from './provider-key.ts';

/**
 * A small OpenID Connect provider under `/dev`, so that development needs no external account. The service uses it
 * through the generic adapter.
 */
export function sandboxOidcRoutes(deps: Deps, instance: SandboxInstance): Hono<AppEnv> {
  const routes = new Routes();
  const path = `/dev/${instance.id}` as const;

  routes.get(`${path}/.well-known/openid-configuration`, (c) => sendJson(c, metadataOf(instance)));

  routes.get(`${path}/jwks`, async (c) => sendJson(c, { keys: [(await providerKey(deps)).publicJwk] }));

  routes.post(`${path}/token`, async (c) => {
    if (!isClient(instance, c.req.header('Authorization'))) {
      c.header('WWW-Authenticate', 'Basic realm="sandbox"');
      return sendJson(c, { error: 'invalid_client' }, 401);
    }
    const form = await readForm(c);
    if (await applyFault(deps, instance, form, c.req.raw.signal)) {
      return sendJson(c, { error: 'server_error' }, 500);
    }
    if (form.get('grant_type') !== 'authorization_code') {
      return sendJson(c, { error: 'unsupported_grant_type' }, 400);
    }
    const redeemed = await redeemCode(deps, instance, form);
    if (redeemed === null) return sendJson(c, { error: 'invalid_grant' }, 400);
    return sendJson(c, await oidcTokens(deps, instance, redeemed));
  });

  routes.get(`${path}/userinfo`, async (c) => {
    const claims = await readPerson(deps, instance, c.req.header('Authorization'));
    if (claims !== null) return sendJson(c, claims);
    c.header('WWW-Authenticate', 'Bearer error="invalid_token"');
    return sendJson(c, { error: 'invalid_token' }, 401);
  });

  return routes;
}

/** OpenID Connect Discovery section 4. */
function metadataOf({ base: issuer }: SandboxInstance) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['EdDSA'],
    scopes_supported: ['openid', 'email', 'profile'],
    token_endpoint_auth_methods_supported: ['client_secret_basic'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  };
}

/** HTTP Basic with both parts form-encoded (RFC 6749 section 2.3.1). */
function isClient(client: SandboxInstance, authorization: string | undefined): boolean {
  const [, credentials = ''] = /^Basic (.+)$/i.exec(authorization ?? '') ?? [];
  const [id = '', secret = ''] = fromUtf8(fromBase64(credentials) ?? utf8('')).split(':');
  const decode = (text: string) => new URLSearchParams(`v=${text}`).get('v');
  return decode(id) === client.clientId && decode(secret) === client.clientSecret;
}
