import type { Example, Examples } from './example.ts';

const password = 'merpati hijau naik kereta';
const wrongCode = '000000';
const weak: Example = {
  title: 'A common password',
  as: 'nobody',
  body: { email: '$email', password: 'password123456789' },
  answer: {
    error: 'validation_failed',
    message: ['password must not be a common one, or put together from few common words, names or patterns'],
  },
};

export const emailExamples = {
  registerEmail: [
    { title: 'Anyone', as: 'nobody', body: { email: '$email', password }, answer: { status: 204 } },
    weak,
  ],
  resendEmailCode: [
    {
      title: 'A newcomer',
      as: 'newcomer who waits for a code',
      body: { email: '$email' },
      answer: { status: 204 },
    },
  ],
  verifyEmail: [
    {
      title: 'The emailed code',
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
  signInWithPassword: [
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
  forgotPassword: [{ title: 'Anyone', as: 'nobody', body: { email: '$email' }, answer: { status: 204 } }],
  resetPassword: [
    {
      title: 'The emailed code',
      as: 'member who forgot the password',
      body: { email: '$email', code: '$resetcode', password: 'kopi tubruk tanpa gula' },
      answer: { status: 204 },
    },
    {
      title: 'Any other code',
      as: 'member who forgot the password',
      body: { email: '$email', code: 'BCDF-GH23', password: 'kopi tubruk tanpa gula' },
      answer: { error: 'code_refused' },
    },
  ],
  linkEmail: [
    { title: 'A member', as: 'member', body: { email: '$email', password }, answer: { status: 204 } },
    {
      title: 'A person who already has a password',
      as: 'member with a password',
      body: { email: 'another@example.com', password },
      answer: { error: 'credential_already_linked' },
    },
  ],
  verifyLinkedEmail: [
    {
      title: 'The emailed code',
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
  changePassword: [
    {
      title: 'A member',
      as: 'member with a password',
      body: { password: 'kopi tubruk tanpa gula' },
      answer: { status: 204 },
    },
    {
      title: 'A person without a password',
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
} satisfies Examples;
