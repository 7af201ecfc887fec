import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** A proven credential that belongs to nobody yet, waiting for a handle. Known to its holder by a secret. */
export const claimTickets = sqliteTable(
  'claim_tickets',
  {
    hash: text().primaryKey(),
    provider: text().notNull(),
    providerUserId: text('provider_user_id').notNull(),
    email: text(),
    shownEmail: text('shown_email'),
    displayName: text('display_name'),
    locale: text(),
    credentialName: text('credential_name'),
    passwordHash: text('password_hash'),
    publicKey: text('public_key'),
    signCount: integer('sign_count'),
    transports: text(),
    backedUp: integer('backed_up'),
    expiresAt: integer('expires_at').notNull(),
    consumedBy: text('consumed_by').unique(),
    passkeyUserId: text('passkey_user_id'),
  },
  (table) => [
    index('claim_tickets_expiry').on(table.expiresAt),
    check('ticket_email_shown', sql`email IS NULL OR email = shown_email`),
  ],
);
