import type { Config } from '../../config.ts';
import { appScopes, idTokenAlgs } from '../app/schema.ts';
import { proofAlgs } from '../dpop/public-key.ts';
import { ownAudience } from '../grant/app-token.ts';
import { signingKeyEndpoints } from '../signing-key/endpoints.ts';
import { passkeyAcr } from './claims.ts';
import { logoutPageEndpoints, oauthEndpoints } from './endpoints.ts';
import type { ResourceMetadata, ServerMetadata } from './schema.ts';

const authMethods = ['client_secret_basic', 'client_secret_post', 'none'];

/** Describes the server: its endpoints and capabilities (RFC 8414 section 2, OpenID Connect Discovery 1.0 section 3). */
export function describeServer({ origin }: Pick<Config, 'origin'>): ServerMetadata {
  const at = ({ path }: { readonly path: string }) => `${origin}${path}`;
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/v1/auth/authorize`,
    token_endpoint: at(oauthEndpoints.requestToken),
    device_authorization_endpoint: at(oauthEndpoints.startDevice),
    userinfo_endpoint: at(oauthEndpoints.getUserinfo),
    jwks_uri: at(signingKeyEndpoints.getKeys),
    revocation_endpoint: at(oauthEndpoints.revokeToken),
    end_session_endpoint: at(logoutPageEndpoints.showLogout),
    introspection_endpoint: at(oauthEndpoints.introspectToken),
    scopes_supported: [...appScopes],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: [
      'authorization_code',
      'refresh_token',
      'client_credentials',
      'urn:ietf:params:oauth:grant-type:token-exchange',
      'urn:ietf:params:oauth:grant-type:device_code',
    ],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [...idTokenAlgs],
    token_endpoint_auth_methods_supported: authMethods,
    revocation_endpoint_auth_methods_supported: authMethods,
    introspection_endpoint_auth_methods_supported: authMethods,
    code_challenge_methods_supported: ['S256'],
    dpop_signing_alg_values_supported: [...proofAlgs],
    prompt_values_supported: ['none', 'login', 'consent', 'select_account', 'create'],
    claims_supported: [
      'sub',
      'iss',
      'aud',
      'exp',
      'iat',
      'auth_time',
      'acr',
      'amr',
      'nonce',
      'sid',
      'name',
      'preferred_username',
      'locale',
      'email',
      'email_verified',
    ],
    ui_locales_supported: ['en', 'id'],
    claims_parameter_supported: true,
    acr_values_supported: [passkeyAcr],
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
  };
}

/** Describes this service as a resource that accepts apps' access tokens (RFC 9728 section 2). */
export function describeResource(config: Pick<Config, 'origin'>): ResourceMetadata {
  return {
    resource: ownAudience(config),
    authorization_servers: [config.origin],
    scopes_supported: [...appScopes],
    bearer_methods_supported: ['header'],
    dpop_signing_alg_values_supported: [...proofAlgs],
    resource_documentation: `${config.origin}/docs`,
  };
}
