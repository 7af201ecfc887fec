import { integer, type Row, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { secretHash } from '../../lib/secret.ts';
import { noticeStatement } from '../mail/mail.ts';
import { type Device, deviceTtlMs } from '../session/device-cookie.ts';
import type { secretTries } from './tables.ts';

/** An attempt counter, and the end of its window. */
export type Tries = Pick<Row<typeof secretTries>, 'tries' | 'resets_at'>;

interface Try {
  readonly key: SQL;
  readonly now: number;
  readonly endsAt: SQL | number;
  /** If the condition is false, nothing is counted and no row is returned. */
  readonly when?: SQL;
  /** If there were fewer attempts than this, the next one restarts the window and continues the count. */
  readonly extendedBelow?: number;
}

/** Counts an attempt within a window that starts with the first attempt, and returns the counter. */
export function countTry({ key, endsAt, now, when = sql`true`, extendedBelow = 0 }: Try): Statement<Tries> {
  return statement(sql`INSERT INTO secret_tries (key, tries, resets_at)
    SELECT ${key}, 1, ${endsAt} WHERE ${when}
    ON CONFLICT (key) DO UPDATE SET tries = iif(resets_at <= ${now}, 1, tries + 1),
      resets_at = iif(resets_at <= ${now} OR tries < ${integer(extendedBelow)}, excluded.resets_at, resets_at)
    RETURNING tries, resets_at`);
}

/** The error for an attempt above the limit, with the end of the window. */
export function tooManyTries({ resets_at }: Tries, now: number, isOfCodes = false): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil((resets_at - now) / 1000));
  return new AppError('rate_limited', null, { retryAfterSeconds, isOfCodes });
}

/** The account whose secret is guessed, and the origin of the guess. */
export interface Guesser {
  readonly email: string;
  /** The browser, if the account has signed in there before. */
  readonly device: Device | null;
  readonly now: number;
}

/** The guessable secrets of an account. */
type Secret = 'password' | 'reset';

/**
 * The number of consecutive wrong guesses at a secret, after which no more are accepted (NIST SP 800-63B-4, 3.2.2). A
 * browser in which the account has signed in before is counted separately.
 */
const maxFailures = 100;
/** Failures are kept until they are cleared; for an address without an account, only for some minutes. */
const foreverMs = 100 * 365 * 86_400_000;
const unknownMs = 10 * 60_000;

function credentialOf(email: string): SQL {
  return sql`(SELECT id FROM credentials WHERE provider = 'email' AND provider_user_id = ${email})`;
}

function accountOf(email: string): SQL {
  return sql`coalesce(${credentialOf(email)}, ${secretHash(email)})`;
}

/** True if the account has signed in in this browser, and the password has not since been set elsewhere. */
export function isKnown({ email, device }: Pick<Guesser, 'email' | 'device'>): SQL {
  if (device === null) return sql`0`;
  return sql`NOT EXISTS (SELECT 1 FROM secret_tries WHERE key = 'devices ' || ${accountOf(email)}
    AND resets_at > ${device.issuedAt + deviceTtlMs})`;
}

/** The counter key for a guess: the known browser, or the account. */
export function countedAs(guesser: Guesser, account: SQL = accountOf(guesser.email)): SQL {
  return guesser.device === null ? account : sql`iif(${isKnown(guesser)}, ${guesser.device.id}, ${account})`;
}

function failuresKey(secret: Secret, guesser: Guesser): SQL {
  return sql`'failed ' || ${secret} || ' ' || ${countedAs(guesser)}`;
}

function failuresOf(secret: Secret, guesser: Guesser): SQL {
  return sql`coalesce((SELECT tries FROM secret_tries WHERE key = ${failuresKey(secret, guesser)}), 0)`;
}

/** True if no more guesses are checked after this one is counted. */
export function isClosed(secret: Secret, guesser: Guesser): SQL {
  return sql`${failuresOf(secret, guesser)} > ${integer(maxFailures)}`;
}

/** True if a later guess will not be checked. */
export function willBeClosed(secret: Secret, guesser: Guesser): SQL {
  return sql`${failuresOf(secret, guesser)} >= ${integer(maxFailures)}`;
}

interface Failure extends Guesser {
  readonly secret: Secret;
  /** True if the guess will be checked. */
  readonly when: SQL;
}

/**
 * Counts a guess as a consecutive failure before it is checked, so that parallel requests share the limit of a hundred.
 * The first guess over the limit is reported to the owner, only once.
 */
export async function failureStatements(
  deps: Deps,
  { secret, when, ...guesser }: Failure,
): Promise<{ readonly failed: Statement<Tries>; readonly report: Statement }> {
  const { email, device, now } = guesser;
  const credential = credentialOf(email);
  const key = failuresKey(secret, guesser);
  const endsAt = sql`iif(${credential} IS NULL, ${now + unknownMs},
    ${now + (device === null ? foreverMs : deviceTtlMs)})`;
  return {
    failed: countTry({ key, now, endsAt, when, extendedBelow: maxFailures * 1e6 }),
    report: await noticeStatement(deps, {
      kind: 'guessing_stopped',
      handle: sql`SELECT handle FROM credentials WHERE id = ${credential}`,
      when: sql`${when} AND NOT ${isKnown(guesser)} AND ${failuresOf(secret, guesser)} = ${integer(maxFailures + 1)}`,
      params: { provider: 'email' },
      now,
    }),
  };
}

/** The counter of password guesses within a window. */
export function guessesKey(guesser: Guesser): SQL {
  return sql`'password ' || ${countedAs(guesser)}`;
}

/** Clears the password guesses after a right one. */
export function clearGuesses(guesser: Guesser, when: SQL): Statement {
  const key = countedAs(guesser);
  return statement(
    sql`DELETE FROM secret_tries WHERE key IN ('password ' || ${key}, 'failed password ' || ${key}) AND ${when}`,
  );
}

/**
 * Lifts the block on guesses after the owner sets a new password: clears all guesses and all known browsers except
 * those remembered later.
 */
export function reopenStatements(email: string, now: number, when: SQL): Statement[] {
  const account = accountOf(email);
  return [
    statement(sql`DELETE FROM secret_tries WHERE ${when}
      AND key IN ('password ' || ${account}, 'failed password ' || ${account}, 'failed reset ' || ${account})`),
    statement(sql`INSERT INTO secret_tries (key, tries, resets_at)
      SELECT 'devices ' || ${account}, 0, ${now + deviceTtlMs} WHERE ${when}
      ON CONFLICT (key) DO UPDATE SET resets_at = max(resets_at, excluded.resets_at)`),
  ];
}
