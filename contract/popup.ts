import { popupEndpoints } from '../src/features/popup/endpoints.ts';
import * as schemas from '../src/features/popup/schema.ts';
import { popupExamples } from './examples/popup.ts';
import { answer, type FeatureApi, operationsOf } from './operation.ts';

const params = { id: { description: 'The id that the opener made.', example: 'mYx0Zk3nQ7uWb1VhT5sLrA' } };
/** The two calls of an opener that has the verifier. */
const opener = {
  params,
  answers: [answer(200, 'How the request stands.', { schema: schemas.popupState })],
  errors: ['popup_not_found'],
} as const;

export const popupApi: FeatureApi = {
  tag: 'Popup',
  description:
    'Sign-in and approval of transfers in a popup. What was decided is a row that the opener polls with its verifier; ' +
    'messages between the windows only say when to poll.',
  examples: popupExamples,
  schemas: {
    PopupInput: schemas.popupInput,
    PopupAnswer: schemas.popupAnswer,
    PopupVerifier: schemas.verifierInput,
    PopupState: schemas.popupState,
    PopupBeat: schemas.pageReportInput,
  },
  operations: operationsOf(popupEndpoints, {
    registerPopup: {
      summary: 'Register a popup request',
      description:
        'Called by the page that has just opened `/popup/login?c=<id>`. `id` is 128 random bits, made before the window ' +
        'is opened; `challenge` is the SHA-256 of a verifier, 256 random bits in base64url, which stays in memory. The ' +
        'request belongs to the origin that sends it, and expires after five minutes. With `link`, which needs a session, ' +
        'the popup links an account of that provider instead of signing in. `link` is for no app, and `prompt` for first-party ' +
        'apps alone. The same opener may send it again.\n\n' +
        'With `kind` `approval` the popup is `/popup/approve?c=<id>`, and asks the payer of `inquiryId` to approve the ' +
        'transfer, for two minutes or until the inquiry expires. The page of the app calls with `X-App-Id` and a session. ' +
        'Its back end authenticates with its secret as at `/v1/auth/token`, names the `origin` of its page, and gives that ' +
        'page the id and the verifier. Unless the app is checked, the payer must have signed in to it at that host, with a code that it has redeemed.',
      reads: ['pid_access'],
      answers: [answer(200, 'It is registered.', { schema: schemas.popupAnswer })],
      errors: [
        'unauthenticated',
        'origin_not_first_party',
        'invalid_client',
        'transaction_not_found',
        'approval_not_needed',
        'inquiry_expired',
        'popup_exists',
      ],
    },
    pollPopup: {
      summary: 'Poll the status of a popup request',
      description:
        'A request is `created`, `opened` by its page, then `approved` or `denied` by the person, `cancelled` by the ' +
        'opener, or `expired`. An approval is `redeemed` by confirming its transfer, or `lapsed` after 30 seconds; it is ' +
        '`invalid`, for a `reason`, when the inquiry is no longer open or the form was altered. A verifier of another request, and the right one from another origin, are answered ' +
        'as if there were none.',
      ...opener,
    },
    cancelPopup: {
      summary: 'Cancel a popup request',
      ...opener,
    },
    beatPopup: {
      isHosted: true,
      summary: 'Report from a page of the popup',
      description:
        "For the popup's own pages alone: that they are there, leave for a provider, have lost their opener, or close.",
      reads: ['pid_access'],
      params,
      answers: [answer(204, 'It is known.')],
      errors: ['popup_not_found'],
    },
    decidePopup: {
      isHosted: true,
      summary: 'Decide a popup request, for the popup’s form',
      description:
        "A form of the popup's own page: `decision` (`approved` or `denied`), the `digest` of what was shown, and the " +
        '`token` that proves to whom. Programs have no use for it.',
      reads: ['pid_access'],
      params,
      answers: [answer(303, 'Decided, now or before.', { location: '/popup/done' })],
      errors: [
        'validation_failed',
        'unauthenticated',
        'popup_not_found',
        'popup_altered',
        'popup_expired',
        'other_person',
        'not_fresh',
      ],
    },
    showPopup: {
      isHosted: true,
      query: schemas.popupPageQuery,
      summary: 'The login popup (browser navigation)',
      description:
        'Waits up to two seconds for its request, and then goes on waiting as a page. Answers a page with 404 when ' +
        'there is none after ten, and 503 while no provider is configured. HEAD requests answer 204 and open nothing.',
      reads: ['pid_access'],
      answers: [answer(200, 'The page.', { isPage: true })],
      errors: ['prefetch_refused', 'unauthenticated', 'provider_not_configured'],
    },
    showApproval: {
      isHosted: true,
      query: schemas.popupPageQuery,
      summary: 'The approval popup (browser navigation)',
      description:
        'Shows the payer of a transfer who is paid, what it costs and how long the app waits; anybody else is asked to sign in ' +
        'as the payer, whom only the popup of a first-party app names. Waits for its request as the login popup does.',
      reads: ['pid_access'],
      answers: [
        answer(200, 'The page.', { isPage: true }),
        answer(302, 'The session is renewed first.', { location: '/v1/auth/continue' }),
      ],
      errors: ['prefetch_refused'],
    },
    showPopupClaim: {
      isHosted: true,
      query: schemas.popupPageQuery,
      summary: 'The claim page in a popup',
      answers: [answer(302, 'On to the page.', { location: '/v1/auth/claim' })],
    },
    finishPopup: {
      isHosted: true,
      query: schemas.popupPageQuery,
      summary: 'The last page of a popup (browser navigation)',
      description:
        'Tells the opener that something was decided, and closes the window. A page with 404 without a request.',
      answers: [
        answer(200, 'What came of it.', { isPage: true }),
        answer(302, 'Nothing is decided yet.', { location: '/popup/login' }),
      ],
      errors: ['prefetch_refused'],
    },
  }),
};
