import { anyBody, get, lazySchema, post } from '../../http/endpoint.ts';
import { member } from '../session/require-session.ts';

const schema = lazySchema(() => import('./schema.ts'));

export const passkeyEndpoints = {
  startPasskeySignIn: post('/v1/auth/passkey/options', { limit: 10, body: schema('loginOptionsInput') }),
  finishPasskeySignIn: post('/v1/auth/passkey/verify', { limit: 10, body: schema('assertionInput') }),
  startPasskeySignUp: post('/v1/auth/passkey/register/options', { limit: 10, body: anyBody }),
  finishPasskeySignUp: post('/v1/auth/passkey/register/verify', {
    limit: 10,
    body: schema('registrationInput'),
  }),
  getPasskeySignals: get('/v1/credentials/passkey', { actor: member, limit: 60 }),
  startPasskeyLink: post('/v1/credentials/passkey/options', { actor: member, limit: 10, body: anyBody }),
  finishPasskeyLink: post('/v1/credentials/passkey/verify', {
    actor: member,
    limit: 10,
    body: schema('registrationInput'),
  }),
  getRelatedOrigins: get('/.well-known/webauthn'),
};
