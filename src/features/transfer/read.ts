import { integer, run, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { cursorOf, cursorText, type Page } from '../../lib/page.ts';
import { decrypt, deriveKeys, encrypt } from '../../lib/secret.ts';
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
 * @throws AppError transaction_not_found, app_suspended, and those of `explainCaller`
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

/**
 * The maximum number of the person's entries that a page reads for an app, which sees only some of them. The page then
 * ends where the reading did, even if it is not full.
 */
const mostRead = 1_000;

/** The next page starts after the key of the last row. */
type ListedRow = TransferRow & { readonly key: string };

/**
 * Lists the person's transfers and refunds, newest first, or those made by an app that acts for itself.
 * @throws AppError validation_failed, app_suspended, and those of `explainCaller`
 */
export async function listTransfers(
  deps: Deps,
  reader: Reader,
  query: TransfersQuery,
): Promise<Page<Transfer>> {
  const now = deps.now();
  if (!isForPerson(reader) && query.direction !== undefined)
    throw new AppError('validation_failed', ['direction must not be given by an app for itself']);
  const from = { ...query, cursor: query.cursor && (await openCursor(deps, reader, query.cursor)) };
  const { own, rows, end } = await run(deps.db, {
    own: readOwn(reader, now),
    ...(isForPerson(reader)
      ? { rows: ofPerson(reader, from), end: readEnd(reader, from) }
      : { rows: ofApp(reader, from, now), end: noEnd }),
  });
  if (own.length === 0) throw await explainReader(deps, reader);
  const last = rows.length > query.limit ? rows[query.limit - 1] : end[0];
  return {
    data: rows.slice(0, query.limit).map((row) => toTransfer(row, now)),
    nextCursor: last === undefined ? null : cursorOf(await sealKey(deps, reader, last.key)),
  };
}

const cursorKeys = (deps: Deps) => deriveKeys(deps.config.secretKeys, 'cursor');
const cursorContext = ({ appId, handle }: Caller) => `transfers ${appId} ${handle}`;

/** An app that acts for a person does not see an entry's key, which would reveal when another payment was made. */
const isSealed = (reader: Reader): reader is Caller => isForPerson(reader) && reader.appId !== null;

async function sealKey(deps: Deps, reader: Reader, key: string): Promise<string> {
  return isSealed(reader) ? encrypt(cursorKeys(deps), key, cursorContext(reader), deps.randomBytes) : key;
}

/** The key in a cursor. @throws AppError validation_failed for a cursor of another caller */
async function openCursor(deps: Deps, reader: Reader, cursor: string): Promise<string> {
  const key = isSealed(reader) ? await decrypt(cursorKeys(deps), cursor, cursorContext(reader)) : cursor;
  const isOfKind = key !== null && /^\d+\.\d+$/.test(key) === isForPerson(reader);
  if (!isOfKind) throw new AppError('validation_failed', [cursorText]);
  return key;
}

/** In the order of the wallet entries. */
function ofPerson(caller: Caller, query: TransfersQuery): Statement<ListedRow> {
  const { limit } = query;
  const read = entriesOf(caller, query, caller.appId === null ? limit + 1 : mostRead);
  return statement(sql`SELECT ${columnsOfT}, k.at || '.' || k.leg AS key
    FROM (${read}) k CROSS JOIN transfers t ON t.id = k.ref WHERE ${isVisible(caller)} LIMIT ${integer(limit + 1)}`);
}

const noEnd = statement<{ key: string }>(sql`SELECT NULL AS key WHERE 0`);

/** The last entry that a page read for an app, if there may be more. */
function readEnd(caller: Caller, query: TransfersQuery): Statement<{ key: string }> {
  if (caller.appId === null) return noEnd;
  return statement(sql`SELECT k.at || '.' || k.leg AS key FROM (${entriesOf(caller, query, mostRead)}) k
    LIMIT 1 OFFSET ${integer(mostRead - 1)}`);
}

function entriesOf(caller: Caller, { direction, cursor }: TransfersQuery, limit: number): SQL {
  return selectEntries({
    account: walletOf(caller),
    ranges: [...rangesOf('transfer', direction), ...rangesOf('refund', direction)],
    when: isBefore(keyOf(cursor)),
    order: 'DESC',
    limit,
  });
}

/** In the order of the app's requests. */
function ofApp(app: Reader, { limit, cursor = '~' }: TransfersQuery, now: number): Statement<ListedRow> {
  return statement(sql`SELECT ${columnsOfT}, t.id AS key FROM ${acting(app, now)} w JOIN transfers t ON t.app_id = ${app.appId}
    WHERE t.id < ${cursor} AND ${isMade} ORDER BY t.id DESC LIMIT ${integer(limit + 1)}`);
}
