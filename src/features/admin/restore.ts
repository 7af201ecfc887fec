import { all, run, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { deleteApps, endFormerSecrets } from '../app/statements.ts';
import { deleteOf } from '../credential/statements.ts';
import { deleteAllCodes } from '../email/code.ts';
import { journalPrefixes } from '../identity/journal.ts';
import {
  closeIdentities,
  deleteProfiles,
  endSessionsUpTo,
  restoreIdentities,
  restoreProfiles,
  setStatus,
} from '../identity/statements.ts';
import { setMode } from '../ledger/statements.ts';
import { giveUpWaitingMails } from '../mail/purge.ts';
import { deleteAllChallenges } from '../passkey/challenge.ts';
import { deleteUnredeemedPopups } from '../popup/purge.ts';
import { endSessions } from '../session/statements.ts';
import { deleteTickets } from '../sign-in/statements.ts';
import { deleteAllKeys } from '../signing-key/rotation.ts';

/** Journal entries missing from the database. */
export interface Replay {
  /** Handles issued after the backup; they are restored as suspended. */
  readonly issued: string[];
  /** Identities closed after the backup. */
  readonly closed: string[];
  /** The number of journal entries. */
  readonly entries: number;
}

type Entry = { readonly handle: string; readonly skeleton: string; readonly at: number };

/**
 * Invalidates everything that a backup would revive: existing sessions, sign-ins, ceremonies and popups in progress,
 * queued email, replaced app secrets, and signing keys. Otherwise anything used up after the backup would work again,
 * email would be sent twice, and a leaked key that was removed would sign again. The first process that needs a key
 * creates a new one. A provider's response to a sign-in that started before the restore is also rejected
 * (`consumeOnce`).
 */
export async function endRestoredSessions(deps: Deps): Promise<void> {
  const now = deps.now();
  await run(deps.db, {
    change: [
      endSessionsUpTo(now),
      endFormerSecrets(now),
      deleteTickets(sql`claim_tickets.consumed_by IS NULL`),
      deleteAllCodes(),
      deleteAllChallenges(),
      deleteUnredeemedPopups(),
      giveUpWaitingMails(),
      deleteAllKeys(),
      // Transfers made after the backup are lost, so an operator has to compare the ledger with the provider before
      // money moves again.
      setMode({ mode: 'frozen', reason: 'restored from a backup', now: deps.now() }),
    ],
  });
}

/**
 * Replays the whole journal into a database that was restored from a backup. Safe to repeat.
 * @param apply false only reports the changes
 */
export async function replayJournal(deps: Deps, apply: boolean): Promise<Replay> {
  let count = 0;
  const issued: string[] = [];
  for await (const entries of readJournal(deps, journalPrefixes.issued)) {
    count += entries.length;
    issued.push(...(await missing(deps, entries)));
    if (apply) await run(deps.db, { change: issueStatements(entries) });
  }
  const closed: string[] = [];
  for await (const entries of readJournal(deps, journalPrefixes.closed)) {
    count += entries.length;
    closed.push(...(await readClosed(deps, entries)));
    if (apply) await run(deps.db, { change: closeStatements(entries, deps.now()) });
  }
  return { issued, closed, entries: count };
}

async function* readJournal({ kv }: Deps, prefix: string): AsyncGenerator<Entry[]> {
  for (let cursor: string | null = null, last = false; !last; ) {
    const page = await kv.list(prefix, cursor);
    yield page.entries.map(({ key, value }) => {
      const { skeleton = '', at } = JSON.parse(value) as { skeleton?: string; at: number };
      return { handle: key.slice(prefix.length), skeleton, at };
    });
    cursor = page.next;
    last = cursor === null;
  }
}

/** The unclaimed handles. */
async function missing(deps: Deps, entries: Entry[]): Promise<string[]> {
  return handlesOf(
    deps,
    statement(sql`SELECT value AS handle FROM json_each(${handles(entries)})
      WHERE NOT EXISTS (SELECT 1 FROM identities WHERE handle = value)`),
  );
}

/** The handles of identities that are not closed or, in a dry run, do not exist yet. */
async function readClosed(deps: Deps, entries: Entry[]): Promise<string[]> {
  return handlesOf(
    deps,
    statement(sql`SELECT value AS handle FROM json_each(${handles(entries)})
      WHERE NOT EXISTS (SELECT 1 FROM identities WHERE handle = value AND status = 'closed')`),
  );
}

async function handlesOf(deps: Deps, select: Statement<{ handle: string }>): Promise<string[]> {
  return (await all(deps.db, select)).map(({ handle }) => handle);
}

function handles(entries: Entry[]): string {
  return JSON.stringify(entries.map(({ handle }) => handle));
}

/** A handle issued after the backup is restored without credentials, so that nobody else can claim it. */
function issueStatements(entries: Entry[]): Statement[] {
  const rows = JSON.stringify(entries.map(({ handle, skeleton, at }) => [handle, skeleton, at]));
  return [
    restoreIdentities(sql`SELECT json_extract(value, '$[0]') AS handle, json_extract(value, '$[1]') AS skeleton,
      json_extract(value, '$[2]') AS created_at FROM json_each(${rows})`),
    restoreProfiles(sql`SELECT json_extract(value, '$[0]') FROM json_each(${rows})`),
  ];
}

/**
 * Closed identities stay closed, whatever the backup says. An identity with money in the backup is suspended
 * instead, because a closed identity could never access that money again. The purge erases the devices.
 */
function closeStatements(entries: Entry[], now: number): Statement[] {
  const rows = JSON.stringify(entries.map(({ handle, at }) => [handle, at]));
  const listed = sql`SELECT json_extract(value, '$[0]') FROM json_each(${rows})`;
  const blocked = sql`SELECT handle FROM closure_blockers`;
  const closed = sql`SELECT handle FROM identities WHERE handle IN (${listed}) AND status = 'closed'`;
  const isClosed = sql`handle IN (${closed})`;
  const closedAt = sql`(SELECT json_extract(j.value, '$[1]') FROM json_each(${rows}) j
    WHERE json_extract(j.value, '$[0]') = identities.handle)`;
  return [
    setStatus('suspended', sql`handle IN (${listed}) AND status = 'active' AND handle IN (${blocked})`),
    closeIdentities(sql`handle IN (${listed}) AND handle NOT IN (${blocked})`, closedAt),
    deleteOf(isClosed),
    deleteTickets(sql`claim_tickets.hash IN (SELECT ticket FROM identities WHERE ${isClosed})`),
    deleteProfiles(isClosed),
    ...deleteApps({ where: sql`owner IN (${closed})`, now }),
    endSessions({ where: isClosed, reason: 'closed', now }),
  ];
}
