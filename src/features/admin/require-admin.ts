import { AppError } from '../../errors.ts';
import type { Actor } from '../../http/endpoint.ts';
import { pidOf } from '../../lib/id.ts';
import type { AccessClaims } from '../session/access-token.ts';
import { member } from '../session/require-session.ts';

/** Requires an identity in ADMIN_PIDS. Others are refused before the body is read, so that they learn nothing about it. */
export const administrator: Actor<AccessClaims> = {
  ...member,
  guard(deps, limit) {
    const requireMember = member.guard(deps, limit);
    return async function requireAdmin(c) {
      const claims = await requireMember(c);
      if (!deps.config.ADMIN_PIDS.includes(pidOf(claims.handle))) throw new AppError('admin_only');
      return claims;
    };
  },
};
