import { anyBody, type Endpoint } from '../../http/endpoint.ts';
import { member } from '../session/require-session.ts';

export const startPasskeyLoginEndpoint = {
  method: 'POST',
  path: '/v1/auth/passkey/options',
  limit: 10,
  body: async () => (await import('./schema.ts')).loginOptionsInput,
} as const satisfies Endpoint;

export const finishPasskeyLoginEndpoint = {
  method: 'POST',
  path: '/v1/auth/passkey/verify',
  limit: 10,
  body: async () => (await import('./schema.ts')).assertionInput,
} as const satisfies Endpoint;

export const startPasskeySignUpEndpoint = {
  method: 'POST',
  path: '/v1/auth/passkey/register/options',
  limit: 10,
  body: anyBody,
} as const satisfies Endpoint;

export const finishPasskeySignUpEndpoint = {
  method: 'POST',
  path: '/v1/auth/passkey/register/verify',
  limit: 10,
  body: async () => (await import('./schema.ts')).registrationInput,
} as const satisfies Endpoint;

export const getPasskeySignalsEndpoint = {
  method: 'GET',
  path: '/v1/credentials/passkey',
  actor: member,
  limit: 60,
} as const satisfies Endpoint;

export const startPasskeyLinkEndpoint = {
  method: 'POST',
  path: '/v1/credentials/passkey/options',
  actor: member,
  limit: 10,
  body: anyBody,
} as const satisfies Endpoint;

export const finishPasskeyLinkEndpoint = {
  method: 'POST',
  path: '/v1/credentials/passkey/verify',
  actor: member,
  limit: 10,
  body: async () => (await import('./schema.ts')).registrationInput,
} as const satisfies Endpoint;

export const getRelatedOriginsEndpoint = {
  method: 'GET',
  path: '/.well-known/webauthn',
} as const satisfies Endpoint;

export const passkeyEndpoints: readonly Endpoint[] = [
  startPasskeyLoginEndpoint,
  finishPasskeyLoginEndpoint,
  startPasskeySignUpEndpoint,
  finishPasskeySignUpEndpoint,
  getPasskeySignalsEndpoint,
  startPasskeyLinkEndpoint,
  finishPasskeyLinkEndpoint,
  getRelatedOriginsEndpoint,
];
