import type { Endpoint } from '../../http/endpoint.ts';
import { failClosed } from '../../http/rate-limit.ts';
import { forgotPath } from '../../lib/page-paths.ts';
import { member } from '../session/require-session.ts';
import { guessable } from './by-account.ts';

export const emailEndpoints = {
  registerEmail: {
    method: 'POST',
    path: '/v1/auth/email/register',
    limit: guessable,
    body: async () => (await import('./schema.ts')).registerInput,
  },
  resendEmailCode: {
    method: 'POST',
    path: '/v1/auth/email/resend',
    limit: guessable,
    body: async () => (await import('./schema.ts')).addressInput,
  },
  verifyEmail: {
    method: 'POST',
    path: '/v1/auth/email/verify',
    limit: guessable,
    body: async () => (await import('./schema.ts')).verifyInput,
  },
  signInWithPassword: {
    method: 'POST',
    path: '/v1/auth/email/login',
    limit: guessable,
    body: async () => (await import('./schema.ts')).passwordLoginInput,
  },
  forgotPassword: {
    method: 'POST',
    path: forgotPath,
    limit: guessable,
    body: async () => (await import('./schema.ts')).addressInput,
  },
  resetPassword: {
    method: 'POST',
    path: '/v1/auth/email/reset',
    limit: guessable,
    body: async () => (await import('./schema.ts')).resetInput,
  },
  linkEmail: {
    method: 'POST',
    path: '/v1/credentials/email',
    actor: member,
    limit: 10,
    body: async () => (await import('./schema.ts')).registerInput,
  },
  verifyLinkedEmail: {
    method: 'POST',
    path: '/v1/credentials/email/verify',
    actor: member,
    limit: failClosed(10),
    body: async () => (await import('./schema.ts')).linkCodeInput,
  },
  changePassword: {
    method: 'PUT',
    path: '/v1/credentials/email/password',
    actor: member,
    limit: failClosed(10),
    body: async () => (await import('./schema.ts')).newPasswordInput,
  },
} as const satisfies Record<string, Endpoint>;
