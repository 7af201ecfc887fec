import { only, type SQL, sql } from './database.ts';

/** A condition, which may depend on the request; null if this request does not need it. */
type Requirement<Request> = SQL | ((request: Request) => SQL | null);

/**
 * The requirements of a change, in the order in which failures are reported: conditions by the reason given if they
 * fail. The change and its explanation are built from the same list, so neither can omit a condition.
 */
export type Requirements<Request> = Readonly<Record<string, Requirement<Request>>>;

/** The reasons in a list. */
export type ReasonOf<List> = Extract<keyof List, string>;

function conditionsOf<Request>(list: Requirements<Request>, request: Request): [reason: string, is: SQL][] {
  const conditions: [string, SQL][] = [];
  for (const reason in list) {
    const requirement = list[reason];
    const condition = typeof requirement === 'function' ? requirement(request) : requirement;
    if (condition) conditions.push([reason, condition]);
  }
  return conditions;
}

/** The condition of a change: all of its requirements. */
export function meets<Request>(list: Requirements<Request>, request: Request): SQL {
  const conditions = conditionsOf(list, request).map(([, condition]) => sql`(${condition})`);
  return sql.join(conditions, sql` AND `);
}

/**
 * The first reason against a change, as a scalar: NULL for none. An unknown condition is treated as false.
 * @param found verdicts that precede the reasons, each with its condition
 */
export function verdictOf<Request>(
  list: Requirements<Request>,
  request: Request,
  found: Readonly<Record<string, SQL>> = {},
): SQL {
  const earlier = Object.entries(found).map(([name, is]) => sql`WHEN ${is} THEN ${sql.raw(`'${name}'`)}`);
  return sql`CASE ${sql.join(earlier, sql` `)} ${casesOf(list, request)} END`;
}

/** The reasons as WHEN clauses, for a verdict with other values. */
export function casesOf<Request>(list: Requirements<Request>, request: Request): SQL {
  const cases = conditionsOf(list, request).map(
    ([reason, is]) => sql`WHEN (${is}) IS NOT TRUE THEN ${sql.raw(`'${reason}'`)}`,
  );
  return sql.join(cases, sql` `);
}

/** A row with its verdict; null if nothing changed and no reason applies. */
export interface Explained {
  readonly verdict: string | null;
}
type Decided<Row extends Explained> = Row & { readonly verdict: NonNullable<Row['verdict']> };

/** The changed row, or the explanation's row with a reason. */
export type Decision<Done, Row extends Explained, Never = never> =
  | { readonly row: Done; readonly verdict: 'ok' }
  | { readonly row: Row; readonly verdict: Exclude<NonNullable<Row['verdict']>, Never> };

const unexplained = (operation: string) => new Error(`${operation} was refused without a reason`);

/** The row of a batch that changes something or explains why not. @throws Error if there is neither */
export function requireVerdict<Row extends Explained>(operation: string, rows: readonly Row[]): Decided<Row> {
  const row = only(rows);
  if (row.verdict === null) throw unexplained(operation);
  return row as Decided<Row>;
}

/** The number of attempts if no reason for a rejection is found. */
const mostTries = 3;

/**
 * Makes a change with one conditional statement, and explains with a second one why it changed nothing. An event
 * between the two, such as incoming money, may have removed the reason; the change is then retried.
 * @param change returns null if nothing changed
 * @returns the changed row with the verdict `ok`, or the explanation's row with its own verdict
 * @throws Error if there is still no reason: the conditions of the change and the reasons contradict each other
 */
export async function changeOrExplain<Done, Row extends Explained>(
  operation: string,
  change: () => Promise<Done | null>,
  explain: () => Promise<Row>,
): Promise<Decision<Done, Row>> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const done = await change();
    if (done !== null) return { row: done, verdict: 'ok' };
    const row = await explain();
    if (row.verdict !== null) return { row, verdict: row.verdict };
  }
  throw unexplained(operation);
}
