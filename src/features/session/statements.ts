import {
  integer,
  purgeLimit,
  type Row,
  type SQL,
  type Statement,
  sql,
  statement,
} from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { ClientInfo } from '../../http/context.ts';
import { setDevicesBelow } from '../identity/statements.ts';
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

/**
 * Reads a verdict, the session created under the same id, and the address with which its owner can sign in with a
 * password. The session columns are null if there is none, or it has since been revoked.
 */
export function verdictWithSession<Verdict extends string>({
  id,
}: {
  readonly id: string;
  readonly verdicts: Statement<{ verdict: Verdict }>;
}): Statement<SessionRow & { verdict: Verdict; account: string | null }> {
  return statement(sql`SELECT d.verdict, ${sessionColumns},
      (SELECT c.email FROM credentials c WHERE c.handle = s.handle AND c.provider = 'email') AS account FROM decisions d
    LEFT JOIN sessions s ON s.id = d.id AND s.revoked_at IS NULL
    LEFT JOIN profiles p ON p.handle = s.handle WHERE d.id = ${id}`);
}

interface NewSession {
  readonly id: string;
  /** A SELECT of `handle`, `credential_id` and `provider`; empty unless the session may start. */
  readonly rows: SQL;
  readonly tokenHash: string;
  readonly client: ClientInfo;
  readonly now: number;
}

/** Inserts a session, which lasts SESSION_MAX_SECONDS. */
export function createSession(deps: Deps, { id, rows, tokenHash, client, now }: NewSession): Statement {
  const { SESSION_MAX_SECONDS, REFRESH_TTL_SECONDS } = deps.config;
  const endsAt = now + SESSION_MAX_SECONDS * 1000;
  const tokenEndsAt = Math.min(now + REFRESH_TTL_SECONDS * 1000, endsAt);
  return statement(sql`INSERT INTO sessions (id, handle, credential_id, provider, authenticated_at, created_at,
      last_seen_at, expires_at, token_hash, token_expires_at, user_agent, address, country)
    SELECT ${id}, handle, credential_id, provider, ${now}, ${now}, ${now}, ${endsAt}, ${tokenHash}, ${tokenEndsAt},
      ${client.userAgent}, ${client.address}, ${client.country} FROM (${rows})`);
}

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

/**
 * Erases the devices and addresses from which a closed identity signed in: those of its newest 500 activity lines that
 * are left. The purge repeats it for older ones. Each session has an activity line, whose index finds ended sessions.
 * @param handle a subquery, or a bound handle; an identity that is not closed is unchanged
 */
export function forgetDevices(handle: SQL): [Statement, Statement] {
  const lines = sql`FROM activity WHERE handle = ${handle}
    AND seq < (SELECT devices_below FROM identities WHERE handle = ${handle}) ORDER BY seq DESC`;
  return [
    statement(sql`UPDATE sessions SET user_agent = NULL, address = NULL, country = NULL
      WHERE id IN (SELECT session_id ${lines} LIMIT ${integer(purgeLimit)})`),
    setDevicesBelow(handle, sql`(SELECT seq ${lines} LIMIT 1 OFFSET ${integer(purgeLimit - 1)})`),
  ];
}
