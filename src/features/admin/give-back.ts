import { only, run, type SQL, type Statement, sql } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { canonicalEmail } from '../../lib/email.ts';
import { createId, pidOf } from '../../lib/id.ts';
import { recordAudit } from '../activity/statements.ts';
import { insertFromTicket } from '../credential/statements.ts';
import { decisionOf, isDecided } from '../identity/decision.ts';
import { addEmail, restoreIdentities, restoreProfiles, setStatus } from '../identity/statements.ts';
import { noticeStatement } from '../mail/mail.ts';
import { deleteTickets } from '../sign-in/statements.ts';

/** The result of assigning a PID to an account. */
export type GiveBackVerdict = 'given' | 'not_waiting' | 'no_ticket' | 'several_accounts' | 'email_conflict';

interface GiveBack {
  readonly handle: string;
  /** The account waiting on the claim page: its provider and verified address. */
  readonly provider: string;
  readonly email: string;
  /** The look-alike key of an unclaimed PID, whose identity is created first; null for a restored PID. */
  readonly skeleton: string | null;
  /** If false, only reports the effect. */
  readonly apply: boolean;
}

/**
 * Assigns a PID that was restored without credentials, or an unclaimed PID, to the account waiting with a claim ticket,
 * activates the identity, and writes to the audit log, in one batch. The service cannot verify that the account belongs
 * to the PID's owner; the operator is responsible for that check.
 */
export async function restoreIdentity(deps: Deps, input: GiveBack): Promise<GiveBackVerdict> {
  const now = deps.now();
  const { handle, provider, skeleton } = input;
  const email = canonicalEmail(input.email);
  const id = createId('crd', now, deps.randomBytes);
  const waiting = sql`claim_tickets t WHERE t.provider = ${provider} AND t.email = ${email}
    AND t.consumed_by IS NULL AND t.expires_at > ${now} AND NOT EXISTS (SELECT 1 FROM credentials c
      WHERE c.provider = t.provider AND c.provider_user_id = t.provider_user_id)`;
  const given = isDecided(id, 'given');
  const decision = restoreDecision({ ...input, id, email, waiting });
  const { verdicts } = await run(deps.db, {
    change: [
      decision.insert,
      ...(skeleton === null ? [] : makeIdentity({ id, skeleton, now })),
      addEmail(
        sql`SELECT ${email} AS email, handle FROM decisions WHERE id = ${id} AND verdict = 'given'`,
        now,
      ),
      insertFromTicket({
        id,
        handle: sql`${handle}`,
        source: sql`FROM ${waiting} AND ${given} ORDER BY t.expires_at DESC LIMIT 1`,
        now,
      }),
      // The credential now has an owner, so the account's other tickets can no longer be claimed.
      deleteTickets(sql`claim_tickets.consumed_by IS NULL AND ${given}
        AND (provider, provider_user_id) = (SELECT provider, provider_user_id FROM credentials WHERE id = ${id})`),
      setStatus('active', sql`handle = ${handle} AND ${given}`),
      recordAudit({
        actor: 'operator',
        action: skeleton === null ? 'identity.given_back' : 'identity.claimed',
        target: handle,
        detail: { provider, credential: id },
        when: given,
        now,
      }),
      await noticeStatement(deps, {
        kind: 'credential_linked',
        handle: sql`${handle}`,
        when: given,
        params: { provider, pid: pidOf(handle) },
        now,
      }),
    ],
    verdicts: decision.verdicts,
    drop: decision.drop,
  });
  const { verdict } = only(verdicts);
  return verdict === 'done' || verdict === 'would_give' ? 'given' : verdict;
}

/** Creates the identity for a PID as a restore does, so that the later steps treat both alike. */
function makeIdentity({ id, skeleton, now }: { id: string; skeleton: string; now: number }): Statement[] {
  const given = sql`FROM decisions WHERE id = ${id} AND verdict = 'given'`;
  return [
    restoreIdentities(sql`SELECT handle, ${skeleton} AS skeleton, ${now} AS created_at ${given}`),
    restoreProfiles(sql`SELECT handle ${given}`),
  ];
}

interface Decision extends Pick<GiveBack, 'handle' | 'skeleton' | 'apply'> {
  readonly id: string;
  readonly email: string | null;
  readonly waiting: SQL;
}

function restoreDecision({ id, handle, skeleton, email, waiting, apply }: Decision) {
  const isFree = sql`NOT EXISTS (SELECT 1 FROM identities WHERE handle = ${handle} OR skeleton = ${skeleton})`;
  const isBack = sql`EXISTS (SELECT 1 FROM identities i WHERE i.handle = ${handle} AND i.status = 'suspended'
    AND i.ticket = 'restored:' || i.handle AND NOT EXISTS (SELECT 1 FROM credentials WHERE handle = i.handle))`;
  return decisionOf({
    id,
    from: sql`JOIN (SELECT count(DISTINCT t.provider_user_id) AS accounts FROM ${waiting}) w`,
    requirements: {
      done: sql`NOT EXISTS (SELECT 1 FROM credentials WHERE id = ${id})`,
      not_waiting: skeleton === null ? isBack : isFree,
      no_ticket: sql`w.accounts > 0`,
      several_accounts: sql`w.accounts = 1`,
      email_conflict: sql`NOT EXISTS (SELECT 1 FROM emails WHERE email = ${email})`,
    },
    verdict: apply ? 'given' : 'would_give',
    handle: sql`${handle}`,
  });
}
