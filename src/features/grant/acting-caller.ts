import { first, type SQL, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { actingSession } from '../session/acting-session.ts';

/** The caller, as identified by the guard. */
export interface Caller<Handle extends string | null = string> {
  /**
   * The person on a first-party page; a page of a first-party app with the person present; a page of any other app, which
   * needs the person's approval for each payment; or an app with an access token.
   */
  readonly by: 'person' | 'page' | 'asker' | 'token';
  /** The person for whom the caller acts; null for an app that acts for itself. */
  readonly handle: Handle;
  /** The person's session, or the app session (`sid`) of a token. */
  readonly sessionId: string | null;
  /** Null for a first party. */
  readonly appId: string | null;
  readonly grantId: string | null;
  /** Null for a first party, which may do anything. */
  readonly scopes: readonly string[] | null;
  /** The origin of a page of a third-party app. */
  readonly host?: string;
}

/** True if the caller's token lets it read the wallet balance. */
export function mayReadWallet({ by, scopes }: Caller): boolean {
  return by === 'person' || (scopes ?? []).includes('wallet:read');
}

/**
 * The caller of a change, as a table of one row with `handle`. It is empty if the session or the grant has been
 * revoked, the identity or the app may not act, the app has no valid secret, or a backup was restored after the token
 * was issued. The statements of the batch then change nothing. Use: `FROM ${actingCaller(caller, now)} s`.
 */
export function actingCaller({ by, sessionId, appId, grantId }: Caller, now: number): SQL {
  if (by === 'person') return actingSession(sessionId, now);
  const live = sql`g.app_id = ${appId} AND g.live_until > ${now} AND NOT EXISTS (SELECT 1 FROM apps a WHERE a.id = g.app_id
    AND a.type = 'web' AND NOT EXISTS (SELECT 1 FROM app_secrets k WHERE k.app_id = a.id
      AND (k.expires_at IS NULL OR k.expires_at > ${now})))`;
  return by === 'token'
    ? sql`(SELECT g.handle FROM live_app_sessions g WHERE g.id = ${sessionId} AND g.grant_id = ${grantId} AND ${live})`
    : sql`(SELECT g.handle FROM live_grants g JOIN ${actingSession(sessionId, now)} s ON s.handle = g.handle
        WHERE g.id = ${grantId} AND ${live})`;
}

/** True if the caller of a change may still act. */
export function callerActs(caller: Caller, now: number): SQL {
  return sql`EXISTS (SELECT 1 FROM ${actingCaller(caller, now)})`;
}

export type CallerRefusal = 'unauthenticated' | 'grant_expired' | 'grant_revoked';

/**
 * The reason why the caller may not act, as a scalar; NULL if the caller may act. For the SELECT that explains a
 * rejected change.
 */
export function callerRefusal(caller: Caller, now: number): SQL {
  const { by, sessionId, grantId } = caller;
  const isSignedOut =
    by === 'token' ? sql`0` : sql`NOT EXISTS (SELECT 1 FROM ${actingSession(sessionId, now)})`;
  const hasExpired = sql`EXISTS (SELECT 1 FROM grants WHERE id = ${grantId}
    AND (revoked_by = 'expired' OR (revoked_at IS NULL AND expires_at <= ${now})))`;
  return sql`iif(${callerActs(caller, now)}, NULL, iif(${isSignedOut}, 'unauthenticated',
    iif(${hasExpired}, 'grant_expired', 'grant_revoked')))`;
}

/** The reason why a caller may not act: session_ended, grant_expired or grant_revoked. */
export async function explainCaller(deps: Deps, caller: Caller): Promise<AppError> {
  const row = await first(
    deps.db,
    statement<{ refusal: CallerRefusal | null }>(sql`SELECT ${callerRefusal(caller, deps.now())} AS refusal`),
  );
  const refusal = row?.refusal ?? 'unauthenticated';
  return new AppError(refusal === 'unauthenticated' ? 'session_ended' : refusal);
}
