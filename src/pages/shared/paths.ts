/** The addresses of the hosted pages. */
export const signInPath = '/signin';

/** The sign-in to the PID that the waiting account will be linked to. */
export const signInToLink = `${signInPath}?claim=link`;

export const claimPaths = {
  entry: '/claim',
  page: '/v1/auth/claim',
  link: '/v1/auth/claim/link',
  leave: '/v1/auth/claim/leave',
} as const;

export const emailPaths = {
  register: '/v1/auth/email/register',
  resend: '/v1/auth/email/resend',
  verify: '/v1/auth/email/verify',
  login: '/v1/auth/email/login',
  forgot: '/v1/auth/email/forgot',
  reset: '/v1/auth/email/reset',
} as const;

/** Links an account of an external provider. */
export const linkPath = '/v1/credentials/link';

export const sessionPaths = {
  renew: '/v1/auth/refresh/continue',
  signOut: '/v1/auth/logout/leave',
} as const;

export const popupPaths = {
  login: '/popup/login',
  claim: '/popup/claim',
  done: '/popup/done',
  decision: '/popup/requests/:id/decision',
} as const;

export const accountPaths = {
  home: '/account',
  credentials: '/account/credentials',
  unlink: '/account/credentials/unlink',
  rename: '/account/credentials/rename',
  password: '/account/password',
  email: '/account/email',
  emailCode: '/account/email/code',
  sessions: '/account/sessions',
  endSession: '/account/sessions/end',
  endOthers: '/account/sessions/others',
  profile: '/account/profile',
  close: '/account/profile/close',
  activity: '/account/activity',
} as const;

/** An address with a query; without one if no value is given. */
export function withQuery(path: string, values: Readonly<Record<string, string | null | undefined>>): string {
  const given = Object.entries(values).filter((pair): pair is [string, string] => pair[1] != null);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

/** The popup's page for a request. */
export function popupUrl(page: 'login' | 'claim' | 'done', popup: string): string {
  return withQuery(popupPaths[page], { c: popup });
}
