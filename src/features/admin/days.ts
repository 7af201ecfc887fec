import { all, run, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { closeStatement, readDay, whyOpen } from '../reconcile/days.ts';
import { writeJournal } from '../reconcile/journal.ts';
import type { Day } from '../reconcile/schema.ts';
import { changeAtDesk, type DeskActor, deskState, requireDesk } from './desk.ts';

const toDay = ({ leg: _, ...day }: Awaited<ReturnType<typeof readDay>>): Day => day;

/** A day's trial balance. @throws AppError unauthenticated, not_fresh */
export async function showDay(deps: Deps, actor: DeskActor, day: string): Promise<Day> {
  requireDesk(await all(deps.db, deskState(deps, actor)));
  return toDay(await readDay(deps, day));
}

/**
 * Closes a day on which provider, bank and ledger agree. A closed day never changes.
 * @throws AppError unauthenticated, not_fresh; day_open with the missing parts; moved_on if a later day is closed
 */
export async function closeDay(
  deps: Deps,
  actor: DeskActor,
  { day, reason }: { readonly day: string; readonly reason: string },
): Promise<Day> {
  requireDesk(await all(deps.db, deskState(deps, actor)));
  const books = await readDay(deps, day);
  if (books.closedAt !== null) return toDay(books);
  const missing = await whyOpen(deps, books);
  if (missing.length > 0) throw new AppError('day_open', `Day cannot be closed yet: ${missing.join('; ')}`);
  await changeAtDesk(deps, actor, {
    action: 'day.closed',
    target: day,
    reason,
    detail: {},
    from: sql``,
    requirements: {
      same: sql`NOT EXISTS (SELECT 1 FROM closed_days c WHERE c.day = ${day})`,
      moved_on: sql`NOT EXISTS (SELECT 1 FROM closed_days c WHERE c.day > ${day})`,
      day_open: sql`NOT EXISTS (SELECT 1 FROM reconciliation_cases k WHERE k.resolved_at IS NULL AND k.day <= ${day})`,
    },
    change: (batch) => [closeStatement(books, batch)],
    read: () => statement(sql`SELECT 1 FROM settings WHERE id = 1`),
  });
  return toDay(await readDay(deps, day));
}

/**
 * A month's journal as text, streamed for as long as the reader has access.
 * @throws AppError unauthenticated, not_fresh
 */
export async function streamJournal(
  deps: Deps,
  actor: DeskActor,
  { month, format }: { readonly month: string; readonly format: 'csv' | 'jsonl' },
): Promise<AsyncGenerator<string>> {
  requireDesk(await all(deps.db, deskState(deps, actor)));
  return writeJournal(
    async (rows) => {
      const found = await run(deps.db, { desk: deskState(deps, actor), rows });
      requireDesk(found.desk);
      return found.rows;
    },
    month,
    format,
  );
}
