import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Emailed codes, as HMACs: one for each purpose, address and browser. A new code replaces the old one. */
export const emailCodes = sqliteTable(
  'email_codes',
  {
    purpose: text({ enum: ['register', 'link', 'reset'] }).notNull(),
    email: text().notNull(),
    /** SHA-256 of the requesting browser's cookie, or the linking session. */
    bound_to: text().notNull(),
    mac: text().notNull(),
    password_hash: text(),
    tries_left: integer().notNull().default(5),
    expires_at: integer().notNull(),
    used_by: text(),
  },
  (table) => [
    primaryKey({ columns: [table.purpose, table.email, table.bound_to] }),
    index('email_codes_expiry').on(table.expires_at),
    check('code_purpose', sql`purpose IN ('register','link','reset')`),
    check('code_tries', sql`tries_left BETWEEN 0 AND 5`),
  ],
);

/**
 * Counters of guesses at a secret, or of requests for one, within a window. A guess is counted before it is checked.
 */
export const secretTries = sqliteTable(
  'secret_tries',
  {
    key: text().primaryKey(),
    tries: integer().notNull(),
    resets_at: integer().notNull(),
  },
  (table) => [index('secret_tries_expiry').on(table.resets_at)],
);
