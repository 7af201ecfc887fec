import { type SQL, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { createId } from '../../lib/id.ts';
import {
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
 * The maximum number of mails per hour, of all kinds together, that anyone can cause by typing an address; the owner has the same number in
 * addition.
 */
const messagesAnHour = 5;
/** Only the owner causes notices, or someone who guesses a hundred times. They have a separate limit, so that code requests cannot suppress them. */
const noticesAnHour = 20;
const hourMs = 3_600_000;
const inList = (kinds: readonly string[]) => sql.raw(kinds.map((kind) => `'${kind}'`).join(','));
const messageList = inList(messageKinds);
const ownMessageList = inList(ownMessageKinds);
const noticeList = inList(noticeKinds);
/** Counted separately, so that whoever is in an account cannot use up its notices with receipts. */
const receiptList = inList(receiptKinds);

interface Notice {
  readonly kind: NoticeKind;
  /** The person or people to write to: a handle, or a SELECT of handles; evaluated, like `when`, inside the caller's batch. */
  readonly handle: SQL;
  /** An address to use instead of theirs. */
  readonly address?: string | undefined;
  readonly when: SQL;
  /**
   * Values that the text may mention, each optional: `pid`, `provider` (a kind of credential, such as `google`), `name`
   * (of a passkey), `app` (its id, or its name for who does not own it), `amount` (rupiah), `reversal` (the reference
   * of its legs, for its amount and debt), `destination` (of money), `maker` (of a proposal), `count` and `cases` (the
   * unexplained cases), `device` (from `deviceName`) and `country` (two letters). A receipt also has `movement` (its kind), `fee`,
   * `memo`, `reference` and `at`, when the money moved.
   */
  readonly params: Record<string, string>;
  readonly now: number;
}

interface Message {
  readonly kind: MessageKind;
  /** In canonical form. */
  readonly recipient: string;
  readonly locale: MailLocale;
  /** A mail with a code needs `code` and `minutes`, its lifetime. */
  readonly params: Record<string, string>;
  readonly when?: SQL;
  readonly now: number;
}

/**
 * Notifies an identity's verified addresses of a change: one mail to each, in the profile's language. Put it into
 * the batch while `emails` still has those addresses: before deleting a credential, which frees its address.
 */
export async function noticeStatement(deps: Deps, notice: Notice): Promise<Statement> {
  const { kind, handle, address, when, params, now } = notice;
  const recipients =
    address === undefined
      ? sql`(SELECT email, handle FROM emails WHERE handle IN (${handle}))`
      : sql`(SELECT ${address} AS email, NULL AS handle)`;
  const id = createId('mai', now, deps.randomBytes);
  const sealed = await encryptParams(deps, id, params);
  return statement(sql`INSERT INTO mails (id, kind, recipient, locale, sealed_params, created_at, next_at, expires_at)
    SELECT ${id} || '.' || row_number() OVER (ORDER BY e.email), ${kind}, e.email,
      iif(lower(p.locale) = 'id' OR lower(p.locale) LIKE 'id-%', 'id', 'en'), ${sealed}, ${now}, ${now},
      ${now + mailLifeMs(null)}
    FROM ${recipients} e LEFT JOIN profiles p ON p.handle = e.handle
    WHERE (${when}) AND (SELECT count(*) FROM mails m
      WHERE m.recipient = e.email AND m.created_at > ${now - hourMs} AND m.kind IN (${kind === 'receipt' ? receiptList : noticeList})) < ${sql.raw(String(noticesAnHour))}
    ON CONFLICT (id) DO NOTHING`);
}

/**
 * A mail to one address, written only if `when` holds and the address got fewer than five such mails within the
 * hour, with those requested in its owner's browsers counted separately; otherwise nothing is written, without an error. One conditional
 * INSERT, so that the limit holds for any number
 * of concurrent requests.
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

/** Sends waiting mails after the response. Call it after a batch that may have written one. */
export function sendSoon(deps: Deps): void {
  deps.background(sendWaiting(deps));
}
