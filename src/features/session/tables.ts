import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

const endReasons = [
  'logout',
  'replaced',
  'replay',
  'expired',
  'ended',
  'password',
  'unlinked',
  'suspended',
  'closed',
] as const;

/**
 * A sign-in and its only live refresh token. The token is a column, not a separate row, so that a session cannot have
 * two live tokens; `previous_hash` distinguishes a race between tabs from a replay.
 */
export const sessions = sqliteTable(
  'sessions',
  {
    id: text().primaryKey(),
    handle: text().notNull(),
    credential_id: text().notNull(),
    provider: text().notNull(),
    authenticated_at: integer().notNull(),
    created_at: integer().notNull(),
    last_seen_at: integer().notNull(),
    expires_at: integer().notNull(),
    token_hash: text().notNull(),
    token_expires_at: integer().notNull(),
    previous_hash: text(),
    rotated_at: integer(),
    user_agent: text(),
    address: text(),
    country: text(),
    revoked_at: integer(),
    revoked_reason: text({ enum: endReasons }),
    /** The decision that revoked the session, so that a retried batch recognises its own change. */
    revoked_by: text(),
  },
  (table) => [
    index('sessions_live').on(table.handle, table.id).where(sql`revoked_at IS NULL`),
    index('sessions_expiry').on(table.expires_at),
    check('session_revoked', sql`(revoked_at IS NULL) = (revoked_reason IS NULL)`),
    check(
      'session_revoked_reason',
      sql`revoked_reason IN ('logout','replaced','replay','expired','ended','password','unlinked','suspended','closed')`,
    ),
    check('session_expiry', sql`expires_at > created_at AND token_expires_at <= expires_at`),
    check(
      'session_rotation',
      sql`(previous_hash IS NULL) = (rotated_at IS NULL) AND previous_hash <> token_hash`,
    ),
  ],
);
