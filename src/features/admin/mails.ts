import { columnsOf, integer, type RowOf, run, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { maskEmail } from '../../lib/email.ts';
import { isoTime } from '../../lib/id.ts';
import type { mails } from '../mail/tables.ts';
import { type DeskActor, deskState, lookStatement, requireDesk } from './desk.ts';
import type { Person } from './person-schema.ts';

const mailColumns = columnsOf<typeof mails>()('id, kind, recipient, created_at, sent_at, next_at, tries');

type MailRow = RowOf<typeof mailColumns>;
type Mail = Person['mails'][number];

const newest = integer(20);

/** A person has few emails: each row lasts about a day, and the number of emails is limited. */
export function selectMailsOf(handle: string): Statement<MailRow> {
  return statement(sql`SELECT ${mailColumns('m')}
    FROM emails e JOIN mails m ON m.recipient = e.email WHERE e.handle = ${handle}
    ORDER BY m.created_at DESC LIMIT ${newest}`);
}

/**
 * The newest emails to an address, whether or not it belongs to anyone: sign-up codes go to unknown addresses.
 * The audit log records the masked address.
 * @param email in canonical form
 * @throws AppError unauthenticated, not_fresh
 */
export async function readMailsTo(deps: Deps, actor: DeskActor, email: string): Promise<Mail[]> {
  const { desk, rows } = await run(deps.db, {
    desk: deskState(deps, actor),
    rows: statement<MailRow>(sql`SELECT ${mailColumns('m')} FROM mails m WHERE m.recipient = ${email}
      ORDER BY m.created_at DESC LIMIT ${newest}`),
    look: lookStatement(deps, actor, {
      action: 'mails.viewed',
      target: 'mails',
      computed: sql`json_object('address', ${maskEmail(email)})`,
    }),
  });
  requireDesk(desk);
  return rows.map(toMail);
}

export function toMail({ id, kind, recipient: to, tries, ...row }: MailRow): Mail {
  const fate = row.sent_at !== null ? 'sent' : row.next_at !== null ? 'waiting' : 'given_up';
  const sentAt = row.sent_at === null ? null : isoTime(row.sent_at);
  return { id, kind, to, fate, tries, createdAt: isoTime(row.created_at), sentAt };
}
