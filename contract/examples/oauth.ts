import type { Examples } from './example.ts';

const query = {
  response_type: 'code',
  client_id: '$app',
  redirect_uri: 'https://shop.example.com/callback',
  scope: 'openid profile',
  state: '0Xq3mT9sB4vZkY7nRw2pLg',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
};
const body = {
  clientId: '$app',
  redirectUri: 'https://shop.example.com/callback',
  responseType: 'code',
  scope: 'openid profile',
  state: '0Xq3mT9sB4vZkY7nRw2pLg',
  codeChallenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  codeChallengeMethod: 'S256',
};
const page = { 'Sec-Fetch-Site': 'same-origin' };
const asked = { as: 'member with an app', headers: page } as const;

const client = { client_id: '$app', client_secret: '$clientsecret' };
const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token';
const ofCode = {
  grant_type: 'authorization_code',
  code: '$authcode',
  redirect_uri: 'https://shop.example.com/callback',
  code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
};
const scope = 'openid profile email offline_access';
const tokens = { access_token: '$accesstoken', token_type: 'Bearer', expires_in: 900, scope };
const claims = {
  sub: '$handle@pid',
  name: 'Wira Santoso',
  preferred_username: '$handle',
  email: 'wira@example.com',
  email_verified: true,
};
const resource = {
  resource: 'https://id.example.com/v1',
  authorization_servers: ['https://id.example.com'],
  scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
  bearer_methods_supported: ['header'],
  dpop_signing_alg_values_supported: ['ES256', 'EdDSA'],
  resource_documentation: 'https://id.example.com/docs',
};
const metadata = {
  issuer: 'https://id.example.com',
  authorization_endpoint: 'https://id.example.com/v1/auth/authorize',
  token_endpoint: 'https://id.example.com/v1/auth/token',
  device_authorization_endpoint: 'https://id.example.com/v1/auth/device',
  userinfo_endpoint: 'https://id.example.com/v1/auth/userinfo',
  jwks_uri: 'https://id.example.com/.well-known/jwks.json',
  revocation_endpoint: 'https://id.example.com/v1/auth/revoke',
  introspection_endpoint: 'https://id.example.com/v1/auth/introspect',
  end_session_endpoint: 'https://id.example.com/v1/auth/end-session',
  scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256', 'ES256'],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
  revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
  introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
  code_challenge_methods_supported: ['S256'],
  dpop_signing_alg_values_supported: ['ES256', 'EdDSA', 'Ed25519'],
  prompt_values_supported: ['none', 'login', 'consent', 'select_account', 'create'],
  claims_supported: ['sub', 'iss', 'aud', 'name', 'email'],
  ui_locales_supported: ['en', 'id'],
  claims_parameter_supported: true,
  acr_values_supported: ['phr'],
  request_parameter_supported: false,
  request_uri_parameter_supported: false,
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  backchannel_logout_supported: true,
  backchannel_logout_session_supported: true,
};

