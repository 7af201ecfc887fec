import { type SQL, type Statement, sql, statement } from '../../db/database.ts';

/** Holds if the decision of this batch has a verdict; the statements that act on it have this condition. */
export function isDecided(id: string, verdict: string): SQL {
  return sql`EXISTS (SELECT 1 FROM decisions WHERE id = ${id} AND verdict = ${verdict})`;
}

/** Reads the verdict of this batch. It always answers one row. */
export function readVerdict<Verdict extends string>(id: string): Statement<{ verdict: Verdict }> {
  return statement(sql`SELECT verdict FROM decisions WHERE id = ${id}`);
}

/** Removes the decision: the last statement of its batch. */
export function dropDecision(id: string): Statement {
  return statement(sql`DELETE FROM decisions WHERE id = ${id}`);
}
