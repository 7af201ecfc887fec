import { type SQL, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { isStale } from '../session/acting-session.ts';

/** A decision about an app of the acting session's identity. */
export interface AppDecision {
  /** The decision; random, made once per request. */
  readonly id: string;
  readonly sessionId: string;
  readonly appId: string;
  readonly now: number;
}

export type AppRefusal = 'unauthenticated' | 'app_not_found' | 'not_fresh';

/**
 * The verdict on a change that needs a recent sign-in. `cases` are further WHEN clauses about the app `a`, the acting
 * session `s`; whatever they let pass gets the verdict `change`.
 * @param done a condition under which a repeat finds the change done, or the app already deleted
 */
export function decideOnApp(
  deps: Deps,
  { id, sessionId, appId, now }: AppDecision,
  { done, cases = sql`` }: { readonly done: SQL; readonly cases?: SQL },
): Statement {
  return statement(sql`INSERT INTO decisions (id, verdict, handle)
    SELECT ${id}, CASE WHEN s.handle IS NULL THEN 'unauthenticated' WHEN a.id IS NULL THEN 'app_not_found'
      WHEN ${done} THEN 'done' WHEN a.status = 'deleted' THEN 'app_not_found'
      WHEN ${isStale(deps, now)} THEN 'not_fresh' ${cases} ELSE 'change' END, s.handle
    FROM settings g LEFT JOIN live_sessions s ON s.id = ${sessionId} AND s.expires_at > ${now}
      LEFT JOIN apps a ON a.id = ${appId} AND a.owner = s.handle WHERE g.id = 1`);
}
