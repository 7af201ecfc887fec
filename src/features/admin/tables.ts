import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * Every money decision at the admin desk, made or proposed. A row without an outcome is a proposal, which a second
 * administrator has to approve. Triggers reject decisions in the decider's own favour, and keep the rows.
 */
export const deskDecisions = sqliteTable(
  'desk_decisions',
  {
    id: text().primaryKey(),
    /** As in the audit log. */
    action: text().notNull(),
    /** The id of the document, as in the audit log. */
    target: text().notNull(),
    /** Rupiah. */
    amount: integer().notNull(),
    /** JSON: the handles whose money increases. */
    gainers: text().notNull(),
    /** JSON: the document's state, which must be unchanged when the proposal is approved. */
    seen: text().notNull(),
    /** JSON: the details of the decision, as in the audit log. */
    detail: text().notNull(),
    reason: text().notNull(),
    idempotency_key: text(),
    /** The value of DESK_SECOND_ABOVE at that time. */
    second_above: integer().notNull(),
    /** A handle, or `operator`, who needs no second person. */
    maker: text().notNull(),
    created_at: integer().notNull(),
    expires_at: integer().notNull(),
    /** `alone`: no second person was needed. */
    outcome: text({ enum: ['alone', 'approved', 'rejected', 'withdrawn'] }),
    /** The administrator who approved or rejected the proposal. */
    decided_by: text(),
    decided_at: integer(),
  },
  (table) => [
    index('desk_target').on(table.target),
    index('desk_waiting').on(table.id).where(sql`outcome IS NULL`),
    check('desk_outcome', sql`outcome IN ('alone','approved','rejected','withdrawn')`),
    check(
      'desk_decided',
      sql`(outcome IS NULL) = (decided_at IS NULL) AND (coalesce(outcome, '') IN ('approved','rejected')) = (decided_by IS NOT NULL)`,
    ),
    check('desk_in_time', sql`outcome IS NOT 'approved' OR decided_at < expires_at`),
    check('desk_second', sql`outcome IS NOT 'alone' OR maker = 'operator' OR amount <= second_above`),
    check('desk_two_people', sql`decided_by <> maker`),
    check(
      'desk_own_favour',
      sql`instr(gainers, json_quote(maker)) = 0 AND (outcome IS NOT 'approved' OR instr(gainers, json_quote(decided_by)) = 0)`,
    ),
  ],
);

/**
 * Open cases that have been reported, one row each. A closed case is removed, so it is reported again if it reopens.
 */
export const alarms = sqliteTable(
  'alarms',
  {
    /** The case's kind, status and id. */
    id: text().primaryKey(),
    /** The id of the run that reported the case. */
    op: text().notNull(),
    at: integer().notNull(),
  },
  (table) => [index('alarms_op').on(table.op)],
);
