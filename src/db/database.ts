import { type SQL, sql } from 'drizzle-orm';

/** A value a statement binds. Numbers reach both engines as REAL, so arithmetic on them is CAST. */
export type Value = string | number | null;

/** One statement that has not run yet, and the shape of the rows it answers with. */
export interface Statement<Row = unknown> {
  readonly text: string;
  readonly values: Value[];
  /** Never set: carries the row type, so that `batch` answers typed rows. */
  readonly row?: Row;
}

type RowsOf<Statements extends readonly Statement[]> = {
  [K in keyof Statements]: Statements[K] extends Statement<infer Row> ? Row[] : never;
};

/**
 * The database as the domain sees it: atomic batches and nothing else. There is no `transaction`, because
 * D1 has none: what a batch must not do is stopped by its own conditions and by constraints.
 */
export interface Database {
  /**
   * Runs the statements one after the other as one transaction, in one round trip. Either all apply or none.
   * Every batch can be sent again after a lost answer: the ids inside it make the repeat harmless.
   */
  batch<const Statements extends readonly Statement[]>(statements: Statements): Promise<RowsOf<Statements>>;
}

/**
 * How Drizzle renders a template for SQLite. Its own dialect object would bring every query builder into the
 * Worker; a template needs only this.
 */
const rendering: Parameters<SQL['toQuery']>[0] = {
  escapeName: (name) => `"${name.replaceAll('"', '""')}"`,
  escapeParam: () => '?',
  escapeString: (text) => `'${text.replaceAll("'", "''")}'`,
  casing: { getColumnCasing: (column: { name: string }) => column.name } as never,
};

/** Renders a Drizzle `sql` template to a statement that a batch can take. */
export function statement<Row = Record<string, never>>(query: SQL): Statement<Row> {
  const { sql: text, params } = query.toQuery(rendering);
  return { text, values: params as Value[] };
}

/** Runs one statement and answers its rows. */
export async function all<Row>(db: Database, one: Statement<Row>): Promise<Row[]> {
  const [rows] = await db.batch([one]);
  return rows;
}

/** Runs one statement and answers its first row, or null. */
export async function first<Row>(db: Database, one: Statement<Row>): Promise<Row | null> {
  return (await all(db, one))[0] ?? null;
}

/** A bound number that takes part in arithmetic or a LIMIT (see `Value`). */
export function integer(value: number): SQL {
  return sql`CAST(${value} AS INTEGER)`;
}
