import type { FeatureApi, Operation } from '../../http/operation.ts';
import { credential } from '../credential/schema.ts';
import {
  addressInput,
  linkCodeInput,
  newPasswordInput,
  passwordLoginInput,
  registerInput,
  resetInput,
  verified,
  verifyInput,
} from './schema.ts';

const password = 'merpati hijau naik kereta';
const wrongCode = '000000';

const rules =
  'A password has 15 characters or more (`PASSWORD_MIN_LENGTH`), 256 at most; which ones does not matter. Refused are ' +
  'common ones, those put together from few common words, names of the person or the service, or patterns, and, where ' +
  '`BREACH_CHECK_URL` is set, those known from a leak.';
const alike = 'The answer is the same for every address, known or not.';
const form = 'The form of the hosted page posts here too; a browser that navigates is answered with a page.';

const weak: Operation['examples'][number] = {
  title: 'A password that many have',
  as: 'nobody',
  body: { email: '$email', password: 'password123456789' },
  answer: {
    error: 'validation_failed',
    message: ['password must not be a common one, or put together from few common words, names or patterns'],
  },
};

const registration: readonly Operation[] = [
  {
    method: 'POST',
    path: '/v1/auth/email/register',
    id: 'registerEmail',
    summary: 'Send a code to an address, and keep a password waiting for it',
    description: `${alike} Nothing belongs to anybody before the code comes back from this browser. ${rules} ${form}`,
    reads: ['pid_email'],
    limit: { name: 'POST /v1/auth/email/register', per: 'account' },
    body: registerInput,
    answers: [{ status: 204, description: 'A mail is on its way.', sets: ['pid_email'] }],
    errors: ['validation_failed', 'rate_limited', 'unavailable'],
    examples: [
      { title: 'Anybody', as: 'nobody', body: { email: '$email', password }, answer: { status: 204 } },
      weak,
    ],
  },
  {
    method: 'POST',
    path: '/v1/auth/email/resend',
    id: 'resendEmailCode',
    summary: 'Send another code for the registration that waits in this browser',
    description: `The code before is dead. ${alike} ${form}`,
    reads: ['pid_email'],
    limit: { name: 'POST /v1/auth/email/resend', per: 'account' },
    body: addressInput,
    answers: [
      { status: 204, description: 'If a registration waits, a mail is on its way.', sets: ['pid_email'] },
    ],
    errors: ['rate_limited'],
    examples: [
      {
        title: 'A newcomer',
        as: 'newcomer who waits for a code',
        body: { email: '$email' },
        answer: { status: 204 },
      },
    ],
  },
  {
    method: 'POST',
    path: '/v1/auth/email/verify',
    id: 'verifyEmail',
    summary: 'Prove the address by its code, in the browser that asked',
    description:
      'Six digits; what stands between them does not matter. A code is good for ten minutes and five guesses. In ' +
      `interface revision \`direct\` there is no ticket: the answer is 204 with a session. ${form}`,
    reads: ['pid_email', 'pid_refresh'],
    limit: { name: 'POST /v1/auth/email/verify', per: 'account' },
    body: verifyInput,
    answers: [
      {
        status: 200,
        description: 'There is a claim ticket.',
        schema: verified,
        sets: ['pid_claim'],
        clears: ['pid_email'],
      },
    ],
    errors: ['code_refused'],
    examples: [
      {
        title: 'The mailed code',
        as: 'newcomer who waits for a code',
        body: { email: '$email', code: '$mailed' },
        answer: { status: 200, body: { claim: true } },
      },
      {
        title: 'Any other code',
        as: 'newcomer who waits for a code',
        body: { email: '$email', code: wrongCode },
        answer: { error: 'code_refused' },
      },
    ],
  },
];

const signIn: readonly Operation[] = [
  {
    method: 'POST',
    path: '/v1/auth/email/login',
    id: 'loginWithPassword',
    summary: 'Sign in by address and password',
    description:
      'After ten wrong passwords for one account within five minutes, wherever they came from, the answer is 429 until ' +
      `those five minutes are over. \`popup\` is the popup request that the sign-in answers. ${form}`,
    reads: ['pid_refresh'],
    limit: { name: 'POST /v1/auth/email/login', per: 'account' },
    body: passwordLoginInput,
    answers: [{ status: 204, description: 'Signed in.', sets: ['pid_access', 'pid_refresh', 'pid_hint'] }],
    errors: ['password_refused', 'rate_limited', 'identity_suspended', 'unavailable'],
    examples: [
      {
        title: 'The password',
        as: 'member with a password',
        body: { email: '$email', password },
        answer: { status: 204 },
      },
      {
        title: 'Another password, or an address that nobody has',
        as: 'nobody',
        body: { email: '$email', password },
        answer: { error: 'password_refused' },
      },
    ],
  },
  {
    method: 'POST',
    path: '/v1/auth/email/forgot',
    id: 'forgotPassword',
    summary: 'Send a code by which a forgotten password can be replaced',
    description: `${alike} ${form}`,
    reads: ['pid_email'],
    limit: { name: 'POST /v1/auth/email/forgot', per: 'account' },
    body: addressInput,
    answers: [{ status: 204, description: 'A mail is on its way.', sets: ['pid_email'] }],
    errors: ['rate_limited'],
    examples: [{ title: 'Anybody', as: 'nobody', body: { email: '$email' }, answer: { status: 204 } }],
  },
  {
    method: 'POST',
    path: '/v1/auth/email/reset',
    id: 'resetPassword',
    summary: 'Replace a forgotten password by its code, in the browser that asked',
    description: `Ends every session of the identity, and tells its addresses. ${rules} ${form}`,
    reads: ['pid_email'],
    limit: { name: 'POST /v1/auth/email/reset', per: 'account' },
    body: resetInput,
    answers: [{ status: 204, description: 'The password is new.', clears: ['pid_email'] }],
    errors: ['validation_failed', 'code_refused', 'unavailable'],
    examples: [
      {
        title: 'The mailed code',
        as: 'member who forgot the password',
        body: { email: '$email', code: '$mailed', password: 'kopi tubruk tanpa gula' },
        answer: { status: 204 },
      },
      {
        title: 'Any other code',
        as: 'member who forgot the password',
        body: { email: '$email', code: wrongCode, password: 'kopi tubruk tanpa gula' },
        answer: { error: 'code_refused' },
      },
    ],
  },
];

