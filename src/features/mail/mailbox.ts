import { all, type Row, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { isoTime } from '../../lib/id.ts';
import { composeMail } from './compose.ts';
import type { MailKind, MailLocale } from './kinds.ts';
import { decryptParams } from './params.ts';
import type { mails } from './tables.ts';

/** An email as shown in the development mailbox. */
export interface MailboxMail {
  readonly id: string;
  readonly kind: MailKind;
  readonly to: string;
  readonly locale: MailLocale;
  readonly createdAt: string;
  readonly sentAt: string | null;
  readonly expiresAt: string;
  readonly tries: number;
  /** Null after the email expires or a transport sends it, because the text is then deleted. */
  readonly content: {
    readonly subject: string;
    readonly text: string;
    readonly html: string;
    readonly code: string | null;
    readonly links: readonly string[];
  } | null;
}

type MailRow = Omit<Row<typeof mails>, 'kind' | 'next_at'> & { kind: MailKind };

const shown = 100;

/** The newest emails, newest first; with `to` only those to one address, with `id` only that email. */
export async function listMailbox(
  deps: Deps,
  { to = null, id = null }: { to?: string | null; id?: string | null } = {},
): Promise<MailboxMail[]> {
  const query =
    statement<MailRow>(sql`SELECT id, kind, recipient, locale, sealed_params, created_at, sent_at, expires_at, tries
      FROM mails WHERE (${to} IS NULL OR recipient = ${to}) AND (${id} IS NULL OR id = ${id})
      ORDER BY created_at DESC, id DESC LIMIT ${sql.raw(String(shown))}`);
  const rows = await all(deps.db, query);
  return Promise.all(rows.map((row) => decryptMail(deps, row)));
}

async function decryptMail(deps: Deps, row: MailRow): Promise<MailboxMail> {
  const params = await decryptParams(deps, row);
  const composed = params && composeMail(deps.config, row, params);
  return {
    id: row.id,
    kind: row.kind,
    to: row.recipient,
    locale: row.locale,
    createdAt: isoTime(row.created_at),
    sentAt: row.sent_at === null ? null : isoTime(row.sent_at),
    expiresAt: isoTime(row.expires_at),
    tries: row.tries,
    content: composed && {
      ...composed,
      code: params['code'] ?? null,
      links: [...composed.text.matchAll(/https?:\/\/\S+/g)].map(([link]) => link),
    },
  };
}
