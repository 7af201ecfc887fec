import { lazySchema, post, put } from '../../http/endpoint.ts';
import { failClosed } from '../../http/rate-limit.ts';
import { forgotPath } from '../../lib/page-paths.ts';
import { member } from '../session/require-session.ts';
import { guessable } from './by-account.ts';

const schema = lazySchema(() => import('./schema.ts'));

export const emailEndpoints = {
  registerEmail: post('/v1/auth/email/register', { limit: guessable, body: schema('registerInput') }),
  resendEmailCode: post('/v1/auth/email/resend', { limit: guessable, body: schema('addressInput') }),
  verifyEmail: post('/v1/auth/email/verify', { limit: guessable, body: schema('verifyInput') }),
  signInWithPassword: post('/v1/auth/email/login', { limit: guessable, body: schema('passwordLoginInput') }),
  forgotPassword: post(forgotPath, { limit: guessable, body: schema('addressInput') }),
  resetPassword: post('/v1/auth/email/reset', {
    limit: guessable,
    body: schema('resetInput'),
    endsSessions: true,
  }),
  linkEmail: post('/v1/credentials/email', { actor: member, limit: 10, body: schema('registerInput') }),
  verifyLinkedEmail: post('/v1/credentials/email/verify', {
    actor: member,
    limit: failClosed(10),
    body: schema('linkCodeInput'),
  }),
  changePassword: put('/v1/credentials/email/password', {
    actor: member,
    limit: failClosed(10),
    body: schema('newPasswordInput'),
    endsSessions: true,
  }),
};
