import type { Examples } from './example.ts';

const healthy = {
  title: 'No problems',
  as: 'nobody',
  answer: { status: 200, body: { status: 'ok' } },
} as const;
const navigation = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Site': 'same-origin', Accept: 'text/html' };
const opened = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Site': 'none', Accept: 'text/html' };

const emailPage = [
  { title: 'A browser', as: 'nobody', headers: opened, answer: { status: 200 } },
  { title: 'A program', as: 'nobody', answer: { error: 'not_found' } },
] as const;

export const serviceExamples = {
  getHealth: [healthy],
  getReadiness: [healthy],
  showSignIn: [
    { title: 'A browser', as: 'nobody', answer: { status: 200 } },
    {
      title: 'With a return path',
      as: 'nobody',
      query: { returnTo: '/settings' },
      answer: { status: 200 },
    },
    {
      title: 'A browser whose access token has expired',
      as: 'nobody',
      headers: { ...opened, Cookie: 'pid_hint=1767225600.q3Zk0vN8' },
      answer: { status: 302 },
    },
  ],
  showClaimed: [
    { title: 'A member', as: 'member', answer: { status: 200 } },
    { title: 'Nobody', as: 'nobody', answer: { status: 302 } },
  ],
  showAccount: [{ title: 'A browser', as: 'nobody', answer: { status: 302 } }],
  showClaim: [{ title: 'A browser', as: 'nobody', answer: { status: 302 } }],
  showClaimLink: [
    { title: 'A program', as: 'member with a ticket', answer: { error: 'not_found' } },
    { title: 'Signed in', as: 'member with a ticket', headers: navigation, answer: { status: 200 } },
    {
      title: 'Not signed in',
      as: 'newcomer with a ticket',
      headers: navigation,
      answer: { status: 302 },
    },
  ],
  leaveClaim: [
    { title: 'A program', as: 'newcomer with a ticket', answer: { error: 'not_found' } },
    {
      title: 'The page',
      as: 'newcomer with a ticket',
      headers: navigation,
      answer: { status: 303 },
    },
  ],
  showRegisterPage: emailPage,
  showVerifyPage: emailPage,
  showLoginPage: emailPage,
  showForgotPage: emailPage,
  showResetPage: emailPage,
} satisfies Examples;
