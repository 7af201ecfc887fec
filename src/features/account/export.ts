import { sql } from 'drizzle-orm';
import { integer, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { pidOf } from '../../lib/id.ts';
import { isoTime } from '../../lib/time.ts';
import { activityStatement, toActivityEntry } from '../activity/activity.ts';
import { actingHandle } from '../session/acting-session.ts';
import type { AccountExport } from './schema.ts';

/** Sessions and activity grow with every sign-in; more rows than this would not fit the memory of a Worker. */
const mostRows = 10_000;

interface IdentityRow {
  handle: string;
  status: string;
  created_at: number;
  display_name: string;
  locale: string | null;
  updated_at: number;
}

interface EmailRow {
  email: string;
  verified_at: number;
}

interface CredentialRow {
  id: string;
  provider: string;
  provider_user_id: string;
  email: string | null;
  name: string | null;
  linked_at: number;
  last_login_at: number;
}

interface SessionRow {
  id: string;
  provider: string;
  created_at: number;
  last_seen_at: number;
  expires_at: number;
  revoked_at: number | null;
  revoked_reason: string | null;
  user_agent: string | null;
  address: string | null;
  country: string | null;
}

/** Everything held about the signed-in person, as of one moment. @throws AppError unauthenticated */
export async function exportAccount(deps: Deps, sessionId: string): Promise<AccountExport> {
  const now = deps.now();
  const actor = actingHandle(sessionId, now);
  const [[identity], emails, credentials, sessions, activity] = await deps.db.batch([
    statement<IdentityRow>(sql`SELECT i.handle, i.status, i.created_at, p.display_name, p.locale, p.updated_at
      FROM identities i JOIN profiles p ON p.handle = i.handle WHERE i.handle = ${actor}`),
    statement<EmailRow>(
      sql`SELECT email, verified_at FROM emails WHERE handle = ${actor} ORDER BY verified_at, email`,
    ),
    statement<CredentialRow>(sql`SELECT id, provider, provider_user_id, email, name, linked_at, last_login_at
      FROM credentials WHERE handle = ${actor} ORDER BY linked_at, id`),
    // The activity's index finds those that have ended; a live one may be older than the activity that is kept.
    statement<SessionRow>(sql`SELECT id, provider, created_at, last_seen_at, expires_at, revoked_at,
        revoked_reason, user_agent, address, country
      FROM sessions WHERE id IN (SELECT session_id FROM activity WHERE handle = ${actor}
        UNION SELECT id FROM sessions WHERE handle = ${actor} AND revoked_at IS NULL)
      ORDER BY id DESC LIMIT ${integer(mostRows + 1)}`),
    activityStatement(actor, Number.MAX_SAFE_INTEGER, mostRows + 1),
  ]);
  if (!identity) throw new AppError('unauthenticated');
  return {
    exportedAt: isoTime(now),
    complete: sessions.length <= mostRows && activity.length <= mostRows,
    identity: {
      pid: pidOf(identity.handle),
      handle: identity.handle,
      status: identity.status,
      createdAt: isoTime(identity.created_at),
    },
    profile: {
      displayName: identity.display_name,
      locale: identity.locale,
      updatedAt: isoTime(identity.updated_at),
    },
    emails: emails.map((row) => ({ email: row.email, verifiedAt: isoTime(row.verified_at) })),
    credentials: credentials.map(toCredential),
    sessions: sessions.slice(0, mostRows).map(toSession),
    activity: activity.slice(0, mostRows).map(toActivityEntry),
  };
}

function toCredential(row: CredentialRow): AccountExport['credentials'][number] {
  return {
    id: row.id,
    provider: row.provider,
    providerUserId: row.provider_user_id,
    email: row.email,
    name: row.name,
    linkedAt: isoTime(row.linked_at),
    lastLoginAt: isoTime(row.last_login_at),
  };
}

function toSession(row: SessionRow): AccountExport['sessions'][number] {
  return {
    id: row.id,
    provider: row.provider,
    createdAt: isoTime(row.created_at),
    lastUsedAt: isoTime(row.last_seen_at),
    expiresAt: isoTime(row.expires_at),
    endedAt: row.revoked_at === null ? null : isoTime(row.revoked_at),
    endedBecause: row.revoked_reason,
    userAgent: row.user_agent,
    address: row.address,
    country: row.country,
  };
}
