import { type Row, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import { verdictOf } from '../../db/decision.ts';
import type { decisions } from './tables.ts';

interface Decision<Reason extends string, Verdict extends string> {
  /** Random, made once per request. */
  readonly id: string;
  /** Joins that the requirements use. */
  readonly from: SQL;
  /** The requirements of the change, in the order in which failures are reported: conditions by reason. */
  readonly requirements: Readonly<Record<Reason, SQL>>;
  /** The verdict if all requirements are met. */
  readonly verdict: Verdict;
  readonly handle?: SQL;
  readonly credentialId?: SQL;
  readonly skeleton?: SQL;
}

/** The parts of a batch that can be rejected: its first statement, its verdict and its last statement. */
export function decisionOf<Reason extends string, Verdict extends string>({
  id,
  from,
  requirements,
  verdict,
  ...of
}: Decision<Reason, Verdict>) {
  const { handle = sql`NULL`, credentialId = sql`NULL`, skeleton = sql`NULL` } = of;
  return {
    id,
    insert: statement(sql`INSERT INTO decisions (id, verdict, handle, credential_id, skeleton)
      SELECT ${id}, coalesce(${verdictOf(requirements, null)}, ${verdict}), ${handle}, ${credentialId}, ${skeleton}
      FROM settings g ${from} WHERE g.id = 1`),
    verdicts: statement<{ verdict: Reason | Verdict; handle: Row<typeof decisions>['handle'] }>(
      sql`SELECT verdict, handle FROM decisions WHERE id = ${id}`,
    ),
    drop: dropDecision(id),
  };
}

/** The verdicts of a decision. */
export type VerdictOf<Of> = Of extends {
  readonly verdicts: Statement<{ verdict: infer Verdict; handle: unknown }>;
}
  ? Verdict
  : never;

/** True if this batch's decision has the given verdict. Statements that depend on it use this condition. */
export function isDecided(id: string, verdict: string): SQL {
  return sql`EXISTS (SELECT 1 FROM decisions WHERE id = ${id} AND verdict = ${verdict})`;
}

/** Reads this batch's verdict. Always returns one row. */
export function readVerdict<Verdict extends string>(id: string): Statement<{ verdict: Verdict }> {
  return statement(sql`SELECT verdict FROM decisions WHERE id = ${id}`);
}

/** Removes the decision, as the last statement of its batch. */
export function dropDecision(id: string): Statement {
  return statement(sql`DELETE FROM decisions WHERE id = ${id}`);
}
