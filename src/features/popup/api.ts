import type { FeatureApi, Operation } from '../../http/operation.ts';
import { popupEndpoints } from './endpoints.ts';
import {
  pageReportInput,
  popupAnswer,
  popupInput,
  popupPageQuery,
  popupState,
  verifierInput,
} from './schema.ts';

const params = { id: { description: 'The id that the opener made.', example: 'mYx0Zk3nQ7uWb1VhT5sLrA' } };
const register: Operation = {
  endpoint: popupEndpoints.registerPopup,
  id: 'registerPopup',
  summary: 'Say what a popup is for',
  description:
    'Called by the page that has just opened `/popup/login?c=<id>`. `id` is 128 random bits, made before the window ' +
    'is opened; `challenge` is the SHA-256 of a verifier, 256 random bits in base64url, which stays in memory. The ' +
    'request belongs to the origin that sends it, and expires after five minutes. With `link`, which needs a session, ' +
    'the popup links an account of that provider instead of signing in. The same opener may send it again.',
  reads: ['pid_access'],
  answers: [{ status: 200, description: 'It is registered.', schema: popupAnswer }],
  errors: ['unauthenticated', 'popup_exists'],
};

/** The two calls of an opener that has the verifier. */
const opener = {
  params,
  answers: [{ status: 200, description: 'How the request stands.', schema: popupState }],
  errors: ['popup_not_found'],
} as const;

const beat: Operation = {
  endpoint: popupEndpoints.beatPopup,
  id: 'beatPopup',
  summary: 'What a page of the popup reports',
  description:
    "For the popup's own pages alone: that they are there, leave for a provider, have lost their opener, or close.",
  reads: ['pid_access'],
  params,
  answers: [{ status: 204, description: 'It is known.' }],
  errors: ['popup_not_found'],
};

const decision: Operation = {
  endpoint: popupEndpoints.decidePopup,
  id: 'decidePopup',
  summary: 'What the person decides, for the form of the popup',
  description:
    "A form of the popup's own page: `decision` (`approved` or `denied`), the `digest` of what was shown, and the " +
    '`token` that proves to whom. Programs have no use for it.',
  reads: ['pid_access'],
  params,
  answers: [{ status: 303, description: 'Decided, now or before.', location: '/popup/done' }],
  errors: ['validation_failed', 'unauthenticated', 'popup_not_found', 'popup_altered', 'popup_expired'],
};

const pages: Operation[] = [
  {
    endpoint: popupEndpoints.showPopup,
    id: 'showPopup',
    query: popupPageQuery,
    summary: 'The login popup (browser navigation)',
    description:
      'Waits up to two seconds for its request, and then goes on waiting as a page. Answers a page with 404 when ' +
      'there is none after ten, and 503 while no provider is configured. HEAD requests answer 204 and open nothing.',
    reads: ['pid_access'],
    answers: [{ status: 200, description: 'The page.', isPage: true }],
    errors: ['prefetch_refused', 'unauthenticated', 'provider_not_configured'],
  },
  {
    endpoint: popupEndpoints.showPopupClaim,
    id: 'showPopupClaim',
    query: popupPageQuery,
    summary: 'The claim page in a popup',
    answers: [{ status: 302, description: 'On to the page.', location: '/v1/auth/claim' }],
  },
  {
    endpoint: popupEndpoints.finishPopup,
    id: 'finishPopup',
    query: popupPageQuery,
    summary: 'The end of a popup (browser navigation)',
    description:
      'Tells the opener that something was decided, and closes the window. A page with 404 without a request.',
    answers: [
      { status: 200, description: 'What came of it.', isPage: true },
      { status: 302, description: 'Nothing is decided yet.', location: '/popup/login' },
    ],
    errors: ['prefetch_refused'],
  },
];

export const popupApi: FeatureApi = {
  tag: 'Popup',
  description:
    'Sign-in in a popup. What was decided stands in a row that the opener asks for with its verifier; messages ' +
    'between the windows only say when to ask.',
  schemas: {
    PopupInput: popupInput,
    PopupAnswer: popupAnswer,
    PopupVerifier: verifierInput,
    PopupState: popupState,
    PopupBeat: pageReportInput,
  },
  operations: [
    register,
    {
      endpoint: popupEndpoints.pollPopup,
      id: 'pollPopup',
      summary: 'How a popup request stands',
      description:
        'A login is `created`, `opened` by its page, then `approved` or `denied` by the person, `cancelled` by the ' +
        'opener, or `expired`. A verifier of another request, and the right one from another origin, are answered ' +
        'as if there were none.',
      ...opener,
    },
    {
      endpoint: popupEndpoints.cancelPopup,
      id: 'cancelPopup',
      summary: 'Give a popup request up',
      ...opener,
    },
    beat,
    decision,
    ...pages,
  ],
};
