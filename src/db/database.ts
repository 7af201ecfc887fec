import { sql as drizzle, SQL, StringChunk, type Table } from 'drizzle-orm';

export type { SQL };

const textsOf = new WeakMap<TemplateStringsArray, readonly StringChunk[]>();

/**
 * Drizzle's template, with its text split only once per call site, which halves the time for building a statement.
 * Values are bound, never written into the text. The rest of the service uses Drizzle only for its tables.
 */
export function sql(texts: TemplateStringsArray, ...chunks: readonly (SQL | Value)[]): SQL {
  let around = textsOf.get(texts);
  if (around === undefined) {
    around = texts.map((text) => new StringChunk(text));
    textsOf.set(texts, around);
  }
  const query = new SQL([]);
  const all: unknown[] = query.queryChunks;
  all.push(around[0]);
  for (let index = 0; index < chunks.length; index += 1) all.push(chunks[index], around[index + 1]);
  return query;
}
sql.raw = drizzle.raw;
sql.join = drizzle.join;

/** A bound value. Both engines receive numbers as REAL, so arithmetic needs `integer`. */
export type Value = string | number | null;

/** A table row as read from the database: `Pick<Row<typeof sessions>, 'id' | 'handle'>`. */
export type Row<T extends Table> = T['$inferSelect'];

/** A statement that has not run yet, with the type of its rows. */
export interface Statement<Row = unknown> {
  readonly text: string;
  readonly values: Value[];
  /** Never set; it only carries the row type. */
  readonly row?: Row;
}

type RowsOf<Statements extends readonly Statement[]> = {
  [K in keyof Statements]: Statements[K] extends Statement<infer Row> ? Row[] : never;
};

/**
 * The database interface for features, which offers only atomic batches. D1 has no interactive transactions, so the
 * conditions of a batch and the table constraints prevent invalid changes.
 */
export interface Database {
  /**
   * Runs the statements in order as one transaction in one round trip. A batch must be safe to repeat after a lost
   * response; its ids ensure this.
   */
  batch<const Statements extends readonly Statement[]>(statements: Statements): Promise<RowsOf<Statements>>;
}

/** The statements of a batch by name. A group of statements without rows is an array. */
export type Groups = Readonly<Record<string, Statement | readonly Statement[]>>;

/** The rows of each named statement; groups that are arrays have none. */
export type RowsByName<G extends Groups> = {
  readonly [Name in keyof G as G[Name] extends readonly Statement[]
    ? never
    : Name]: G[Name] extends Statement<infer Row> ? Row[] : never;
};

/**
 * Runs named statements as one batch, in the order written, and returns their rows by name:
 * `const { acting: [acting], listed } = await run(deps.db, { change: [a, b], acting, listed })`.
 */
export async function run<const G extends Groups>(db: Database, groups: G): Promise<RowsByName<G>> {
  const names: (string | null)[] = [];
  const statements: Statement[] = [];
  for (const [name, group] of Object.entries(groups)) {
    for (const one of Array.isArray(group) ? (group as readonly Statement[]) : [group as Statement]) {
      names.push(Array.isArray(group) ? null : name);
      statements.push(one);
    }
  }
  const results = await db.batch(statements);
  const rows: Record<string, unknown> = {};
  names.forEach((name, index) => {
    if (name !== null) rows[name] = results[index];
  });
  return rows as RowsByName<G>;
}

/** Renders a Drizzle `sql` template to a statement for a batch. */
export function statement<Row = Record<string, never>>(query: SQL): Statement<Row> {
  const values: Value[] = [];
  return { text: render(query, values), values };
}

/**
 * Renders a template of text, values and other templates. Drizzle's own renderer is several times slower and would
 * bring its dialects into the Worker. SQL text is recognised by class, so that no object from a request is accepted as
 * SQL; each piece of text is one string.
 */
