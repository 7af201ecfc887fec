import { all, run, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { createId } from '../../lib/id.ts';
import { createDigest } from '../../lib/secret.ts';
import { type LineReader, lineReader, type ReportLine, type Source } from './columns.ts';
import { LineProblem, readCsv } from './csv.ts';
import { discard, linesOfBatch, toReport } from './report.ts';
import type { Report, ReportSummary } from './schema.ts';
import {
  beginReport,
  endReport,
  markDoubled,
  type ReportRow,
  readOutcomes,
  storeLines,
} from './statements.ts';

const maxLines = 1_000_000;
/** The request body limit on Workers and Bun. */
export const maxBytes: number = 100 * 1024 * 1024;
const mostShown = 50;

interface Import {
  readonly source: Source;
  /** As in `lineReader`, as JSON. */
  readonly map?: string | undefined;
  /** The days covered by the report, in Jakarta time; both or neither. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly file: AsyncIterable<Uint8Array>;
}

/**
 * Imports a report as it arrives, and returns the effect of its lines. No money moves until the report is accepted. For
 * a file imported before, returns the earlier report.
 * @throws AppError validation_failed with the line number and the reason; none of the file is kept
 */
export async function importReport(deps: Deps, { source, map, from, to, file }: Import): Promise<Report> {
  if ((from === undefined) !== (to === undefined) || (from !== undefined && to !== undefined && from > to))
    throw new AppError('validation_failed', ['from and to must be given together, and in this order']);
  const now = deps.now();
  const id = createId('rep', now, deps.randomBytes);
  const reader = parseMap(source, map);
  const digest = createDigest();
  await run(deps.db, { begin: [beginReport(id, source, now)] });
  try {
    const { lines, skipped, ...days } = await store(deps, id, {
      reader,
      from,
      to,
      file: counted(file, digest),
    });
    const summary = await summarize(deps, id, { lines, skipped });
    return await finish(deps, { id, sha256: digest.hex(), ...days, summary: JSON.stringify(summary) });
  } catch (error) {
    await discard(deps, id);
    if (error instanceof LineProblem) throw new AppError('validation_failed', [error.message]);
    throw error;
  }
}

interface Stored {
  readonly lines: number;
  readonly skipped: number;
  readonly first_day: string;
  readonly last_day: string;
  readonly last_line: number;
}

/** Stores a file's lines. @throws LineProblem */
async function store(
  deps: Deps,
  id: string,
  {
    reader,
    from = '9999-12-31',
    to = '',
    file,
  }: Pick<Import, 'from' | 'to' | 'file'> & { reader: LineReader },
): Promise<Stored> {
  let [first, last, lastLine, skipped, lines] = [from, to, 0, 0, 0];
  let waiting: ReportLine[] = [];
  let read: ReturnType<LineReader['begin']> | undefined;
  const flush = async () => {
    if (waiting.length > 0) await run(deps.db, { store: [storeLines(id, waiting)] });
    waiting = [];
  };
  for await (const record of readCsv(file, reader.delimiter)) {
    lastLine = record.line;
    if (read === undefined) {
      read = reader.begin(record);
      continue;
    }
    const line = read(record);
    if (line === null) {
      skipped += 1;
      continue;
    }
    lines += 1;
    if (lines > maxLines) throw new LineProblem(record.line, `the file has more than ${maxLines} lines`);
    if (to !== '' && (line.day < from || line.day > to))
      throw new LineProblem(record.line, `its day ${line.day} is not within from and to`);
    if (line.day < first) first = line.day;
    if (line.day > last) last = line.day;
    if (waiting.push(line) === linesOfBatch) await flush();
  }
  if (read === undefined) throw new LineProblem(1, 'the file is empty');
  if (first > last) throw new LineProblem(lastLine, 'no line moves money: give from and to');
  await flush();
  return { lines, skipped, first_day: first, last_day: last, last_line: lastLine };
}

function parseMap(source: Source, map: string | undefined): LineReader {
  try {
    return lineReader(source, map === undefined ? undefined : JSON.parse(map));
  } catch (cause) {
    throw new AppError(
      'validation_failed',
      ['map must name the columns of the source, as its documentation says'],
      { cause },
    );
  }
}

async function* counted(
  file: AsyncIterable<Uint8Array>,
  digest: ReturnType<typeof createDigest>,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of file) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new AppError('body_too_large');
    digest.update(chunk);
    yield chunk;
  }
}

/** Marks duplicates, and counts the effects of the lines. */
async function summarize(
  deps: Deps,
  report: string,
  counts: { lines: number; skipped: number },
): Promise<ReportSummary> {
  const outcomes = new Map<string, { outcome: string; count: number; gross: number; fee: number }>();
  const differences: ReportSummary['differences'] = [];
  for (let after = 0; ; ) {
    const [end] = await all(
      deps.db,
      statement<{ line: number | null }>(sql`SELECT max(line) AS line FROM (SELECT l.line FROM report_lines l
        WHERE l.report = ${report} AND l.line > ${after} ORDER BY l.line LIMIT ${linesOfBatch})`),
    );
    if (!end?.line) return { ...counts, outcomes: [...outcomes.values()], differences };
    const lines = { report, after, upTo: end.line };
    const { seen } = await run(deps.db, { mark: [markDoubled(lines)], seen: readOutcomes(lines) });
    for (const { line, outcome, ref, gross, fee, currency } of seen) {
      const sum = outcomes.get(outcome) ?? { outcome, count: 0, gross: 0, fee: 0 };
      outcomes.set(outcome, { outcome, count: sum.count + 1, gross: sum.gross + gross, fee: sum.fee + fee });
      if (outcome !== 'matched' && outcome !== 'known' && differences.length < mostShown)
        differences.push({ line, outcome, ref, amount: gross, currency });
    }
    after = end.line;
  }
}

async function finish(deps: Deps, ended: Parameters<typeof endReport>[0]): Promise<Report> {
  const { rows } = await run(deps.db, {
    end: [endReport(ended)],
    rows: statement<ReportRow>(sql`SELECT * FROM reports WHERE sha256 = ${ended.sha256}
      AND (first_day, last_day) = (${ended.first_day}, ${ended.last_day}) AND status IN ('read','accepted','posted')
      AND source = (SELECT r.source FROM reports r WHERE r.id = ${ended.id})`),
  });
  const [row] = rows;
  if (row === undefined) throw new TypeError('a report that was read is not there');
  if (row.id !== ended.id) await discard(deps, ended.id);
  return toReport(row);
}
