import { anyBody, type Endpoint } from '../../http/endpoint.ts';
import { member } from '../session/require-session.ts';

export const passkeyEndpoints = {
  startPasskeySignIn: {
    method: 'POST',
    path: '/v1/auth/passkey/options',
    limit: 10,
    body: async () => (await import('./schema.ts')).loginOptionsInput,
  },
  finishPasskeySignIn: {
    method: 'POST',
    path: '/v1/auth/passkey/verify',
    limit: 10,
    body: async () => (await import('./schema.ts')).assertionInput,
  },
  startPasskeySignUp: { method: 'POST', path: '/v1/auth/passkey/register/options', limit: 10, body: anyBody },
  finishPasskeySignUp: {
    method: 'POST',
    path: '/v1/auth/passkey/register/verify',
    limit: 10,
    body: async () => (await import('./schema.ts')).registrationInput,
  },
  getPasskeySignals: { method: 'GET', path: '/v1/credentials/passkey', actor: member, limit: 60 },
  startPasskeyLink: {
    method: 'POST',
    path: '/v1/credentials/passkey/options',
    actor: member,
    limit: 10,
    body: anyBody,
  },
  finishPasskeyLink: {
    method: 'POST',
    path: '/v1/credentials/passkey/verify',
    actor: member,
    limit: 10,
    body: async () => (await import('./schema.ts')).registrationInput,
  },
  getRelatedOrigins: { method: 'GET', path: '/.well-known/webauthn' },
} as const satisfies Record<string, Endpoint>;
