import { first, type SQL, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { recipientOf } from '../../lib/origin.ts';
import { secretHash } from '../../lib/secret.ts';
import { type AccessClaims, sessionOf } from './access-token.ts';
import { actingSession } from './acting-session.ts';
import type { Session } from './schema.ts';

/**
 * Whether the grant `g` is for a host: one that the person saw when they consented, or any of an app whose addresses the desk
 * has checked. Anybody can register an address of somebody else.
 */
export function isForHost(host: string): SQL {
  return sql`(${host} IN (SELECT value FROM json_each(g.hosts))
    OR EXISTS (SELECT 1 FROM apps c WHERE c.id = g.app_id AND c.checked_at IS NOT NULL))`;
}

interface AppPage {
  readonly app: string;
  readonly origin: string;
}

/**
 * The session as the scopes of the person's grant show it to the page of an app: the PID for `openid`, the name for `profile`,
 * the address for `email`. Its id differs for each app, and it has no roles.
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
    statement<{ scopes: string }>(sql`SELECT g.scopes FROM ${actingSession(claims.sessionId, now)} s
      JOIN live_grants g ON g.handle = s.handle
      WHERE g.app_id = ${app} AND g.live_until > ${now} AND ${isForHost(recipientOf(origin))}`),
  );
  if (grant === null) throw new AppError('origin_not_first_party');
  const scopes = new Set<string>(JSON.parse(grant.scopes));
  if (!scopes.has('openid')) throw new AppError('missing_scope', 'Missing scope openid');
  const { displayName, locale } = scopes.has('profile')
    ? claims
    : { displayName: claims.handle, locale: null };
  const seen = { ...claims, displayName, locale, email: scopes.has('email') ? claims.email : null };
  const { session, ...person } = sessionOf(deps, seen);
  return { ...person, session: { ...session, id: secretHash(`${app} ${session.id}`) }, roles: [] };
}
