import {
  all,
  columnsOf,
  only,
  type RowOf,
  run,
  type SQL,
  type Statement,
  sql,
  statement,
} from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import type { ClientInfo } from '../../http/context.ts';
import { type CredentialKind, credentialKinds } from '../../lib/credential-kinds.ts';
import { describeClient } from '../../lib/device.ts';
import { isoTime } from '../../lib/id.ts';
import { createSecret } from '../../lib/secret.ts';
import { record } from '../activity/statements.ts';
import { decisionOf } from '../identity/decision.ts';
import { noticeStatement, sendSoon } from '../mail/mail.ts';
import { actingHandle, actingSessionStatement, isStale } from '../session/acting-session.ts';
import { endSessions } from '../session/statements.ts';
import type { Credential } from './schema.ts';
import { deleteOf } from './statements.ts';
import type { credentials } from './tables.ts';

/** A credential without its secrets. */
export const credentialColumns = columnsOf<typeof credentials>()(
  'id, provider, email, name, backed_up, linked_at, last_login_at',
);

export type CredentialRow = RowOf<typeof credentialColumns>;

/** All credentials of an identity, oldest first. */
export async function listCredentials(deps: Deps, handle: string): Promise<Credential[]> {
  const query = statement<CredentialRow>(sql`SELECT ${credentialColumns('c')} FROM credentials c
      WHERE c.handle = ${handle} ORDER BY c.linked_at, c.id`);
  const rows = await all(deps.db, query);
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
 * Names one of the person's passkeys. Other credentials use the provider's name.
 * @throws AppError unauthenticated, credential_not_found, validation_failed if it is not a passkey
 */
export async function renamePasskey(
  deps: Deps,
  { sessionId, credentialId, name }: { sessionId: string; credentialId: string; name: string },
): Promise<Credential> {
  const now = deps.now();
  const owned = sql`c.id = ${credentialId} AND c.handle = ${actingHandle(sessionId, now)}`;
  const {
    acting: [acting],
    renamed: [row],
  } = await run(deps.db, {
    rename: [
      statement(sql`UPDATE credentials AS c SET name = ${name} WHERE ${owned} AND c.provider = 'passkey'`),
    ],
    acting: actingSessionStatement(sessionId, now),
    renamed: statement<CredentialRow>(
      sql`SELECT ${credentialColumns('c')} FROM credentials c WHERE ${owned}`,
    ),
  });
  if (!acting) throw new AppError('unauthenticated');
  if (!row) throw new AppError('credential_not_found');
  if (row.provider !== 'passkey') throw new AppError('validation_failed', ['id must be that of a passkey']);
  return toCredential(row);
}

/**
 * Unlinks a credential of the acting session's identity, and revokes the other sessions started with it.
 * @throws AppError unauthenticated, not_fresh, credential_not_found, last_credential, in this order
 */
export async function unlinkCredential(
  deps: Deps,
  { client, ...input }: { sessionId: string; credentialId: string; client: ClientInfo },
): Promise<void> {
  const now = deps.now();
  const { sessionId, credentialId } = input;
  const id = createSecret(deps.randomBytes);
  const unlinked = sql`FROM decisions d JOIN credentials c ON c.id = d.credential_id
    WHERE d.id = ${id} AND d.verdict = 'unlinked'`;
  const owner = sql`(SELECT handle FROM decisions WHERE id = ${id} AND verdict = 'unlinked')`;
  const { insert, verdicts, drop } = unlinkDecision(deps, id, input, now);
  const { decided } = await run(deps.db, {
    insert,
    activity: record({
      type: 'credential.unlinked',
      sessionId,
      decisionId: id,
      rows: sql`SELECT d.handle, c.id AS credential_id, c.provider AS detail ${unlinked}`,
      now,
    }),
    // Written before the credential is deleted, because the credential's own address is also notified.
    notices: await unlinkNotices(deps, { unlinked, owner, client, now }),
    change: [
      deleteOf(sql`id = (SELECT c.id ${unlinked})`),
      endSessions({
        where: sql`handle = ${owner} AND credential_id = ${credentialId} AND id <> ${sessionId}`,
        reason: 'unlinked',
        now,
      }),
    ],
    decided: verdicts,
    end: drop,
  });
  const { verdict, handle } = only(decided);
  if (verdict !== 'unlinked' && verdict !== 'done') throw new AppError(verdict);
  deps.log.info('credential.unlinked', { handle, credentialId, sessionId });
  sendSoon(deps);
}

/** A retry after a lost response recognises the `activity` line written by the same request. */
function unlinkDecision(
  deps: Deps,
  id: string,
  { sessionId, credentialId }: { sessionId: string; credentialId: string },
  now: number,
) {
  return decisionOf({
    id,
    from: sql`LEFT JOIN live_sessions s ON s.id = ${sessionId} AND s.expires_at > ${now}
      LEFT JOIN credentials c ON c.id = ${credentialId} AND c.handle = s.handle`,
    requirements: {
      unauthenticated: sql`s.id IS NOT NULL`,
      done: sql`NOT EXISTS (SELECT 1 FROM activity WHERE type = 'credential.unlinked'
        AND credential_id = ${credentialId} AND decision_id = ${id})`,
      not_fresh: sql`NOT (${isStale(deps, now)})`,
      credential_not_found: sql`c.id IS NOT NULL`,
      last_credential: sql`EXISTS (SELECT 1 FROM credentials o WHERE o.handle = c.handle AND o.id <> c.id)`,
    },
    verdict: 'unlinked',
    handle: sql`s.handle`,
    credentialId: sql`c.id`,
  });
}

/** One notice per kind of credential; only that of the unlinked credential is written. */
function unlinkNotices(
  deps: Deps,
  { unlinked, owner, client, now }: { unlinked: SQL; owner: SQL; client: ClientInfo; now: number },
): Promise<Statement[]> {
  const device = describeClient(client);
  const notices = [...credentialKinds, null].map((provider) =>
    noticeStatement(deps, {
      kind: provider === 'passkey' ? 'passkey_removed' : 'credential_unlinked',
      handle: owner,
      when: sql`EXISTS (SELECT 1 ${unlinked} AND ${isOfKind(provider)})`,
      params: { ...(provider === null ? {} : { provider }), ...device },
      now,
    }),
  );
  return Promise.all(notices);
}

/** @param kind null for a kind unknown to this release, whose removal is also notified */
function isOfKind(kind: CredentialKind | null): SQL {
  if (kind !== null) return sql`c.provider = ${kind}`;
  return sql`c.provider NOT IN (SELECT value FROM json_each(${JSON.stringify(credentialKinds)}))`;
}
