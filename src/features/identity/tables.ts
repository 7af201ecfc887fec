import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core';
import { oneOf, ref } from '../../db/tables.ts';

/** One row. Sessions created before `sessions_not_before` are invalid; a restore raises it. */
export const settings = sqliteTable(
  'settings',
  {
    id: integer().primaryKey(),
    sessions_not_before: integer().notNull().default(0),
  },
  () => [check('settings_one_row', sql`id = 1`)],
);

/** One row whose CHECK turns an assertion at the end of a batch into a rollback of the whole batch. */
export const tripwire = sqliteTable(
  'tripwire',
  { id: integer().primaryKey(), ok: integer().notNull() },
  () => [check('tripwire_one_row', sql`id = 1`), check('batch_assertion_failed', sql`ok = 1`)],
);

/**
 * A verdict exists here only during a batch: the first statement decides and records the reason, later statements
 * depend on the verdict, and the last one removes it. The table is empty between batches.
 */
export const decisions = sqliteTable('decisions', {
  id: text().primaryKey(),
  verdict: text().notNull(),
  handle: text(),
  skeleton: text(),
  credential_id: text(),
});

/** The previous name of `decisions`; processes of the previous release use it during an upgrade. */
export const attempts = sqliteTable('attempts', {
  id: text().primaryKey(),
  verdict: text().notNull(),
  handle: text(),
  skeleton: text(),
  credential_id: text(),
});

/** A permanent PID: triggers reject renames and deletions. `ticket` enforces one identity per ticket. */
export const identities = sqliteTable(
  'identities',
  {
    handle: text().primaryKey(),
    skeleton: text().notNull().unique(),
    ticket: text().notNull().unique(),
    status: oneOf(['active', 'suspended', 'closed'], 'active'),
    created_at: integer().notNull(),
    closed_at: integer(),
    /** True if an administrator has verified the person; determines the wallet limits. */
    level: oneOf(['unverified', 'verified'], 'unverified'),
    /** Of a closed identity: activity lines below this one may have sessions whose devices are still to be erased. */
    devices_below: integer(),
    /** The order in which closed identities have their next step, so that none waits for all steps of another. */
    devices_turn: integer().notNull().default(0),
  },
  (table) => [
    index('identities_devices').on(table.devices_turn).where(sql`devices_below IS NOT NULL`),
    check(
      'handle_format',
      sql`length(handle) BETWEEN 3 AND 30 AND handle NOT GLOB '*[^a-z0-9._-]*' AND handle GLOB '[a-z0-9]*[a-z0-9]' AND handle NOT GLOB '*[._-][._-]*'`,
    ),
    check('identity_status', sql`status IN ('active','suspended','closed')`),
    check('identity_level', sql`level IN ('unverified','verified')`),
    check('identity_closed_at', sql`(status = 'closed') = (closed_at IS NOT NULL)`),
  ],
);

export const profiles = sqliteTable(
  'profiles',
  {
    handle: text()
      .primaryKey()
      .references(() => identities.handle),
    display_name: text().notNull(),
    locale: text(),
    updated_at: integer().notNull(),
    /** Above this amount an approval needs a separate sign-in; null disables this. */
    step_up_amount: integer(),
  },
  (table) => [
    index('profiles_name').on(sql`${table.display_name} COLLATE NOCASE`),
    // The name from its second word on, and its last word.
    index('profiles_second_word')
      .on(sql`substr(display_name, instr(display_name, ' ') + 1) COLLATE NOCASE`)
      .where(sql`instr(display_name, ' ') > 0`),
    index('profiles_last_word')
      .on(
        sql`substr(display_name, length(rtrim(display_name, replace(display_name, ' ', ''))) + 1) COLLATE NOCASE`,
      )
      .where(sql`instr(display_name, ' ') > 0`),
    check('display_name_length', sql`length(display_name) <= 64`),
    check('profile_step_up', sql`step_up_amount BETWEEN 0 AND 1000000000000`),
  ],
);

/** Verified addresses: each belongs to one identity. A row exists as long as a credential uses it. */
export const emails = sqliteTable(
  'emails',
  {
    email: text().primaryKey(),
    handle: ref(() => identities.handle),
    verified_at: integer().notNull(),
  },
  (table) => [
    unique('emails_handle_email').on(table.handle, table.email),
    check('email_canonical', sql`email = lower(trim(email)) AND instr(email, '@') > 1`),
  ],
);

/** Issued and closed PIDs waiting to be copied to a store outside the database, which survives a restore. */
export const pidJournal = sqliteTable(
  'pid_journal',
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    handle: text().notNull(),
    skeleton: text().notNull(),
    event: text({ enum: ['issued', 'closed'] }).notNull(),
    at: integer().notNull(),
  },
  () => [check('pid_journal_event', sql`event IN ('issued','closed')`)],
);
