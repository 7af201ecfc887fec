import {
  authorizeEndpoints,
  authorizePageEndpoints,
  logoutPageEndpoints,
  oauthEndpoints,
} from '../src/features/oauth/endpoints.ts';
import * as schemas from '../src/features/oauth/schema.ts';
import { oauthExamples } from './examples/oauth.ts';
import { answer, type FeatureApi, operationsOf, sessionCookies } from './operation.ts';

const client =
  'The client authenticates by HTTP Basic (form-encoded) or by `client_id` and `client_secret`; an app without a secret sends ' +
  '`client_id` alone. A page may call it from an origin of its app, without cookies. Parameters in the query are rejected.';
const metadata = {
  description: 'RFC 8414 and OpenID Connect Discovery 1.0; both addresses return the same document.',
  answers: [
    answer(200, 'The metadata.', { schema: schemas.serverMetadata, cacheControl: 'public, max-age=3600' }),
  ],
};

const resourceMetadata = {
  description:
    'The audience of access tokens for `/v1`, the server that issues them, and the scopes. 401 and 403 responses of operations that apps ' +
    'may call name it in `WWW-Authenticate` (`resource_metadata`), with the `scope` that is needed.',
  answers: [
    answer(200, 'The metadata.', { schema: schemas.resourceMetadata, cacheControl: 'public, max-age=3600' }),
  ],
};

