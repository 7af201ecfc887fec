import * as z from 'zod/mini';
import { boundedText } from '../../lib/text-schema.ts';

const longest = 2000;
const text = (name: string) => boundedText(name, longest);

/** The body of POST /v1/auth/authorize, sent by our own page. Its fields are the parameters of the request. */
export const authorizeInput = z.object({
  clientId: text('clientId'),
  redirectUri: text('redirectUri'),
  responseType: z.enum(['code'], 'responseType must be code'),
  /** Space-separated scopes; without it, those of the app that only identify the person. */
  scope: z.optional(text('scope')),
  state: text('state'),
  /** Needed unless the app accepts a nonce in its place. */
  codeChallenge: z.optional(text('codeChallenge')),
  codeChallengeMethod: z.optional(z.enum(['S256'], 'codeChallengeMethod must be S256')),
  /** The thumbprint of the DPoP key to which the code is bound (RFC 9449 section 10). */
  dpopJkt: z.optional(text('dpopJkt')),
  nonce: z.optional(text('nonce')),
  resource: z.optional(text('resource')),
  decision: z.optional(z.enum(['allow', 'deny'], 'decision must be allow or deny')),
  /** The `proof` from the response that required consent. Needed to allow. */
  proof: z.optional(text('proof')),
});

/** The response to POST /v1/auth/authorize: the redirect target, or the question for the person. */
export const authorizeAnswer = z.union([
  z.object({ redirectTo: z.string() }),
  z.object({
    consentRequired: z.literal(true),
    app: z.object({ id: z.string(), name: z.string(), origin: z.string() }),
    scopes: z.array(z.string()),
    /** The origin of another service that the tokens are for. */
    resource: z.nullable(z.string()),
    proof: z.string(),
  }),
]);

export type AuthorizeInput = z.infer<typeof authorizeInput>;
export type AuthorizeAnswer = z.infer<typeof authorizeAnswer>;

/** The query of GET /v1/auth/authorize, for the contract: the handler reads it itself, to respond as OAuth requires. */
export const authorizeQuery = z.object({
  client_id: z.string(),
  redirect_uri: z.string(),
  response_type: z.string(),
  scope: z.optional(z.string()),
  code_challenge: z.optional(z.string()),
  code_challenge_method: z.optional(z.string()),
  dpop_jkt: z.optional(z.string()),
  state: z.optional(z.string()),
  nonce: z.optional(z.string()),
  resource: z.optional(z.string()),
  prompt: z.optional(z.string()),
  max_age: z.optional(z.string()),
  login_hint: z.optional(z.string()),
  id_token_hint: z.optional(z.string()),
  ui_locales: z.optional(z.string()),
  acr_values: z.optional(z.string()),
  claims: z.optional(z.string()),
  response_mode: z.optional(z.string()),
});

/** The query of GET /v1/auth/end-session, for the contract: the page reads it itself. */
export const logoutQuery = z.object({
  id_token_hint: z.optional(z.string()),
  client_id: z.optional(z.string()),
  post_logout_redirect_uri: z.optional(z.string()),
  state: z.optional(z.string()),
  logout_hint: z.optional(z.string()),
  ui_locales: z.optional(z.string()),
});

const parameter = z.string().check(z.maxLength(4096));
const optional = z.optional(parameter);

/** The client authenticates with these in the body, unless it uses HTTP Basic. */
const client = { client_id: optional, client_secret: optional };

const exchanged = {
  subject_token: optional,
  subject_token_type: optional,
  requested_token_type: optional,
  actor_token: optional,
  audience: optional,
};

/** The parameters of POST /v1/auth/token. Which ones are needed depends on `grant_type`; others are ignored. */
export const tokenInput = z.object({
  grant_type: parameter,
  code: optional,
  redirect_uri: optional,
  code_verifier: optional,
  refresh_token: optional,
  device_code: optional,
  scope: optional,
  resource: optional,
  ...exchanged,
  ...client,
});

/** The parameters of POST /v1/auth/exchange (RFC 8693). */
export const exchangeInput = z.object({
  grant_type: optional,
  scope: optional,
  resource: optional,
  ...exchanged,
  ...client,
});

/** The parameters of device authorization (RFC 8628 section 3.1). */
export const deviceInput = z.object({ scope: optional, resource: optional, ...client });

/** The response (RFC 8628 section 3.2). Times are in seconds. */
export const deviceAnswer = z.object({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.string(),
  expires_in: z.number(),
  interval: z.number(),
});

