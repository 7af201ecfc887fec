import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/**
 * Token signing keys, with separate generations per algorithm. `private_enc` is encrypted under SECRET_KEY; the public part is published.
 */
export const signingKeys = sqliteTable(
  'signing_keys',
  {
    kid: text().primaryKey(),
    generation: integer().notNull(),
    alg: text({ enum: ['ES256', 'RS256'] }).notNull(),
    public_jwk: text().notNull(),
    private_enc: text().notNull(),
    signs_from: integer().notNull(),
    signs_until: integer().notNull(),
    verifies_until: integer().notNull(),
  },
  (table) => [
    uniqueIndex('signing_keys_generation').on(table.alg, table.generation),
    index('signing_keys_expiry').on(table.verifies_until),
    check('signing_key_times', sql`signs_from < signs_until AND signs_until < verifies_until`),
  ],
);