const ownPassword: readonly Operation[] = [
  {
    method: 'POST',
    path: '/v1/credentials/email',
    id: 'linkEmail',
    summary: 'Send a code to an address to link, and keep a password waiting for it',
    description: `${alike} Needs a sign-in younger than 15 minutes (FRESH_SECONDS). ${rules}`,
    needs: { anyOf: ['pid_access'] },
    limit: { name: 'POST /v1/credentials/email', per: 'identity' },
    body: registerInput,
    answers: [{ status: 204, description: 'A mail is on its way.' }],
    errors: ['validation_failed', 'not_fresh', 'credential_already_linked', 'rate_limited', 'unavailable'],
    examples: [
      { title: 'A member', as: 'member', body: { email: '$email', password }, answer: { status: 204 } },
      {
        title: 'Who has a password already',
        as: 'member with a password',
        body: { email: 'another@example.com', password },
        answer: { error: 'credential_already_linked' },
      },
    ],
  },
  {
    method: 'POST',
    path: '/v1/credentials/email/verify',
    id: 'verifyLinkedEmail',
    summary: 'Link the address by its code, in the session that asked',
    needs: { anyOf: ['pid_access'] },
    limit: { name: 'POST /v1/credentials/email/verify', per: 'identity' },
    body: linkCodeInput,
    answers: [{ status: 200, description: 'The new credential.', schema: credential }],
    errors: ['code_refused', 'not_fresh', 'credential_already_linked', 'email_conflict'],
    examples: [
      {
        title: 'The mailed code',
        as: 'member who links an address',
        body: { email: '$email', code: '$mailed' },
        answer: {
          status: 200,
          body: {
            id: '$credential',
            provider: 'email',
            email: 'wira@example.com',
            linkedAt: '2026-11-20T08:15:00.000Z',
            lastLoginAt: '2026-11-20T08:15:00.000Z',
          },
        },
      },
      {
        title: 'Any other code',
        as: 'member who links an address',
        body: { email: '$email', code: wrongCode },
        answer: { error: 'code_refused' },
      },
    ],
  },
  {
    method: 'PUT',
    path: '/v1/credentials/email/password',
    id: 'changePassword',
    summary: 'Replace the password',
    description:
      'Needs a sign-in younger than 15 minutes (FRESH_SECONDS), by any credential, instead of the old password. Ends all ' +
      `other sessions, and tells the identity's addresses. ${rules}`,
    needs: { anyOf: ['pid_access'] },
    limit: { name: 'PUT /v1/credentials/email/password', per: 'identity' },
    body: newPasswordInput,
    answers: [{ status: 204, description: 'The password is new.' }],
    errors: ['validation_failed', 'not_fresh', 'credential_not_found', 'unavailable'],
    examples: [
      {
        title: 'A member',
        as: 'member with a password',
        body: { password: 'kopi tubruk tanpa gula' },
        answer: { status: 204 },
      },
      {
        title: 'Who has no password',
        as: 'member',
        body: { password: 'kopi tubruk tanpa gula' },
        answer: { error: 'credential_not_found' },
      },
      {
        title: 'Signed in an hour ago',
        as: 'member who signed in an hour ago',
        body: { password: 'kopi tubruk tanpa gula' },
        answer: { error: 'not_fresh' },
      },
    ],
  },
];

export const emailApi: FeatureApi = {
  tag: 'Email and password',
  description:
    'One of the five kinds of credential. Nothing here tells whether an address is known to the service.',
  schemas: {
    RegisterInput: registerInput,
    PasswordLoginInput: passwordLoginInput,
    VerifyInput: verifyInput,
    Verified: verified,
    AddressInput: addressInput,
    ResetInput: resetInput,
    LinkCodeInput: linkCodeInput,
    NewPasswordInput: newPasswordInput,
  },
  operations: [...registration, ...signIn, ...ownPassword],
};
