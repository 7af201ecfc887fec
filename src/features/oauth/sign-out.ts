import { all, integer, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { sendLogouts, sendLogoutsSoon } from '../webhook/deliver-logout.ts';

/** A session has at most 200 sign-ins to apps, so a statement changes at most 400 and writes a logout token for each. */
const sessionsAtOnce = 2;
const stepsAfterResponse = 5;
/** The job ends the sign-ins of one person with the most sessions in one run. */
const stepsOfJob = 100;

/**
 * Ends the sign-ins to apps of a few revoked sessions: a trigger revokes those without `offline_access`, and adds the
 * logout tokens. Each person's newest sign-out comes before anybody's second, so that a person with many sessions delays nobody
 * else's.
 */
function signOutStep(): Statement {
  return statement(sql`DELETE FROM sign_outs WHERE session_id IN (SELECT session_id FROM sign_outs
    ORDER BY row_number() OVER (PARTITION BY handle ORDER BY at DESC), at DESC LIMIT ${integer(sessionsAtOnce)})
    RETURNING 1 AS signed_out`);
}

/**
 * Ends the sign-ins of revoked sessions and sends pending logout tokens, right after a response that revoked a session
 * or a grant. The job does the rest, and takes over if the process dies.
 */
export async function signOutSoon(deps: Deps): Promise<void> {
  await signOut(deps, stepsAfterResponse);
  sendLogoutsSoon(deps);
}

/** The scheduled job that does the same. */
export async function signOutOfApps(
  deps: Deps,
): Promise<{ signedOut: number; sent: number; failed: number }> {
  const signedOut = await signOut(deps, stepsOfJob);
  return { signedOut, ...(await sendLogouts(deps)) };
}

/** Returns the number of sessions whose sign-ins it has ended. */
async function signOut({ db }: Deps, steps: number): Promise<number> {
  let sessions = 0;
  for (let step = 0; step < steps; step += 1) {
    const { length } = await all(db, signOutStep());
    sessions += length;
    if (length < sessionsAtOnce) break;
  }
  return sessions;
}
