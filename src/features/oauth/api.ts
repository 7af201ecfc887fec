import { answer, type FeatureApi, operationsOf } from '../../http/operation.ts';
import { authorizeEndpoints, authorizePageEndpoints } from './endpoints.ts';
import * as schemas from './schema.ts';

export const oauthApi: FeatureApi = {
  tag: 'OAuth',
  description:
    'OAuth 2.1 and OpenID Connect for registered apps. Errors have two shapes at once: `statusCode` and `message`, and the ' +
    '`error` and `error_description` of the standards.',
  schemas: { AuthorizeInput: schemas.authorizeInput, AuthorizeAnswer: schemas.authorizeAnswer },
  operations: [
    ...operationsOf(authorizePageEndpoints, {
      showAuthorize: {
        summary: 'Ask a person to let an app act for them (browser navigation)',
        description:
          'RFC 6749 section 4.1.1 and OpenID Connect Core 3.1.2.1, with PKCE (S256) for every app. The answer goes to the ' +
          'redirect URI with `state` and `iss` (RFC 9207): `code`, or `error` and `error_description`. An unknown, doubled or ' +
          'absent `client_id` or `redirect_uri` gets a page and never a redirect. Who is not signed in does that first, and ' +
          'chooses a PID if they have none; the request waits for ten minutes. A grant that covers the scopes asks nothing.',
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
          'authorize_gone',
          'prefetch_refused',
          'unauthenticated',
          'app_suspended',
          'app_not_found',
        ],
      },
    }),
    ...operationsOf(authorizeEndpoints, {
      authorize: {
        summary: 'Authorize an app, from our own page',
        description:
          'For pages of the service itself. Answers where to go when a grant covers the scopes or with a `decision`; otherwise ' +
          'what to ask the person, and the `proof` that `allow` must send back. Not for apps: they send browsers to GET.',
        reads: ['pid_authorize_*'],
        answers: [answer(200, 'Where to go, or what to ask.', { schema: schemas.authorizeAnswer })],
        errors: [
          'redirect_uri_unknown',
          'authorize_altered',
          'authorize_gone',
          'origin_not_allowed',
          'app_suspended',
          'app_not_found',
        ],
        formStatus: 200,
      },
    }),
  ],
};
