import { finishSignInEndpoint, idpEndpoints, startSignInEndpoint } from '../src/features/idp/endpoints.ts';
import { linkInput, loginAnswer, loginInput, providerList } from '../src/features/idp/schema.ts';
import { idpExamples } from './examples/idp.ts';
import { answer, type FeatureApi, type Operation, operationsOf } from './operation.ts';

type Provider = Parameters<typeof startSignInEndpoint>[0];

/** The two browser navigations of one provider, which are the same for all providers. */
function navigations(provider: Provider, name: string): Operation[] {
  return [startOperation(provider, name), finishOperation(provider, name)];
}

function startOperation(provider: Provider, name: string): Operation {
  return {
    endpoint: startSignInEndpoint(provider),
    id: `start${name}SignIn`,
    summary: 'Go to the provider (browser navigation)',
    description:
      'Open it as a page, because `fetch` cannot follow a redirect to another origin. Each attempt is stored ' +
      'in a separate cookie, at most five at a time. HEAD requests return 204 and start nothing. With `link`, ' +
      'it starts the link that `getLinkUrl` prepared in this browser, for the same session; with `popup`, the ' +
      'sign-in approves a popup request. `returnTo` is the redirect target after the sign-in, as on `/signin`; ' +
      'a disallowed address is ignored.',
    reads: ['pid_oauth', 'pid_access', 'pid_refresh'],
    answers: [
      answer(302, 'A redirect to the provider.', {
        location: "the provider's consent screen",
        sets: ['pid_oauth_*'],
        clears: ['pid_oauth'],
      }),
    ],
    errors: [
      'state_invalid',
      'prefetch_refused',
      'origin_not_allowed',
      'unauthenticated',
      'provider_failed',
      'provider_not_configured',
    ],
  };
}

function finishOperation(provider: Provider, name: string): Operation {
  return {
    endpoint: finishSignInEndpoint(provider),
    id: `finish${name}SignIn`,
    summary: 'Return from the provider (browser navigation)',
    description:
      'A known credential gets a session. A new one gets a claim ticket, and `claim=1` in the query of ' +
      'CLIENT_SUCCESS_URL. State and code can be used only once. If a link was started, the account is linked ' +
      'to the identity of that session, which stays unchanged, and `linked` in the query contains the provider.',
    reads: ['pid_oauth_*', 'pid_access', 'pid_refresh'],
    answers: [
      answer(
        302,
        'Signed in, or with a claim pending: then `pid_claim` and `pid_claim_key` are set instead.',
        {
          location:
            'the address in `returnTo`, or CLIENT_SUCCESS_URL with the path in `returnTo`; with `claim=1` for a newcomer and ' +
            '`linked` after a link',
          sets: [
            'pid_access',
            'pid_refresh',
            'pid_refresh_key',
            'pid_hint',
            'pid_claim',
            'pid_claim_key',
            'pid_way',
          ],
          clears: ['pid_oauth_*'],
        },
      ),
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
      'too_many_credentials',
      'provider_failed',
      'provider_not_configured',
    ],
  };
}

export const idpApi: FeatureApi = {
  tag: 'External sign-in',
  description:
    'Sign-in at identity providers: its start, two browser navigations, and the list of providers.',
  examples: idpExamples,
  schemas: {
    LoginInput: loginInput,
    LinkInput: linkInput,
    LoginAnswer: loginAnswer,
    ProviderList: providerList,
  },
  operations: [
    ...operationsOf(idpEndpoints, {
      getSignInUrl: {
        summary: 'Get the URL that starts a sign-in',
        description:
          'Returns the path to open in the browser, unchanged. `returnTo` is the redirect target after the ' +
          'sign-in: a path is passed in the query of CLIENT_SUCCESS_URL; the origin of a URL must be BASE_URL, ' +
          'that of CLIENT_SUCCESS_URL, or in ALLOWED_ORIGINS. To offer all sign-in methods, open ' +
          '`/signin?returnTo=` instead.',
        bodyOptional: true,
        answers: [answer(200, 'The path to open.', { schema: loginAnswer })],
      },
      listProviders: {
        summary: 'List the external sign-in providers',
        answers: [answer(200, 'All providers, configured or not.', { schema: providerList })],
      },
      getLinkUrl: {
        summary: 'Get the URL that starts linking an account',
        description:
          'Returns the path to open once in the browser, within 10 minutes. A cookie binds it to this session, and ' +
          'the callback links only while this browser still has the session. Needs a sign-in less than 15 minutes ' +
          'old (FRESH_SECONDS), both now and at the callback.',
        formStatus: 303,
        answers: [answer(200, 'The path to open.', { schema: loginAnswer, sets: ['pid_oauth'] })],
        errors: ['not_fresh', 'provider_not_configured'],
      },
    }),
    ...navigations('idp', 'Idp'),
    ...navigations('google', 'Google'),
    ...navigations('github', 'Github'),
  ],
};
