import { only, run, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import type { ClientInfo } from '../../http/context.ts';
import { describeClient } from '../../lib/device.ts';
import { pidOf } from '../../lib/id.ts';
import { createSecret } from '../../lib/secret.ts';
import { deleteApps } from '../app/statements.ts';
import { deleteOf } from '../credential/statements.ts';
import { endGrants } from '../grant/statements.ts';
import { decisionOf, isDecided } from '../identity/decision.ts';
import { copyToJournal } from '../identity/journal.ts';
import { closeIdentities, deleteProfiles } from '../identity/statements.ts';
import { noticeStatement } from '../mail/mail.ts';
import { actingSession, isStale } from '../session/acting-session.ts';
import { forgetDevices } from '../session/forget-devices.ts';
import { endSessions } from '../session/statements.ts';
import { deleteTickets } from '../sign-in/statements.ts';

interface Closer {
  readonly sessionId: string;
  /** The handle that the person typed to confirm. */
  readonly typed: string;
  readonly client: ClientInfo;
}

/**
 * Permanently closes the acting session's identity. Credentials, addresses and profile are deleted, sessions and grants
 * are revoked, device data is erased, and the handle stays as a tombstone, so it is never issued again. The scheduled
 * job sends a final email to the former addresses.
 * @throws AppError unauthenticated, wrong_handle, not_fresh, closure_blocked, in this order
 */
export async function closeAccount(deps: Deps, input: Closer): Promise<void> {
  const now = deps.now();
  const { sessionId, typed, client } = input;
  const id = createSecret(deps.randomBytes);
  const closed = isDecided(id, 'closed');
  const decision = closeDecision(deps, id, input, now);
  const { verdicts, blockers } = await run(deps.db, {
    change: [
      decision.insert,
      await noticeStatement(deps, {
        kind: 'account_closed',
        handle: sql`${typed}`,
        when: closed,
        params: { pid: pidOf(typed), ...describeClient(client) },
        now,
      }),
      closeIdentities(sql`handle = ${typed} AND ${closed}`, sql`${now}`),
      deleteOf(sql`handle = ${typed} AND ${closed}`),
      deleteTickets(
        sql`claim_tickets.hash = (SELECT ticket FROM identities WHERE handle = ${typed}) AND ${closed}`,
      ),
      endGrants({ where: sql`handle = ${typed} AND ${closed}`, now }),
      ...deleteApps({ where: sql`owner = ${typed} AND ${closed}`, now }),
      deleteProfiles(sql`handle = ${typed} AND ${closed}`),
      endSessions({ where: sql`handle = ${typed} AND ${closed}`, reason: 'closed', by: id, now }),
      ...forgetDevices(sql`${typed}`),
    ],
    verdicts: decision.verdicts,
    blockers: statement<{ reason: string }>(sql`SELECT DISTINCT reason FROM closure_blockers
      WHERE handle = (SELECT handle FROM decisions WHERE id = ${id}) ORDER BY reason`),
    drop: decision.drop,
  });
  const { verdict } = only(verdicts);
  if (verdict === 'closed' || verdict === 'done') {
    deps.log.info('identity.closed', { handle: typed, sessionId });
    copyToJournal(deps, { event: 'closed', handle: typed, at: now });
    return;
  }
  // A list of problems would mean a validation error, so all reasons are joined into one text.
  const message = verdict === 'closure_blocked' ? blockers.map(({ reason }) => reason).join('; ') : null;
  throw new AppError(verdict, message);
}

/** A retry after a lost response recognises the session that the same request revoked. */
function closeDecision(deps: Deps, id: string, { sessionId, typed }: Closer, now: number) {
  return decisionOf({
    id,
    from: sql`LEFT JOIN ${actingSession(sessionId, now)} s ON true`,
    requirements: {
      done: sql`NOT EXISTS (SELECT 1 FROM sessions WHERE id = ${sessionId} AND revoked_by = ${id})`,
      unauthenticated: sql`s.id IS NOT NULL`,
      wrong_handle: sql`s.handle = ${typed}`,
      not_fresh: sql`NOT (${isStale(deps, now)})`,
      closure_blocked: sql`NOT EXISTS (SELECT 1 FROM closure_blockers b WHERE b.handle = s.handle)`,
    },
    verdict: 'closed',
    handle: sql`s.handle`,
  });
}
