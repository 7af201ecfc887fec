import { first, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { isoTime, pidOf } from '../../lib/id.ts';
import type { PublicIdentity } from './schema.ts';

/**
 * Returns the public information about an identity. A closed identity is reported like one that never existed.
 * @throws AppError identity_not_found, including for text that is not a PID
 */
export async function getPublicIdentity(deps: Deps, pid: string): Promise<PublicIdentity> {
  const handle = /^([\w.-]{3,30})@pid$/i.exec(pid)?.[1]?.toLowerCase();
  const row =
    handle === undefined
      ? null
      : await first(
          deps.db,
          statement<{ handle: string; created_at: number; display_name: string }>(sql`SELECT i.handle,
            i.created_at, p.display_name FROM identities i JOIN profiles p ON p.handle = i.handle
            WHERE i.handle = ${handle} AND i.status <> 'closed'`),
        );
  if (row === null) throw new AppError('identity_not_found');
  return {
    pid: pidOf(row.handle),
    displayName: row.display_name,
    createdAt: isoTime(row.created_at),
  };
}

/**
 * For pages, which trust an access token for its lifetime but have to notify a suspended person immediately.
 * @throws AppError identity_suspended
 */
export async function requireNotSuspended(deps: Deps, handle: string): Promise<void> {
  const suspended = statement(
    sql`SELECT 1 FROM identities WHERE handle = ${handle} AND status = 'suspended'`,
  );
  if ((await first(deps.db, suspended)) !== null) throw new AppError('identity_suspended');
}
