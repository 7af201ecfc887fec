/** The paths of hosted pages to which other parts of the service link. */
export const signInPath = '/signin';

/** Replaces a forgotten password. A link in an email to this page makes a browser known. */
export const forgotPath = '/v1/auth/email/forgot';

export const claimPath = '/claim';

/** The page on which a person types a device's code. */
export const devicePath = '/device';

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
  stepUp: '/account/profile/step-up',
  close: '/account/profile/close',
  wallet: '/account/wallet',
  send: '/account/wallet/send',
  request: '/account/wallet/request',
  withdraw: '/account/wallet/withdraw',
  topUp: '/account/wallet/top-up',
  activity: '/account/activity',
  /** The apps that the person has allowed. */
  apps: '/account/apps',
} as const;

/** The pages on which developers register and manage their own apps. */
export const developerPaths = { home: '/developers', register: '/developers/register' } as const;

/** The pages and forms of one app: a page for each topic, with its forms below it. */
export const appPaths = {
  settings: '/developers/apps/:id',
  resources: '/developers/apps/:id/resources',
  secrets: '/developers/apps/:id/secrets',
  revoke: '/developers/apps/:id/secrets/revoke',
  webhook: '/developers/apps/:id/webhook',
  test: '/developers/apps/:id/webhook/test',
  removeWebhook: '/developers/apps/:id/webhook/delete',
  redeliver: '/developers/apps/:id/webhook/redeliver',
  fees: '/developers/apps/:id/fees',
  sweep: '/developers/apps/:id/fees/sweep',
  remove: '/developers/apps/:id/delete',
} as const;

/** The path of an app's page or form; the list of apps for an invalid id. */
export function appPath(id: string, page: keyof typeof appPaths = 'settings'): string {
  return /^app_[0-9a-z]{26}$/.test(id) ? appPaths[page].replace(':id', id) : developerPaths.home;
}

/** Former addresses of these pages, which redirect. The list of allowed apps was `allowed` in place of an id. */
export const movedPaths = {
  register: '/account/register',
  settings: '/account/apps/:id',
  revoke: '/account/apps/:id/revoke',
  removeWebhook: '/account/apps/:id/webhook/delete',
  remove: '/account/apps/:id/delete',
} as const;

/** The page and forms of an app that a person has allowed. */
export const grantPaths = { show: '/account/allowed/:id', end: '/account/allowed/:id/end' } as const;

/** The path of such a page; the list for an invalid id. */
export function grantPath(id: string, page: keyof typeof grantPaths = 'show'): string {
  return /^grt_[0-9a-z]{26}$/.test(id) ? grantPaths[page].replace(':id', id) : accountPaths.apps;
}

/** An app's logo, as stored by the service. The hash lets browsers cache it. */
export const logoRoute = '/logos/:id/:hash' as const;

export function logoPath(app: string, hash: string): string {
  return logoRoute.replace(':id', app).replace(':hash', hash);
}

/** The page that shows the cost of sending money, and its form. */
export const confirmSendPath = '/account/wallet/send/:id' as const;

/** The path for an inquiry; the form for a new one if the id is invalid. */
export function sendPath(id: string): string {
  return /^inq_[0-9a-z]{26}$/.test(id) ? confirmSendPath.replace(':id', id) : accountPaths.send;
}

/** The admin desk and its forms. */
export const deskPath = '/admin';

/** The admin desk's other pages: search results, one person with their audit, one transaction, and the audit log. */
export const deskPaths = {
  people: '/admin/people',
  person: '/admin/people/:id',
  personAudit: '/admin/people/:id/audit',
  transaction: '/admin/transactions/:id',
  audit: '/admin/audit',
} as const;

/** The path of a person's page on the admin desk; the search for an invalid handle. */
export function personPath(handle: string, page: 'person' | 'personAudit' = 'person'): string {
  return /^[a-z0-9._-]{3,30}$/.test(handle) ? deskPaths[page].replace(':id', handle) : deskPaths.people;
}

/** The path of a transaction's page on the admin desk; the search for an invalid id. */
export function deskTransactionPath(id: string): string {
  return /^[a-z]{3}_[0-9a-z_.]{1,40}$/.test(id) ? deskPaths.transaction.replace(':id', id) : deskPaths.people;
}

/** The page that shows the cost of a withdrawal, its form, and the form that cancels it. */
export const withdrawPaths = {
  confirm: '/account/wallet/withdraw/:id',
  cancel: '/account/wallet/withdraw/:id/cancel',
} as const;

/** The paths for a withdrawal; the form for a new one if the id is invalid. */
export function withdrawPath(id: string, page: keyof typeof withdrawPaths = 'confirm'): string {
  return /^wdr_[0-9a-z]{26}$/.test(id) ? withdrawPaths[page].replace(':id', id) : accountPaths.withdraw;
}

/** A deposit's page and form. */
export const depositPagePath = '/account/wallet/deposits/:id' as const;

/** The path of a deposit's page; the wallet for an invalid id. */
export function depositPath(id: string): string {
  return /^dep_[0-9a-z]{26}$/.test(id) ? depositPagePath.replace(':id', id) : accountPaths.wallet;
}

/** The sandbox's webhook receiver, only in development. */
export const devReceiverPath = '/dev/webhooks';

/** The sandbox's payment and payout provider, only in development. */
export const devGatewayPath = '/dev/gateway';

/** The address for a payment provider's notifications. */
export function notificationPath(gateway: string): string {
  return `/v1/gateways/${gateway}/webhook`;
}

/** The address to which a payment provider redirects the person. */
export function depositReturnPath<Id extends string>(id: Id): `/fiat/return/${Id}` {
  return `/fiat/return/${id}`;
}

/** The page of one transaction, and the form that refunds it. */
export const movementPaths = {
  show: '/account/wallet/transactions/:id',
  refund: '/account/wallet/transactions/:id/refund',
} as const;

/** The paths for a transaction; the wallet for an invalid id. */
export function movementPath(id: string, page: keyof typeof movementPaths = 'show'): string {
  return /^[a-z]{3}_[0-9a-z_.]{1,40}$/.test(id)
    ? movementPaths[page].replace(':id', id)
    : accountPaths.wallet;
}
