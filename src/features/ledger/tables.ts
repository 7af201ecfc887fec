import { sql } from 'drizzle-orm';
import {
  type AnySQLiteColumn,
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { oneOf } from '../../db/tables.ts';
import type { FeeOperation } from './schema.ts';

/** The ledger switch, in one row: money moves only while the mode is `open`. */
export const ledger = sqliteTable(
  'ledger',
  {
    id: integer().primaryKey(),
    mode: oneOf(['open', 'frozen', 'disabled'], 'open'),
    withdrawals: integer().notNull().default(0),
    /** The reason why it is not open. */
    reason: text(),
    updated_at: integer().notNull().default(0),
    /** The last account read by the hourly check; the next run continues after it. */
    checked_account: integer().notNull().default(0),
    /** The configured wallet limits by level, as JSON; null if there are none. */
    limits: text(),
  },
  () => [
    check('ledger_one_row', sql`id = 1`),
    check('ledger_mode', sql`mode IN ('open','frozen','disabled')`),
    check('ledger_withdrawals', sql`withdrawals IN (0,1)`),
    check('ledger_limits', sql`limits IS NULL OR json_type(limits) = 'object'`),
  ],
);

/**
 * Accounts by owner. A wallet is an account of kind `wallet` owned by a handle. Only triggers change the counters; the
 * balance is `credits_posted - debits_posted`, and the held amount is `debits_pending`.
 */
export const accounts = sqliteTable(
  'accounts',
  {
    id: integer().primaryKey(),
    kind: text({ enum: ['wallet', 'app', 'platform', 'gateway', 'payout', 'suspense'] }).notNull(),
    /** A handle, an app id, or `system`. */
    owner: text().notNull(),
    asset: text().notNull(),
    may_overdraw: integer().notNull().default(0),
    status: oneOf(['active', 'frozen', 'closed'], 'active'),
    debits_posted: integer().notNull().default(0),
    credits_posted: integer().notNull().default(0),
    debits_pending: integer().notNull().default(0),
    credits_pending: integer().notNull().default(0),
    /** Money that a provider reversed after it was spent. Incoming money settles this debt first. */
    debt: integer().notNull().default(0),
    /** The time of the last entry; the next one must not be earlier. */
    moved_at: integer().notNull().default(0),
    /** The last leg that changed the counters. */
    leg: integer().notNull().default(0),
    created_at: integer().notNull(),
  },
  (table) => [
    uniqueIndex('accounts_owner').on(table.owner, table.kind, table.asset),
    index('accounts_debt').on(table.moved_at).where(sql`debt > 0`),
    check('account_debt', sql`debt >= 0 AND (debt = 0 OR kind IN ('wallet','app','platform'))`),
    check('account_kind', sql`kind IN ('wallet','app','platform','gateway','payout','suspense')`),
    check('account_status', sql`status IN ('active','frozen','closed')`),
    check('account_overdraw', sql`may_overdraw = 0 OR kind IN ('gateway','payout','suspense')`),
    check(
      'insufficient_internal_credit',
      sql`may_overdraw = 1 OR debits_posted + debits_pending <= credits_posted`,
    ),
    check(
      'counter_range',
      sql`debits_posted >= 0 AND credits_posted >= 0 AND debits_pending >= 0 AND credits_pending >= 0 AND debits_posted < 4611686018427387904 AND credits_posted < 4611686018427387904`,
    ),
  ],
);

/** A wallet's outflows on its latest day and in the same month, kept while limits are set. Triggers write them. */
export const outflows = sqliteTable(
  'outflows',
  {
    account: integer()
      .primaryKey()
      .references(() => accounts.id),
    /** In Jakarta time, such as `2026-11-22`. */
    day: text().notNull(),
    day_total: integer().notNull(),
    month_total: integer().notNull(),
  },
  () => [check('outflow_totals', sql`day_total >= 0 AND month_total >= 0`)],
);

/** Money moves only as a leg: one debit, one credit, one amount. The triggers of the documents write them. */
export const legs = sqliteTable(
  'legs',
  {
    /** The order of all movements. */
    seq: integer().primaryKey(),
    kind: text().notNull(),
    /** The id of the document that posts the leg. */
    ref: text().notNull(),
    n: integer().notNull(),
    phase: oneOf(['posted', 'pending', 'post', 'void'], 'posted'),
    pending_leg: integer().references((): AnySQLiteColumn => legs.seq),
    debit: integer()
      .notNull()
      .references(() => accounts.id),
    credit: integer()
      .notNull()
      .references(() => accounts.id),
    amount: integer().notNull(),
    at: integer().notNull(),
  },
  (table) => [
    uniqueIndex('leg_once').on(table.kind, table.ref, table.n),
    uniqueIndex('legs_resolved_once').on(table.pending_leg).where(sql`pending_leg IS NOT NULL`),
    check('leg_amount', sql`amount > 0 AND amount <= 1000000000000`),
    check('leg_two_accounts', sql`debit <> credit`),
    check('leg_phase', sql`phase IN ('posted','pending','post','void')`),
    check('leg_resolves', sql`(phase IN ('post','void')) = (pending_leg IS NOT NULL)`),
  ],
);

/**
 * The effect of a posted leg on each account, with the resulting balance. Rows are in chronological order within an
 * account and a `way`, so that a page of any wallet list needs only the key.
 */
export const entries = sqliteTable(
  'entries',
  {
    account: integer().notNull(),
    /**
     * 0: a further leg of a movement, 1: a transfer in, 2: a transfer out, 3: any other inflow, 4: any other outflow.
     */
    way: integer().notNull(),
    at: integer().notNull(),
    leg: integer().notNull(),
    delta: integer().notNull(),
    balance: integer().notNull(),
    /** The kind shown to people; null for a transfer and for a further leg. */
    kind: text(),
    /** The document that posted the leg. */
    ref: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.account, table.way, table.at, table.leg] }),
    // The index covers all columns that lists read, so each line costs only one row read here too.
    index('entries_kind')
      .on(table.account, table.kind, table.way, table.at, table.leg, table.delta, table.balance, table.ref)
      .where(sql`kind IS NOT NULL`),
    check(
      'entry_way',
      sql`way BETWEEN 0 AND 4 AND (kind IS NOT NULL) = (way > 2) AND (way = 0 OR (way IN (1, 3)) = (delta > 0))`,
    ),
  ],
);

