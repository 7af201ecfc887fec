import { sql } from 'drizzle-orm';
import { all, type Statement, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { journalPrefixes } from '../identity/journal.ts';

/** What the journal knows and the database does not. */
export interface Replay {
  /** Handles that were issued after the backup; they come back suspended. */
  readonly issued: string[];
  /** Identities that were closed after the backup. */
  readonly closed: string[];
  /** How many entries the journal holds in all. */
  readonly entries: number;
}

type Entry = { readonly handle: string; readonly skeleton: string; readonly at: number };

/**
 * Ends everything a backup would bring back to life: sessions made up to now, sign-ins on their way, and signing
 * keys. Tokens that were spent after the backup would otherwise be good again, and so would a key that was
 * removed because it had become known; the first one who needs a key makes a new one.
 */
export async function endRestoredSessions(deps: Deps): Promise<void> {
  const now = deps.now();
  await deps.db.batch([
    statement(sql`UPDATE settings SET sessions_not_before = max(sessions_not_before, CAST(${now} AS INTEGER) + 1)
      WHERE id = 1`),
    statement(sql`DELETE FROM claim_tickets WHERE consumed_by IS NULL`),
    statement(sql`DELETE FROM email_codes`),
    statement(sql`DELETE FROM signing_keys`),
  ]);
}

/**
 * Replays the whole journal into a database that was restored from a backup. Repeating it is harmless.
 * @param apply false only tells what would change
 */
export async function replayJournal(deps: Deps, apply: boolean): Promise<Replay> {
  let count = 0;
  const issued: string[] = [];
  for await (const entries of readJournal(deps, journalPrefixes.issued)) {
    count += entries.length;
    issued.push(...(await missing(deps, entries)));
    if (apply) await deps.db.batch(issueStatements(entries));
  }
  const closed: string[] = [];
  for await (const entries of readJournal(deps, journalPrefixes.closed)) {
    count += entries.length;
    closed.push(...(await open(deps, entries)));
    if (apply) await deps.db.batch(closeStatements(entries, deps.now()));
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

/** The handles that no identity holds. */
async function missing(deps: Deps, entries: Entry[]): Promise<string[]> {
  return handlesOf(
    deps,
    statement(sql`SELECT value AS handle FROM json_each(${handles(entries)})
      WHERE NOT EXISTS (SELECT 1 FROM identities WHERE handle = value)`),
  );
}

/** The handles whose identity is not closed, or, in a dry run, not there yet. */
async function open(deps: Deps, entries: Entry[]): Promise<string[]> {
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

/** A handle that was issued after the backup is nobody's to claim: it comes back without credentials. */
function issueStatements(entries: Entry[]): Statement[] {
  const rows = JSON.stringify(entries.map(({ handle, skeleton, at }) => [handle, skeleton, at]));
  return [
    statement(sql`INSERT INTO identities (handle, skeleton, ticket, status, created_at)
      SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), 'restored:' || json_extract(value, '$[0]'),
        'suspended', json_extract(value, '$[2]') FROM json_each(${rows}) WHERE true ON CONFLICT DO NOTHING`),
    statement(sql`INSERT INTO profiles (handle, display_name, updated_at)
      SELECT i.handle, i.handle, i.created_at FROM json_each(${rows}) j
        JOIN identities i ON i.handle = json_extract(j.value, '$[0]')
      WHERE i.ticket = 'restored:' || i.handle AND i.status = 'suspended' ON CONFLICT (handle) DO NOTHING`),
  ];
}

/** What was closed stays closed, whatever the backup still holds of it. */
function closeStatements(entries: Entry[], now: number): Statement[] {
  const rows = JSON.stringify(entries.map(({ handle, at }) => [handle, at]));
  const listed = sql`(SELECT json_extract(value, '$[0]') FROM json_each(${rows}))`;
  const closed = sql`(SELECT i.handle FROM json_each(${rows}) j
    JOIN identities i ON i.handle = json_extract(j.value, '$[0]') AND i.status = 'closed')`;
  return [
    statement(sql`DELETE FROM closure_blockers WHERE handle IN ${listed}`),
    statement(sql`UPDATE identities SET status = 'closed', closed_at =
        (SELECT json_extract(j.value, '$[1]') FROM json_each(${rows}) j WHERE json_extract(j.value, '$[0]') = identities.handle)
      WHERE handle IN ${listed} AND status <> 'closed'`),
    statement(sql`DELETE FROM credentials WHERE handle IN ${closed}`),
    statement(sql`DELETE FROM claim_tickets WHERE hash IN
      (SELECT ticket FROM identities WHERE handle IN ${closed})`),
    statement(sql`DELETE FROM profiles WHERE handle IN ${closed}`),
    statement(sql`UPDATE sessions SET revoked_at = ${now}, revoked_reason = 'closed'
      WHERE handle IN ${closed} AND revoked_at IS NULL`),
    // Every session has left a line in the activity, whose index finds those that ended before, too.
    statement(sql`UPDATE sessions SET user_agent = NULL, address = NULL, country = NULL
      WHERE id IN (SELECT session_id FROM activity WHERE handle IN ${closed})`),
  ];
}
