import { first, integer, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';

/**
 * The acting session, as a table of one row: empty if the session is revoked or its identity may not act, so that the
 * statements of the batch change nothing. Use: `FROM ${actingSession(id, now)} s`.
 */
export function actingSession(sessionId: string | null, now: number): SQL {
  return sql`(SELECT * FROM live_sessions WHERE id = ${sessionId} AND expires_at > ${now})`;
}

/** The handle of the acting session as a subquery; NULL if it may not act. */
export function actingHandle(sessionId: string | null, now: number): SQL {
  return sql`(SELECT handle FROM ${actingSession(sessionId, now)})`;
}

/** The same, but also NULL if the sign-in is not recent enough for the operation. */
export function freshHandle(deps: Deps, sessionId: string, now: number): SQL {
  return sql`(SELECT handle FROM ${actingSession(sessionId, now)} WHERE NOT (${isStale(deps, now)}))`;
}

/** True if a row's `authenticated_at` is FRESH_SECONDS or more in the past; 0 disables the rule. */
export function isStale(deps: Deps, now: number): SQL {
  const freshMs = deps.config.FRESH_SECONDS * 1000;
  return sql`${freshMs} > 0 AND ${integer(now)} - authenticated_at >= ${integer(freshMs)}`;
}

/** True if an amount exceeds a person's `stepUpAmount`; false if it is unset. */
export function exceedsStepUp(handle: SQL, amount: SQL): SQL {
  return sql`coalesce(${amount} > (SELECT step_up_amount FROM profiles WHERE handle = ${handle}), 0)`;
}

/**
 * True if the person of the session `s` has to sign in again for a payment above their `stepUpAmount`: after the
 * request to pay, and with a passkey if they have one.
 */
export function needsStepUp(amount: SQL, since: SQL): SQL {
  return sql`(${exceedsStepUp(sql`s.handle`, amount)} AND NOT (s.authenticated_at >= ${since} AND ${usesPasskey}))`;
}

/**
 * Whether a payment requires the session's person to sign in again with a passkey: they have one, and the amount, in minor units, is
 * above their `stepUpAmount`.
 */
export async function takesPasskey(deps: Deps, sessionId: string, amount: number): Promise<boolean> {
  const exceeds = exceedsStepUp(sql`s.handle`, sql`${integer(amount)}`);
  const query = statement<{ takes: number }>(sql`SELECT ${exceeds} AND EXISTS (SELECT 1 FROM credentials k
    WHERE k.handle = s.handle AND k.provider = 'passkey') AS takes FROM ${actingSession(sessionId, deps.now())} s`);
  return (await first(deps.db, query))?.takes === 1;
}

/** True if the session `s` started with a passkey, or the person has none. */
const usesPasskey = sql`(s.provider = 'passkey'
  OR NOT EXISTS (SELECT 1 FROM credentials k WHERE k.handle = s.handle AND k.provider = 'passkey'))`;

/**
 * True if the session `s` with its profile `p` may change `stepUpAmount`. The sign-in must be recent. To raise or
 * remove the amount, the session must also meet the requirements of a payment above it, because a thief could otherwise
 * disable the protection first.
 */
export function mayChangeStepUp(deps: Deps, amount: number | null, now: number): SQL {
  return sql`(NOT (${isStale(deps, now)})
    AND (p.step_up_amount IS NULL OR coalesce(${amount} <= p.step_up_amount, 0) OR ${usesPasskey}))`;
}

/** An acting session's rights. */
export interface ActingState {
  handle: string;
  /** 1 if the sign-in is too old for operations that require a recent one. */
  not_fresh: number;
}

/** Returns one row while the session may act, for batches that explain a rejection. */
export function actingState(deps: Deps, sessionId: string, now: number): Statement<ActingState> {
  return statement(
    sql`SELECT handle, ${isStale(deps, now)} AS not_fresh FROM ${actingSession(sessionId, now)}`,
  );
}

/** The same for batches that accept a sign-in of any age. */
export function actingSessionStatement(sessionId: string, now: number): Statement<{ handle: string }> {
  return statement(sql`SELECT handle FROM ${actingSession(sessionId, now)}`);
}

/**
 * Returns whether the session may start a flow of several requests. The last batch of the flow checks again.
 * @throws AppError unauthenticated, not_fresh
 */
export async function requireFreshSession(deps: Deps, sessionId: string): Promise<void> {
  const state = await first(deps.db, actingState(deps, sessionId, deps.now()));
  if (state === null) throw new AppError('unauthenticated');
  if (state.not_fresh) throw new AppError('not_fresh');
}
