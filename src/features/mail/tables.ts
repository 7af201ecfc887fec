import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Outgoing email. A row is written in the batch of the event it reports, and sent after the response. */
export const mails = sqliteTable(
  'mails',
  {
    id: text().primaryKey(),
    /** The text is composed at the time of sending. */
    kind: text().notNull(),
    recipient: text().notNull(),
    locale: text({ enum: ['en', 'id'] }).notNull(),
    /**
     * The text's parameters, encrypted because they may contain a code; for a payment its id, `trf_…`. Cleared when the
     * email is sent or abandoned.
     */
    sealed_params: text().notNull(),
    created_at: integer().notNull(),
    /** When the next attempt is due; null once sent or abandoned. */
    next_at: integer(),
    tries: integer().notNull().default(0),
    sent_at: integer(),
    /** After this time the email is abandoned. The row is deleted an hour later and is counted until then. */
    expires_at: integer().notNull(),
  },
  (table) => [
    index('mails_next').on(table.next_at).where(sql`next_at IS NOT NULL`),
    index('mails_recipient').on(table.recipient, table.created_at),
    index('mails_expiry').on(table.expires_at),
    check('mail_sent_once', sql`sent_at IS NULL OR next_at IS NULL`),
    check('mail_locale', sql`locale IN ('en','id')`),
  ],
);
