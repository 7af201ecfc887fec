import type { Example, FeatureApi, Operation } from '../../http/operation.ts';
import { credential } from '../credential/schema.ts';
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

const assertion = {
  id: '$passkey',
  rawId: '$passkey',
  type: 'public-key',
  response: {
    clientDataJSON: '$clientdata',
    authenticatorData: '$authdata',
    signature: '$signature',
    userHandle: '$userhandle',
  },
};

const registration = {
  id: '$passkey',
  rawId: '$passkey',
  type: 'public-key',
  response: { clientDataJSON: '$clientdata', attestationObject: '$attestation', transports: ['internal'] },
};

const requestOptions = {
  challenge: '7y3NNlbkQ6vWc1Zt0mYl2p8hKqf4dT9sXr5gJv1uEoA',
  timeout: 300_000,
  rpId: 'id.example.com',
  allowCredentials: [],
  userVerification: 'required',
};

const creationOptions = {
  rp: { id: 'id.example.com', name: 'id.example.com' },
  user: {
    id: 'q0Vb2s8LxYc5dN7tFhJk3mPw9uRz1aEoGi4jKl6vTnM',
    name: 'wira@pid',
    displayName: 'Wira Santoso',
  },
  challenge: '7y3NNlbkQ6vWc1Zt0mYl2p8hKqf4dT9sXr5gJv1uEoA',
  timeout: 300_000,
  pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
  excludeCredentials: [],
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  attestation: 'none',
};

const stranger: Example = { title: 'Nobody', as: 'nobody', answer: { error: 'unauthenticated' } };
const needsSession = { anyOf: ['pid_access'] } as const;

const loginOperations: Operation[] = [
  {
    method: 'POST',
    path: '/v1/auth/passkey/options',
    id: 'startPasskeyLogin',
    summary: 'Begin to sign in with a passkey',
    description:
      'Options for `navigator.credentials.get` (PublicKeyCredentialRequestOptionsJSON), the same for everybody: ' +
      'passkeys are discoverable, so nobody is named. The challenge is good once, for five minutes, in this browser. ' +
      'With `again` the signed-in person is asked for one of their own, which makes their sign-in fresh.',
    needs: { anyOf: ['pid_access'], optional: true },
    limit: { name: 'POST /v1/auth/passkey/options', per: 'address' },
    body: loginOptionsInput,
    bodyOptional: true,
    answers: [{ status: 200, description: 'The options.', schema: loginOptions, sets: ['pid_passkey'] }],
    errors: ['unauthenticated'],
    examples: [
      { title: 'Anybody', as: 'nobody', answer: { status: 200, body: requestOptions } },
      {
        title: 'Somebody signed in, once more',
        as: 'member with a passkey',
        body: { again: true },
        answer: {
          status: 200,
          body: {
            ...requestOptions,
            allowCredentials: [{ type: 'public-key', id: '$passkey', transports: ['internal'] }],
          },
        },
      },
      {
        title: 'Once more, but not signed in',
        as: 'nobody',
        body: { again: true },
        answer: { error: 'unauthenticated' },
      },
    ],
  },
  {
    method: 'POST',
    path: '/v1/auth/passkey/verify',
    id: 'finishPasskeyLogin',
    summary: 'Sign in with a passkey',
    description:
      'What `navigator.credentials.get` gave, as its `toJSON` writes it. Whatever is wrong, the text is the same; the ' +
      'code `passkey_unknown` means that the authenticator may forget this passkey. ' +
      'The session of the refresh token that comes along ends.',
    reads: ['pid_passkey', 'pid_refresh'],
    limit: { name: 'POST /v1/auth/passkey/verify', per: 'address' },
    body: assertionInput,
    answers: [{ status: 204, description: 'Signed in.', sets: ['pid_access', 'pid_refresh', 'pid_hint'] }],
    errors: ['passkey_refused', 'passkey_unknown', 'identity_suspended', 'identity_closed'],
    examples: [
      { title: 'A passkey', as: 'owner of a passkey', body: assertion, answer: { status: 204 } },
      {
        title: 'A passkey that this browser did not ask for',
        as: 'nobody with the answer of a passkey',
        body: assertion,
        answer: { error: 'passkey_refused' },
      },
    ],
  },
  {
    method: 'POST',
    path: '/v1/auth/passkey/register/options',
    id: 'startPasskeySignUp',
    summary: 'Begin to make a passkey the first credential',
    description:
      'Options for `navigator.credentials.create` (PublicKeyCredentialCreationOptionsJSON), for somebody who has no ' +
      'PID yet.',
    limit: { name: 'POST /v1/auth/passkey/register/options', per: 'address' },
    answers: [
      { status: 200, description: 'The options.', schema: registrationOptions, sets: ['pid_passkey'] },
    ],
    examples: [{ title: 'Anybody', as: 'nobody', answer: { status: 200, body: creationOptions } }],
  },
  {
    method: 'POST',
    path: '/v1/auth/passkey/register/verify',
    id: 'finishPasskeySignUp',
    summary: 'Make a passkey the first credential',
    description:
      'What `navigator.credentials.create` gave, as its `toJSON` writes it. Leads to the claim. In interface revision ' +
      '`direct` there is none: `claim` is false, and the person is signed in.',
    reads: ['pid_passkey', 'pid_refresh'],
    limit: { name: 'POST /v1/auth/passkey/register/verify', per: 'address' },
    body: registrationInput,
    answers: [
      {
        status: 200,
        description: 'Proven; the handle is still to be claimed.',
        schema: registrationOutcome,
        sets: ['pid_claim'],
      },
    ],
    errors: ['passkey_refused'],
    examples: [
      {
        title: 'A newcomer',
        as: 'newcomer with a new passkey',
        body: registration,
        answer: { status: 200, body: { claim: true } },
      },
      {
        title: 'An answer to a sign-in',
        as: 'owner of a passkey',
        body: {
          ...registration,
          response: { clientDataJSON: '$clientdata', attestationObject: '$authdata' },
        },
        answer: { error: 'passkey_refused' },
      },
    ],
  },
];

