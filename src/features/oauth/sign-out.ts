import { integer, only, run, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { sendLogouts, sendLogoutsSoon } from '../webhook/deliver-logout.ts';

/** How many of the newest sign-outs a step looks at. */
const lookedAt = 200;
/**
 * Once a step has this number of sign-ins, it adds no further session, so it ends fewer than 400: a session has at most
 * 200.
 */
const enoughSignIns = 200;
const stepsAfterResponse = 5;
const stepsOfJob = 100;

/**
 * Ends the sign-ins to apps of some revoked sessions: a trigger revokes those without `offline_access`, and adds the
 * logout tokens. Each person's newest sign-out comes before anybody's second, so that a person with many sessions does
 * not delay anyone else's.
 */
function signOutStep(): Statement {
  return statement(sql`DELETE FROM sign_outs WHERE session_id IN (
    SELECT session_id FROM (SELECT session_id, sum(sign_ins) OVER (ORDER BY turn, at DESC, session_id) - sign_ins AS before
      FROM (SELECT o.session_id, o.at, row_number() OVER (PARTITION BY o.handle ORDER BY o.at DESC, o.session_id) AS turn,
          (SELECT count(*) FROM app_sessions a WHERE a.session_id = o.session_id) AS sign_ins
        FROM (SELECT * FROM sign_outs ORDER BY at DESC LIMIT ${integer(lookedAt)}) o))
    WHERE before < ${integer(enoughSignIns)}) RETURNING 1 AS signed_out`);
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
  let signedOut = 0;
  for (let step = 0; step < steps; step += 1) {
    const { ended, rest } = await run(db, {
      ended: signOutStep(),
      rest: statement<{ left: number }>(sql`SELECT EXISTS (SELECT 1 FROM sign_outs) AS left`),
    });
    signedOut += ended.length;
    if (!only(rest).left) break;
  }
  return signedOut;
}
