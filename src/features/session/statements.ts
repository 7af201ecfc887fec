import { type Row, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import type { profiles } from '../identity/tables.ts';
import type { sessions } from './tables.ts';

type Session = Row<typeof sessions>;

/** A session row, as returned by the batches that create or refresh a session. */
export type SessionRow = { session_id: string } & Pick<
  Session,
  'handle' | 'provider' | 'authenticated_at' | 'expires_at' | 'token_expires_at'
> &
  Pick<Row<typeof profiles>, 'display_name' | 'locale'> & { email: string | null };

/** A person's primary address: the verified address of the first linked credential. */
export function primaryEmail(handle: SQL): SQL {
  return sql`(SELECT c.email FROM credentials c WHERE c.handle = ${handle} AND c.email IS NOT NULL
    ORDER BY c.linked_at, c.id LIMIT 1)`;
}

/** The columns of a `SessionRow`; `s` is the session, `p` the profile. */
export const sessionColumns: SQL = sql`s.handle, s.id AS session_id, s.provider, s.authenticated_at, s.expires_at,
  s.token_expires_at, p.display_name, p.locale, ${primaryEmail(sql`s.handle`)} AS email`;

interface Ending {
  /** A condition on the columns of `sessions`. */
  readonly where: SQL;
  readonly reason: NonNullable<Session['revoked_reason']>;
  /** The decision that revokes them, if a retry must recognise its own change. */
  readonly by?: string;
  readonly now: number;
}

/**
 * Revokes the sessions that match a condition, and returns those that were not revoked before. A revocation is final.
 */
export function endSessions({ where, reason, by, now }: Ending): Statement<Pick<Session, 'id' | 'handle'>> {
  return statement(sql`UPDATE sessions SET revoked_at = ${now}, revoked_reason = ${reason}, revoked_by = ${by ?? null}
    WHERE revoked_at IS NULL AND (${where}) RETURNING id, handle`);
}