const ownOperations: Operation[] = [
  {
    method: 'GET',
    path: '/v1/credentials/passkey',
    id: 'getPasskeySignals',
    summary: 'What authenticators should know of one’s passkeys',
    description:
      'For `PublicKeyCredential.signalAllAcceptedCredentials` and `signalCurrentUserDetails`, after a passkey was ' +
      'removed or the person got another name.',
    needs: needsSession,
    limit: { name: 'GET /v1/credentials/passkey', per: 'identity' },
    answers: [{ status: 200, description: 'Every passkey that is still good.', schema: passkeySignals }],
    examples: [
      {
        title: 'A member',
        as: 'member with a passkey',
        answer: {
          status: 200,
          body: {
            rpId: 'id.example.com',
            users: [{ ...creationOptions.user, credentialIds: ['$passkey'] }],
          },
        },
      },
      stranger,
    ],
  },
  {
    method: 'POST',
    path: '/v1/credentials/passkey/options',
    id: 'startPasskeyLink',
    summary: 'Begin to add a passkey',
    description: 'Needs a sign-in younger than 15 minutes (FRESH_SECONDS). Passkeys that exist are excluded.',
    needs: needsSession,
    limit: { name: 'POST /v1/credentials/passkey/options', per: 'identity' },
    answers: [{ status: 200, description: 'The options.', schema: registrationOptions }],
    errors: ['not_fresh'],
    examples: [
      { title: 'A member', as: 'member', answer: { status: 200, body: creationOptions } },
      {
        title: 'Signed in an hour ago',
        as: 'member who signed in an hour ago',
        answer: { error: 'not_fresh' },
      },
      stranger,
    ],
  },
  {
    method: 'POST',
    path: '/v1/credentials/passkey/verify',
    id: 'finishPasskeyLink',
    summary: 'Add a passkey',
    needs: needsSession,
    limit: { name: 'POST /v1/credentials/passkey/verify', per: 'identity' },
    body: registrationInput,
    answers: [{ status: 200, description: 'The new credential.', schema: credential }],
    errors: ['passkey_refused', 'not_fresh', 'credential_already_linked'],
    examples: [
      {
        title: 'A member',
        as: 'member with a new passkey',
        body: { ...registration, name: 'My laptop' },
        answer: {
          status: 200,
          body: {
            id: '$credential',
            provider: 'passkey',
            email: null,
            linkedAt: '2026-11-20T08:15:00.000Z',
            lastLoginAt: '2026-11-20T08:15:00.000Z',
            name: 'My laptop',
            lastUsedAt: '2026-11-20T08:15:00.000Z',
            backedUp: true,
          },
        },
      },
    ],
  },
  {
    method: 'GET',
    path: '/.well-known/webauthn',
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
    examples: [
      {
        title: 'One app on another domain',
        as: 'nobody',
        answer: { status: 200, body: { origins: ['https://app.example.net'] } },
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
