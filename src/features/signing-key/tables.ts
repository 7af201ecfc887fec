import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Keys that sign access tokens. `private_enc` is sealed under SECRET_KEY; the public part is published. */
export const signingKeys = sqliteTable(
  'signing_keys',
  {
    kid: text().primaryKey(),
    generation: integer().notNull().unique(),
    alg: text().notNull(),
    publicJwk: text('public_jwk').notNull(),
    privateEnc: text('private_enc').notNull(),
    signsFrom: integer('signs_from').notNull(),
    signsUntil: integer('signs_until').notNull(),
    verifiesUntil: integer('verifies_until').notNull(),
  },
  (table) => [
    index('signing_keys_expiry').on(table.verifiesUntil),
    check('signing_key_times', sql`signs_from < signs_until AND signs_until < verifies_until`),
  ],
);
