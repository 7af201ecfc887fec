import { integer, type Statement, sql, statement } from '../../db/database.ts';
import { utf8 } from '../../lib/encoding.ts';
import { isoTime } from '../../lib/id.ts';
import { addDays, startOfDay } from '../../lib/jakarta.ts';
import { createDigest } from '../../lib/secret.ts';
import { csvLine } from '../ledger/statement.ts';
import { lastLegBefore } from './days.ts';

/** Legs per read; a read takes less than 5 ms of database time. */
const legsOfRead = 500;

interface Leg {
  readonly seq: number;
  readonly at: number;
  readonly kind: string;
  readonly ref: string;
  readonly n: number;
  readonly phase: string;
  readonly debit: string;
  readonly credit: string;
  readonly asset: string;
  readonly amount: number;
}

/** Runs a journal statement for a reader with access. */
export type ReadRows = <Row>(rows: Statement<Row>) => Promise<Row[]>;

const columns = ['seq', 'at', 'kind', 'ref', 'n', 'phase', 'debit', 'credit', 'asset', 'amount'] as const;

/**
 * Every leg of a month in Jakarta, as CSV or as one JSON object per line. The last line contains their number and the
 * SHA-256 of all preceding bytes, so a truncated journal is recognisable.
 * @param month such as `2026-11`
 */
export async function* writeJournal(
  read: ReadRows,
  month: string,
  format: 'csv' | 'jsonl',
): AsyncGenerator<string> {
  const digest = createDigest();
  const piece = (text: string) => {
    digest.update(utf8(text));
    return text;
  };
  const [first, next] = [`${month}-01`, `${addDays(`${month}-28`, 4).slice(0, 7)}-01`];
  const [bounds] = await read(
    statement<{ start: number; finish: number }>(sql`SELECT ${lastLegBefore(startOfDay(first))} AS start,
      ${lastLegBefore(startOfDay(next))} AS finish`),
  );
  const { start = 0, finish: end = 0 } = bounds ?? {};
  if (format === 'csv') yield piece(csvLine(columns));
  for (let after = start; after < end; after += legsOfRead) {
    const legs = await read(selectLegs(after, Math.min(after + legsOfRead, end)));
    const lines = legs.map(({ at, ...leg }) => ({ ...leg, at: isoTime(at) }));
    yield piece(
      lines
        .map((line) =>
          format === 'csv' ? csvLine(columns.map((name) => line[name])) : `${JSON.stringify(line)}\n`,
        )
        .join(''),
    );
  }
  const sum = { legs: end - start, sha256: digest.hex() };
  yield format === 'csv' ? csvLine(['end', sum.legs, sum.sha256]) : `${JSON.stringify(sum)}\n`;
}

function selectLegs(after: number, upTo: number): Statement<Leg> {
  const name = (account: string) => {
    const [owner, kind] = [sql.raw(`${account}.owner`), sql.raw(`${account}.kind`)];
    return sql`iif(${owner} = 'system', ${kind}, ${owner} || iif(${kind} = 'wallet', '@pid', ''))`;
  };
  return statement(sql`SELECT l.seq, l.at, l.kind, l.ref, l.n, l.phase, ${name('d')} AS debit, ${name('c')} AS credit,
      d.asset, l.amount
    FROM legs l JOIN accounts d ON d.id = l.debit JOIN accounts c ON c.id = l.credit
    WHERE l.seq > ${integer(after)} AND l.seq <= ${integer(upTo)} ORDER BY l.seq`);
}
