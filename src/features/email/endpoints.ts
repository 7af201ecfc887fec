import type { Endpoint } from '../../http/endpoint.ts';
import { failClosed } from '../../http/rate-limit.ts';
import { member } from '../session/require-session.ts';
import { guessable } from './by-account.ts';

export const registerEmailEndpoint = {
  method: 'POST',
  path: '/v1/auth/email/register',
  limit: guessable,
  body: async () => (await import('./schema.ts')).registerInput,
} as const satisfies Endpoint;

export const resendEmailCodeEndpoint = {
  method: 'POST',
  path: '/v1/auth/email/resend',
  limit: guessable,
  body: async () => (await import('./schema.ts')).addressInput,
} as const satisfies Endpoint;

export const verifyEmailEndpoint = {
  method: 'POST',
  path: '/v1/auth/email/verify',
  limit: guessable,
  body: async () => (await import('./schema.ts')).verifyInput,
} as const satisfies Endpoint;

export const loginWithPasswordEndpoint = {
  method: 'POST',
  path: '/v1/auth/email/login',
  limit: guessable,
  body: async () => (await import('./schema.ts')).passwordLoginInput,
} as const satisfies Endpoint;

export const forgotPasswordEndpoint = {
  method: 'POST',
  path: '/v1/auth/email/forgot',
  limit: guessable,
  body: async () => (await import('./schema.ts')).addressInput,
} as const satisfies Endpoint;

export const resetPasswordEndpoint = {
  method: 'POST',
  path: '/v1/auth/email/reset',
  limit: guessable,
  body: async () => (await import('./schema.ts')).resetInput,
} as const satisfies Endpoint;

export const linkEmailEndpoint = {
  method: 'POST',
  path: '/v1/credentials/email',
  actor: member,
  limit: 10,
  body: async () => (await import('./schema.ts')).registerInput,
} as const satisfies Endpoint;

export const verifyLinkedEmailEndpoint = {
  method: 'POST',
  path: '/v1/credentials/email/verify',
  actor: member,
  limit: failClosed(10),
  body: async () => (await import('./schema.ts')).linkCodeInput,
} as const satisfies Endpoint;

export const changePasswordEndpoint = {
  method: 'PUT',
  path: '/v1/credentials/email/password',
  actor: member,
  limit: failClosed(10),
  body: async () => (await import('./schema.ts')).newPasswordInput,
} as const satisfies Endpoint;

export const emailEndpoints: readonly Endpoint[] = [
  registerEmailEndpoint,
  resendEmailCodeEndpoint,
  verifyEmailEndpoint,
  loginWithPasswordEndpoint,
  forgotPasswordEndpoint,
  resetPasswordEndpoint,
  linkEmailEndpoint,
  verifyLinkedEmailEndpoint,
  changePasswordEndpoint,
];
