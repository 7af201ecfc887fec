import { integer, type Row, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import type { identities } from './tables.ts';

type Handle = Pick<Row<typeof identities>, 'handle'>;

/**
 * Inserts an identity.
 * @param rows a SELECT of `handle`, `skeleton` and `ticket`
 */
export function createIdentity(rows: SQL, now: number): Statement {
  return statement(sql`INSERT INTO identities (handle, skeleton, ticket, created_at)
    SELECT handle, skeleton, ticket, ${now} FROM (${rows})`);
}

/**
 * Inserts the profile of a new identity.
 * @param rows a SELECT of `handle`, `display_name` and `locale`
 */
export function createProfile(rows: SQL, now: number): Statement {
  return statement(sql`INSERT INTO profiles (handle, display_name, locale, updated_at)
    SELECT handle, display_name, locale, ${now} FROM (${rows})`);
}

/**
 * Assigns verified addresses to identities. An address that already has an owner is unchanged.
 * @param rows a SELECT of `email`, which may be NULL, and `handle`
 */
export function addEmail(rows: SQL, now: number): Statement {
  return statement(sql`INSERT INTO emails (email, handle, verified_at)
    SELECT email, handle, ${now} FROM (${rows}) WHERE email IS NOT NULL ON CONFLICT (email) DO NOTHING`);
}

/** Sets the status of the identities that match a condition on `identities`. */
export function setStatus(status: 'active' | 'suspended', where: SQL): Statement<Handle> {
  return statement(sql`UPDATE identities SET status = ${status} WHERE ${where} RETURNING handle`);
}

/** Sets the level of the identities that match a condition on `identities`. */
export function setLevel(level: Row<typeof identities>['level'], where: SQL): Statement {
  return statement(sql`UPDATE identities SET level = ${level} WHERE ${where}`);
}

/**
 * Permanently closes the identities that match a condition; their handles stay taken, and their devices wait to be
 * erased (`forgetDevices`).
 * @param closedAt epoch milliseconds, bound or computed from the row
 */
export function closeIdentities(where: SQL, closedAt: SQL): Statement<Handle> {
  return statement(sql`UPDATE identities SET status = 'closed', closed_at = ${closedAt},
      devices_below = 9007199254740991
    WHERE status <> 'closed' AND ${where} RETURNING handle`);
}

interface ProfileChange {
  /** An absent field stays unchanged. */
  readonly displayName?: string | undefined;
  /** Null removes the language. */
  readonly locale?: string | null | undefined;
  /** Null disables the step-up. */
  readonly stepUpAmount?: number | null | undefined;
  readonly handle: SQL;
  readonly now: number;
}

export function setProfile({ displayName, locale, stepUpAmount, handle, now }: ProfileChange): Statement {
  const language = locale === undefined ? sql`locale` : sql`${locale}`;
  const limit = stepUpAmount === undefined ? sql`step_up_amount` : sql`${stepUpAmount}`;
  return statement(sql`UPDATE profiles SET display_name = coalesce(${displayName ?? null}, display_name),
    locale = ${language}, step_up_amount = ${limit}, updated_at = ${now} WHERE handle = ${handle}`);
}

/** Deletes the profiles that match a condition on `profiles`. */
export function deleteProfiles(where: SQL): Statement {
  return statement(sql`DELETE FROM profiles WHERE ${where}`);
}

/**
 * Inserts identities missing from a restored backup as suspended and without credentials.
 * @param rows a SELECT of `handle`, `skeleton` and `created_at`
 */
export function restoreIdentities(rows: SQL): Statement {
  return statement(sql`INSERT INTO identities (handle, skeleton, ticket, status, created_at)
    SELECT handle, skeleton, 'restored:' || handle, 'suspended', created_at FROM (${rows}) WHERE true
    ON CONFLICT DO NOTHING`);
}

/** Inserts the profiles of restored identities, whose names are lost. @param handles a subquery */
export function restoreProfiles(handles: SQL): Statement {
  return statement(sql`INSERT INTO profiles (handle, display_name, updated_at)
    SELECT handle, handle, created_at FROM identities
    WHERE handle IN (${handles}) AND ticket = 'restored:' || handle AND status = 'suspended'
    ON CONFLICT (handle) DO NOTHING`);
}

/** Revokes every existing session, regardless of its row. */
export function endSessionsUpTo(now: number): Statement {
  return statement(sql`UPDATE settings SET sessions_not_before = max(sessions_not_before, ${integer(now)} + 1)
    WHERE id = 1`);
}

/** The closed identity whose devices the next step erases, as a subquery: the one whose last step was longest ago. */
export const nextWithDevices: SQL = sql`(SELECT handle FROM identities WHERE devices_below IS NOT NULL
  ORDER BY devices_turn LIMIT 1)`;

/**
 * Records how far a closed identity's devices have been erased, and gives all others a turn.
 * @param below NULL if none are left
 */
export function setDevicesBelow(handle: SQL, below: SQL): Statement<Handle> {
  return statement(sql`UPDATE identities SET devices_below = ${below},
      devices_turn = (SELECT max(i.devices_turn) + 1 FROM identities i WHERE i.devices_below IS NOT NULL)
    WHERE handle = ${handle} AND devices_below IS NOT NULL RETURNING handle`);
}
