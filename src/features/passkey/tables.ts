import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Challenges of ceremonies under way, as digests: used once, by the browser or session they were made for. */
export const passkeyChallenges = sqliteTable(
  'passkey_challenges',
  {
    hash: text().primaryKey(),
    purpose: text().notNull(),
    /** SHA-256 of the asking browser's cookie, or the session that links. */
    boundTo: text('bound_to').notNull(),
    userId: text('user_id'),
    expiresAt: integer('expires_at').notNull(),
    usedBy: text('used_by'),
  },
  (table) => [
    index('passkey_challenges_expiry').on(table.expiresAt),
    check('challenge_purpose', sql`purpose IN ('login','register','link')`),
  ],
);
