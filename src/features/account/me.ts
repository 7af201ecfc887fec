import { sql } from 'drizzle-orm';
import { first, type Statement, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { pidOf } from '../../lib/id.ts';
import { isoTime } from '../../lib/time.ts';
import type { AccessClaims } from '../session/access-token.ts';
import { actingHandle } from '../session/acting-session.ts';
import { type IssuedAccess, issueAccess, type SessionRow, sessionColumns } from '../session/session.ts';
import { requireSigner } from '../signing-key/signing-key.ts';
import type { Me, ProfileInput } from './schema.ts';

interface MeRow extends SessionRow {
  identity_created_at: number;
}

/** The signed-in person's own identity and profile. @throws AppError unauthenticated */
export async function getMe(deps: Deps, sessionId: string): Promise<Me> {
  const row = await first(deps.db, meStatement(sessionId, deps.now()));
  if (row === null) throw new AppError('unauthenticated');
  return toMe(row);
}

/**
 * Changes what the input names, and signs an access token that shows it, because the session read answers
 * from the token. It ends when the presented one would have. Tokens of other sessions show it once they are refreshed.
 * @throws AppError unauthenticated
 */
export async function updateProfile(
  deps: Deps,
  { sessionId, expiresAt }: AccessClaims,
  input: ProfileInput,
): Promise<{ me: Me; access: IssuedAccess }> {
  const now = deps.now();
  const sign = await requireSigner(deps, now);
  const { displayName = null, locale } = input;
  const [, [row]] = await deps.db.batch([
    statement(sql`UPDATE profiles SET display_name = coalesce(${displayName}, display_name),
        locale = iif(${locale === undefined ? 1 : 0} = 1, locale, ${locale ?? null}), updated_at = ${now}
      WHERE handle = ${actingHandle(sessionId, now)}`),
    meStatement(sessionId, now),
  ]);
  if (!row) throw new AppError('unauthenticated');
  return { me: toMe(row), access: await issueAccess(deps, sign, row, now, expiresAt) };
}

function meStatement(sessionId: string, now: number): Statement<MeRow> {
  return statement(sql`SELECT ${sessionColumns}, i.created_at AS identity_created_at FROM live_sessions s
    JOIN identities i ON i.handle = s.handle JOIN profiles p ON p.handle = s.handle
    WHERE s.id = ${sessionId} AND s.expires_at > ${now}`);
}

function toMe(row: MeRow): Me {
  return {
    pid: pidOf(row.handle),
    handle: row.handle,
    createdAt: isoTime(row.identity_created_at),
    profile: { displayName: row.display_name, locale: row.locale },
    wallet: null,
  };
}
