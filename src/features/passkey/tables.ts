import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Challenges of ceremonies in progress, as digests: used once, by the browser or session they were created for. */
export const passkeyChallenges = sqliteTable(
  'passkey_challenges',
  {
    hash: text().primaryKey(),
    purpose: text({ enum: ['login', 'register', 'link'] }).notNull(),
    /** SHA-256 of the requesting browser's cookie, or the linking session. */
    bound_to: text().notNull(),
    user_id: text(),
    expires_at: integer().notNull(),
    used_by: text(),
  },
  (table) => [
    index('passkey_challenges_expiry').on(table.expires_at),
    check('challenge_purpose', sql`purpose IN ('login','register','link')`),
  ],
);
