import { type SQL, sql } from 'drizzle-orm';
import { all, integer, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import type { ClientInfo } from '../../http/context.ts';
import { type CredentialKind, credentialKinds } from '../../lib/credential-kinds.ts';
import { describeClient } from '../../lib/device.ts';
import { isoTime } from '../../lib/time.ts';
import { noticeStatement, sendSoon } from '../mail/mail.ts';
import { actingHandle, actingSessionStatement } from '../session/acting-session.ts';
import type { Credential } from './schema.ts';
import { deleteOf } from './statements.ts';

/** A credential as the database answers it, without its secrets. */
export interface CredentialRow {
  id: string;
  provider: string;
  email: string | null;
  name: string | null;
  backed_up: number | null;
  linked_at: number;
  last_login_at: number;
}

/** What every answer about a credential `c` selects; never its secrets. */
export const credentialColumns: SQL = sql.raw(
  'c.id, c.provider, c.email, c.name, c.backed_up, c.linked_at, c.last_login_at',
);

/** All credentials of an identity, the oldest first. */
export async function listCredentials(deps: Deps, handle: string): Promise<Credential[]> {
  const rows = await all(
    deps.db,
    statement<CredentialRow>(sql`SELECT ${credentialColumns} FROM credentials c
      WHERE c.handle = ${handle} ORDER BY c.linked_at, c.id`),
  );
  return rows.map(toCredential);
}

export function toCredential(row: CredentialRow): Credential {
  return {
    id: row.id,
    provider: row.provider,
    email: row.email,
    linkedAt: isoTime(row.linked_at),
    lastLoginAt: isoTime(row.last_login_at),
    ...(row.provider === 'passkey' ? passkeyDetails(row) : {}),
  };
}

function passkeyDetails(row: CredentialRow): Pick<Credential, 'name' | 'lastUsedAt' | 'backedUp'> {
  return {
    name: row.name,
    lastUsedAt: isoTime(row.last_login_at),
    backedUp: row.backed_up === 1,
  };
}

/**
 * Names one of the person's passkeys, so that they tell them apart. Other credentials have the provider's name.
 * @throws AppError unauthenticated, credential_not_found, validation_failed when it is no passkey
 */
export async function renamePasskey(
  deps: Deps,
  input: { sessionId: string; credentialId: string; name: string },
): Promise<Credential> {
  const now = deps.now();
  const { sessionId, credentialId, name } = input;
  const [, [acting], [row]] = await deps.db.batch([
    statement(sql`UPDATE credentials SET name = ${name} WHERE id = ${credentialId} AND provider = 'passkey'
      AND handle = ${actingHandle(sessionId, now)}`),
    actingSessionStatement(sessionId, now),
    statement<CredentialRow>(sql`SELECT ${credentialColumns} FROM credentials c
      WHERE c.id = ${credentialId} AND c.handle = ${actingHandle(sessionId, now)}`),
  ]);
  if (!acting) throw new AppError('unauthenticated');
  if (!row) throw new AppError('credential_not_found');
  if (row.provider !== 'passkey') throw new AppError('validation_failed', ['id must be that of a passkey']);
  return toCredential(row);
}

interface UnlinkState {
  handle: string | null;
  done: number;
  session_revoked: number;
  not_fresh: number;
  present: number;
}

/**
 * Unlinks a credential of the acting session's identity, and ends the other sessions that it began.
 *
 * The DELETE itself counts what would remain, over every kind of credential, so of two unlinks of the last two
 * credentials one wins and one is refused. The last statement explains a refusal, and knows a repeat after a
 * lost answer by the line that this very request has left in `activity`.
 * @throws AppError unauthenticated, not_fresh, credential_not_found, last_credential, in this order
 */
export async function unlinkCredential(
  deps: Deps,
  input: { sessionId: string; credentialId: string; client: ClientInfo },
): Promise<void> {
  const now = deps.now();
  const { sessionId, credentialId } = input;
  const fresh = deps.config.FRESH_SECONDS * 1000;
  const isFresh = sql`(${fresh} <= 0 OR ${integer(now)} - authenticated_at < ${integer(fresh)})`;
  const actor = sql`(SELECT handle FROM live_sessions WHERE id = ${sessionId} AND expires_at > ${now})`;
  const freshActor = sql`(SELECT handle FROM live_sessions WHERE id = ${sessionId} AND expires_at > ${now} AND ${isFresh})`;
  const another = sql`EXISTS (SELECT 1 FROM credentials o WHERE o.handle = c.handle AND o.id <> c.id)`;
  const mayGo = sql`c.id = ${credentialId} AND c.handle = ${freshActor} AND ${another}`;
  const notice = (provider: CredentialKind | null) =>
    noticeStatement(deps, {
      kind: provider === 'passkey' ? 'passkey_removed' : 'credential_unlinked',
      handle: actor,
      when: sql`EXISTS (SELECT 1 FROM credentials c WHERE ${isOfKind(provider)} AND ${mayGo})`,
      params: { ...(provider === null ? {} : { provider }), ...describeClient(input.client) },
      now,
    });
  const results = await deps.db.batch([
    statement(sql`INSERT INTO activity (handle, at, type, session_id, credential_id, detail)
      SELECT c.handle, ${now}, 'credential.unlinked', ${sessionId}, c.id, c.provider FROM credentials c
      WHERE ${mayGo}`),
    // Written while the credential is there: its own address is told, too.
    ...(await Promise.all([...credentialKinds, null].map(notice))),
    deleteOf(sql`id = (SELECT c.id FROM credentials c WHERE ${mayGo})`),
    statement(sql`UPDATE sessions SET revoked_at = ${now}, revoked_reason = 'unlinked'
      WHERE handle = ${actor} AND revoked_at IS NULL AND credential_id = ${credentialId} AND id <> ${sessionId}
        AND NOT EXISTS (SELECT 1 FROM credentials WHERE id = ${credentialId})`),
    statement<UnlinkState>(sql`SELECT s.handle, s.id IS NULL AS session_revoked,
        EXISTS (SELECT 1 FROM activity v WHERE v.handle = s.handle AND v.type = 'credential.unlinked'
          AND v.session_id = ${sessionId} AND v.credential_id = ${credentialId} AND v.at = ${now}) AS done,
        ${fresh} > 0 AND ${integer(now)} - s.authenticated_at >= ${integer(fresh)} AS not_fresh,
        c.id IS NOT NULL AS present
      FROM settings g LEFT JOIN live_sessions s ON s.id = ${sessionId} AND s.expires_at > ${now}
        LEFT JOIN credentials c ON c.id = ${credentialId} AND c.handle = s.handle WHERE g.id = 1`),
  ]);
  const [state] = results.at(-1) as UnlinkState[];
  if (!state || state.session_revoked) throw new AppError('unauthenticated');
  if (state.done) {
    deps.log.info('credential.unlinked', { handle: state.handle, credentialId, sessionId });
    sendSoon(deps);
    return;
  }
  if (state.not_fresh) throw new AppError('not_fresh');
  throw new AppError(state.present ? 'last_credential' : 'credential_not_found');
}

/** Null stands for what this release has no name for: the person is told of that, too. */
function isOfKind(kind: CredentialKind | null): SQL {
  if (kind !== null) return sql`c.provider = ${kind}`;
  return sql`c.provider NOT IN (SELECT value FROM json_each(${JSON.stringify(credentialKinds)}))`;
}
