import type { accountPaths, deskPath, forgotPath, signInPath } from '../../lib/page-paths.ts';

/**
 * Sent to all verified addresses of an identity: when its ways to sign in or its apps change, when its password is
 * guessed at, when its `stepUpAmount` is raised or removed, when a new device signs in, when money is withdrawn, when a deposit
 * is paid twice or leaves a debt, when a decision of the desk or anything else about money waits for an administrator, and when
 * it is closed.
 */
export const noticeKinds = [
  'credential_linked',
  'credential_unlinked',
  'password_changed',
  'password_reset',
  'passkey_added',
  'passkey_removed',
  'app_changed',
  'app_resource_lost',
  'app_secret_rotated',
  'app_secret_revoked',
  'webhook_disabled',
  'app_allowed',
  'step_up_changed',
  'guessing_stopped',
  'sign_in_new_device',
  'account_closed',
  'withdrawal_held',
  'withdrawal_paid',
  'withdrawal_failed',
  'withdrawal_returned',
  'desk_proposal',
  'money_alarm',
  'second_payment',
  'second_payment_credited',
  'second_payment_returned',
  'wallet_debt',
] as const;

/**
 * Sent to all verified addresses of payer or payee when a payment is above their own `stepUpAmount`. The trigger
 * `transfer_noticed` writes them and counts those of each payer apart from all other mail, as strangers cause those to a payee.
 */
export const paymentKinds = ['payment_sent', 'payment_received'] as const;

/** Sent to one address because somebody, not necessarily its owner, typed it. */
export const messageKinds = [
  'register_code',
  'register_known',
  'link_code',
  'link_known',
  'reset_code',
  'reset_unknown',
  'reset_closed',
] as const;

/** Sent to one address because somebody typed it in a browser that is known to be its owner's. */
export const ownMessageKinds = ['known_reset_code'] as const;

export type NoticeKind = (typeof noticeKinds)[number];
export type MessageKind = (typeof messageKinds | typeof ownMessageKinds)[number];
export type MailKind = NoticeKind | MessageKind | (typeof paymentKinds)[number];

/** The languages mail is written in. */
export type MailLocale = 'en' | 'id';

/** One mail in one language. `{brand}` is what the service calls itself, `{code}` the code of a mail that has one. */
export interface MailText {
  readonly subject: string;
  /** The event. In a mail with a code, the code follows. */
  readonly lead: string;
  /** One paragraph each: what to do if it was the reader, and what if it was not. */
  readonly advice: readonly string[];
  /** The button of the mail, into the service. */
  readonly link: {
    readonly label: string;
    readonly path: typeof accountPaths.home | typeof signInPath | typeof forgotPath | typeof deskPath;
  } | null;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/**
 * Returns the time for which a mail is worth sending: one with a code while the code is valid, any other for a day.
 * @param minutes how long the code is good, as its text says; null for a mail without one
 */
export function mailLifeMs(minutes: number | null): number {
  return minutes === null ? dayMs : minutes * minuteMs;
}
