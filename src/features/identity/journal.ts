import { all, only, run, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';

/** A PID event. The journal stores it outside the database, so that it survives a restore. */
export type PidEvent =
  | { readonly event: 'issued'; readonly handle: string; readonly skeleton: string; readonly at: number }
  | { readonly event: 'closed'; readonly handle: string; readonly at: number };

type JournalRow = PidEvent & { readonly seq: number };

/** Workers limit the KV operations per invocation, so rounds are small and each one makes progress. */
const drainLimit = 20;
const drainRounds = 20;

/** The key of an event: one per PID and kind, so that writing it again changes nothing. */
function journalKey({ event, handle }: PidEvent): string {
  return `${journalPrefixes[event]}${handle}`;
}

function journalValue(event: PidEvent): string {
  const { at } = event;
  return JSON.stringify(event.event === 'issued' ? { skeleton: event.skeleton, at } : { at });
}

/** Prefixes of the journal keys in the key-value store. */
export const journalPrefixes = { issued: 'pid:issued:', closed: 'pid:closed:' } as const;

/**
 * Copies an event to the journal after its batch, in the background. The trigger's row remains for `drainJournal`,
 * which detects the copy, so this copy costs no round trip and may fail.
 */
export function copyToJournal(deps: Deps, event: PidEvent): void {
  const copying = deps.kv.put(journalKey(event), journalValue(event)).catch((error: unknown) => {
    deps.log.warn('journal.delayed', { handle: event.handle, error });
  });
  deps.background(copying);
}

/**
 * Copies the triggers' rows in `pid_journal` to the key-value store. A row is deleted only after its copy is stored.
 * The order does not matter, and copies may repeat, so an interrupted run can simply be repeated.
 * @throws the error of the store; the rows then remain
 */
export async function drainJournal(deps: Deps): Promise<{ copied: number }> {
  let copied = 0;
  for (let round = 0; round < drainRounds; round += 1) {
    const query = statement<JournalRow>(sql`SELECT seq, handle, skeleton, event, at FROM pid_journal
        ORDER BY seq LIMIT ${sql.raw(String(drainLimit))}`);
    const rows = await all(deps.db, query);
    if (rows.length === 0) break;
    for (const row of rows) await keep(deps, row);
    const seqs = JSON.stringify(rows.map(({ seq }) => seq));
    const drop = statement(sql`DELETE FROM pid_journal WHERE seq IN (SELECT value FROM json_each(${seqs}))`);
    await all(deps.db, drop);
    copied += rows.length;
    if (rows.length < drainLimit) break;
  }
  return { copied };
}

/**
 * Marks every PID for `drainJournal` to copy again, after the key-value store was lost.
 * @returns the number of events to copy
 */
export async function rewriteJournal(deps: Deps): Promise<number> {
  const { waiting } = await run(deps.db, {
    change: [
      statement(sql`INSERT INTO pid_journal (handle, skeleton, event, at)
      SELECT handle, skeleton, 'issued', created_at FROM identities`),
      statement(sql`INSERT INTO pid_journal (handle, skeleton, event, at)
      SELECT handle, skeleton, 'closed', closed_at FROM identities WHERE status = 'closed'`),
    ],
    waiting: statement<{ count: number }>(sql`SELECT count(*) AS count FROM pid_journal`),
  });
  return only(waiting).count;
}

/** Reads are cheaper than writes in every key-value store, and most events were copied immediately. */
async function keep({ kv }: Deps, event: PidEvent): Promise<void> {
  const [key, value] = [journalKey(event), journalValue(event)];
  if ((await kv.get(key)) !== value) await kv.put(key, value);
}
