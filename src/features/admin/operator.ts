import { all, type Row, run, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { isoTime, pidOf } from '../../lib/id.ts';
import { recordAudit } from '../activity/statements.ts';
import type { credentials } from '../credential/tables.ts';
import type { identities, profiles } from '../identity/tables.ts';
import { endSessions } from '../session/statements.ts';
import type { sessions } from '../session/tables.ts';

/** An identity as the service's operator sees it from the command line. */
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

type PersonRow = Pick<Row<typeof identities>, 'status' | 'created_at' | 'closed_at'> & {
  display_name: Row<typeof profiles>['display_name'] | null;
};

type CredentialRow = Pick<Row<typeof credentials>, 'id' | 'provider' | 'linked_at' | 'last_login_at'>;

type SessionRow = Pick<
  Row<typeof sessions>,
  'id' | 'provider' | 'created_at' | 'last_seen_at' | 'expires_at' | 'address' | 'user_agent'
>;

/** Returns who holds or held a handle, and how they sign in; null if nobody ever did. Does not show addresses. */
export async function readPerson(deps: Deps, handle: string): Promise<Person | null> {
  const {
    identity: [identity],
    credentials,
    live,
  } = await run(deps.db, {
    identity: statement<PersonRow>(sql`SELECT i.status, i.created_at, i.closed_at, p.display_name
      FROM identities i LEFT JOIN profiles p ON p.handle = i.handle WHERE i.handle = ${handle}`),
    credentials: statement<CredentialRow>(sql`SELECT id, provider, linked_at, last_login_at FROM credentials
      WHERE handle = ${handle} ORDER BY linked_at, id`),
    live: statement<{ id: string }>(sql`SELECT id FROM live_sessions
      WHERE handle = ${handle} AND expires_at > ${deps.now()}`),
  });
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
    liveSessions: live.length,
  };
}

/** Lists a person's sessions, newest first. */
export async function readPersonSessions(deps: Deps, handle: string): Promise<PersonSession[]> {
  const query =
    statement<SessionRow>(sql`SELECT id, provider, created_at, last_seen_at, expires_at, address, user_agent
      FROM live_sessions WHERE handle = ${handle} AND expires_at > ${deps.now()} ORDER BY id DESC`);
  const rows = await all(deps.db, query);
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
 * Ends every session of an identity, and records it in the audit log in the same batch.
 * @returns how many ended
 */
export async function revokeSessions(deps: Deps, handle: string): Promise<number> {
  const now = deps.now();
  const { ended } = await run(deps.db, {
    audit: [
      recordAudit({
        actor: 'operator',
        action: 'sessions.revoke',
        target: handle,
        detail: {},
        when: sql`EXISTS (SELECT 1 FROM sessions WHERE handle = ${handle} AND revoked_at IS NULL)`,
        now,
      }),
    ],
    ended: endSessions({ where: sql`handle = ${handle}`, reason: 'ended', now }),
  });
  return ended.length;
}
