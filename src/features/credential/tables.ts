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
import { emails, identities } from '../identity/tables.ts';

/** What proves who a person is. All kinds are rows of this table, so that rules about them count every kind. */
export const credentials = sqliteTable(
  'credentials',
  {
    id: text().primaryKey(),
    handle: text()
      .notNull()
      .references(() => identities.handle),
    provider: text().notNull(),
    providerUserId: text('provider_user_id').notNull(),
    email: text(),
    name: text(),
    passwordHash: text('password_hash'),
    publicKey: text('public_key'),
    signCount: integer('sign_count'),
    transports: text(),
    backedUp: integer('backed_up'),
    linkedAt: integer('linked_at').notNull(),
    lastLoginAt: integer('last_login_at').notNull(),
    /** By what an authenticator knows the person: random, and the same for all passkeys of an identity. */
    passkeyUserId: text('passkey_user_id'),
  },
  (table) => [
    unique('credentials_provider_user').on(table.provider, table.providerUserId),
    index('credentials_handle').on(table.handle, table.linkedAt),
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
