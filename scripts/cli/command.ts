import type { Stores } from './stores.ts';

/** What a command has to say: to people, and with `--json` to programs. */
export interface Report {
  readonly text: string;
  readonly data: unknown;
}

/** What was given on the command line, besides the command itself. */
export interface Input {
  readonly names: readonly string[];
  /** Without it a command that destroys something only says what it would do. */
  readonly yes: boolean;
  /** Makes signing keys under a SECRET_KEY that opens none of those there are. */
  readonly force: boolean;
  readonly now: boolean;
  /** The options that the command takes, as far as they are given. */
  readonly options: Readonly<Record<string, string>>;
}

export interface Command {
  /** As `help` shows it. */
  readonly usage: string;
  readonly does: string;
  /** How many names it takes. */
  readonly names: number;
  /** Whether it reads the key-value store. */
  readonly kv?: boolean;
  /** The options that it takes, each with a value. */
  readonly options?: readonly string[];
  /** Whether it takes `--force`. */
  readonly forcible?: boolean;
  run(stores: Stores, input: Input): Promise<Report>;
}

/** The command cannot be carried out; the message says why and is all that is shown. */
export class CommandError extends Error {}

/** The end of a dry run. */
export const needsYes = 'Nothing was changed. Repeat with --yes to do it.';

/** Rows as aligned columns under the names of their fields. */
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
