import { type SQL, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { createId } from '../../lib/id.ts';
import {
  appNoticeKinds,
  grantNoticeKinds,
  type MailLocale,
  type MessageKind,
  mailLifeMs,
  messageKinds,
  type NoticeKind,
  noticeKinds,
  ownMessageKinds,
  receiptKinds,
} from './kinds.ts';
import { encryptParams } from './params.ts';
import { sendWaiting } from './send.ts';

export type { MessageKind, NoticeKind } from './kinds.ts';

/**
 * The maximum number of emails per hour, of all kinds, that others can cause by entering an address. The owner has a
 * separate limit of the same size.
 */
export const messagesAnHour = 5;
/**
 * Notices are caused only by the owner, or by a hundred guesses. They have a separate limit, so that requested codes
 * cannot suppress them.
 */
const noticesAnHour = 20;
const hourMs = 3_600_000;
const inList = (kinds: readonly string[]) => sql.raw(kinds.map((kind) => `'${kind}'`).join(','));
const messageList = inList(messageKinds);
const ownMessageList = inList(ownMessageKinds);
/**
 * Each group is counted separately, so that nobody with access to an account can exhaust its notices by allowing an
 * app, with changes to an app, or with receipts.
 */
const noticeGroups: readonly (readonly NoticeKind[])[] = [
  noticeKinds,
  grantNoticeKinds,
  appNoticeKinds,
  receiptKinds,
];

interface Notice {
  readonly kind: NoticeKind;
  /**
   * The recipient or recipients: a handle, or a SELECT of handles; evaluated, like `when`, inside the caller's batch.
   */
  readonly handle: SQL;
  /** An address to use instead of the person's. */
  readonly address?: string | undefined;
  readonly when: SQL;
  /**
   * Optional values for the text: `pid`, `provider` (a kind of credential, such as `google`), `name` (of a passkey),
   * `app` (its id, or its name if the recipient does not own the app), `amount` (rupiah), `reversal` (the reference of
   * its legs, from which amount and debt are read), `destination` (of money), `maker` (of a proposal), `count` and
   * `cases` (the unexplained cases), `device` (from `deviceName`) and `country` (two letters). A receipt also has
   * `movement` (its kind), `fee`, `memo`, `reference` and `at`, when the money moved.
   */
  readonly params: Record<string, string>;
  readonly now: number;
}

interface Message {
  readonly kind: MessageKind;
  /** In canonical form. */
  readonly recipient: string;
  readonly locale: MailLocale;
  /** An email with a code needs `code` and `minutes`, its lifetime. */
  readonly params: Record<string, string>;
  readonly when?: SQL;
  readonly now: number;
}

/**
 * Notifies an identity's verified addresses of a change: one email to each, in the profile's language. In a batch it
 * must come before a statement that deletes a credential, because the deletion removes the address from `emails`.
 */
export async function noticeStatement(deps: Deps, notice: Notice): Promise<Statement> {
  const { kind, handle, address, when, params, now } = notice;
  const recipients =
    address === undefined
      ? sql`(SELECT email, handle FROM emails WHERE handle IN (${handle}))`
      : sql`(SELECT ${address} AS email, NULL AS handle)`;
  const id = createId('mai', now, deps.randomBytes);
  const sealed = await encryptParams(deps, id, params);
  const group = noticeGroups.find((kinds) => kinds.includes(kind)) ?? [];
  return statement(sql`INSERT INTO mails (id, kind, recipient, locale, sealed_params, created_at, next_at, expires_at)
    SELECT ${id} || '.' || row_number() OVER (ORDER BY e.email), ${kind}, e.email,
      iif(lower(p.locale) = 'id' OR lower(p.locale) LIKE 'id-%', 'id', 'en'), ${sealed}, ${now}, ${now},
      ${now + mailLifeMs(null)}
    FROM ${recipients} e LEFT JOIN profiles p ON p.handle = e.handle
    WHERE (${when}) AND (SELECT count(*) FROM mails m
      WHERE m.recipient = e.email AND m.created_at > ${now - hourMs} AND m.kind IN (${inList(group)})) < ${sql.raw(String(noticesAnHour))}
    ON CONFLICT (id) DO NOTHING`);
}

/**
 * An email to one address, written only if `when` is true and the address got fewer than five such emails within the
 * hour. Emails requested in the owner's browsers are counted separately. Otherwise nothing is written, without an
 * error. It is one conditional INSERT, so the limit applies to any number of concurrent requests.
 */
export async function messageStatement(deps: Deps, message: Message): Promise<Statement> {
  const { kind, recipient, locale, params, when = sql`1`, now } = message;
  const id = createId('mai', now, deps.randomBytes);
  const minutes = params['minutes'] === undefined ? null : Number(params['minutes']);
  const sealed = await encryptParams(deps, id, params);
  return statement(sql`INSERT INTO mails (id, kind, recipient, locale, sealed_params, created_at, next_at, expires_at)
    SELECT ${id}, ${kind}, ${recipient}, ${locale}, ${sealed}, ${now}, ${now}, ${now + mailLifeMs(minutes)}
    WHERE (${when}) AND (SELECT count(*) FROM mails m WHERE m.recipient = ${recipient}
      AND m.created_at > ${now - hourMs} AND m.kind IN (${kind === 'known_reset_code' ? ownMessageList : messageList})) < ${sql.raw(String(messagesAnHour))}
    ON CONFLICT (id) DO NOTHING`);
}

/** Sends queued emails after the response. Call it after a batch that may have written one. */
export function sendSoon(deps: Deps): void {
  deps.background(sendWaiting(deps));
}
