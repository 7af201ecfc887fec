import type { FeatureApi, Operation } from '../../http/operation.ts';
import { credential } from '../credential/schema.ts';
import { passkeyEndpoints } from './endpoints.ts';
import {
  assertionInput,
  loginOptions,
  loginOptionsInput,
  passkeySignals,
  registrationInput,
  registrationOptions,
  registrationOutcome,
  relatedOrigins,
} from './schema.ts';

const loginOperations: Operation[] = [
  {
    endpoint: passkeyEndpoints.startPasskeyLogin,
    id: 'startPasskeyLogin',
    summary: 'Begin to sign in with a passkey',
    description:
      'Options for `navigator.credentials.get` (PublicKeyCredentialRequestOptionsJSON), the same for everybody: ' +
      'passkeys are discoverable, so nobody is named. The challenge is good once, for five minutes, in this browser. ' +
      'With `again` the signed-in person is asked for one of their own, which makes their sign-in fresh.',
    needs: { anyOf: ['pid_access'], optional: true },
    bodyOptional: true,
    answers: [{ status: 200, description: 'The options.', schema: loginOptions, sets: ['pid_passkey'] }],
    errors: ['unauthenticated'],
  },
  {
    endpoint: passkeyEndpoints.finishPasskeyLogin,
    id: 'finishPasskeyLogin',
    summary: 'Sign in with a passkey',
    description:
      'What `navigator.credentials.get` gave, as its `toJSON` writes it. Whatever is wrong, the text is the same; the ' +
      'code `passkey_unknown` means that the authenticator may forget this passkey. ' +
      'The session of the refresh token that comes along ends.',
    reads: ['pid_passkey', 'pid_refresh'],
    answers: [{ status: 204, description: 'Signed in.', sets: ['pid_access', 'pid_refresh', 'pid_hint'] }],
    errors: ['passkey_refused', 'passkey_unknown', 'identity_suspended', 'identity_closed'],
  },
  {
    endpoint: passkeyEndpoints.startPasskeySignUp,
    id: 'startPasskeySignUp',
    summary: 'Begin to make a passkey the first credential',
    description:
      'Options for `navigator.credentials.create` (PublicKeyCredentialCreationOptionsJSON), for somebody who has no ' +
      'PID yet.',
    answers: [
      { status: 200, description: 'The options.', schema: registrationOptions, sets: ['pid_passkey'] },
    ],
  },
  {
    endpoint: passkeyEndpoints.finishPasskeySignUp,
    id: 'finishPasskeySignUp',
    summary: 'Make a passkey the first credential',
    description:
      'What `navigator.credentials.create` gave, as its `toJSON` writes it. Leads to the claim. In interface revision ' +
      '`direct` there is none: `claim` is false, and the person is signed in.',
    reads: ['pid_passkey', 'pid_refresh'],
    answers: [
      {
        status: 200,
        description: 'Proven; the handle is still to be claimed.',
        schema: registrationOutcome,
        sets: ['pid_claim', 'pid_claim_key'],
      },
    ],
    errors: ['passkey_refused'],
  },
];

const ownOperations: Operation[] = [
  {
    endpoint: passkeyEndpoints.getPasskeySignals,
    id: 'getPasskeySignals',
    summary: 'What authenticators should know of one’s passkeys',
    description:
      'For `PublicKeyCredential.signalAllAcceptedCredentials` and `signalCurrentUserDetails`, after a passkey was ' +
      'removed or the person got another name.',
    answers: [{ status: 200, description: 'Every passkey that is still good.', schema: passkeySignals }],
  },
  {
    endpoint: passkeyEndpoints.startPasskeyLink,
    id: 'startPasskeyLink',
    summary: 'Begin to add a passkey',
    description: 'Needs a sign-in younger than 15 minutes (FRESH_SECONDS). Passkeys that exist are excluded.',
    answers: [{ status: 200, description: 'The options.', schema: registrationOptions }],
    errors: ['not_fresh'],
  },
  {
    endpoint: passkeyEndpoints.finishPasskeyLink,
    id: 'finishPasskeyLink',
    summary: 'Add a passkey',
    answers: [{ status: 200, description: 'The new credential.', schema: credential }],
    errors: ['passkey_refused', 'not_fresh', 'credential_already_linked'],
  },
  {
    endpoint: passkeyEndpoints.getRelatedOrigins,
    id: 'getRelatedOrigins',
    summary: 'Which other origins may use the passkeys of this domain',
    description:
      'Related origin requests (WebAuthn level 3, section 5.11). Browsers read it at PASSKEY_RP_ID.',
    answers: [
      {
        status: 200,
        description: 'First-party origins outside the domain.',
        schema: relatedOrigins,
        cacheControl: 'public, max-age=3600',
      },
    ],
  },
];

export const passkeyApi: FeatureApi = {
  tag: 'Passkeys',
  description:
    'Passkeys as credentials (WebAuthn level 3): discoverable, with user verification, unattested.',
  schemas: {
    PasskeyAssertion: assertionInput,
    PasskeyRegistration: registrationInput,
    PasskeyLogin: loginOptionsInput,
    PasskeyRequestOptions: loginOptions,
    PasskeyCreationOptions: registrationOptions,
    PasskeyOutcome: registrationOutcome,
    PasskeySignals: passkeySignals,
    RelatedOrigins: relatedOrigins,
  },
  operations: [...loginOperations, ...ownOperations],
};