export const oauthApi: FeatureApi = {
  tag: 'OAuth',
  description:
    'OAuth 2.1 and OpenID Connect for registered apps. Errors have the fields of two formats: `statusCode` and `message`, and the ' +
    '`error` and `error_description` of the standards.',
  examples: oauthExamples,
  schemas: {
    AuthorizeInput: schemas.authorizeInput,
    AuthorizeAnswer: schemas.authorizeAnswer,
    TokenInput: schemas.tokenInput,
    ExchangeInput: schemas.exchangeInput,
    DeviceInput: schemas.deviceInput,
    DeviceAnswer: schemas.deviceAnswer,
    OwnTokenInput: schemas.ownTokenInput,
    UserinfoInput: schemas.userinfoInput,
    TokenAnswer: schemas.tokenAnswer,
    Introspection: schemas.introspection,
    Userinfo: schemas.userinfo,
    ServerMetadata: schemas.serverMetadata,
    ResourceMetadata: schemas.resourceMetadata,
  },
  operations: [
    ...operationsOf(logoutPageEndpoints, {
      showLogout: {
        isHosted: true,
        summary: 'Sign the person out for an app (browser navigation)',
        description:
          'OpenID Connect RP-Initiated Logout 1.0. An `id_token_hint` of a sign-in from this session, under a live grant, ends the session at once and leads to ' +
          '`post_logout_redirect_uri`, if the app registered exactly that, with `state`. Any other request of a signed-in person gets a ' +
          'confirmation page; a signed-out visitor gets a page and never a redirect.',
        query: schemas.logoutQuery,
        reads: ['pid_access', 'pid_refresh', 'pid_refresh_key'],
        answers: [
          answer(200, 'The confirmation page, or one that says that nobody is signed in.', {
            isPage: true,
            clears: sessionCookies,
          }),
          answer(302, 'Signed out; back to the app.', {
            clears: sessionCookies,
            location: '`post_logout_redirect_uri`',
          }),
        ],
        errors: ['prefetch_refused'],
      },
      confirmLogout: {
        isHosted: true,
        summary: 'Confirm the sign-out, for the page’s form',
        description:
          'A form of our own page, with `confirm`. Apps may post their request here from any page: it continues as a GET.',
        reads: ['pid_access', 'pid_refresh', 'pid_refresh_key'],
        answers: [
          answer(200, 'Signed out.', { isPage: true, clears: sessionCookies }),
          answer(303, 'The same request as a GET.', { location: '/v1/auth/end-session' }),
        ],
        errors: ['origin_not_allowed'],
      },
    }),
    ...operationsOf(authorizePageEndpoints, {
      showAuthorize: {
        summary: 'Request authorization for an app (browser navigation)',
        description:
          'RFC 6749 section 4.1.1 and OpenID Connect Core 3.1.2.1, with PKCE (S256) unless the app accepts a nonce in its place (`pkce`). The response goes to the ' +
          'redirect URI with `state` and `iss` (RFC 9207): `code`, or `error` and `error_description`. An unknown, repeated or ' +
          'missing `client_id` or `redirect_uri` gets a page and never a redirect. People who are not signed in sign in first, and ' +
          'choose a PID if they have none; the request waits for ten minutes. If a grant covers the scopes, no consent is needed. ' +
          'A `client_id` that is an https URL is the address of the client’s metadata document ' +
          '(draft-ietf-oauth-client-id-metadata-document): such a client needs no registration.',
        query: schemas.authorizeQuery,
        reads: ['pid_access', 'pid_refresh', 'pid_refresh_key', 'pid_authorize_*'],
        answers: [
          answer(200, 'The page that asks for consent, or one that leads back to the app.', {
            isPage: true,
            sets: ['pid_authorize_*'],
          }),
          answer(302, 'Back to the app, or to the sign-in.', {
            sets: ['pid_authorize_*'],
            location: 'the redirect URI, /signin or /v1/auth/continue',
          }),
        ],
        errors: [
          'validation_failed',
          'redirect_uri_unknown',
          'client_document_invalid',
          'authorize_gone',
          'prefetch_refused',
          'unauthenticated',
          'app_suspended',
          'app_not_found',
          'too_many_clients',
        ],
      },
    }),
    ...operationsOf(authorizeEndpoints, {
      authorize: {
        summary: 'Authorize an app, from our own page',
        description:
          'For pages of the service itself. Returns the redirect target if a grant covers the scopes, or for a `decision`; otherwise ' +
          'the question for the person, and the `proof` that `allow` must send back. Not for apps: they send browsers to GET.',
        reads: ['pid_authorize_*'],
        answers: [
          answer(200, 'The redirect target, or the question for the person.', {
            schema: schemas.authorizeAnswer,
          }),
        ],
        errors: [
          'redirect_uri_unknown',
          'client_document_invalid',
          'authorize_altered',
          'authorize_gone',
          'origin_not_allowed',
          'app_suspended',
          'app_not_found',
          'too_many_clients',
        ],
        formStatus: 200,
      },
    }),
    ...operationsOf(oauthEndpoints, {
      requestToken: {
        summary: 'Get tokens for a code, a refresh token, a device, the app itself or another token',
        description:
          'RFC 6749 section 3.2. `authorization_code` needs `code`, `redirect_uri` and `code_verifier`; `refresh_token` works ' +
          'for `offline_access` and uses up the token; `client_credentials` is for web apps; token exchange as at ' +
          '/v1/auth/exchange; `urn:ietf:params:oauth:grant-type:device_code` needs `device_code` (RFC 8628). ' +
          `Reusing a code with its verifier, or a refresh token, revokes the sign-in. ${client}`,
        answers: [answer(200, 'The tokens.', { schema: schemas.tokenAnswer })],
        errors: [
          'authorization_pending',
          'slow_down',
          'expired_token',
          'access_denied',
          'invalid_grant',
          'invalid_dpop_proof',
          'use_dpop_nonce',
          'invalid_scope',
          'invalid_target',
          'unsupported_grant_type',
          'unauthorized_client',
          'invalid_client',
        ],
      },
      exchangeToken: {
        summary: 'Exchange an approved popup request, or a token for a narrower one',
        description:
          'RFC 8693. `subject_token_type` is `urn:pid:token-type:popup-request`, with `<id>.<verifier>.<result>` of a request that ' +
          'was approved in the last 30 seconds and under a grant; or `urn:ietf:params:oauth:token-type:access_token`, for fewer ' +
          `scopes or another audience, once, and valid no longer than the token. ${client}`,
        answers: [answer(200, 'The token.', { schema: schemas.tokenAnswer })],
        errors: [
          'invalid_grant',
          'invalid_dpop_proof',
          'use_dpop_nonce',
          'invalid_scope',
          'invalid_target',
          'invalid_client',
        ],
      },
      startDevice: {
        summary: 'Start a sign-in on a device without a browser',
        description:
          'RFC 8628 section 3.1, for apps with `deviceFlow`, without `wallet:` and `fiat:` scopes. The device shows `user_code` and `verification_uri`, and polls ' +
          '/v1/auth/token with `device_code` every `interval` seconds, for ten minutes. There is no `verification_uri_complete`: ' +
          `people type the code, so that nobody can send them a link to it. ${client}`,
        answers: [answer(200, 'The codes.', { schema: schemas.deviceAnswer })],
        errors: ['invalid_scope', 'invalid_target', 'unauthorized_client', 'invalid_client', 'unavailable'],
      },
      revokeToken: {
        summary: 'Revoke the sign-in of a token',
        description:
          'RFC 7009. A refresh or access token revokes its family; with `token_type_hint=grant` it revokes the whole grant of ' +
          'the app, for which an app without a secret needs its live refresh token. Without a secret, a used refresh token that is bound to a key ' +
          `revokes nothing. A token of another client is not an error. ${client}`,
        answers: [answer(200, 'Revoked, or not a token of this client.')],
        errors: ['invalid_client'],
      },
      introspectToken: {
        summary: 'Introspect a token of the client',
        description:
          'RFC 7662. A token of another client is inactive, and so is a refresh token of an app without a secret, because a thief ' +
          `would otherwise learn when it is rotated. ${client}`,
        answers: [answer(200, 'Its claims, or only `active: false`.', { schema: schemas.introspection })],
        errors: ['invalid_client'],
      },
      getUserinfo: {
        summary: 'Get claims about the person, by scope',
        description:
          'OpenID Connect Core section 5.3. Needs `Authorization: Bearer` with an access token that has the scope `openid`.',
        answers: [answer(200, 'The claims.', { schema: schemas.userinfo })],
        errors: ['validation_failed', 'invalid_client', 'invalid_token', 'missing_scope'],
      },
      postUserinfo: {
        summary: 'Get claims by POST, with the token in the header or as `access_token`',
        bodyOptional: true,
        answers: [answer(200, 'The claims.', { schema: schemas.userinfo })],
        errors: ['invalid_client', 'invalid_token', 'missing_scope'],
      },
      getProviderMetadata: { summary: 'Server metadata (OpenID Connect Discovery)', ...metadata },
      getServerMetadata: { summary: 'Server metadata (RFC 8414)', ...metadata },
      getResourceMetadata: {
        summary: 'Metadata of this service as a protected resource (RFC 9728)',
        ...resourceMetadata,
      },
      getResourceMetadataByPath: {
        summary: 'The same, at the address that `WWW-Authenticate` names',
        ...resourceMetadata,
      },
    }),
  ],
};
