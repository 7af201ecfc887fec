/** Told to all verified addresses of an identity: what changed about how its owner signs in. */
export const noticeKinds = [
  'credential_linked',
  'credential_unlinked',
  'password_changed',
  'password_reset',
  'passkey_added',
  'passkey_removed',
] as const;

/** Sent to one address because somebody typed it, whoever that was. */
export const messageKinds = [
  'register_code',
  'register_known',
  'link_code',
  'link_known',
  'reset_code',
  'reset_unknown',
] as const;

export type NoticeKind = (typeof noticeKinds)[number];
export type MessageKind = (typeof messageKinds)[number];
export type MailKind = NoticeKind | MessageKind;

/** The languages mail is written in. */
export type MailLocale = 'en' | 'id';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/**
 * Until when a mail is worth sending: one with a code while the code is good, any other for a day.
 * @param minutes how long the code is good, as its text says; null for a mail without one
 */
export function mailLifeMs(minutes: number | null): number {
  return minutes === null ? dayMs : minutes * minuteMs;
}
