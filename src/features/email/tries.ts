import { type SQL, sql } from 'drizzle-orm';
import { integer, type Row, type Statement, statement } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import type { secretTries } from './tables.ts';

/** A counter of tries, and when its window ends. */
export type Tries = Pick<Row<typeof secretTries>, 'tries' | 'resets_at'>;

interface Try {
  readonly key: string;
  readonly windowMs: number;
  readonly now: number;
  /** Without it nothing is counted, and no row returned. */
  readonly when?: SQL;
  /** A try after fewer than this many restarts the window and continues the count. */
  readonly extendedBelow?: number;
}

/** Counts a try within a window that begins with the first one, and returns the counter. */
export function countTry({ key, windowMs, now, when = sql`true`, extendedBelow = 0 }: Try): Statement<Tries> {
  return statement(sql`INSERT INTO secret_tries (key, tries, resets_at)
    SELECT ${key}, 1, ${now + windowMs} WHERE ${when}
    ON CONFLICT (key) DO UPDATE SET tries = iif(resets_at <= ${now}, 1, tries + 1),
      resets_at = iif(resets_at <= ${now} OR tries < ${integer(extendedBelow)}, excluded.resets_at, resets_at)
    RETURNING tries, resets_at`);
}

/** Deletes a counter. */
export function clearTries({ key, when }: { readonly key: string; readonly when: SQL }): Statement {
  return statement(sql`DELETE FROM secret_tries WHERE key = ${key} AND ${when}`);
}

/** The refusal of a try beyond those allowed; it says when the window ends. */
export function tooManyTries({ resets_at }: Tries, now: number): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil((resets_at - now) / 1000));
  return new AppError('rate_limited', null, { retryAfterSeconds });
}
