import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { oneOf, ref } from '../../db/tables.ts';

/** A file from a provider or the bank. Its lines take effect after it is accepted. */
export const reports = sqliteTable(
  'reports',
  {
    id: text().primaryKey(),
    /** `bank`, or the provider's name. */
    source: text().notNull(),
    /** `reading` during the import, `read` while waiting for a decision, `posted` after all lines have taken effect. */
    status: oneOf(['reading', 'read', 'accepted', 'posted', 'rejected'], 'reading'),
    /** The digest of the whole file: the same file is not imported twice for the same days. */
    sha256: text(),
    /** The days covered by the report. */
    first_day: text(),
    last_day: text(),
    /** The number of the file's last line. */
    last_line: integer().notNull().default(0),
    /** The last line that has taken effect. */
    posted_line: integer().notNull().default(0),
    /** JSON: the effect of its lines. */
    summary: text(),
    created_at: integer().notNull(),
    decided_by: text(),
    decided_at: integer(),
  },
  (table) => [
    uniqueIndex('reports_file')
      .on(table.source, table.sha256, table.first_day, table.last_day)
      .where(sql`status IN ('read','accepted','posted')`),
    index('reports_status').on(table.status, table.id),
    check(
      'report_read',
      sql`status IN ('reading','rejected') OR (sha256 IS NOT NULL AND first_day <= last_day AND summary IS NOT NULL)`,
    ),
    check('report_decided', sql`(status IN ('accepted','posted')) <= (decided_at IS NOT NULL)`),
  ],
);

/**
 * A report line. Its outcome is set only once, and triggers apply it: legs if it matches, a case if it differs. A line
 * whose case is explained later becomes `matched`.
 */
export const reportLines = sqliteTable(
  'report_lines',
  {
    report: ref(() => reports.id),
    /** The first line of the record in the file; the heading is line 1. */
    line: integer().notNull(),
    source: text().notNull(),
    /** The key that identifies the same line in another file. */
    key: text().notNull(),
    kind: text({ enum: ['payment', 'return', 'arrival'] }).notNull(),
    /** Our id of the deposit, or the bank's text. */
    ref: text().notNull(),
    /** The provider's id of the payment. */
    payment: text(),
    /** The adjustment that would contain it as the order's second payment. */
    adjustment: text(),
    day: text().notNull(),
    /** In minor units; negative amounts are reversals. */
    gross: integer().notNull(),
    fee: integer().notNull(),
    currency: text().notNull(),
    /** The provider's transfer to the bank that includes this line. */
    payout: text(),
    /** 1 if an earlier line of the file has the same key. */
    doubled: integer().notNull().default(0),
    outcome: text({
      enum: [
        ...(['matched', 'known', 'doubled', 'changed', 'currency', 'too_late', 'unknown_payment'] as const),
        ...(['amount', 'return', 'unknown_arrival', 'arrival_amount'] as const),
      ],
    }),
    decided_at: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.report, table.line] }),
    index('report_lines_key').on(table.key, table.report, table.line),
    index('report_lines_ref').on(table.ref),
    index('report_lines_differing')
      .on(table.report, table.line)
      .where(sql`outcome IN ('unknown_payment','amount','return','unknown_arrival','arrival_amount')`),
    uniqueIndex('report_line_once')
      .on(table.key)
      .where(sql`outcome IS NOT NULL AND outcome NOT IN ('known','doubled','changed')`),
    check(
      'report_line_kind',
      sql`(kind = 'arrival') = (source = 'bank') AND kind IN ('payment','return','arrival')`,
    ),
    check('report_line_decided', sql`(outcome IS NULL) = (decided_at IS NULL)`),
    check('report_line_sign', sql`(kind = 'return') = (gross < 0) AND gross <> 0`),
  ],
);

/** Transfers to the bank as reported by a provider. The triggers of the lines write them. */
export const providerPayouts = sqliteTable(
  'provider_payouts',
  {
    source: text().notNull(),
    reference: text().notNull(),
    /** The last day of the lines. */
    day: text().notNull(),
    net: integer().notNull(),
    /** The key of the bank line that confirmed the transfer. */
    arrived: text(),
  },
  (table) => [
    primaryKey({ columns: [table.source, table.reference] }),
    index('provider_payouts_open').on(table.day).where(sql`arrived IS NULL`),
  ],
);

/** A difference between a provider, the bank and the ledger. It is open until it is explained. */
export const reconciliationCases = sqliteTable(
  'reconciliation_cases',
  {
    /** A report and its line, or a missing movement and its id. */
    id: text().primaryKey(),
    kind: text().notNull(),
    amount: integer().notNull(),
    currency: text().notNull(),
    since: integer().notNull(),
    /** The day that the case keeps open. */
    day: text().notNull(),
    /** The deposit, the payout, or the bank's text. */
    ref: text().notNull(),
    resolved_at: integer(),
    /** A handle, `operator`, or `system` if a later line or posting explained the case. */
    resolved_by: text(),
    reason: text(),
  },
  (table) => [
    index('reconciliation_open').on(table.day, table.id).where(sql`resolved_at IS NULL`),
    check(
      'case_resolved',
      sql`(resolved_at IS NULL) = (resolved_by IS NULL) AND (resolved_at IS NULL) = (reason IS NULL)`,
    ),
  ],
);

/** Days on which provider, bank and ledger agree, closed in order. */
export const closedDays = sqliteTable('closed_days', {
  /** In Jakarta time. */
  day: text().primaryKey(),
  /** The last leg of the day. */
  leg: integer().notNull(),
  /** JSON: each account's closing balance. */
  balances: text().notNull(),
  closed_by: text().notNull(),
  closed_at: integer().notNull(),
});
