import type { FeatureApi, Operation } from '../../api/operation.ts';
import { callbackQuery, loginAnswer, loginInput, providerList } from './schema.ts';

/** The two browser navigations of one provider. Every provider has the same, and counts towards the same limits. */
function navigations(provider: string, name: string): Operation[] {
  return [
    {
      method: 'GET',
      path: `/v1/auth/${provider}`,
      id: `start${name}SignIn`,
      summary: 'Go to the provider (browser navigation)',
      description:
        'Open it as a page: a redirect to another origin cannot be followed by `fetch`. Each attempt lives in a ' +
        'cookie of its own, at most five at once. HEAD requests answer 204 and start nothing.',
      reads: ['pid_oauth'],
      limit: { name: 'GET /v1/auth/idp', per: 'address' },
      answers: [
        {
          status: 302,
          description: 'The browser goes to the provider.',
          location: "the provider's consent screen",
          sets: ['pid_oauth_*'],
          clears: ['pid_oauth'],
        },
      ],
      errors: ['prefetch_refused', 'provider_failed', 'provider_not_configured'],
      examples: [
        { title: 'A browser', as: 'nobody', answer: { status: 302 } },
        {
          title: 'After a login that named a path',
          as: 'nobody, with a path to come back to',
          answer: { status: 302 },
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
        'CLIENT_SUCCESS_URL. State and code are used once.',
      reads: ['pid_oauth_*', 'pid_refresh'],
      limit: { name: 'GET /v1/auth/idp/callback', per: 'address' },
      query: callbackQuery,
      answers: [
        {
          status: 302,
          description: 'Signed in, or on the way to a claim: then `pid_claim` is the only cookie set.',
          location: 'CLIENT_SUCCESS_URL, with `claim=1` for a newcomer and `returnTo` if one was given',
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
        'identity_suspended',
        'identity_closed',
        'email_conflict',
        'provider_failed',
        'provider_not_configured',
      ],
      examples: [
        {
          title: 'A newcomer',
          as: 'newcomer who returned from the provider',
          query: { state: '$state', code: '$code' },
          answer: { status: 302 },
        },
        {
          title: 'Somebody who has a PID',
          as: 'member who returned from the provider',
          query: { state: '$state', code: '$code' },
          answer: { status: 302 },
        },
        {
          title: 'The person said no',
          as: 'newcomer who returned from the provider',
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
  schemas: { LoginInput: loginInput, LoginAnswer: loginAnswer, ProviderList: providerList },
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
          title: 'One provider',
          as: 'nobody',
          answer: {
            status: 200,
            body: { data: [{ id: 'idp', name: 'Example ID', kind: 'oidc', configured: true }] },
          },
        },
      ],
    },
    ...navigations('idp', 'Idp'),
  ],
};
