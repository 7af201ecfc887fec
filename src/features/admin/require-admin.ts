import { all, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import type { AppContext } from '../../http/context.ts';
import type { Actor } from '../../http/endpoint.ts';
import { pidOf } from '../../lib/id.ts';
import { recordAudit } from '../activity/statements.ts';
import type { AccessClaims } from '../session/access-token.ts';
import { actingHandle } from '../session/acting-session.ts';
import { member } from '../session/require-session.ts';

/**
 * Support can view people, revoke their sessions and send recovery emails, but cannot move money or make other changes.
 */
export type DeskRole = 'administrator' | 'support';

/** An identity's role at the admin desk. */
export function deskRole({ config }: Pick<Deps, 'config'>, handle: string): DeskRole | null {
  if (config.ADMIN_PIDS.includes(pidOf(handle))) return 'administrator';
  return config.SUPPORT_PIDS.includes(pidOf(handle)) ? 'support' : null;
}

/** @throws AppError admin_only */
export function requireDeskRole(deps: Deps, { handle }: AccessClaims): DeskRole {
  const role = deskRole(deps, handle);
  if (role === null) throw new AppError('admin_only');
  return role;
}

/**
 * Rejects everyone but administrators, and records attempts by support.
 * @param attempt the request, for the audit log
 * @throws AppError admin_only
 */
export async function requireAdministrator(deps: Deps, claims: AccessClaims, attempt: string): Promise<void> {
  if (requireDeskRole(deps, claims) === 'administrator') return;
  const now = deps.now();
  const handle = actingHandle(claims.sessionId, now);
  const line = { action: 'access.refused', target: attempt.slice(0, 200), detail: {} } as const;
  await all(deps.db, recordAudit({ ...line, actor: handle, when: sql`${handle} IS NOT NULL`, now }));
  throw new AppError('admin_only');
}

/** Whether the person at the desk can sign in again with a passkey. */
export async function hasPasskey(deps: Deps, sessionId: string): Promise<boolean> {
  const now = deps.now();
  const found = sql`SELECT 1 AS found FROM credentials
    WHERE handle = ${actingHandle(sessionId, now)} AND provider = 'passkey' LIMIT 1`;
  return (await all(deps.db, statement(found))).length > 0;
}

/** The request, as recorded in the audit log when it is rejected. */
export function attemptOf({ req }: AppContext): string {
  return `${req.method} ${req.path}`;
}

/**
 * Requires an identity in ADMIN_PIDS. Other callers are rejected before the body is read, so they learn nothing about
 * its format.
 */
export const administrator: Actor<AccessClaims> = {
  ...member,
  guard(deps, limit) {
    const requireMember = member.guard(deps, limit);
    return async function requireAdmin(c) {
      const claims = await requireMember(c);
      await requireAdministrator(deps, claims, attemptOf(c));
      return claims;
    };
  },
};

/** Requires an identity in ADMIN_PIDS or SUPPORT_PIDS. */
export const support: Actor<AccessClaims> = {
  ...member,
  guard(deps, limit) {
    const requireMember = member.guard(deps, limit);
    return async function requireSupport(c) {
      const claims = await requireMember(c);
      requireDeskRole(deps, claims);
      return claims;
    };
  },
};
