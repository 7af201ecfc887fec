import { sql } from 'drizzle-orm';
import { statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { pidOf } from '../../lib/id.ts';
import { isoTime } from '../../lib/time.ts';

/** An identity as the operator of the service sees it from the command line. */
export interface Person {
  readonly pid: string;
  readonly status: string;
  readonly displayName: string | null;
  readonly createdAt: string;
  readonly closedAt: string | null;
  readonly credentials: readonly { id: string; provider: string; linkedAt: string; lastLoginAt: string }[];
  readonly liveSessions: number;
}

export interface PersonSession {
  readonly id: string;
  readonly provider: string;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly endsAt: string;
  readonly address: string | null;
  readonly userAgent: string | null;
}

interface PersonRow {
  status: string;
  created_at: number;
  closed_at: number | null;
  display_name: string | null;
}

interface CredentialRow {
  id: string;
  provider: string;
  linked_at: number;
  last_login_at: number;
}

interface SessionRow {
  id: string;
  provider: string;
  created_at: number;
  last_seen_at: number;
  expires_at: number;
  address: string | null;
  user_agent: string | null;
}

/** Who holds a handle, or held it, and how they sign in; null when nobody ever did. Addresses are not shown. */
export async function readPerson(deps: Deps, handle: string): Promise<Person | null> {
  const [[identity], credentials, [live]] = await deps.db.batch([
    statement<PersonRow>(sql`SELECT i.status, i.created_at, i.closed_at, p.display_name
      FROM identities i LEFT JOIN profiles p ON p.handle = i.handle WHERE i.handle = ${handle}`),
    statement<CredentialRow>(sql`SELECT id, provider, linked_at, last_login_at FROM credentials
      WHERE handle = ${handle} ORDER BY linked_at, id`),
    statement<{ count: number }>(sql`SELECT count(*) AS count FROM live_sessions
      WHERE handle = ${handle} AND expires_at > ${deps.now()}`),
  ]);
  if (!identity) return null;
  return {
    pid: pidOf(handle),
    status: identity.status,
    displayName: identity.display_name,
    createdAt: isoTime(identity.created_at),
    closedAt: identity.closed_at === null ? null : isoTime(identity.closed_at),
    credentials: credentials.map(({ id, provider, linked_at, last_login_at }) => ({
      id,
      provider,
      linkedAt: isoTime(linked_at),
      lastLoginAt: isoTime(last_login_at),
    })),
    liveSessions: live?.count ?? 0,
  };
}

/** Where somebody is signed in, the newest first. */
export async function readPersonSessions(deps: Deps, handle: string): Promise<PersonSession[]> {
  const [rows] = await deps.db.batch([
    statement<SessionRow>(sql`SELECT id, provider, created_at, last_seen_at, expires_at, address, user_agent
      FROM live_sessions WHERE handle = ${handle} AND expires_at > ${deps.now()} ORDER BY id DESC`),
  ]);
  return rows.map((row) => ({
    id: row.id,
    provider: row.provider,
    createdAt: isoTime(row.created_at),
    lastUsedAt: isoTime(row.last_seen_at),
    endsAt: isoTime(row.expires_at),
    address: row.address,
    userAgent: row.user_agent,
  }));
}

/**
 * Ends every session of an identity, and writes it to the audit log in the same batch.
 * @returns how many ended
 */
export async function revokeSessions(deps: Deps, handle: string): Promise<number> {
  const now = deps.now();
  const [, ended] = await deps.db.batch([
    statement(sql`INSERT INTO audit_log (at, actor, action, target, detail)
      SELECT ${now}, 'operator', 'sessions.revoke', handle, '{}' FROM identities
      WHERE handle = ${handle} AND EXISTS (SELECT 1 FROM sessions WHERE handle = ${handle} AND revoked_at IS NULL)`),
    statement<{ id: string }>(sql`UPDATE sessions SET revoked_at = ${now}, revoked_reason = 'ended'
      WHERE handle = ${handle} AND revoked_at IS NULL RETURNING id`),
  ]);
  return ended.length;
}
