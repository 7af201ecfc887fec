import { credential } from '../src/features/credential/schema.ts';
import { passkeyEndpoints } from '../src/features/passkey/endpoints.ts';
import * as schemas from '../src/features/passkey/schema.ts';
import { passkeyExamples } from './examples/passkey.ts';
import { answer, type FeatureApi, operationsOf, sessionCookies } from './operation.ts';

export const passkeyApi: FeatureApi = {
  tag: 'Passkeys',
  description:
    'Passkeys as credentials (WebAuthn level 3): discoverable, with user verification, unattested.',
  examples: passkeyExamples,
  schemas: {
    PasskeyAssertion: schemas.assertionInput,
    PasskeyRegistration: schemas.registrationInput,
    PasskeyLogin: schemas.loginOptionsInput,
    PasskeyRequestOptions: schemas.loginOptions,
    PasskeyCreationOptions: schemas.registrationOptions,
    PasskeyOutcome: schemas.registrationOutcome,
    PasskeySignals: schemas.passkeySignals,
    RelatedOrigins: schemas.relatedOrigins,
  },
  operations: operationsOf(passkeyEndpoints, {
    startPasskeySignIn: {
      summary: 'Start a sign-in with a passkey',
      description:
        'Options for `navigator.credentials.get` (PublicKeyCredentialRequestOptionsJSON), the same for everyone, ' +
        'because passkeys are discoverable. The challenge can be used once, within five minutes, in this ' +
        'browser. With `again`, the signed-in person has to use one of their own passkeys, which makes the ' +
        'sign-in fresh.',
      needs: { anyOf: ['pid_access'], optional: true },
      bodyOptional: true,
      answers: [answer(200, 'The options.', { schema: schemas.loginOptions, sets: ['pid_passkey'] })],
      errors: ['unauthenticated'],
    },
    finishPasskeySignIn: {
      summary: 'Sign in with a passkey',
      description:
        'The result of `navigator.credentials.get`, from `toJSON`. The error text is the same for every fault; ' +
        'the code `passkey_unknown` means that the authenticator may forget the passkey. Revokes the session of ' +
        'the refresh token in the request.',
      reads: ['pid_passkey', 'pid_refresh'],
      answers: [answer(204, 'Signed in.', { sets: sessionCookies })],
      errors: ['passkey_refused', 'passkey_unknown', 'identity_suspended', 'identity_closed'],
    },
    startPasskeySignUp: {
      summary: 'Start creating a passkey as the first credential',
      description:
        'Options for `navigator.credentials.create` (PublicKeyCredentialCreationOptionsJSON), for someone ' +
        'without a PID.',
      answers: [answer(200, 'The options.', { schema: schemas.registrationOptions, sets: ['pid_passkey'] })],
    },
    finishPasskeySignUp: {
      summary: 'Create a passkey as the first credential',
      description:
        'The result of `navigator.credentials.create`, from `toJSON`. Leads to the claim. In interface revision ' +
        '`direct` there is no claim: `claim` is false, and the person is signed in.',
      reads: ['pid_passkey', 'pid_refresh'],
      answers: [
        answer(200, 'The passkey is verified; the handle is still to be claimed.', {
          schema: schemas.registrationOutcome,
          sets: ['pid_claim', 'pid_claim_key'],
        }),
      ],
      errors: ['passkey_refused'],
    },
    getPasskeySignals: {
      summary: 'Get the passkey data to signal to authenticators',
      description:
        'For `PublicKeyCredential.signalAllAcceptedCredentials` and `signalCurrentUserDetails`, after a passkey ' +
        'was removed or the person was renamed.',
      answers: [answer(200, 'All valid passkeys.', { schema: schemas.passkeySignals })],
    },
    startPasskeyLink: {
      summary: 'Start adding a passkey',
      description:
        'Needs a sign-in less than 15 minutes old (FRESH_SECONDS). Existing passkeys are excluded.',
      answers: [answer(200, 'The options.', { schema: schemas.registrationOptions })],
      errors: ['not_fresh'],
    },
    finishPasskeyLink: {
      summary: 'Add a passkey',
      answers: [answer(200, 'The new credential.', { schema: credential })],
      errors: ['passkey_refused', 'not_fresh', 'credential_already_linked', 'too_many_credentials'],
    },
    getRelatedOrigins: {
      summary: 'Related origins that may use this domain’s passkeys',
      description:
        'Related origin requests (WebAuthn level 3, section 5.11). Browsers read this at PASSKEY_RP_ID.',
      answers: [
        answer(200, 'First-party origins on other domains.', {
          schema: schemas.relatedOrigins,
          cacheControl: 'public, max-age=3600',
        }),
      ],
    },
  }),
};
