import { popupEndpoints } from '../src/features/popup/endpoints.ts';
import * as schemas from '../src/features/popup/schema.ts';
import { popupExamples } from './examples/popup.ts';
import { answer, type FeatureApi, operationsOf } from './operation.ts';

const params = { id: { description: 'The id created by the opener.', example: 'mYx0Zk3nQ7uWb1VhT5sLrA' } };
/** The two calls of an opener that has the verifier. */
const opener = {
  params,
  answers: [answer(200, 'The state of the request.', { schema: schemas.popupState })],
  errors: ['popup_not_found'],
} as const;

export const popupApi: FeatureApi = {
  tag: 'Popup',
  description:
    'Sign-in and approval of transfers in a popup. The outcome is a row that the opener polls with its ' +
    'verifier; messages between the windows only trigger a poll.',
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
        'Called by the page that has just opened `/popup/login?c=<id>`. `id` is 128 random bits, created before ' +
        'the window opens; `challenge` is the SHA-256 of a verifier, 256 random bits in base64url, which stays ' +
        'in memory. The request belongs to the origin that sends it, and expires after five minutes. With ' +
        '`link`, which needs a session, the popup links an account of that provider instead of signing in. No ' +
        'app may send `link`, and only first-party apps may send `prompt`. The same opener may repeat the ' +
        'request.\n\nWith `kind` `approval` the popup is `/popup/approve?c=<id>`, and asks the payer of ' +
        "`inquiryId` to approve the transfer, for two minutes or until the inquiry expires. The app's page calls " +
        "this with `X-App-Id` and a session. The app's back end authenticates with its secret as at " +
        '`/v1/auth/token`, sends the `origin` of its page, and passes the id and the verifier to that page. ' +
        'Unless the app is checked, the payer must have signed in to it at that host, with a code that the app ' +
        'has redeemed.',
      reads: ['pid_access'],
      answers: [answer(200, 'The request is registered.', { schema: schemas.popupAnswer })],
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
        'A request is `created`, `opened` by its page, then `approved` or `denied` by the person, `cancelled` by ' +
        'the opener, or `expired`. An approval is `redeemed` by confirming its transfer, or `lapsed` after 30 ' +
        'seconds; it is `invalid`, with a `reason`, if the inquiry is no longer open or the form was altered. ' +
        "For another request's verifier, and for the right verifier from another origin, the response is the " +
        'same as for an unknown request.',
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
        "Only for the popup's own pages, which report that they are open, leaving for a provider, without their " +
        'opener, or closing.',
      reads: ['pid_access'],
      params,
      answers: [answer(204, 'The report is stored.')],
      errors: ['popup_not_found'],
    },
    decidePopup: {
      isHosted: true,
      summary: 'Decide a popup request, for the popup’s form',
      description:
        "A form on the popup's own page: `decision` (`approved` or `denied`), the `digest` of the page's " +
        'content, and the `token` that proves to whom it was shown. Not useful for programs.',
      reads: ['pid_access'],
      params,
      answers: [answer(303, 'Decided, now or previously.', { location: '/popup/done' })],
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
        'Waits up to two seconds for its request, and then continues waiting as a page. Responds with a 404 page ' +
        'if there is no request after ten seconds, and with 503 if no provider is configured. HEAD requests ' +
        'return 204 and open nothing.',
      reads: ['pid_access'],
      answers: [answer(200, 'The page.', { isPage: true })],
      errors: ['prefetch_refused', 'unauthenticated', 'provider_not_configured'],
    },
    showApproval: {
      isHosted: true,
      query: schemas.popupPageQuery,
      summary: 'The approval popup (browser navigation)',
      description:
        'Shows the payer of a transfer the recipient, the cost and how long the app waits; anyone else has to ' +
        'sign in as the payer, whose name only the popup of a first-party app shows. Waits for its request like ' +
        'the login popup.',
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
      answers: [answer(302, 'A redirect to the page.', { location: '/v1/auth/claim' })],
    },
    finishPopup: {
      isHosted: true,
      query: schemas.popupPageQuery,
      summary: 'The last page of a popup (browser navigation)',
      description:
        'Notifies the opener of the decision, and closes the window. Responds with a 404 page without a request.',
      answers: [
        answer(200, 'The outcome.', { isPage: true }),
        answer(302, 'Not decided yet.', { location: '/popup/login' }),
      ],
      errors: ['prefetch_refused'],
    },
  }),
};
