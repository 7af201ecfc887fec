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
        'Options for `navigator.credentials.get` (PublicKeyCredentialRequestOptionsJSON), the same for everybody: ' +
        'passkeys are discoverable, so nobody is named. The challenge is good once, for five minutes, in this browser. ' +
        'With `again` the signed-in person is asked for one of their own, which makes their sign-in fresh.',
      needs: { anyOf: ['pid_access'], optional: true },
      bodyOptional: true,
      answers: [answer(200, 'The options.', { schema: schemas.loginOptions, sets: ['pid_passkey'] })],
      errors: ['unauthenticated'],
    },
    finishPasskeySignIn: {
      summary: 'Sign in with a passkey',
      description:
        'What `navigator.credentials.get` gave, as its `toJSON` writes it. Whatever is wrong, the text is the same; the ' +
        'code `passkey_unknown` means that the authenticator may forget this passkey. ' +
        'The session of the refresh token in the request ends.',
      reads: ['pid_passkey', 'pid_refresh'],
      answers: [answer(204, 'Signed in.', { sets: sessionCookies })],
      errors: ['passkey_refused', 'passkey_unknown', 'identity_suspended', 'identity_closed'],
    },
    startPasskeySignUp: {
      summary: 'Start creating a passkey as the first credential',
      description:
        'Options for `navigator.credentials.create` (PublicKeyCredentialCreationOptionsJSON), for somebody who has no ' +
        'PID yet.',
      answers: [answer(200, 'The options.', { schema: schemas.registrationOptions, sets: ['pid_passkey'] })],
    },
    finishPasskeySignUp: {
      summary: 'Create a passkey as the first credential',
      description:
        'What `navigator.credentials.create` gave, as its `toJSON` writes it. Leads to the claim. In interface revision ' +
        '`direct` there is none: `claim` is false, and the person is signed in.',
      reads: ['pid_passkey', 'pid_refresh'],
      answers: [
        answer(200, 'Proven; the handle is still to be claimed.', {
          schema: schemas.registrationOutcome,
          sets: ['pid_claim', 'pid_claim_key'],
        }),
      ],
      errors: ['passkey_refused'],
    },
    getPasskeySignals: {
      summary: 'Get the passkey data to signal to authenticators',
      description:
        'For `PublicKeyCredential.signalAllAcceptedCredentials` and `signalCurrentUserDetails`, after a passkey was ' +
        'removed or the person got another name.',
      answers: [answer(200, 'Every passkey that is still good.', { schema: schemas.passkeySignals })],
    },
    startPasskeyLink: {
      summary: 'Start adding a passkey',
      description:
        'Needs a sign-in younger than 15 minutes (FRESH_SECONDS). Passkeys that exist are excluded.',
      answers: [answer(200, 'The options.', { schema: schemas.registrationOptions })],
      errors: ['not_fresh'],
    },
    finishPasskeyLink: {
      summary: 'Add a passkey',
      answers: [answer(200, 'The new credential.', { schema: credential })],
      errors: ['passkey_refused', 'not_fresh', 'credential_already_linked'],
    },
    getRelatedOrigins: {
      summary: 'Related origins that may use this domain’s passkeys',
      description:
        'Related origin requests (WebAuthn level 3, section 5.11). Browsers read it at PASSKEY_RP_ID.',
      answers: [
        answer(200, 'First-party origins outside the domain.', {
          schema: schemas.relatedOrigins,
          cacheControl: 'public, max-age=3600',
        }),
      ],
    },
  }),
};
