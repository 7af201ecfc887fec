/** The addresses of hosted pages that other parts of the service link to. */
export const signInPath = '/signin';

/** Where a forgotten password is replaced, and where a mail's link makes a browser known. */
export const forgotPath = '/v1/auth/email/forgot';

export const claimPath = '/claim';

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