/** The parameters of revocation (RFC 7009) and introspection (RFC 7662). */
export const ownTokenInput = z.object({ token: parameter, token_type_hint: optional, ...client });

/** The form of POST /v1/auth/userinfo, for clients that send no header. */
export const userinfoInput = z.object({ access_token: optional });

/** The response to a token request (RFC 6749 section 5.1). */
export const tokenAnswer = z.object({
  access_token: z.string(),
  token_type: z.enum(['Bearer', 'DPoP']),
  /** Seconds. */
  expires_in: z.number(),
  scope: z.optional(z.string()),
  refresh_token: z.optional(z.string()),
  id_token: z.optional(z.string()),
  issued_token_type: z.optional(z.string()),
});

/** The claims of a token, or only the fact that it is inactive (RFC 7662 section 2.2). */
export const introspection = z.object({
  active: z.boolean(),
  scope: z.optional(z.string()),
  client_id: z.optional(z.string()),
  sub: z.optional(z.string()),
  aud: z.optional(z.string()),
  iss: z.optional(z.string()),
  exp: z.optional(z.number()),
  iat: z.optional(z.number()),
  jti: z.optional(z.string()),
  token_type: z.optional(z.string()),
  /** The thumbprint of the key to which the token is bound (RFC 9449 section 6.2). */
  cnf: z.optional(z.object({ jkt: z.string() })),
  /** When the person signed in, in seconds (RFC 9470 section 6.2). */
  auth_time: z.optional(z.number()),
  grant_id: z.optional(z.string()),
  sid: z.optional(z.string()),
});

/** Claims about a person (OpenID Connect Core section 5.3). */
export const userinfo = z.object({
  sub: z.string(),
  name: z.optional(z.string()),
  preferred_username: z.optional(z.string()),
  locale: z.optional(z.string()),
  email: z.optional(z.string()),
  email_verified: z.optional(z.boolean()),
});

/** Server metadata (RFC 8414, OpenID Connect Discovery 1.0). */
export const serverMetadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  device_authorization_endpoint: z.string(),
  userinfo_endpoint: z.string(),
  jwks_uri: z.string(),
  revocation_endpoint: z.string(),
  introspection_endpoint: z.string(),
  end_session_endpoint: z.string(),
  scopes_supported: z.array(z.string()),
  response_types_supported: z.array(z.string()),
  response_modes_supported: z.array(z.string()),
  grant_types_supported: z.array(z.string()),
  subject_types_supported: z.array(z.string()),
  id_token_signing_alg_values_supported: z.array(z.string()),
  token_endpoint_auth_methods_supported: z.array(z.string()),
  revocation_endpoint_auth_methods_supported: z.array(z.string()),
  introspection_endpoint_auth_methods_supported: z.array(z.string()),
  code_challenge_methods_supported: z.array(z.string()),
  dpop_signing_alg_values_supported: z.array(z.string()),
  prompt_values_supported: z.array(z.string()),
  claims_supported: z.array(z.string()),
  ui_locales_supported: z.array(z.string()),
  claims_parameter_supported: z.boolean(),
  acr_values_supported: z.array(z.string()),
  request_parameter_supported: z.boolean(),
  request_uri_parameter_supported: z.boolean(),
  authorization_response_iss_parameter_supported: z.boolean(),
  /** draft-ietf-oauth-client-id-metadata-document section 5 */
  client_id_metadata_document_supported: z.boolean(),
  backchannel_logout_supported: z.boolean(),
  backchannel_logout_session_supported: z.boolean(),
});

/** Metadata of a protected resource (RFC 9728). */
export const resourceMetadata = z.object({
  /** The audience of access tokens for the resource. */
  resource: z.string(),
  authorization_servers: z.array(z.string()),
  scopes_supported: z.array(z.string()),
  bearer_methods_supported: z.array(z.string()),
  dpop_signing_alg_values_supported: z.array(z.string()),
  resource_documentation: z.string(),
});

export type ResourceMetadata = z.infer<typeof resourceMetadata>;
export type TokenInput = z.infer<typeof tokenInput>;
export type ExchangeInput = z.infer<typeof exchangeInput>;
export type DeviceInput = z.infer<typeof deviceInput>;
export type DeviceAnswer = z.infer<typeof deviceAnswer>;
export type OwnTokenInput = z.infer<typeof ownTokenInput>;
export type TokenAnswer = z.infer<typeof tokenAnswer>;
export type Introspection = z.infer<typeof introspection>;
export type Userinfo = z.infer<typeof userinfo>;
export type ServerMetadata = z.infer<typeof serverMetadata>;
