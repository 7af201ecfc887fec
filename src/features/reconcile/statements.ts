import { integer, type Row, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import { isOpen } from '../ledger/statements.ts';
import type { ReportLine, Source } from './columns.ts';
import type { reconciliationCases, reportLines, reports } from './tables.ts';

export type ReportRow = Row<typeof reports>;
export type CaseRow = Row<typeof reconciliationCases>;

/** A range of a report's lines. */
export interface Lines {
  readonly report: string;
  /** The range starts after this line and includes the other. */
  readonly after: number;
  readonly upTo: number;
}

const isIn = ({ report, after, upTo }: Lines): SQL =>
  sql`report_lines.report = ${report} AND report_lines.line > ${integer(after)} AND report_lines.line <= ${integer(upTo)}`;

export function beginReport(id: string, source: Source, now: number): Statement {
  return statement(
    sql`INSERT INTO reports (id, source, created_at) VALUES (${id}, ${source}, ${now}) ON CONFLICT DO NOTHING`,
  );
}

/** Stores lines of a report that is being read, as one value, because D1 limits bound parameters. */
export function storeLines(report: string, lines: readonly ReportLine[]): Statement {
  const cells = lines.map((l) => [
    ...[l.line, l.key, l.kind, l.ref, l.payment, l.adjustment, l.day, l.gross, l.fee, l.currency, l.payout],
  ]);
  return statement(sql`INSERT INTO report_lines (report, line, source, key, kind, ref, payment, adjustment, day, gross, fee,
      currency, payout)
    SELECT r.id, j.value ->> 0, r.source, j.value ->> 1, j.value ->> 2, j.value ->> 3, j.value ->> 4, j.value ->> 5, j.value ->> 6,
      j.value ->> 7, j.value ->> 8, j.value ->> 9, j.value ->> 10
    FROM json_each(${JSON.stringify(cells)}) j JOIN reports r ON r.id = ${report} AND r.status = 'reading'
    WHERE true ON CONFLICT DO NOTHING`);
}

/** Marks lines whose key also appears on an earlier line of the same file. */
export function markDoubled(lines: Lines): Statement {
  return statement(sql`UPDATE report_lines SET doubled = 1 WHERE ${isIn(lines)} AND EXISTS (SELECT 1 FROM report_lines o
    WHERE o.key = report_lines.key AND o.report = report_lines.report AND o.line < report_lines.line)`);
}

/** The end of the file: the report now waits for a decision, unless the same file is waiting or was accepted. */
export function endReport(
  v: Pick<ReportRow, 'id' | 'sha256' | 'first_day' | 'last_day' | 'last_line' | 'summary'>,
): Statement {
  return statement(sql`UPDATE reports SET status = 'read', sha256 = ${v.sha256}, first_day = ${v.first_day},
      last_day = ${v.last_day}, last_line = ${integer(v.last_line)}, summary = ${v.summary}
    WHERE id = ${v.id} AND status = 'reading' AND NOT EXISTS (SELECT 1 FROM reports o WHERE o.source = reports.source
      AND o.sha256 = ${v.sha256} AND (o.first_day, o.last_day) = (${v.first_day}, ${v.last_day}) AND o.status IN ('read','accepted','posted'))`);
}

/** Abandons a report, if none of it was posted. */
export function rejectReport(id: string, when: SQL, by: { actor: SQL; now: number }): Statement {
  return statement(sql`UPDATE reports SET status = 'rejected', decided_by = ${by.actor}, decided_at = ${by.now}
    WHERE id = ${id} AND status IN ('reading','read') AND ${when}`);
}

export function acceptReport(id: string, when: SQL, by: { actor: SQL; now: number }): Statement {
  return statement(sql`UPDATE reports SET status = 'accepted', decided_by = ${by.actor}, decided_at = ${by.now}
    WHERE id = ${id} AND status = 'read' AND ${when}`);
}

/** Deletes some lines of a report that was or will be abandoned. */
export function dropLines(report: string, limit: number): Statement<{ line: number }> {
  return statement(sql`DELETE FROM report_lines WHERE (report, line) IN (SELECT l.report, l.line FROM report_lines l
      JOIN reports r ON r.id = l.report AND r.status IN ('reading','rejected') WHERE l.report = ${report} LIMIT ${integer(limit)})
    RETURNING line`);
}

/** The outcome of a provider's line: the first that applies. Refunds are compared with the total reversed so far. */
const ofPayment = sql`CASE
    WHEN report_lines.kind = 'payment' THEN coalesce(
      (SELECT iif(d.gross = report_lines.gross, 'matched', 'amount') FROM deposits d WHERE d.id = report_lines.ref
        AND d.gateway = report_lines.source AND d.payment = report_lines.payment AND d.status IN ('credited','reversed')),
      (SELECT iif(a.amount = report_lines.gross, 'matched', 'amount') FROM adjustments a
        WHERE a.id = report_lines.adjustment AND a.kind = 'second_payment'), 'unknown_payment')
    WHEN EXISTS (SELECT 1 FROM deposits d WHERE d.id = report_lines.ref AND d.gateway = report_lines.source
        AND d.payment = report_lines.payment AND d.returned >= (SELECT -sum(o.gross) FROM report_lines o
          WHERE o.ref = report_lines.ref AND o.kind = 'return' AND o.payment = report_lines.payment
            AND o.currency = 'IDR' AND o.doubled = 0
            AND (o.outcome IN ('matched','return') OR (o.report, o.line) IN ((report_lines.report, report_lines.line))
              OR (o.report = report_lines.report AND o.line < report_lines.line AND o.outcome IS NULL))))
      THEN 'matched'
    ELSE 'return' END`;

/**
 * The outcome of a bank line, by the payout in its text; `PO-12` does not match `PO-1`. A different amount leaves the
 * payout open, because anyone can send money with this text.
 */
const ofArrival = sql`coalesce((SELECT iif(p.net = report_lines.gross, 'matched', 'arrival_amount') AS found FROM provider_payouts p
    WHERE p.arrived IS NULL AND instr(report_lines.ref, p.reference) > 0
    ORDER BY length(p.reference) DESC, found = 'matched' DESC, p.source LIMIT 1),
  'unknown_arrival')`;

/** The line in another report with the same key, if it was first. */
const isEarlier = sql`e.key = report_lines.key AND e.report <> report_lines.report
  AND e.outcome NOT IN ('known','doubled','changed')`;

const outcome = sql`CASE
    WHEN report_lines.doubled THEN 'doubled'
    WHEN EXISTS (SELECT 1 FROM report_lines e WHERE ${isEarlier}
      AND (e.gross, e.fee, e.currency, e.ref) = (report_lines.gross, report_lines.fee, report_lines.currency, report_lines.ref)) THEN 'known'
    WHEN EXISTS (SELECT 1 FROM report_lines e WHERE ${isEarlier}) THEN 'changed'
    WHEN report_lines.currency <> 'IDR' THEN 'currency'
    WHEN EXISTS (SELECT 1 FROM provider_payouts p WHERE p.source = report_lines.source AND p.reference = report_lines.payout
        AND p.arrived IS NOT NULL) OR (report_lines.kind <> 'arrival'
      AND report_lines.day <= (SELECT max(c.day) FROM closed_days c)) THEN 'too_late'
    WHEN report_lines.kind = 'arrival' THEN ${ofArrival}
    ELSE ${ofPayment} END`;

type Place = Pick<Row<typeof reportLines>, 'report' | 'line'>;
type Seen = Pick<Row<typeof reportLines>, 'line' | 'ref' | 'gross' | 'fee' | 'currency'> & {
  outcome: string;
};

/** Returns the current effects of lines. */
export function readOutcomes(lines: Lines): Statement<Seen> {
  return statement(sql`SELECT line, ref, gross, fee, currency, ${outcome} AS outcome FROM report_lines
    WHERE ${isIn(lines)} ORDER BY line`);
}

/** Sets the outcome of an accepted report's lines: triggers post the matching lines, and open a case for the others. */
export function postLines(lines: Lines, now: number): Statement[] {
  return [
    statement(sql`UPDATE report_lines SET outcome = ${outcome}, decided_at = ${now}
      WHERE ${isIn(lines)} AND report_lines.outcome IS NULL AND ${isOpen}
        AND EXISTS (SELECT 1 FROM reports r WHERE r.id = report_lines.report AND r.status = 'accepted')`),
    statement(sql`UPDATE reports SET posted_line = ${integer(lines.upTo)} WHERE id = ${lines.report} AND status = 'accepted'
      AND posted_line = ${integer(lines.after)} AND ${isOpen}`),
  ];
}

/**
 * Returns a report's state, and the last line of its next batch. Bank lines are processed one by one, because each
 * claims its payout.
 */
export function readProgress(report: string): Statement<ReportRow & { upTo: number }> {
  return statement(sql`SELECT r.*, coalesce((SELECT max(line) FROM (SELECT l.line FROM report_lines l
      WHERE l.report = r.id AND l.line > r.posted_line ORDER BY l.line
      LIMIT (SELECT iif(b.source = 'bank', 1, 500) FROM reports b WHERE b.id = ${report}))), r.posted_line) AS upTo
    FROM reports r WHERE r.id = ${report}`);
}

/** Every line has been applied. */
export function finishReport(id: string): Statement {
  return statement(sql`UPDATE reports SET status = 'posted' WHERE id = ${id} AND status = 'accepted'
    AND NOT EXISTS (SELECT 1 FROM report_lines l WHERE l.report = ${id} AND l.line > reports.posted_line)`);
}

/** The lines that may match later, as defined by their index. */
const mayAgree = sql`outcome IN ('unknown_payment','amount','return','unknown_arrival','arrival_amount')`;

/** Lines that may match later, whether their case is open or was closed manually. */
export function readDiffering(after: Place, limit: number): Statement<Place> {
  return statement(sql`SELECT report, line FROM report_lines INDEXED BY report_lines_differing
    WHERE ${mayAgree} AND (report, line) > (${after.report}, ${integer(after.line)}) ORDER BY report, line LIMIT ${integer(limit)}`);
}

/** Rechecks such a line: if it now matches, it is posted and its case is explained. */
export function recheckLine({ report, line }: Place, now: number): Statement {
  return statement(sql`UPDATE report_lines SET outcome = 'matched', decided_at = ${now}
    WHERE report = ${report} AND line = ${integer(line)} AND ${mayAgree} AND ${isOpen}
      AND iif(report_lines.kind = 'arrival', ${ofArrival}, ${ofPayment}) = 'matched'`);
}

export function resolveCase(
  id: string,
  v: { readonly reason: string; readonly when: SQL; readonly actor: SQL; readonly now: number },
): Statement {
  return statement(sql`UPDATE reconciliation_cases SET resolved_at = ${v.now}, resolved_by = ${v.actor}, reason = ${v.reason}
    WHERE id = ${id} AND resolved_at IS NULL AND ${v.when}`);
}
