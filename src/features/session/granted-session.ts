import { first, type SQL, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { recipientOf } from '../../lib/origin.ts';
import { secretHash } from '../../lib/secret.ts';
import { type AccessClaims, sessionOf } from './access-token.ts';
import { actingSession } from './acting-session.ts';
import type { Session } from './schema.ts';

/**
 * The scopes of the grant `g` that apply on a host, as JSON: those that the person allowed there, or all for a checked
 * app. Anyone can register someone else's address.
 */
export function scopesAt(host: string): SQL {
  return sql`(SELECT json_group_array(s.value) FROM json_each(g.scopes) s
    WHERE ${host} || ' ' || s.value IN (SELECT value FROM json_each(g.hosts))
      OR EXISTS (SELECT 1 FROM apps c WHERE c.id = g.app_id AND c.checked_at IS NOT NULL))`;
}

/** True if all scopes of the grant `g` apply on a host. */
export function isForHost(host: string): SQL {
  return sql`json_array_length(${scopesAt(host)}) = json_array_length(g.scopes)`;
}

interface AppPage {
  readonly app: string;
  readonly origin: string;
}

/**
 * The session as returned to an app's page under the grant's scopes: the PID for `openid`, the name for `profile`, the
 * address for `email`. Its id differs for each app, and it has no roles.
 * @throws AppError origin_not_first_party without a live grant for its host; missing_scope
 */
export async function readGrantedSession(
  deps: Deps,
  claims: AccessClaims,
  { app, origin }: AppPage,
): Promise<Session> {
  const now = deps.now();
  const grant = await first(
    deps.db,
    statement<{
      scopes: string;
    }>(sql`SELECT ${scopesAt(recipientOf(origin))} AS scopes FROM ${actingSession(claims.sessionId, now)} s
      JOIN live_grants g ON g.handle = s.handle WHERE g.app_id = ${app} AND g.live_until > ${now}`),
  );
  if (grant === null || grant.scopes === '[]') throw new AppError('origin_not_first_party');
  const scopes = new Set<string>(JSON.parse(grant.scopes));
  if (!scopes.has('openid')) throw new AppError('missing_scope', 'Missing scope openid');
  const { displayName, locale } = scopes.has('profile')
    ? claims
    : { displayName: claims.handle, locale: null };
  const seen = { ...claims, displayName, locale, email: scopes.has('email') ? claims.email : null };
  const { session, ...person } = sessionOf(deps, seen);
  return { ...person, session: { ...session, id: secretHash(`${app} ${session.id}`) }, roles: [] };
}
