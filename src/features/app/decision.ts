import { type SQL, sql } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { decisionOf } from '../identity/decision.ts';
import { isStale } from '../session/acting-session.ts';

/** A decision about an app of the acting session's identity. */
export interface AppDecision {
  /** The id of the decision; random, made once per request. */
  readonly id: string;
  readonly sessionId: string;
  readonly appId: string;
  readonly now: number;
}

interface Requirements<Reason extends string> {
  /** A condition that is true if a retry finds the change made, or the app already deleted. */
  readonly done: SQL;
  /** Whether the change is also possible while the app is suspended, as only its deletion is. */
  readonly whileSuspended?: boolean;
  /** Further requirements on the app `a` and the acting session `s`. */
  readonly also?: Readonly<Record<Reason, SQL>> | undefined;
}

/** The decision on a change that requires a recent sign-in. Its verdict is `change` if nothing prevents the change. */
export function appDecision<Reason extends string = never>(
  deps: Deps,
  { id, sessionId, appId, now }: AppDecision,
  { done, whileSuspended = false, also }: Requirements<Reason>,
) {
  return decisionOf({
    id,
    from: sql`LEFT JOIN live_sessions s ON s.id = ${sessionId} AND s.expires_at > ${now}
      LEFT JOIN apps a ON a.id = ${appId} AND a.owner = s.handle`,
    requirements: {
      unauthenticated: sql`s.handle IS NOT NULL`,
      app_not_found: sql`a.status <> 'deleted' OR (a.id IS NOT NULL AND (${done}) IS TRUE)`,
      app_suspended: sql`${Number(whileSuspended)} OR a.status <> 'suspended'`,
      done: sql`(${done}) IS NOT TRUE`,
      not_fresh: sql`NOT (${isStale(deps, now)})`,
      ...(also as Readonly<Record<Reason, SQL>>),
    },
    verdict: 'change',
    handle: sql`s.handle`,
  });
}

/** A decision that has only these possible reasons. */
export type AppDecided<Reason extends string> = ReturnType<typeof appDecision<Reason>>;
