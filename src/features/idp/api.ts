import type { FeatureApi, Operation } from '../../http/operation.ts';
import {
  callbackQuery,
  linkInput,
  loginAnswer,
  loginInput,
  type ProviderId,
  providerList,
  startQuery,
} from './schema.ts';

/** The two browser navigations of one provider. Every provider has the same, and counts towards the same limits. */
function navigations(provider: ProviderId, name: string): Operation[] {
  const iss = provider === 'google' ? { iss: '$iss' } : {};
  return [
    {
      method: 'GET',
      path: `/v1/auth/${provider}`,
      id: `start${name}SignIn`,
      summary: 'Go to the provider (browser navigation)',
      description:
        'Open it as a page: a redirect to another origin cannot be followed by `fetch`. Each attempt lives in a ' +
        'cookie of its own, at most five at once. HEAD requests answer 204 and start nothing. With `link` it starts ' +
        'what `POST /v1/credentials/link` has begun in this browser, for the session it still has; with `popup` it ' +
        'answers a popup request.',
      reads: ['pid_oauth', 'pid_access', 'pid_refresh'],
      limit: { name: 'GET /v1/auth/idp', per: 'address' },
      query: startQuery,
      answers: [
        {
          status: 302,
          description: 'The browser goes to the provider.',
          location: "the provider's consent screen",
          sets: ['pid_oauth_*'],
          clears: ['pid_oauth'],
        },
      ],
      errors: [
        'state_invalid',
        'prefetch_refused',
        'unauthenticated',
        'provider_failed',
        'provider_not_configured',
      ],
      examples: [
        { title: 'A browser', as: 'nobody', answer: { status: 302 } },
        {
          title: 'After a login that named a path',
          as: 'nobody, with a path to come back to',
          answer: { status: 302 },
        },
        {
          title: 'A member who links an account',
          as: `member who began to link ${provider}`,
          query: { link: '$link' },
          answer: { status: 302 },
        },
        {
          title: 'A link that was not begun here',
          as: 'member',
          query: { link: '$link' },
          answer: { error: 'state_invalid' },
        },
        {
          title: 'A browser that fetches ahead',
          as: 'nobody',
          headers: { 'Sec-Purpose': 'prefetch' },
          answer: { error: 'prefetch_refused' },
        },
      ],
    },
    {
      method: 'GET',
      path: `/v1/auth/${provider}/callback`,
      id: `finish${name}SignIn`,
      summary: 'Come back from the provider (browser navigation)',
      description:
        'A known credential gets a session. A new one gets a claim ticket, and `claim=1` in the query of ' +
        'CLIENT_SUCCESS_URL. State and code are used once. Where a link was begun, the account is linked to the ' +
        'identity of the session that began it, which stays as it is, and `linked` in the query names the provider.',
      reads: ['pid_oauth_*', 'pid_access', 'pid_refresh'],
      limit: { name: 'GET /v1/auth/idp/callback', per: 'address' },
      query: callbackQuery,
      answers: [
        {
          status: 302,
          description: 'Signed in, or on the way to a claim: then `pid_claim` is the only cookie set.',
          location:
            'CLIENT_SUCCESS_URL, with `claim=1` for a newcomer, `linked` after a link and `returnTo` if one was given',
          sets: ['pid_access', 'pid_refresh', 'pid_hint', 'pid_claim'],
          clears: ['pid_oauth_*'],
        },
      ],
      errors: [
        'state_invalid',
        'sign_in_cancelled',
        'provider_error',
        'prefetch_refused',
        'unauthenticated',
        'not_fresh',
        'identity_suspended',
        'identity_closed',
        'email_conflict',
        'credential_already_linked',
        'provider_failed',
        'provider_not_configured',
      ],
      examples: [
        {
          title: 'A newcomer',
          as: `newcomer who returned from ${provider}`,
          query: { state: '$state', code: '$code', ...iss },
          answer: { status: 302 },
        },
        {
          title: 'Somebody who has a PID',
          as: `member who returned from ${provider}`,
          query: { state: '$state', code: '$code', ...iss },
          answer: { status: 302 },
        },
        {
          title: 'A member who links an account',
          as: `member who comes back to link ${provider}`,
          query: { state: '$state', code: '$code', ...iss },
          answer: { status: 302 },
        },
        {
          title: 'The person said no',
          as: `newcomer who returned from ${provider}`,
          query: { state: '$state', error: 'access_denied' },
          answer: { error: 'sign_in_cancelled' },
        },
        {
          title: 'A sign-in of another browser',
          as: 'nobody',
          query: { state: '$state', code: '$code' },
          answer: { error: 'state_invalid' },
        },
      ],
    },
  ];
}

