import { credential } from '../src/features/credential/schema.ts';
import { emailEndpoints } from '../src/features/email/endpoints.ts';
import * as schemas from '../src/features/email/schema.ts';
import { emailExamples } from './examples/email.ts';
import { answer, type FeatureApi, operationsOf, sessionCookies } from './operation.ts';

const rules =
  'A password has 15 characters or more (`PASSWORD_MIN_LENGTH`), 256 at most; which ones does not matter. Refused are ' +
  'common ones, those put together from few common words, names of the person or the service, or patterns, and, where ' +
  '`BREACH_CHECK_URL` is set, those known from a leak.';
const alike = 'The answer is the same for every address, known or not.';

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
      description: `${alike} Nothing belongs to anybody before the code comes back from this browser. ${rules}`,
      formStatus: 303,
      reads: ['pid_email'],
      answers: [answer(204, 'A mail is on its way.', { sets: ['pid_email'] })],
      errors: ['validation_failed', 'rate_limited', 'unavailable'],
    },
    resendEmailCode: {
      summary: 'Send another code for the pending registration in this browser',
      description: `The code before is dead. ${alike}`,
      formStatus: 303,
      reads: ['pid_email'],
      answers: [answer(204, 'If a registration waits, a mail is on its way.', { sets: ['pid_email'] })],
      errors: ['rate_limited'],
    },
    verifyEmail: {
      summary: 'Verify the address by its code, in the requesting browser',
      description:
        'Six digits; what stands between them does not matter. A code is good for ten minutes and five guesses. In ' +
        `interface revision \`direct\` there is no ticket: the answer is 204 with a session.`,
      formStatus: 303,
      reads: ['pid_email', 'pid_refresh'],
      answers: [
        answer(200, 'There is a claim ticket.', {
          schema: schemas.verified,
          sets: ['pid_claim', 'pid_claim_key'],
          clears: ['pid_email'],
        }),
      ],
      errors: ['code_refused'],
    },
    signInWithPassword: {
      summary: 'Sign in by address and password',
      description:
        'After ten wrong passwords for one account within five minutes, wherever they came from, the answer is 429 until ' +
        'those five minutes are over; after a hundred in a row, until there is a new password, it is 401 for the right one ' +
        'too. A browser in which the account has signed in before (`pid_device`) is counted by itself. ' +
        `\`popup\` is the popup request that the sign-in answers.`,
      formStatus: 303,
      reads: ['pid_device', 'pid_refresh'],
      answers: [answer(204, 'Signed in.', { sets: [...sessionCookies, 'pid_device'] })],
      errors: ['password_refused', 'rate_limited', 'identity_suspended', 'unavailable'],
    },
    forgotPassword: {
      summary: 'Send a code to reset a forgotten password',
      description:
        `${alike} After a hundred wrong codes in a row the mail holds a link instead, which makes the browser known in ` +
        `which it is opened (\`pid_device\`); one that is known gets a code.`,
      formStatus: 303,
      reads: ['pid_device', 'pid_email'],
      answers: [answer(204, 'A mail is on its way.', { sets: ['pid_email'] })],
      errors: ['rate_limited'],
    },
    resetPassword: {
      summary: 'Reset a forgotten password by its code, in the requesting browser',
      description:
        'Eight letters and digits; case and what stands between them do not matter. Ends every session of the identity, ' +
        `and tells its addresses. ${rules}`,
      formStatus: 200,
      reads: ['pid_device', 'pid_email'],
      answers: [answer(204, 'The password is new.', { sets: ['pid_device'], clears: ['pid_email'] })],
      errors: ['validation_failed', 'code_refused', 'unavailable'],
    },
    linkEmail: {
      summary: 'Send a code to an address to link and store its password until it is verified',
      description: `${alike} Needs a sign-in younger than 15 minutes (FRESH_SECONDS). ${rules}`,
      answers: [answer(204, 'A mail is on its way.')],
      errors: ['validation_failed', 'not_fresh', 'credential_already_linked', 'rate_limited', 'unavailable'],
    },
    verifyLinkedEmail: {
      summary: 'Link the address by its code, in the requesting session',
      reads: ['pid_device'],
      answers: [answer(200, 'The new credential.', { schema: credential, sets: ['pid_device'] })],
      errors: ['code_refused', 'not_fresh', 'credential_already_linked', 'email_conflict'],
    },
    changePassword: {
      summary: 'Replace the password',
      description:
        'Needs a sign-in younger than 15 minutes (FRESH_SECONDS), by any credential, instead of the old password. Ends all ' +
        `other sessions, and tells the identity's addresses. ${rules}`,
      reads: ['pid_device'],
      answers: [answer(204, 'The password is new.', { sets: ['pid_device'] })],
      errors: ['validation_failed', 'not_fresh', 'credential_not_found', 'unavailable'],
    },
  }),
};
