import type { Example, Examples } from './example.ts';

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

export const passkeyExamples = {
  startPasskeySignIn: [
    { title: 'Anyone', as: 'nobody', answer: { status: 200, body: requestOptions } },
    {
      title: 'A signed-in person, again',
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
      title: 'Again, but signed out',
      as: 'nobody',
      body: { again: true },
      answer: { error: 'unauthenticated' },
    },
  ],
  finishPasskeySignIn: [
    { title: 'A passkey', as: 'owner of a passkey', body: assertion, answer: { status: 204 } },
    {
      title: 'A passkey that this browser did not request',
      as: 'nobody with the answer of a passkey',
      body: assertion,
      answer: { error: 'passkey_refused' },
    },
  ],
  startPasskeySignUp: [{ title: 'Anyone', as: 'nobody', answer: { status: 200, body: creationOptions } }],
  finishPasskeySignUp: [
    {
      title: 'A newcomer',
      as: 'newcomer with a new passkey',
      body: registration,
      answer: { status: 200, body: { claim: true } },
    },
    {
      title: 'A sign-in response',
      as: 'owner of a passkey',
      body: {
        ...registration,
        response: { clientDataJSON: '$clientdata', attestationObject: '$authdata' },
      },
      answer: { error: 'passkey_refused' },
    },
  ],
  getPasskeySignals: [
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
  startPasskeyLink: [
    { title: 'A member', as: 'member', answer: { status: 200, body: creationOptions } },
    {
      title: 'Signed in an hour ago',
      as: 'member who signed in an hour ago',
      answer: { error: 'not_fresh' },
    },
    stranger,
  ],
  finishPasskeyLink: [
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
  getRelatedOrigins: [
    {
      title: 'One app on another domain',
      as: 'nobody',
      answer: { status: 200, body: { origins: ['https://app.example.net'] } },
    },
  ],
} satisfies Examples;