/** An app's fees, or the operator's under the scope `platform`. A change creates a new version. */
export const feeVersions = sqliteTable(
  'fee_versions',
  {
    scope: text().notNull(),
    operation: text().$type<FeeOperation>().notNull(),
    version: integer().notNull(),
    fixed: integer().notNull(),
    /** Hundredths of a percent. */
    bps: integer().notNull(),
    least: integer().notNull().default(0),
    most: integer(),
    payer: text({ enum: ['payer', 'payee'] }).notNull(),
    created_by: text().notNull(),
    created_at: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.scope, table.operation, table.version] }),
    index('fee_versions_made').on(table.created_by, table.created_at).where(sql`scope <> 'platform'`),
    check(
      'fee_range',
      sql`version >= 1 AND fixed BETWEEN 0 AND 1000000000 AND bps BETWEEN 0 AND 10000 AND least >= 0 AND (most IS NULL OR most >= least)`,
    ),
  ],
);

/** Movements other than transfers: sweeps of app revenue, and corrections by the operator. */
export const adjustments = sqliteTable(
  'adjustments',
  {
    id: text().primaryKey(),
    kind: text({ enum: ['sweep', 'second_payment', 'correction'] }).notNull(),
    debit: integer().notNull(),
    credit: integer().notNull(),
    amount: integer().notNull(),
    /** The subject, such as the app of a sweep. A correction with a subject resolves it, and only once. */
    ref: text(),
    reason: text().notNull(),
    actor: text().notNull(),
    idempotency_key: text(),
    request_hash: text(),
    at: integer().notNull(),
  },
  (table) => [
    uniqueIndex('adjustments_key')
      .on(table.actor, table.idempotency_key)
      .where(sql`idempotency_key IS NOT NULL`),
    uniqueIndex('adjustments_of').on(table.ref).where(sql`kind = 'correction' AND ref IS NOT NULL`),
    check('adjustment_kind', sql`kind IN ('sweep','second_payment','correction')`),
    check('adjustment_key', sql`(idempotency_key IS NULL) = (request_hash IS NULL)`),
  ],
);
