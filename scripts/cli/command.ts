import type { Stores } from './stores.ts';

/** A command's output: text for people, and JSON for programs with `--json`. */
export interface Report {
  readonly text: string;
  readonly data: unknown;
}

/** The command line's arguments, without the command itself. */
export interface Input {
  readonly names: readonly string[];
  /** Without it a destructive command only says what it would do. */
  readonly yes: boolean;
  /** Creates signing keys even under a SECRET_KEY that decrypts none of the existing ones. */
  readonly force: boolean;
  readonly now: boolean;
  /** The command's options, as far as they are given. */
  readonly options: Readonly<Record<string, string>>;
}

export interface Command {
  /** As shown by `help`. */
  readonly usage: string;
  readonly does: string;
  /** The number of positional arguments. */
  readonly names: number;
  /** Whether it reads the key-value store. */
  readonly kv?: boolean;
  /** Its options that take a value. */
  readonly options?: readonly string[];
  /** Whether it takes `--force`. */
  readonly forcible?: boolean;
  run(stores: Stores, input: Input): Promise<Report>;
}

/** The command cannot be carried out; only its message, which says why, is shown. */
export class CommandError extends Error {}

/** The last line of a dry run. */
export const needsYes = 'Nothing was changed. Repeat with --yes to do it.';

/** Rows as aligned columns, with the field names as headings. */
export function toTable(rows: readonly Record<string, unknown>[]): string {
  const [first] = rows;
  if (!first) return '(none)';
  const names = Object.keys(first);
  const cells = [names, ...rows.map((row) => names.map((name) => String(row[name] ?? '-')))];
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
