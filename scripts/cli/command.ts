import type { Stores } from './stores.ts';

/** A command's output: text for people, and JSON for programs with `--json`. */
export interface Report {
  readonly text: string;
  readonly data: unknown;
}

/** The command line's arguments, without the command itself. */
export interface Input {
  readonly names: readonly string[];
  /** Without it, a destructive command only shows its effect. */
  readonly yes: boolean;
  /** Creates signing keys even under a SECRET_KEY that decrypts none of the existing ones. */
  readonly force: boolean;
  readonly now: boolean;
  /** The given options of the command. */
  readonly options: Readonly<Record<string, string>>;
}

export interface Command {
  /** As shown by `help`. */
  readonly usage: string;
  readonly does: string;
  /** The number of positional arguments. */
  readonly names: number;
  /** True if it reads the key-value store. */
  readonly kv?: boolean;
  /** Options that take a value. */
  readonly options?: readonly string[];
  /** True if it accepts `--force`. */
  readonly forcible?: boolean;
  run(stores: Stores, input: Input): Promise<Report>;
}

/** The command is invalid; the message gives the reason in one line. */
export class UsageError extends Error {}

/** The command cannot be carried out; only its message, which gives the reason, is shown. */
export class CommandError extends Error {}

/** The last line of a dry run. */
export const needsYes = 'Nothing was changed. Repeat with --yes to do it.';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isRows = (value: unknown): value is readonly Fields[] => Array.isArray(value) && value.every(isFields);

/** An object as lines of names and values, with lists of objects as tables below them. */
export function toText(data: object): string {
  if (isRows(data)) return toTable(data);
  const fields = flatten(data as Fields);
  const width = Math.max(...fields.map(([name]) => name.length)) + 2;
  const lines = fields.filter(([, value]) => !isRows(value) || value.length === 0);
  const tables = fields.flatMap(([name, value]) =>
    isRows(value) && value.length > 0 ? [[name, value] as const] : [],
  );
  // The list of a page needs no heading.
  if (tables.length === 1 && lines.every(([, value]) => value === null)) return toTable(tables[0]?.[1] ?? []);
  return [
    lines.map(([name, value]) => `${name.padEnd(width)}${cellOf(value)}`).join('\n'),
    ...tables.map(([name, rows]) => `${name}\n${toTable(rows)}`),
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** The fields of an object, and those of nested objects, as `ledger.mode`. */
function flatten(fields: Fields): [string, unknown][] {
  return Object.entries(fields).flatMap(([name, value]): [string, unknown][] =>
    isFields(value) ? flatten(value).map(([inner, each]) => [`${name}.${inner}`, each]) : [[name, value]],
  );
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value)) return value.map(cellOf).join(', ') || '(none)';
  if (isFields(value))
    return flatten(value)
      .map(([name, each]) => `${name}=${cellOf(each)}`)
      .join(' ');
  return String(value);
}

/** Rows as aligned columns, with the field names as headings. */
export function toTable(rows: readonly Fields[]): string {
  const [first] = rows;
  if (!first) return '(none)';
  const names = Object.keys(first);
  const cells = [names, ...rows.map((row) => names.map((name) => cellOf(row[name])))];
  const widths = names.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
