import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Six-digit codes sent by mail, as HMACs. One for each purpose, address and browser: a newer code replaces the older. */
export const emailCodes = sqliteTable(
  'email_codes',
  {
    purpose: text().notNull(),
    email: text().notNull(),
    /** SHA-256 of the asking browser's cookie, or the session that links. */
    boundTo: text('bound_to').notNull(),
    mac: text().notNull(),
    passwordHash: text('password_hash'),
    triesLeft: integer('tries_left').notNull().default(5),
    expiresAt: integer('expires_at').notNull(),
    usedBy: text('used_by'),
  },
  (table) => [
    primaryKey({ columns: [table.purpose, table.email, table.boundTo] }),
    index('email_codes_expiry').on(table.expiresAt),
    check('code_purpose', sql`purpose IN ('register','link','reset')`),
    check('code_tries', sql`tries_left BETWEEN 0 AND 5`),
  ],
);

/** How often a secret was guessed at, or asked for, within a window. Counted before the guess is looked at. */
export const secretTries = sqliteTable(
  'secret_tries',
  {
    key: text().primaryKey(),
    tries: integer().notNull(),
    resetsAt: integer('resets_at').notNull(),
  },
  (table) => [index('secret_tries_expiry').on(table.resetsAt)],
);
