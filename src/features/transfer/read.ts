import { integer, run, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { cursorText, type Page, toPage } from '../../lib/page.ts';
import { actingCaller, type Caller, explainCaller } from '../grant/acting-caller.ts';
import { isBefore, keyOf, rangesOf, selectEntries } from '../ledger/lines.ts';
import { walletOf } from '../ledger/transactions.ts';
import type { Transfer, TransfersQuery } from './schema.ts';
import { columnsOfT, type TransferRow } from './statements.ts';
import { refOf, toTransfer } from './transfer.ts';

/** A person, an app acting for a person, or an app acting for itself, whose `handle` is null. */
export type Reader = Caller<string | null>;

export const isForPerson = (reader: Reader): reader is Caller => reader.handle !== null;

/** The reader as a one-row table with `handle`; empty once the reader loses access. */
export function acting(reader: Reader, now: number): SQL {
  return isForPerson(reader)
    ? actingCaller(reader, now)
    : sql`(SELECT NULL AS handle FROM apps x WHERE x.id = ${reader.appId} AND x.status = 'active')`;
}

function readOwn(reader: Reader, now: number): Statement<{ handle: string | null }> {
  return statement(sql`SELECT w.handle FROM ${acting(reader, now)} w`);
}

export async function explainReader(deps: Deps, reader: Reader): Promise<AppError> {
  return isForPerson(reader) ? explainCaller(deps, reader) : new AppError('app_suspended');
}

/** True if the transfer `t` was made: its money has moved, or was held. */
const isMade = sql`(t.status IN ('confirmed', 'reversed') OR t.held_at IS NOT NULL)`;

/** Limits transfers to those that an app may see: its own, and their refunds, for which it receives events. */
function isVisible({ appId }: Reader): SQL {
  return appId === null
    ? sql`1`
    : sql`coalesce(t.app_id, (SELECT o.app_id FROM transfers o WHERE o.id = t.refund_of)) = ${appId}`;
}

/**
 * Returns a transfer or a refund that the person paid or received, or that the app made.
 * @throws AppError transaction_not_found, app_suspended, and as `explainCaller`
 */
export async function getTransfer(deps: Deps, reader: Reader, id: string): Promise<Transfer> {
  const now = deps.now();
  const { own, rows } = await run(deps.db, {
    own: readOwn(reader, now),
    rows: statement<TransferRow>(sql`SELECT ${columnsOfT} FROM ${acting(reader, now)} w
      JOIN transfers t ON w.handle IS NULL OR w.handle IN (t.payer, t.payee)
      WHERE t.id = ${refOf(id, 'trf')} AND ${isMade} AND ${isVisible(reader)}`),
  });
  if (own.length === 0) throw await explainReader(deps, reader);
  const [row] = rows;
  if (!row) throw new AppError('transaction_not_found');
  return toTransfer(row, now);
}

/** The next page starts after the key of the last row. */
type ListedRow = TransferRow & { readonly key: string };

/**
 * Lists the person's transfers and refunds, newest first, or those made by an app that acts for itself.
 * @throws AppError validation_failed, app_suspended, and as `explainCaller`
 */
export async function listTransfers(
  deps: Deps,
  reader: Reader,
  query: TransfersQuery,
): Promise<Page<Transfer>> {
  const now = deps.now();
  if (!isForPerson(reader) && query.direction !== undefined)
    throw new AppError('validation_failed', ['direction must not be given by an app for itself']);
  if (query.cursor !== undefined && query.cursor.includes('.') !== isForPerson(reader))
    throw new AppError('validation_failed', [cursorText]);
  const { own, rows } = await run(deps.db, {
    own: readOwn(reader, now),
    rows: isForPerson(reader) ? ofPerson(reader, query) : ofApp(reader, query, now),
  });
  if (own.length === 0) throw await explainReader(deps, reader);
  return toPage(
    rows,
    query.limit,
    ({ key }) => key,
    (row) => toTransfer(row, now),
  );
}

/** In the order of the wallet entries. */
function ofPerson(caller: Caller, { direction, limit, cursor }: TransfersQuery): Statement<ListedRow> {
  const ended = selectEntries({
    account: walletOf(caller),
    ranges: [...rangesOf('transfer', direction), ...rangesOf('refund', direction)],
    when: isBefore(keyOf(cursor)),
    order: 'DESC',
    // An app sees only some of them, so the number needed to fill a page is unknown.
    limit: caller.appId === null ? limit + 1 : Number.MAX_SAFE_INTEGER,
  });
  return statement(sql`SELECT ${columnsOfT}, k.at || '.' || k.leg AS key
    FROM (${ended}) k CROSS JOIN transfers t ON t.id = k.ref WHERE ${isVisible(caller)} LIMIT ${integer(limit + 1)}`);
}

/** In the order of the app's requests. */
function ofApp(app: Reader, { limit, cursor = '~' }: TransfersQuery, now: number): Statement<ListedRow> {
  return statement(sql`SELECT ${columnsOfT}, t.id AS key FROM ${acting(app, now)} w JOIN transfers t ON t.app_id = ${app.appId}
    WHERE t.id < ${cursor} AND ${isMade} ORDER BY t.id DESC LIMIT ${integer(limit + 1)}`);
}
