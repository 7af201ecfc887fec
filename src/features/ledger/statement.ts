import { brandOf } from '../../brand/brand-settings.ts';
import { all, run, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { jsonElements } from '../../http/stream.ts';
import { isoTime, pidOf } from '../../lib/id.ts';
import { localTime } from '../../lib/local-time.ts';
import { actingCaller, type Caller, explainCaller } from '../grant/acting-caller.ts';
import { balanceWhen, type LineKey, rangesOf, selectEntries, selectLines, toTransaction } from './lines.ts';
import type { Transaction, WalletStatement } from './schema.ts';
import { readOwn, requireOwn, walletOf } from './transactions.ts';

/** Lines per read. A read blocks the database thread, and so all payments, for less than 2 ms. */
const linesOfRead = 500;
const dayMs = 86_400_000;

/** A statement whose lines are read while it is being sent. */
export interface OpenStatement extends Omit<WalletStatement, 'data'> {
  readonly pages: AsyncIterable<Transaction[]>;
}

/**
 * All movements in a period, oldest first, with the opening and closing balance. Movements made during sending are not
 * included.
 * @param period in epoch milliseconds; the last 31 days by default
 * @throws AppError validation_failed for a period that ends before it begins, wallet_not_found, and those of
 *   `explainCaller`
 */
export async function streamStatement(
  deps: Deps,
  caller: Caller,
  period: { readonly from?: number | undefined; readonly to?: number | undefined },
): Promise<OpenStatement> {
  const now = deps.now();
  const to = period.to ?? now + 1;
  const from = period.from ?? to - 31 * dayMs;
  if (from > to) throw new AppError('validation_failed', ['from must not be after to']);
  const account = walletOf(caller);
  const { own, balances, last } = await run(deps.db, {
    own: readOwn(caller, now),
    balances: statement<{ opening: number; closing: number }>(sql`SELECT
      ${balanceWhen(account, sql`at < ${from}`)} AS opening, ${balanceWhen(account, sql`at < ${to}`)} AS closing`),
    last: statement<{ at: number; leg: number }>(
      selectEntries({
        account,
        ranges: rangesOf(),
        when: sql`at < ${to} AND at >= ${from}`,
        order: 'DESC',
        limit: 1,
      }),
    ),
  });
  await requireOwn(deps, caller, own);
  const [end] = last;
  return {
    pid: pidOf(caller.handle),
    asset: 'IDR',
    scale: 0,
    from: isoTime(from),
    to: isoTime(to),
    openingBalance: balances[0]?.opening ?? 0,
    closingBalance: balances[0]?.closing ?? 0,
    pages: end ? readLines(deps, caller, [from, 0], [end.at, end.leg]) : noLines(),
  };
}

async function* noLines(): AsyncGenerator<Transaction[]> {}

/**
 * The lines after one position, up to and including another, oldest first. Entries are append-only, so all reads
 * together return the same as a single read at the start.
 * @throws AppError those of `explainCaller`, when the caller loses access
 */
async function* readLines(
  deps: Deps,
  caller: Caller,
  after: LineKey,
  end: LineKey,
): AsyncGenerator<Transaction[]> {
  let [at, leg] = after;
  while (leg !== end[1]) {
    const account = sql`(SELECT a.id FROM ${actingCaller(caller, deps.now())} w
      JOIN accounts a ON a.owner = w.handle AND a.kind = 'wallet')`;
    const when = sql`(at, leg) > (${at}, ${leg}) AND (at, leg) <= (${end[0]}, ${end[1]})`;
    const keys = selectEntries({ account, ranges: rangesOf(), when, order: 'ASC', limit: linesOfRead });
    const lines = await all(deps.db, selectLines(keys));
    const last = lines.at(-1);
    if (last === undefined) throw await explainCaller(deps, caller);
    [at, leg] = [last.at, last.leg];
    yield lines.map(toTransaction);
  }
}

/** Every line of the caller's wallet up to now, oldest first. */
export async function* readAllLines(deps: Deps, caller: Caller): AsyncGenerator<Transaction[]> {
  const keys = selectEntries({
    account: walletOf(caller),
    ranges: rangesOf(),
    when: sql`1`,
    order: 'DESC',
    limit: 1,
  });
  const [end] = await all(deps.db, statement<{ at: number; leg: number }>(keys));
  if (end) yield* readLines(deps, caller, [0, 0], [end.at, end.leg]);
}

/** A statement as JSON; a truncated one lacks the closing brackets. */
export async function* toJson({ pages, ...head }: OpenStatement): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"data":[`;
  yield* jsonElements(pages);
  yield ']}';
}

const csvHeader = 'time,id,kind,direction,asset,amount,fees,balance,counterparty,name,memo,app';

/**
 * A statement's lines as CSV (RFC 4180), between its opening and closing balance: a truncated file lacks the last line,
 * of the kind `closing`. Times are in `TIME_ZONE`, so that a spreadsheet groups them by local days.
 */
export async function* toCsv({ config }: Deps, wallet: OpenStatement): AsyncGenerator<string> {
  const { TIME_ZONE } = brandOf(config);
  const local = (time: string) => localTime(TIME_ZONE, Date.parse(time));
  const edge = (time: string, kind: string, balance: number) =>
    csvLine([local(time), '', kind, '', 'IDR', '', '', balance, '', '', '', '']);
  yield `${csvHeader}\r\n${edge(wallet.from, 'opening', wallet.openingBalance)}`;
  for await (const page of wallet.pages)
    yield page
      .map((line) =>
        csvLine([
          ...[local(line.createdAt), line.id, line.kind, line.direction, line.asset, line.amount, line.fees],
          ...[
            line.balanceAfter,
            line.counterparty?.pid,
            line.counterparty?.displayName,
            line.memo,
            line.appId,
          ],
        ]),
      )
      .join('');
  yield edge(wallet.to, 'closing', wallet.closingBalance);
}

/** A line of CSV (RFC 4180). */
export function csvLine(cells: readonly (string | number | null | undefined)[]): string {
  return `${cells.map((cell) => csvCell(cell ?? '')).join(',')}\r\n`;
}

/** A spreadsheet would execute a cell that starts like a formula; a leading apostrophe makes it text. */
function csvCell(value: string | number): string {
  const text = String(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