export const oauthExamples = {
  requestToken: [
    {
      title: 'For a code',
      as: 'app with a code',
      form: { ...ofCode, ...client },
      answer: {
        status: 200,
        body: {
          ...tokens,
          refresh_token: '$refreshtoken',
          id_token: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ3aXJhQHBpZCJ9.q0Vb2s8LxYc5dN7tFhJk',
        },
      },
    },
    {
      title: 'For a refresh token',
      as: 'app with tokens',
      form: { grant_type: 'refresh_token', refresh_token: '$refreshtoken', ...client },
      answer: { status: 200, body: { ...tokens, refresh_token: '$refreshtoken' } },
    },
    {
      title: 'For the app itself',
      as: 'app with a code',
      form: { grant_type: 'client_credentials', scope: 'fiat:read', ...client },
      answer: { status: 200, body: { ...tokens, scope: 'fiat:read' } },
    },
    {
      title: 'For a device whose person has not decided yet',
      as: 'device that waits',
      form: {
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        device_code: '$devicecode',
        client_id: '$app',
      },
      answer: { error: 'authorization_pending' },
    },
    {
      title: 'A code that was used',
      as: 'app with tokens',
      form: { ...ofCode, ...client },
      answer: { error: 'invalid_grant' },
    },
    {
      title: 'More scopes than granted',
      as: 'app with tokens',
      form: { grant_type: 'refresh_token', refresh_token: '$refreshtoken', scope: 'wallet:read', ...client },
      answer: { error: 'invalid_scope' },
    },
    {
      title: 'Another resource',
      as: 'app with tokens',
      form: {
        grant_type: 'refresh_token',
        refresh_token: '$refreshtoken',
        resource: 'https://api.example.com/',
        ...client,
      },
      answer: { error: 'invalid_target' },
    },
    {
      title: 'A wrong secret',
      as: 'app with a code',
      form: { ...ofCode, client_id: '$app', client_secret: 'pids_wrong' },
      answer: { error: 'invalid_client' },
    },
    {
      title: 'An unknown grant type',
      as: 'app with a code',
      form: { grant_type: 'password', ...client },
      answer: { error: 'unsupported_grant_type' },
    },
    {
      title: 'An app without a secret for itself',
      as: 'app with a code',
      form: { grant_type: 'client_credentials', client_id: '$app' },
      answer: { error: 'unauthorized_client' },
    },
    {
      title: 'Without a code',
      as: 'app with a code',
      form: { grant_type: 'authorization_code', ...client },
      answer: { error: 'validation_failed', message: ['code must be given'] },
    },
  ],
  startDevice: [
    {
      title: 'For a TV',
      as: 'device that waits',
      form: { client_id: '$app', scope: 'openid profile' },
      answer: {
        status: 200,
        body: {
          device_code: '$devicecode',
          user_code: 'BCDF-GHJK',
          verification_uri: 'https://id.example.com/device',
          expires_in: 600,
          interval: 5,
        },
      },
    },
    {
      title: 'For a web app',
      as: 'app with a code',
      form: { ...client },
      answer: { error: 'unauthorized_client' },
    },
    {
      title: 'For more than the app may request',
      as: 'device that waits',
      form: { client_id: '$app', scope: 'wallet:read' },
      answer: { error: 'invalid_scope' },
    },
    {
      title: 'For another resource',
      as: 'device that waits',
      form: { client_id: '$app', resource: 'https://api.example.com/' },
      answer: { error: 'invalid_target' },
    },
    {
      title: 'For an unknown app',
      as: 'nobody',
      form: { client_id: 'app_00000000000000000000000000' },
      answer: { error: 'invalid_client' },
    },
  ],
  exchangeToken: [
    {
      title: 'For fewer scopes',
      as: 'app with tokens',
      form: {
        subject_token: '$accesstoken',
        subject_token_type: accessTokenType,
        scope: 'openid',
        ...client,
      },
      answer: { status: 200, body: { ...tokens, scope: 'openid', issued_token_type: accessTokenType } },
    },
    {
      title: 'An unapproved popup request',
      as: 'app with a code',
      form: {
        subject_token: '$popup.$verifier',
        subject_token_type: 'urn:pid:token-type:popup-request',
        ...client,
      },
      answer: { error: 'invalid_grant' },
    },
  ],
  revokeToken: [
    {
      title: 'A refresh token',
      as: 'app with tokens',
      form: { token: '$refreshtoken', ...client },
      answer: { status: 200 },
    },
    {
      title: 'A wrong secret',
      as: 'app with tokens',
      form: { token: '$refreshtoken', client_id: '$app' },
      answer: { error: 'invalid_client' },
    },
  ],
  introspectToken: [
    {
      title: 'An access token',
      as: 'app with tokens',
      form: { token: '$accesstoken', ...client },
      answer: {
        status: 200,
        body: {
          active: true,
          token_type: 'Bearer',
          client_id: '$app',
          sub: '$handle@pid',
          scope,
          aud: 'https://id.example.com/v1',
          iss: 'https://id.example.com',
          exp: 1_795_353_300,
          iat: 1_795_352_400,
          jti: 'uC7mZrQ2sT9vXkY4nRw1pLg8bD6fH3jK0aE5iM7oQ9s',
          grant_id: 'grt_06bk3n8q5x7c9v2k4m6r8t0w1y',
          sid: 'aps_06bk3n8q5x7c9v2k4m6r8t0w1y',
        },
      },
    },
    {
      title: 'An invalid token',
      as: 'app with tokens',
      form: { token: 'expired', ...client },
      answer: { status: 200, body: { active: false } },
    },
  ],
  getUserinfo: [
    {
      title: 'By the header',
      as: 'app with tokens',
      headers: { Authorization: 'Bearer $accesstoken' },
      answer: { status: 200, body: claims },
    },
    { title: 'Without a token', as: 'nobody', answer: { error: 'invalid_token' } },
  ],
  postUserinfo: [
    {
      title: 'By the form',
      as: 'app with tokens',
      form: { access_token: '$accesstoken' },
      answer: { status: 200, body: claims },
    },
  ],
  getProviderMetadata: [{ title: 'The document', as: 'nobody', answer: { status: 200, body: metadata } }],
  getServerMetadata: [{ title: 'The document', as: 'nobody', answer: { status: 200, body: metadata } }],
  getResourceMetadata: [{ title: 'The document', as: 'nobody', answer: { status: 200, body: resource } }],
  getResourceMetadataByPath: [
    { title: 'The document', as: 'nobody', answer: { status: 200, body: resource } },
  ],
  showLogout: [
    {
      title: 'A person whom an app asks to sign out',
      as: 'member with an app',
      query: { client_id: '$app', state: 'af0ifjsldkj' },
      answer: { status: 200 },
    },
    {
      title: 'Back to the app',
      as: 'member signed in to an app',
      query: {
        id_token_hint: '$idtoken',
        post_logout_redirect_uri: 'https://shop.example.com/',
        state: 'af0ifjsldkj',
      },
      answer: { status: 302 },
    },
    {
      title: 'Without a return address',
      as: 'member signed in to an app',
      query: { id_token_hint: '$idtoken' },
      answer: { status: 200 },
    },
    { title: 'A signed-out visitor', as: 'nobody', answer: { status: 200 } },
  ],
  confirmLogout: [
    {
      title: 'The request of an app, as a form',
      as: 'nobody who comes from an app',
      headers: {
        Accept: 'text/html',
        Origin: 'https://shop.example.com',
        'Sec-Fetch-Site': 'cross-site',
        'Sec-Fetch-Mode': 'navigate',
      },
      form: { client_id: '$app' },
      answer: { status: 303 },
    },
    {
      title: 'Confirmed',
      as: 'member signed in to an app',
      headers: page,
      form: { confirm: 'yes' },
      answer: { status: 200 },
    },
  ],
  showAuthorize: [
    {
      title: 'A person who has not allowed the app yet',
      as: 'member with an app',
      query,
      answer: { status: 200 },
    },
    {
      title: 'Rejected by the app’s own settings',
      as: 'member with an app',
      query: { ...query, scope: 'wallet:read' },
      answer: { status: 302 },
    },
    { title: 'Nobody', as: 'nobody who comes from an app', query, answer: { status: 302 } },
    {
      title: 'Another redirect URI',
      as: 'member with an app',
      query: { ...query, redirect_uri: 'https://shop.example.com/elsewhere' },
      answer: { error: 'redirect_uri_unknown' },
    },
    {
      title: 'Without an app',
      as: 'nobody',
      query: { ...query, client_id: '' },
      answer: { error: 'validation_failed', message: ['client_id must be given once'] },
    },
    {
      title: 'An unknown app',
      as: 'nobody',
      query: { ...query, client_id: 'app_of_nobody' },
      answer: { error: 'app_not_found' },
    },
    {
      title: 'A request that is no longer pending',
      as: 'nobody',
      query: { continue: '0123abcd' },
      answer: { error: 'authorize_gone' },
    },
  ],
  authorize: [
    {
      title: 'The question for the person',
      ...asked,
      body,
      answer: {
        status: 200,
        body: {
          consentRequired: true,
          app: { id: '$app', name: 'Corner Shop', origin: 'https://shop.example.com' },
          scopes: ['openid', 'profile'],
          resource: null,
          proof: 'r7QgmF3kX9vQ2sT7bYcL0h',
        },
      },
    },
    {
      title: 'Deny',
      ...asked,
      body: { ...body, decision: 'deny' },
      answer: {
        status: 200,
        body: {
          redirectTo:
            'https://shop.example.com/callback?error=access_denied&iss=https%3A%2F%2Fid.example.com',
        },
      },
    },
    {
      title: 'Allow a request that was not shown',
      ...asked,
      body: { ...body, decision: 'allow', proof: 'r7QgmF3kX9vQ2sT7bYcL0h' },
      answer: { error: 'authorize_altered' },
    },
    {
      title: 'A scope that the app may not request',
      ...asked,
      body: { ...body, scope: 'wallet:read' },
      answer: {
        error: 'validation_failed',
        message: ['the app may ask for these scopes only: openid profile email'],
        oauth: 'invalid_scope',
      },
    },
    {
      title: 'Another redirect URI',
      ...asked,
      body: { ...body, redirectUri: 'https://shop.example.com/elsewhere' },
      answer: { error: 'redirect_uri_unknown' },
    },
    {
      title: 'An unknown app',
      ...asked,
      body: { ...body, clientId: 'app_of_nobody' },
      answer: { error: 'app_not_found' },
    },
    {
      title: 'From another origin',
      as: 'member with an app',
      headers: { Origin: 'http://localhost:5173' },
      body,
      answer: { error: 'origin_not_allowed' },
    },
    { title: 'Nobody', as: 'nobody', headers: page, body, answer: { error: 'unauthenticated' } },
  ],
} as const satisfies Examples;