function render({ queryChunks }: SQL, values: Value[]): string {
  let text = '';
  for (const chunk of queryChunks as unknown[]) {
    if (chunk instanceof StringChunk) text += chunk.value[0];
    else if (chunk instanceof SQL) text += render(chunk, values);
    else if (isValue(chunk)) {
      values.push(chunk);
      text += '?';
    } else throw new TypeError(`a statement binds ${typeof chunk}`);
  }
  return text;
}

function isValue(chunk: unknown): chunk is Value {
  return chunk === null || typeof chunk === 'string' || Number.isFinite(chunk);
}

/** Runs one statement and returns its rows. */
export async function all<Row>(db: Database, one: Statement<Row>): Promise<Row[]> {
  const [rows] = await db.batch([one]);
  return rows;
}

/** Runs one statement and returns its first row, or null. */
export async function first<Row>(db: Database, one: Statement<Row>): Promise<Row | null> {
  return (await all(db, one))[0] ?? null;
}

/** The row of a statement that always returns one, such as a decision's verdict. */
export function only<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined) throw new TypeError('a statement that answers one row answered none');
  return row;
}

/** Columns of one table, listed once for the SQL and for the type of its rows (`RowOf`). */
export interface Columns<Row> {
  /** @param alias the table's name in statements with columns of the same names in other tables */
  (alias?: string): SQL;
  /** Never set; it only carries the row type. */
  readonly row?: Row;
}

/** The type of rows with these columns. */
export type RowOf<C> = C extends Columns<infer Row> ? Row : never;

type Named<List extends string> = List extends `${infer Name}, ${infer Rest}` ? Name | Named<Rest> : List;

/**
 * Lists a table's columns: `columnsOf<typeof sessions>()('id, provider')`. Only the type identifies the table, because
 * the service loads no tables; an unknown column is a type error.
 */
export function columnsOf<T extends Table>() {
  return <List extends string>(
    ...lists: [Named<List>] extends [keyof Row<T>] ? List[] : never
  ): Columns<Pick<Row<T>, Named<List> & keyof Row<T>>> => {
    const names = lists.join(', ');
    return (alias) => sql.raw(alias ? names.replace(/\w+/g, `${alias}.$&`) : names);
  };
}

/** A bound number for arithmetic or LIMIT (see `Value`). */
export function integer(value: number): SQL {
  return sql`CAST(${value} AS INTEGER)`;
}

/** The maximum number of a table's rows that one batch deletes. */
export const purgeLimit = 500;

/**
 * Deletes the oldest rows whose `time` has passed, found by its index. Returns a row for each deleted row, because only
 * this count is available on both engines.
 * @param when selects the rows that may be deleted; by default, every row
 */
export function deleteExpired(
  table: SQL,
  key: SQL,
  time: SQL,
  now: number | string,
  when?: SQL,
  limit = purgeLimit,
): Statement {
  const also = when ? sql` AND ${when}` : sql``;
  return statement(sql`DELETE FROM ${table} WHERE (${key}) IN
    (SELECT ${key} FROM ${table} WHERE ${time} <= ${now}${also} ORDER BY ${time} LIMIT ${integer(limit)})${also}
    RETURNING 1 AS gone`);
}

interface Waiting {
  readonly statements: readonly Statement[];
  taken(rows: unknown[]): void;
  failed(error: unknown): void;
}

/**
 * A database that combines concurrent batches, for a page with several reads, which then see the same state in one
 * round trip. If the combined batch fails, all of them fail.
 */
export function together(db: Database): Database {
  let waiting: Waiting[] = [];
  async function send(): Promise<void> {
    const batches = waiting;
    waiting = [];
    try {
      const rows: unknown[] = await db.batch(batches.flatMap(({ statements }) => statements));
      for (const { statements, taken } of batches) taken(rows.splice(0, statements.length));
    } catch (error) {
      for (const { failed } of batches) failed(error);
    }
  }
  return {
    batch: (statements) =>
      new Promise((taken, failed) => {
        if (waiting.length === 0) queueMicrotask(send);
        waiting.push({ statements, taken: taken as Waiting['taken'], failed });
      }),
  };
}
