import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Mail on its way. A row is written in the batch of what it tells about, and sent after the response. */
export const mails = sqliteTable(
  'mails',
  {
    id: text().primaryKey(),
    /** Which text it is; the words are made when it is sent. */
    kind: text().notNull(),
    recipient: text().notNull(),
    locale: text().notNull(),
    /** What the text needs, encrypted: it may hold a code. Emptied once the mail is sent or given up. */
    sealedParams: text('sealed_params').notNull(),
    createdAt: integer('created_at').notNull(),
    /** When to try (again); null once sent or given up. */
    nextAt: integer('next_at'),
    tries: integer().notNull().default(0),
    sentAt: integer('sent_at'),
    /** After this the mail is of no use and is given up; the row goes an hour later, until when it counts. */
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [
    index('mails_next').on(table.nextAt).where(sql`next_at IS NOT NULL`),
    index('mails_recipient').on(table.recipient, table.createdAt),
    index('mails_expiry').on(table.expiresAt),
    check('mail_sent_once', sql`sent_at IS NULL OR next_at IS NULL`),
    check('mail_locale', sql`locale IN ('en','id')`),
  ],
);
