import type { ParameterObject } from './openapi-types.ts';

/** The SDK calls for operations. Operations for servers and administrators have none. */
export const sdkCalls: Readonly<Record<string, string>> = {
  changePassword: `pid.credentials.changePassword('…')`,
  checkHandle: `pid.claim.check('ayu')`,
  claim: `pid.claim.submit({ handle: 'ayu' })`,
  closeMe: `pid.me.close('ayu')`,
  confirmTransfer: `pid.fiat.confirmTransfer({ inquiryId })`,
  createInquiry: `pid.fiat.inquireTransfer({ to: 'siti@pid', amount: 25000 })`,
  createWallet: `pid.wallet.create()`,
  endOtherSessions: `pid.sessions.revokeOthers()`,
  endSession: `pid.sessions.revoke(id)`,
  exportMe: `pid.me.export()`,
  forgotPassword: `pid.email.forgot('ayu@example.com')`,
  getBalance: `pid.wallet.balance()`,
  getMe: `pid.me.get()`,
  getSession: `pid.auth.getSession()`,
  getSignInUrl: `pid.auth.loginWithRedirect()`,
  getStatement: `pid.wallet.statement()`,
  getWallet: `pid.wallet.get()`,
  linkEmail: `pid.credentials.linkEmail({ email, password })`,
  listActivity: `pid.me.activity()`,
  listCredentials: `pid.credentials.list()`,
  listProviders: `pid.providers.list()`,
  listSessions: `pid.sessions.list()`,
  listTransactions: `pid.wallet.transactions()`,
  logOut: `pid.auth.logout()`,
  previewClaim: `pid.claim.preview()`,
  refreshSession: `pid.auth.refresh()`,
  registerEmail: `pid.email.register({ email, password })`,
  registerPopup: `pid.auth.loginWithPopup()`,
  renamePasskey: `pid.passkeys.rename(id, 'Phone')`,
  resetPassword: `pid.email.reset({ email, code, password })`,
  signInWithPassword: `pid.email.login({ email, password })`,
  unlinkCredential: `pid.credentials.unlink(id)`,
  updateMe: `pid.me.update({ displayName: 'Ayu' })`,
  verifyEmail: `pid.email.verify({ email, code })`,
};

/** The most frequently needed topics, at the top of the pages. */
export const startSnippets = [
  {
    title: 'Sign people in',
    href: '/docs/external-sign-in',
    code: `const pid = Pid.createClient({ baseUrl, popupBaseUrl: baseUrl });
button.onclick = () => pid.auth.loginWithPopup();`,
  },
  {
    title: 'Take a payment',
    href: '/docs/transfers',
    code: `const shop = Pid.createClient({ baseUrl, popupBaseUrl: baseUrl, appId });
button.onclick = () => shop.fiat.transferWithPopup({ to: 'ayu@pid', amount: 15_000 });`,
  },
] as const;

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly ParameterObject[];
  /** The cookie that identifies the caller. */
  readonly cookie: string | undefined;
  readonly body: unknown;
}

/**
 * The request as a shell command. For a change by cookie it includes the origin and the session key, which a browser
 * sends with the token.
 */
export function curlOf({ method, path, parameters, cookie, body }: Sent): string {
  const filled = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((at, { name, example }) => at.replace(`{${name}}`, String(example ?? `{${name}}`)), path);
  const data = JSON.stringify(body)?.replaceAll("'", "'\\''");
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}https://id.example.com${filled}`,
    ...cookieFlags(method, cookie),
    ...(data === undefined ? [] : [`--header 'Content-Type: application/json'`, `--data '${data}'`]),
  ].join(' \\\n  ');
}

function cookieFlags(method: string, cookie: string | undefined): string[] {
  if (cookie === undefined) return [];
  if (method === 'GET' || cookie !== 'pid_access') return [`--cookie "${cookie}=$TOKEN"`];
  return [
    `--cookie "pid_access=$TOKEN; __Host-pid_refresh_key=$KEY"`,
    `--header 'Origin: https://id.example.com'`,
  ];
}
