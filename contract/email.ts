import { credential } from '../src/features/credential/schema.ts';
import { emailEndpoints } from '../src/features/email/endpoints.ts';
import * as schemas from '../src/features/email/schema.ts';
import { emailExamples } from './examples/email.ts';
import { answer, type FeatureApi, operationsOf, sessionCookies } from './operation.ts';

const rules =
  'A password has at least 15 characters (`PASSWORD_MIN_LENGTH`) of any kind, and at most 256. Rejected ' +
  'are common passwords, combinations of a few common words, names of the person or the service, patterns, ' +
  'and, if `BREACH_CHECK_URL` is set, leaked passwords.';
const alike = 'The response is the same for every address, known or not.';

export const emailApi: FeatureApi = {
  tag: 'Email and password',
  description:
    'One of the five kinds of credential. No response reveals whether an address is known to the service.',
  examples: emailExamples,
  schemas: {
    RegisterInput: schemas.registerInput,
    PasswordLoginInput: schemas.passwordLoginInput,
    VerifyInput: schemas.verifyInput,
    Verified: schemas.verified,
    AddressInput: schemas.addressInput,
    ResetInput: schemas.resetInput,
    LinkCodeInput: schemas.linkCodeInput,
    NewPasswordInput: schemas.newPasswordInput,
  },
  operations: operationsOf(emailEndpoints, {
    registerEmail: {
      summary: 'Send a code to an address and store its password until it is verified',
      description: `${alike} No account exists until the code is entered in this browser. ${rules}`,
      formStatus: 303,
      reads: ['pid_email'],
      answers: [answer(204, 'An email is on its way.', { sets: ['pid_email'] })],
      errors: ['validation_failed', 'rate_limited', 'unavailable'],
    },
    resendEmailCode: {
      summary: 'Send another code for the pending registration in this browser',
      description: `The previous code stops working. ${alike}`,
      formStatus: 303,
      reads: ['pid_email'],
      answers: [
        answer(204, 'If a registration is pending, an email is on its way.', { sets: ['pid_email'] }),
      ],
      errors: ['rate_limited'],
    },
    verifyEmail: {
      summary: 'Verify the address by its code, in the requesting browser',
      description:
        'Six digits; separators between them are ignored. A code is valid for ten minutes and five guesses. In ' +
        'interface revision `direct` there is no ticket: the response is 204 with a session.',
      formStatus: 303,
      reads: ['pid_email', 'pid_refresh'],
      answers: [
        answer(200, 'A claim ticket was created.', {
          schema: schemas.verified,
          sets: ['pid_claim', 'pid_claim_key'],
          clears: ['pid_email'],
        }),
      ],
      errors: ['code_refused'],
    },
    signInWithPassword: {
      summary: 'Sign in with address and password',
      description:
        'After ten wrong passwords for one account within five minutes, from any address, the response is 429 ' +
        'until the five minutes are over; after a hundred in a row, even the right password gets 401 until a new ' +
        'one is set. A browser in which the account has signed in before (`pid_device`) is counted separately. ' +
        '`popup` is the popup request that the sign-in approves.',
      formStatus: 303,
      reads: ['pid_device', 'pid_refresh'],
      answers: [answer(204, 'Signed in.', { sets: [...sessionCookies, 'pid_device'] })],
      errors: ['password_refused', 'rate_limited', 'identity_suspended', 'unavailable'],
    },
    forgotPassword: {
      summary: 'Send a code to reset a forgotten password',
      description:
        `${alike} After a hundred wrong codes in a row, the email contains a link instead, which makes the ` +
        'browser that opens it known (`pid_device`); a known browser gets a code.',
      formStatus: 303,
      reads: ['pid_device', 'pid_email'],
      answers: [answer(204, 'An email is on its way.', { sets: ['pid_email'] })],
      errors: ['rate_limited'],
    },
    resetPassword: {
      summary: 'Reset a forgotten password by its code, in the requesting browser',
      description:
        'Eight letters and digits; case and separators are ignored. Revokes every session of the identity, and ' +
        `notifies its addresses. ${rules}`,
      formStatus: 200,
      reads: ['pid_device', 'pid_email'],
      answers: [answer(204, 'The password is replaced.', { sets: ['pid_device'], clears: ['pid_email'] })],
      errors: ['validation_failed', 'code_refused', 'unavailable'],
    },
    linkEmail: {
      summary: 'Send a code to an address to link and store its password until it is verified',
      description: `${alike} Needs a sign-in less than 15 minutes old (FRESH_SECONDS). ${rules}`,
      answers: [answer(204, 'An email is on its way.')],
      errors: ['validation_failed', 'not_fresh', 'credential_already_linked', 'rate_limited', 'unavailable'],
    },
    verifyLinkedEmail: {
      summary: 'Link the address by its code, in the requesting session',
      reads: ['pid_device'],
      answers: [answer(200, 'The new credential.', { schema: credential, sets: ['pid_device'] })],
      errors: [
        'code_refused',
        'not_fresh',
        'credential_already_linked',
        'email_conflict',
        'too_many_credentials',
      ],
    },
    changePassword: {
      summary: 'Replace the password',
      description:
        'Needs a sign-in less than 15 minutes old (FRESH_SECONDS), with any credential, in place of the old ' +
        `password. Revokes all other sessions, and notifies the identity's addresses. ${rules}`,
      reads: ['pid_device'],
      answers: [answer(204, 'The password is replaced.', { sets: ['pid_device'] })],
      errors: ['validation_failed', 'not_fresh', 'credential_not_found', 'unavailable'],
    },
  }),
};
