import { sql } from 'drizzle-orm';
import {
  type AnySQLiteColumn,
  check,
  index,
  integer,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { oneOf } from '../../db/tables.ts';
import { accounts } from '../ledger/tables.ts';

/**
 * An inquiry and its transfer are one row, shown with the prefix `inq_` or `trf_`. Triggers post the legs when the
 * status changes to `confirmed`. A refund is a separate row that refers to the transfer, and is confirmed from the
 * start.
 */
export const transfers = sqliteTable(
  'transfers',
  {
    /** Without a prefix. */
    id: text().primaryKey(),
    payer: text().notNull(),
    payee: text().notNull(),
    payer_account: integer()
      .notNull()
      .references(() => accounts.id),
    payee_account: integer()
      .notNull()
      .references(() => accounts.id),
    app_account: integer().references(() => accounts.id),
    asset: text().notNull(),
    amount: integer().notNull(),
    payer_fee: integer().notNull(),
    payee_fee: integer().notNull(),
    app_fee: integer().notNull(),
    platform_fee: integer().notNull(),
    debit_total: integer().notNull(),
    net_amount: integer().notNull(),
    app_id: text(),
    grant_id: text(),
    needs_approval: integer().notNull().default(0),
    approval_id: text(),
    /** SHA-256 of the verifier with which the opener redeemed the approval. */
    verifier_hash: text(),
    memo: text(),
    refund_of: text().references((): AnySQLiteColumn => transfers.id),
    /** The total refunded. */
    refunded: integer().notNull().default(0),
    idempotency_key: text(),
    request_hash: text(),
    status: oneOf(['open', 'confirmed', 'reversed', 'cancelled'], 'open'),
    /** The request that confirmed the inquiry, so that a retry recognises its own change. */
    confirmed_by: text(),
    confirmed_at: integer(),
    /**
     * The session in which the payer confirmed it or the money was held; null for a back end. That of an approval is in
     * its popup request. Sessions are deleted when they expire, so nothing about the device stays here.
     */
    session_id: text(),
    reversed_at: integer(),
    created_at: integer().notNull(),
    expires_at: integer().notNull(),
    /**
     * The parties whose `stepUpAmount` it exceeded, whom a trigger notifies of the confirmation: 1 the payer, 2 the
     * payee, 3 both.
     */
    above_step_up: integer().notNull().default(0),
    /** For a hold: the fee rules that apply to the captured amount. */
    hold_rules: text(),
    /** The row stays `open` while its money is held, until `expires_at`. */
    held_at: integer(),
    /** The request that held the money. */
    held_by: text(),
    /** The held total. A capture of less lowers the amounts. */
    held_total: integer(),
    /** When the money was released; at or after `expires_at` if the hold expired. */
    released_at: integer(),
    /** True if it uses the payer's limits. */
    counted: integer().notNull().default(0),
  },
  (table) => [
    index('transfers_unconfirmed')
      .on(table.expires_at)
      .where(sql`status IN ('open','cancelled') AND held_at IS NULL`),
    index('transfers_held').on(table.expires_at).where(sql`held_at IS NOT NULL AND status = 'open'`),
    index('transfers_held_of').on(table.payer, table.id).where(sql`held_at IS NOT NULL AND status = 'open'`),
    index('transfers_app').on(table.app_id, table.id).where(sql`app_id IS NOT NULL`),
    index('transfers_refunds').on(table.refund_of, table.id).where(sql`refund_of IS NOT NULL`),
    uniqueIndex('transfers_key')
      .on(table.payer, table.idempotency_key)
      .where(sql`idempotency_key IS NOT NULL AND app_id IS NULL`),
    uniqueIndex('transfers_app_key')
      .on(table.payer, table.app_id, table.idempotency_key)
      .where(sql`idempotency_key IS NOT NULL AND app_id IS NOT NULL`),
    check('transfer_status', sql`status IN ('open','confirmed','reversed','cancelled')`),
    check('transfer_two_wallets', sql`payer_account <> payee_account`),
    check(
      'transfer_fees',
      sql`amount > 0 AND payer_fee >= 0 AND payee_fee >= 0 AND app_fee >= 0 AND platform_fee >= 0 AND app_fee + platform_fee = payer_fee + payee_fee`,
    ),
    check(
      'transfer_sums',
      sql`debit_total = amount + payer_fee AND net_amount = amount - payee_fee AND net_amount >= 1`,
    ),
    check(
      'transfer_app',
      sql`(app_fee = 0 OR app_account IS NOT NULL) AND (needs_approval = 0 OR app_id IS NOT NULL)`,
    ),
    check('transfer_approval', sql`needs_approval IN (0,1)`),
    check(
      'transfer_refunded',
      sql`refunded BETWEEN 0 AND net_amount AND (refunded = 0 OR status = 'confirmed')`,
    ),
    check(
      'transfer_refund',
      sql`refund_of IS NULL OR (status = 'confirmed' AND payer_fee + payee_fee = 0 AND needs_approval = 0 AND refunded = 0)`,
    ),
    check(
      'transfer_key',
      sql`(idempotency_key IS NULL) = (request_hash IS NULL) AND (idempotency_key IS NULL OR refund_of IS NOT NULL)`,
    ),
    check('transfer_memo', sql`length(memo) <= 140`),
    check(
      'transfer_hold',
      sql`hold_rules IS NULL OR (json_type(hold_rules) = 'object' AND app_id IS NOT NULL AND refund_of IS NULL)`,
    ),
    check(
      'transfer_held',
      sql`iif(held_at IS NULL, hold_rules IS NULL OR status IN ('open','cancelled'), hold_rules IS NOT NULL)`,
    ),
    check('transfer_held_by', sql`(held_at IS NULL) = (held_by IS NULL)`),
    check('transfer_held_total', sql`(held_at IS NULL) = (held_total IS NULL) AND debit_total <= held_total`),
    check(
      'transfer_released',
      sql`(released_at IS NOT NULL) = (held_at IS NOT NULL AND status = 'cancelled')`,
    ),
    check(
      'transfer_counted',
      sql`counted = 0 OR (counted = 1 AND coalesce(held_at, confirmed_at) IS NOT NULL)`,
    ),
    check('transfer_in_time', sql`confirmed_at < expires_at OR refund_of IS NOT NULL`),
    check(
      'transfer_confirmed_at',
      sql`(status IN ('confirmed','reversed')) = (confirmed_at IS NOT NULL) AND (confirmed_at IS NULL) = (confirmed_by IS NULL) AND (status = 'reversed') = (reversed_at IS NOT NULL)`,
    ),
  ],
);
