import { sql } from 'drizzle-orm';
import {
  check,
  foreignKey,
  index,
  integer,
  sqliteTable,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { ref } from '../../db/tables.ts';
import { emails, identities } from '../identity/tables.ts';

/** Proofs of a person's identity. All kinds are rows in this table, so that rules apply to every kind. */
export const credentials = sqliteTable(
  'credentials',
  {
    id: text().primaryKey(),
    handle: ref(() => identities.handle),
    provider: text().notNull(),
    provider_user_id: text().notNull(),
    email: text(),
    name: text(),
    password_hash: text(),
    public_key: text(),
    sign_count: integer(),
    transports: text(),
    backed_up: integer(),
    linked_at: integer().notNull(),
    last_login_at: integer().notNull(),
    /** The id by which an authenticator identifies the person: random, and the same for all passkeys of an identity. */
    passkey_user_id: text(),
  },
  (table) => [
    unique('credentials_provider_user').on(table.provider, table.provider_user_id),
    index('credentials_handle').on(table.handle, table.linked_at),
    index('credentials_email').on(table.email, table.handle).where(sql`email IS NOT NULL`),
    uniqueIndex('credentials_one_password').on(table.handle).where(sql`provider = 'email'`),
    foreignKey({ columns: [table.email, table.handle], foreignColumns: [emails.email, emails.handle] }),
    check('credential_provider', sql`length(provider) BETWEEN 1 AND 32 AND provider NOT GLOB '*[^a-z0-9-]*'`),
    check('provider_user_id_length', sql`length(provider_user_id) BETWEEN 1 AND 1023`),
    check('credential_name_length', sql`length(name) <= 64`),
    check('sign_count_range', sql`sign_count >= 0`),
    check(
      'password_shape',
      sql`(provider = 'email') = (password_hash IS NOT NULL) AND (provider <> 'email' OR email IS provider_user_id)`,
    ),
    check(
      'passkey_shape',
      sql`(provider = 'passkey') = (public_key IS NOT NULL) AND (provider = 'passkey') = (sign_count IS NOT NULL)`,
    ),
    check('passkey_user', sql`(provider = 'passkey') = (passkey_user_id IS NOT NULL)`),
  ],
);
