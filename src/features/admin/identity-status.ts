import { type Row, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { pidOf } from '../../lib/id.ts';
import type { Level } from '../../lib/level.ts';
import { record } from '../activity/statements.ts';
import { setLevel, setStatus } from '../identity/statements.ts';
import type { identities } from '../identity/tables.ts';
import { endSessions } from '../session/statements.ts';
import { changeAtDesk, type DeskActor, type Reasoned } from './desk.ts';
import type { IdentityStatus, IdentityStatusInput } from './identity-schema.ts';

/** An identity as shown on the admin desk. */
function readIdentity(handle: string): Statement<Pick<Row<typeof identities>, 'status' | 'level'>> {
  return statement(sql`SELECT status, level FROM identities WHERE handle = ${handle}`);
}

/**
 * Changes the status or the level of an identity. @throws AppError those of `setIdentityStatus` and `setIdentityLevel`
 */
export function setIdentity(
  deps: Deps,
  actor: DeskActor,
  { handle, status, level, reason }: IdentityStatusInput & { readonly handle: string },
): Promise<IdentityStatus> {
  if (level !== undefined) return setIdentityLevel(deps, actor, { handle, level, reason });
  return setIdentityStatus(deps, actor, { handle, status: status ?? 'active', reason });
}

/**
 * Suspends an identity, which revokes its sessions, or reactivates it. Administrators cannot suspend themselves, so one
 * always remains.
 * @throws AppError unauthenticated, not_fresh, self_decision, identity_not_found, identity_final, in this order
 */
async function setIdentityStatus(
  deps: Deps,
  actor: DeskActor,
  { handle, status, reason }: Reasoned & { readonly handle: string; readonly status: 'active' | 'suspended' },
): Promise<IdentityStatus> {
  const row = await changeAtDesk(deps, actor, {
    action: 'identity.status',
    target: handle,
    detail: { status },
    reason,
    from: sql`LEFT JOIN identities i ON i.handle = ${handle}`,
    requirements: {
      self_decision: sql`w.handle <> ${handle} OR ${status} <> 'suspended'`,
      identity_not_found: sql`i.handle IS NOT NULL`,
      same: sql`i.status <> ${status}`,
      identity_final: sql`i.status <> 'closed'`,
    },
    change: ({ when, now }) => [
      setStatus(status, sql`handle = ${handle} AND ${when}`),
      endSessions({
        where: sql`handle = ${handle} AND ${status} = 'suspended' AND ${when}`,
        reason: 'suspended',
        now,
      }),
    ],
    read: () => readIdentity(handle),
  });
  return { pid: pidOf(handle), handle, ...row };
}

/**
 * Marks a person as verified or unverified, which determines the limits of their wallet. The change appears in the
 * person's activity. Administrators cannot verify themselves.
 * @throws AppError unauthenticated, not_fresh, self_decision, identity_not_found, identity_final, in this order
 */
async function setIdentityLevel(
  deps: Deps,
  actor: DeskActor,
  { handle, level, reason }: Reasoned & { readonly handle: string; readonly level: Level },
): Promise<IdentityStatus> {
  const row = await changeAtDesk(deps, actor, {
    action: 'identity.level',
    target: handle,
    detail: { level },
    reason,
    from: sql`LEFT JOIN identities i ON i.handle = ${handle}`,
    requirements: {
      self_decision: sql`w.handle <> ${handle} OR ${level} <> 'verified'`,
      identity_not_found: sql`i.handle IS NOT NULL`,
      same: sql`i.level <> ${level}`,
      identity_final: sql`i.status <> 'closed'`,
    },
    change: ({ when, now }) => [
      record({
        type: `identity.${level}`,
        sessionId: null,
        rows: sql`SELECT ${handle} AS handle, NULL AS credential_id, NULL AS detail WHERE ${when}`,
        now,
      }),
      setLevel(level, sql`handle = ${handle} AND ${when}`),
    ],
    read: () => readIdentity(handle),
  });
  return { pid: pidOf(handle), handle, ...row };
}