export const idpApi: FeatureApi = {
  tag: 'External sign-in',
  description: 'Sign-in at an identity provider: login, two browser navigations, the list of providers.',
  schemas: {
    LoginInput: loginInput,
    LinkInput: linkInput,
    LoginAnswer: loginAnswer,
    ProviderList: providerList,
  },
  operations: [
    {
      method: 'POST',
      path: '/v1/auth/login',
      id: 'logIn',
      summary: 'Where the sign-in starts',
      description:
        'Answers the path to open in the browser. `returnTo` waits in a cookie until the sign-in is back.',
      limit: { name: 'POST /v1/auth/login', per: 'address' },
      body: loginInput,
      bodyOptional: true,
      answers: [{ status: 200, description: 'The path to open.', schema: loginAnswer, sets: ['pid_oauth'] }],
      examples: [
        { title: 'Without a body', as: 'nobody', answer: { status: 200, body: { url: '/v1/auth/idp' } } },
        {
          title: 'With a path to come back to',
          as: 'nobody',
          body: { provider: 'idp', returnTo: '/settings' },
          answer: { status: 200, body: { url: '/v1/auth/idp' } },
        },
        {
          title: 'A path that leads elsewhere',
          as: 'nobody',
          body: { returnTo: '//evil.example' },
          answer: { error: 'validation_failed', message: ['returnTo must be a path such as /settings'] },
        },
        {
          title: 'From a foreign page',
          as: 'nobody',
          headers: { Origin: 'https://evil.example' },
          answer: { error: 'origin_not_allowed' },
        },
      ],
    },
    {
      method: 'GET',
      path: '/v1/auth/providers',
      id: 'listProviders',
      summary: 'The external sign-ins there are',
      limit: { name: 'GET /v1/auth/providers', per: 'address' },
      answers: [{ status: 200, description: 'All of them, configured or not.', schema: providerList }],
      examples: [
        {
          title: 'Two of three',
          as: 'nobody',
          answer: {
            status: 200,
            body: {
              data: [
                { id: 'idp', name: 'Example ID', kind: 'oidc', configured: true },
                { id: 'google', name: null, kind: 'oidc', configured: false },
                { id: 'github', name: 'GitHub', kind: 'oauth2', configured: true },
              ],
            },
          },
        },
      ],
    },
    {
      method: 'POST',
      path: '/v1/credentials/link',
      id: 'beginLink',
      summary: 'Where the linking of an account starts',
      description:
        'Answers the path to open in the browser, once, within 10 minutes. It is bound to this session by a cookie, and ' +
        'the callback links only while this browser still has the session. Needs a sign-in younger than 15 minutes ' +
        '(FRESH_SECONDS), also when it comes back. The form of a hosted page posts here too, and is answered with a page.',
      needs: { anyOf: ['pid_access'] },
      limit: { name: 'POST /v1/credentials/link', per: 'identity' },
      body: linkInput,
      answers: [{ status: 200, description: 'The path to open.', schema: loginAnswer, sets: ['pid_oauth'] }],
      errors: ['not_fresh', 'provider_not_configured'],
      examples: [
        {
          title: 'An account of Google',
          as: 'member',
          body: { provider: 'google', returnTo: '/settings' },
          answer: { status: 200, body: { url: '/v1/auth/google?link=$link' } },
        },
        {
          title: 'An unknown provider',
          as: 'member',
          body: { provider: 'gitlab' },
          answer: { error: 'validation_failed', message: ['provider must be idp, google or github'] },
        },
        {
          title: 'Signed in an hour ago',
          as: 'member who signed in an hour ago',
          body: { provider: 'google' },
          answer: { error: 'not_fresh' },
        },
      ],
    },
    ...navigations('idp', 'Idp'),
    ...navigations('google', 'Google'),
    ...navigations('github', 'Github'),
  ],
};
