import * as z from 'zod/mini';
import { pageQuery, pageSchema } from '../../lib/page.ts';
import { trimmedText } from '../../lib/text-schema.ts';

const time = z.iso.datetime();
const reason = trimmedText('reason', 500);
const day = (name: string) => z.iso.date(`${name} must be a date such as 2026-11-22`);

/** The query of POST /v1/admin/reports. */
export const reportQuery = z.object({
  source: z.enum(['midtrans', 'sandbox', 'bank'], 'source must be midtrans, sandbox or bank'),
  /** The columns, as JSON. */
  map: z.optional(z.string().check(z.maxLength(2_000, 'map must be at most 2000 characters long'))),
  /** The days covered by the report; by default those of its lines. */
  from: z.optional(day('from')),
  to: z.optional(day('to')),
});

const sums = z.object({
  outcome: z.string(),
  count: z.int(),
  gross: z.int(),
  fee: z.int(),
});

/** The effects of a report's lines. */
export const reportSummary = z.object({
  /** Lines that move money, and lines that were skipped. */
  lines: z.int(),
  skipped: z.int(),
  /** By outcome: `matched` matches, `known` was in an earlier report, and all others become cases. */
  outcomes: z.array(sums),
  /** The first 50 lines that differ. */
  differences: z.array(
    z.object({
      line: z.int(),
      outcome: z.string(),
      ref: z.string(),
      amount: z.int(),
      currency: z.string(),
    }),
  ),
});

export type ReportSummary = z.infer<typeof reportSummary>;

/** A report: the response to POST /v1/admin/reports and to its decision. */
export const report = z.object({
  id: z.string(),
  source: z.string(),
  /** `read` waits for a decision, `accepted` is being posted. */
  status: z.enum(['read', 'accepted', 'posted', 'rejected']),
  sha256: z.string(),
  firstDay: z.string(),
  lastDay: z.string(),
  summary: reportSummary,
  createdAt: time,
  decidedBy: z.nullable(z.string()),
  decidedAt: z.nullable(time),
});

export type Report = z.infer<typeof report>;

/** The query of GET /v1/admin/reports. */
export const reportsQuery = pageQuery(/^rep_[0-9a-z]{26}$/);

export const reportPage = pageSchema(report);

/** The body of POST /v1/admin/reports/:id/resolve. */
export const reportDecision = z.object({
  decision: z.enum(['accept', 'reject'], 'decision must be accept or reject'),
  reason,
});

/** A difference between provider, bank and ledger. */
export const reconciliationCase = z.object({
  id: z.string(),
  kind: z.string(),
  amount: z.int(),
  currency: z.string(),
  day: z.string(),
  /** The deposit, the payout, or the bank's text. */
  ref: z.string(),
  since: time,
  resolvedBy: z.nullable(z.string()),
  resolvedAt: z.nullable(time),
  reason: z.nullable(z.string()),
});

export type ReconciliationCase = z.infer<typeof reconciliationCase>;

/** The query of GET /v1/admin/cases. */
export const casesQuery = pageQuery(/^\d{4}-\d\d-\d\d .{1,300}$/);

export const casePage = pageSchema(reconciliationCase);

const accountOfDay = z.object({
  /** `wallets` and `apps` combine all such accounts; the others are the operator's. */
  name: z.string(),
  /** The opening balance: credits minus debits. */
  opening: z.int(),
  debits: z.int(),
  credits: z.int(),
  closing: z.int(),
});

export type AccountOfDay = z.infer<typeof accountOfDay>;

/** A day's trial balance: the response to GET /v1/admin/days/:day and to closing it. */
export const dayBooks = z.object({
  day: z.string(),
  /** The first day covered: the day after the last closed one; null if none is closed. */
  from: z.nullable(z.string()),
  accounts: z.array(accountOfDay),
  /** Unexplained differences up to the same day. */
  openCases: z.int(),
  closedBy: z.nullable(z.string()),
  closedAt: z.nullable(time),
});

export type Day = z.infer<typeof dayBooks>;

/** A day in the path. */
export const dayText = day('day');

/** The query of GET /v1/admin/journal. */
export const journalQuery = z.object({
  month: z
    .string('month must be a month such as 2026-11')
    .check(z.regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'month must be a month such as 2026-11')),
  format: z._default(z.enum(['csv', 'jsonl'], 'format must be csv or jsonl'), 'csv'),
});
