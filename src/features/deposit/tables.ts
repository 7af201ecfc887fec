import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { oneOf, ref } from '../../db/tables.ts';
import { accounts } from '../ledger/tables.ts';

/**
 * Payments through a provider. Triggers post the legs when the status becomes `credited`. A row waits for its next
 * check at the provider while `next_at` is set.
 */
export const deposits = sqliteTable(
  'deposits',
  {
    /** With its prefix; also the provider's order id. */
    id: text().primaryKey(),
    handle: text().notNull(),
    account: integer()
      .notNull()
      .references(() => accounts.id),
    app_account: integer().references(() => accounts.id),
    asset: text().notNull(),
    gross: integer().notNull(),
    app_fee: integer().notNull(),
    platform_fee: integer().notNull(),
    net: integer().notNull(),
    /** The fee rules (`FeeRules`) at checkout, which also apply if another amount is paid. */
    fee_rules: text().notNull().default('{"app":null,"platform":null}'),
    app_id: text(),
    gateway: text().notNull(),
    /** The method requested by the person; after payment, the one used. */
    method: text(),
    /** Our return page redirects the person to this address. */
    return_url: text(),
    idempotency_key: text(),
    request_hash: text(),
    session: text(),
    url: text(),
    status: text({
      enum: ['creating', 'pending', 'credited', 'expired', 'failed', 'review', 'reversed'],
    })
      .notNull()
      .default('creating'),
    failure: text(),
    /** The provider's id of the payment, with the paid amount and currency. */
    payment: text(),
    paid: integer(),
    paid_currency: text(),
    created_at: integer().notNull(),
    /** When the status changed. */
    updated_at: integer().notNull(),
    expires_at: integer().notNull(),
    credited_at: integer(),
    reversed_at: integer(),
    /** The total debited from the accounts. */
    returned: integer().notNull().default(0),
    /** The total reversed at the operator's expense, which `returned` excludes; null while the amount is unknown. */
    borne: integer().default(0),
    next_at: integer(),
    /** When the provider was last queried. */
    asked_at: integer().notNull().default(0),
    tries: integer().notNull().default(0),
  },
  (table) => [
    uniqueIndex('deposits_key')
      .on(table.handle, table.idempotency_key)
      .where(sql`idempotency_key IS NOT NULL AND app_id IS NULL`),
    index('deposits_app').on(table.app_id, table.handle, table.id).where(sql`app_id IS NOT NULL`),
    uniqueIndex('deposits_app_key')
      .on(table.handle, table.app_id, table.idempotency_key)
      .where(sql`idempotency_key IS NOT NULL AND app_id IS NOT NULL`),
    uniqueIndex('deposits_payment').on(table.gateway, table.payment).where(sql`payment IS NOT NULL`),
    index('deposits_due').on(table.gateway, table.next_at).where(sql`next_at IS NOT NULL`),
    index('deposits_open').on(table.created_at).where(sql`status IN ('creating','pending')`),
    index('deposits_pages').on(table.handle, table.id).where(sql`status IN ('creating','pending')`),
    index('deposits_handle').on(table.handle, table.id),
    index('deposits_status').on(table.handle, table.status, table.id),
    index('deposits_review')
      .on(table.id)
      .where(sql`status = 'review' OR failure IN ('refund_uncovered','contradicted')`),
    index('deposits_ended').on(table.updated_at).where(sql`status IN ('expired','failed')`),
    check(
      'deposit_sums',
      sql`gross > 0 AND app_fee >= 0 AND platform_fee >= 0 AND net = gross - app_fee - platform_fee AND net >= 1`,
    ),
    check(
      'deposit_returned',
      sql`returned BETWEEN 0 AND gross AND (returned = 0 OR status IN ('credited','reversed')) AND (returned < gross OR status = 'reversed')`,
    ),
    check('deposit_borne', sql`borne BETWEEN 0 AND gross - returned`),
    check('deposit_rules', sql`json_type(fee_rules) = 'object'`),
    check('deposit_app', sql`app_fee = 0 OR app_account IS NOT NULL`),
    check('deposit_opened', sql`status <> 'pending' OR (session IS NOT NULL AND url IS NOT NULL)`),
    check(
      'deposit_credited_at',
      sql`(status IN ('credited','reversed')) = (credited_at IS NOT NULL) AND (status = 'reversed') = (reversed_at IS NOT NULL) AND (credited_at IS NULL OR payment IS NOT NULL)`,
    ),
    check('deposit_key', sql`(idempotency_key IS NULL) = (request_hash IS NULL)`),
  ],
);

/**
 * Another payment for an already credited order. A trigger writes the row together with an adjustment of the same id,
 * which puts the money in suspense. The administrator's decision posts the adjustment that removes it.
 */
export const secondPayments = sqliteTable(
  'second_payments',
  {
    id: text().primaryKey(),
    deposit: ref(() => deposits.id),
    handle: text().notNull(),
    amount: integer().notNull(),
    status: oneOf(['open', 'credited', 'returned'], 'open'),
    at: integer().notNull(),
    decided_at: integer(),
  },
  (table) => [
    index('second_payments_open').on(table.at, table.id).where(sql`status = 'open'`),
    index('second_payments_handle').on(table.handle, table.id).where(sql`status = 'open'`),
    check('second_payment_status', sql`status IN ('open','credited','returned')`),
    check('second_payment_decided', sql`(status = 'open') = (decided_at IS NULL)`),
  ],
);
