import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * A sign-in and its one live refresh token. The token is a column, not a row of its own, so that two live
 * tokens in one session cannot exist; `previous_hash` tells a race between tabs from a replay.
 */
export const sessions = sqliteTable(
  'sessions',
  {
    id: text().primaryKey(),
    handle: text().notNull(),
    credentialId: text('credential_id').notNull(),
    provider: text().notNull(),
    authenticatedAt: integer('authenticated_at').notNull(),
    createdAt: integer('created_at').notNull(),
    lastSeenAt: integer('last_seen_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    tokenHash: text('token_hash').notNull(),
    tokenExpiresAt: integer('token_expires_at').notNull(),
    previousHash: text('previous_hash'),
    rotatedAt: integer('rotated_at'),
    userAgent: text('user_agent'),
    address: text(),
    country: text(),
    revokedAt: integer('revoked_at'),
    revokedReason: text('revoked_reason'),
  },
  (table) => [
    index('sessions_live').on(table.handle, table.id).where(sql`revoked_at IS NULL`),
    index('sessions_expiry').on(table.expiresAt),
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
