import type { accountPaths, deskPath, forgotPath, signInPath } from '../../lib/page-paths.ts';

/**
 * Sent to all verified addresses of an identity: when its sign-in methods change, its password is
 * guessed, support sends a reset link, its `stepUpAmount` is raised or removed, a new device signs in, money is
 * withdrawn, a deposit is paid twice or leaves a debt, a payment is reversed, a decision or any other money matter
 * waits for an administrator, or the identity is closed.
 */
export const noticeKinds = [
  'credential_linked',
  'credential_unlinked',
  'password_changed',
  'password_reset',
  'passkey_added',
  'passkey_removed',
  'step_up_changed',
  'guessing_stopped',
  'recovery',
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
  'payment_reversed',
  'payment_returned',
] as const;

/** Sent to all verified addresses of an identity when it allows an app, which it can do again and again. */
export const grantNoticeKinds = ['app_allowed'] as const;

/** Sent to all verified addresses of an app's owner when the app changes. */
export const appNoticeKinds = [
  'app_changed',
  'app_resource_lost',
  'app_secret_rotated',
  'app_secret_revoked',
  'webhook_disabled',
] as const;

/**
 * Sent to all of the payer's or payee's verified addresses when a payment exceeds their own `stepUpAmount`. The trigger
 * `transfer_noticed` writes these emails and counts them per payer, separately from all other emails, because strangers
 * can cause emails to a payee.
 */
export const paymentKinds = ['payment_sent', 'payment_received'] as const;

/** Sent to all verified addresses of an identity at the person's request. */
export const receiptKinds = ['receipt'] as const;

/** Sent to one address because someone, not necessarily the owner, entered it. */
export const messageKinds = [
  'register_code',
  'register_known',
  'link_code',
  'link_known',
  'reset_code',
  'reset_unknown',
  'reset_closed',
] as const;

/** Sent to one address because someone entered it in a known browser of its owner. */
export const ownMessageKinds = ['known_reset_code'] as const;

export type NoticeKind = (
  | typeof noticeKinds
  | typeof grantNoticeKinds
  | typeof appNoticeKinds
  | typeof receiptKinds
)[number];
export type MessageKind = (typeof messageKinds | typeof ownMessageKinds)[number];
export type MailKind = NoticeKind | MessageKind | (typeof paymentKinds)[number];

/** The languages of emails. */
export type MailLocale = 'en' | 'id';

/** One email in one language. `{brand}` is the service's name, and `{code}` is the code, if the email has one. */
export interface MailText {
  readonly subject: string;
  /** The event. In an email with a code, the code follows. */
  readonly lead: string;
  /** One paragraph each: what to do if it was the reader, and if it was not. */
  readonly advice: readonly string[];
  /** The button of the email, which links to the service. */
  readonly link: {
    readonly label: string;
    readonly path: typeof accountPaths.home | typeof signInPath | typeof forgotPath | typeof deskPath;
  } | null;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/**
 * Returns how long an email is worth sending: the lifetime of its code, or a day without one.
 * @param minutes the lifetime of the code, as in the text; null for an email without a code
 */
export function mailLifeMs(minutes: number | null): number {
  return minutes === null ? dayMs : minutes * minuteMs;
}
