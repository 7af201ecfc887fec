import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { oneOf } from '../../db/tables.ts';
import { accounts } from '../ledger/tables.ts';

/**
 * A withdrawal to a bank account, which starts as a quote. Triggers on the status hold the money, then pay it out or
 * return it.
 */
export const withdrawals = sqliteTable(
  'withdrawals',
  {
    /** Also the provider's idempotency key for the payout. */
    id: text().primaryKey(),
    handle: text().notNull(),
    account: integer()
      .notNull()
      .references(() => accounts.id),
    asset: text().notNull(),
    amount: integer().notNull(),
    /** The operator's fee, added to the amount. */
    fee: integer().notNull(),
    /** The provider's name. */
    gateway: text().notNull(),
    /** The bank account and its holder, encrypted; empty after erasure. */
    destination_enc: text().notNull(),
    /** The part of the account shown to a person. */
    destination_hint: text().notNull(),
    /** The provider's own id of the payout. */
    payout: text(),
    status: oneOf(['quoted', 'held', 'submitted', 'paid', 'failed', 'cancelled', 'returned'], 'quoted'),
    /**
     * The provider's reason for the failure; `unknown` or `payout_reused` while the withdrawal waits for the operator.
     */
    failure: text(),
    /** The request that held the money, so that a retry recognises its own change. */
    held_by: text(),
    created_at: integer().notNull(),
    /** When the quote expires. */
    expires_at: integer().notNull(),
    held_at: integer(),
    /** When it was first sent, or marked for sending. */
    submitted_at: integer(),
    ended_at: integer(),
    returned_at: integer(),
    /** The time of the next provider call; NULL if nothing is left to do. */
    next_at: integer(),
    tries: integer().notNull().default(0),
    /** True if it uses the person's limits. */
    counted: integer().notNull().default(0),
  },
  (table) => [
    uniqueIndex('withdrawals_payout').on(table.gateway, table.payout),
    index('withdrawals_due').on(table.next_at).where(sql`next_at IS NOT NULL`),
    index('withdrawals_handle').on(table.handle, table.id),
    index('withdrawals_status').on(table.handle, table.status, table.id),
    index('withdrawals_quoted').on(table.expires_at).where(sql`status = 'quoted'`),
    index('withdrawals_sealed').on(table.ended_at).where(sql`ended_at IS NOT NULL AND destination_enc <> ''`),
    index('withdrawals_contradicted').on(table.id).where(sql`failure = 'contradicted'`),
    check('withdrawal_amount', sql`amount > 0 AND fee >= 0`),
    check(
      'withdrawal_times',
      sql`(status = 'quoted') = (held_at IS NULL) AND (held_at IS NULL) = (held_by IS NULL) AND (status IN ('quoted','held','cancelled')) = (submitted_at IS NULL) AND (status IN ('paid','failed','cancelled','returned')) = (ended_at IS NOT NULL) AND (status = 'returned') = (returned_at IS NOT NULL)`,
    ),
    check('withdrawal_counted', sql`counted = 0 OR (counted = 1 AND held_at IS NOT NULL)`),
    check('withdrawal_in_time', sql`held_at < expires_at`),
    check('withdrawal_due', sql`next_at IS NOT NULL OR status NOT IN ('held','submitted')`),
  ],
);
