import type { Statement, Value } from '../../db/database.ts';

/** The server rejected a statement of a batch or, with code UNSUPPORTED, applied it and dropped its rows. */
export class RqliteError extends Error {
  readonly code: string;
  readonly statementIndex: number;

  constructor(message: string, code: string, statementIndex: number) {
    super(message);
    this.name = 'RqliteError';
    this.code = code;
    this.statementIndex = statementIndex;
  }
}

/** The kind of a batch. The server treats reads, schema changes and other batches differently. */
type Kind = 'read' | 'change' | 'schema';

interface Result {
  readonly columns?: unknown;
  readonly types?: unknown;
  readonly values?: unknown;
  readonly error?: unknown;
}

const quoted = /'[^']*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\//g;
const reads = /^\s*(SELECT|VALUES|EXPLAIN)\b/i;
const writes = /\b(INSERT|UPDATE|DELETE|REPLACE\s+INTO)\b/i;
const schema = /^\s*(CREATE|DROP|ALTER|PRAGMA)\b/i;

function isRead(text: string): boolean {
  const bare = text.replace(quoted, ' ');
  return reads.test(bare) || (/^\s*WITH\b/i.test(bare) && !writes.test(bare));
}

function isSchema(text: string): boolean {
  return schema.test(text.replace(quoted, ' '));
}

/** Returns whether a statement has rows, if only none. */
function hasRows(text: string): boolean {
  return isRead(text) || (!isSchema(text) && /\bRETURNING\b/i.test(text.replace(quoted, ' ')));
}

export function kindOf(statements: readonly Statement[]): Kind {
  if (statements.every(({ text }) => isRead(text))) return 'read';
  const changesSchema = statements.some(({ text }) => isSchema(text));
  return changesSchema && !statements.some(({ text }) => hasRows(text)) ? 'schema' : 'change';
}

/** The request's body. @throws RangeError for a number that is not finite */
export function bodyOf(statements: readonly Statement[]): string {
  const parts = statements.map(
    ({ text, values }) => `[${[JSON.stringify(text), ...values.map(jsonOf)].join(',')}]`,
  );
  return `[${parts.join(',')}]`;
}

/** Every number is sent with a fraction or an exponent, so that the server binds it as REAL. */
function jsonOf(value: Value): string {
  if (typeof value !== 'number') {
    // As in a file, U+FFFD replaces a lone surrogate.
    return JSON.stringify(typeof value === 'string' ? value.toWellFormed() : value);
  }
  if (!Number.isFinite(value)) throw new RangeError('Only finite numbers can be bound');
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/**
 * Reads the rows of each statement from a response. Everything that does not prove that these statements were applied
 * is an error: without a leader, the server responds with 200, an `error` and fewer results than statements.
 * @param proof the value that the last statement of the request selects, unless it selects none
 * @throws RqliteError if the server rejected a statement
 */
export function readAnswer(
  text: string,
  statements: readonly Statement[],
  proof: string | null,
): Record<string, unknown>[][] {
  const { results, error } = JSON.parse(text) as { results?: unknown; error?: unknown };
  if (error !== undefined || !Array.isArray(results))
    throw new Error(`rqlite: ${String(error ?? 'no results')}`);
  const answered = results as (Result | null)[];
  const refused = answered.findIndex((result) => result?.error !== undefined);
  if (refused >= 0) throw refusalOf(String(answered[refused]?.error), refused, statements);
  if (answered.length !== statements.length + (proof === null ? 0 : 1))
    throw new Error('rqlite: results are missing');
  if (proof !== null && tableOf(answered.at(-1), 0)[0]?.['proof'] !== proof)
    throw new Error('rqlite: the response belongs to another request');
  return statements.map((statement, index) => rowsOf(statement, answered[index], index));
}

/** Errors of the machine, after which the same statement may succeed. */
const passing =
  /^(database (table )?is locked|disk I\/O error|database or disk is full|interrupted|.*timeout)/i;

function refusalOf(message: string, index: number, statements: readonly Statement[]): Error {
  if (index >= statements.length || passing.test(message)) return new Error(`rqlite: ${message}`);
  const isConstraint = /constraint failed|^guard:/i.test(message);
  return new RqliteError(message, isConstraint ? 'SQLITE_CONSTRAINT' : 'SQLITE_ERROR', index);
}

function rowsOf(
  { text }: Statement,
  result: Result | null | undefined,
  index: number,
): Record<string, unknown>[] {
  if (result && result.columns !== undefined) return tableOf(result, index);
  if (result === null || typeof result !== 'object') throw new Error('rqlite: a result is no object');
  if (!hasRows(text)) return [];
  if (isRead(text)) throw new Error('rqlite: the rows of a SELECT are missing');
  const what = `this version of rqlite drops the rows of RETURNING in: ${text}`;
  throw new RqliteError(what, 'UNSUPPORTED', index);
}

function tableOf(result: Result | null | undefined, index: number): Record<string, unknown>[] {
  const { columns, types, values = [] } = result ?? {};
  const isTable = Array.isArray(columns) && Array.isArray(types) && Array.isArray(values);
  if (!isTable || types.length !== columns.length) throw new Error(`rqlite: result ${index} is no table`);
  return values.map((row: unknown) => {
    if (!Array.isArray(row) || row.length !== columns.length)
      throw new Error(`rqlite: result ${index} is no table`);
    return Object.fromEntries(columns.map((name, at) => [String(name), received(row[at], types[at])]));
  });
}

/** @throws RangeError for an integer that a JavaScript number cannot represent */
function received(value: unknown, type: unknown): unknown {
  // With `blob_array`, a BLOB is an array of its bytes.
  if (Array.isArray(value)) return new Uint8Array(value as number[]).buffer;
  const isWhole = typeof value === 'number' && type !== 'real' && Number.isInteger(value);
  if (isWhole && Math.abs(value) < 2 ** 63 && !Number.isSafeInteger(value))
    throw new RangeError('An integer of the database is too large for a number');
  return value;
}
