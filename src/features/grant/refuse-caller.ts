import { first, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { type Caller, type CallerRefusal, callerRefusal } from './acting-caller.ts';

/** Why a caller may not act: session_ended, grant_expired or grant_revoked. */
export async function refuseCaller(deps: Deps, caller: Caller): Promise<AppError> {
  const row = await first(
    deps.db,
    statement<{ refusal: CallerRefusal | null }>(sql`SELECT ${callerRefusal(caller, deps.now())} AS refusal`),
  );
  const refusal = row?.refusal ?? 'unauthenticated';
  return new AppError(refusal === 'unauthenticated' ? 'session_ended' : refusal);
}
