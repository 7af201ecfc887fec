import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** A proven credential without an owner, waiting for a handle. The ticket's holder has the secret. */
export const claimTickets = sqliteTable(
  'claim_tickets',
  {
    hash: text().primaryKey(),
    provider: text().notNull(),
    provider_user_id: text().notNull(),
    email: text(),
    shown_email: text(),
    display_name: text(),
    locale: text(),
    credential_name: text(),
    password_hash: text(),
    public_key: text(),
    sign_count: integer(),
    transports: text(),
    backed_up: integer(),
    expires_at: integer().notNull(),
    consumed_by: text().unique(),
    passkey_user_id: text(),
  },
  (table) => [
    index('claim_tickets_expiry').on(table.expires_at),
    check('ticket_email_shown', sql`email IS NULL OR email = shown_email`),
  ],
);
