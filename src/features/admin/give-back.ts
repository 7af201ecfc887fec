import { sql } from 'drizzle-orm';
import { statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { canonicalEmail } from '../../lib/email.ts';
import { createId, pidOf } from '../../lib/id.ts';
import { noticeStatement } from '../mail/mail.ts';

/** Why a PID was given back, or was not. */
export type GiveBackVerdict = 'given' | 'not_waiting' | 'no_ticket' | 'several_accounts' | 'email_conflict';

interface GiveBack {
  readonly handle: string;
  /** The account whose owner waits on the claim page: its provider, and its verified address. */
  readonly provider: string;
  readonly email: string;
  /** False only says what would happen. */
  readonly apply: boolean;
}

/**
 * Gives a PID that a restore has brought back without credentials to the account that waits with a claim ticket, lets
 * its identity in again, and writes it to the audit log: one batch. Whether that account is its owner's, nothing here
 * can tell; the operator answers for it.
 */
export async function giveBack(deps: Deps, input: GiveBack): Promise<GiveBackVerdict> {
  const now = deps.now();
  const { handle, provider } = input;
  const email = canonicalEmail(input.email);
  const id = createId('crd', now, deps.randomBytes);
  const waiting = sql`claim_tickets t WHERE t.provider = ${provider} AND t.email = ${email}
    AND t.consumed_by IS NULL AND t.expires_at > ${now} AND NOT EXISTS (SELECT 1 FROM credentials c
      WHERE c.provider = t.provider AND c.provider_user_id = t.provider_user_id)`;
  const given = sql`EXISTS (SELECT 1 FROM decisions WHERE id = ${id} AND verdict = 'given')`;
  const newest = sql`FROM ${waiting} AND ${given} ORDER BY t.expires_at DESC LIMIT 1`;
  const results = await deps.db.batch([
    statement(sql`INSERT INTO decisions (id, verdict, handle) SELECT ${id}, CASE
        WHEN EXISTS (SELECT 1 FROM credentials WHERE id = ${id}) THEN 'done'
        WHEN i.handle IS NULL OR EXISTS (SELECT 1 FROM credentials WHERE handle = i.handle) THEN 'not_waiting'
        WHEN w.accounts = 0 THEN 'no_ticket'
        WHEN w.accounts > 1 THEN 'several_accounts'
        WHEN EXISTS (SELECT 1 FROM emails WHERE email = ${email}) THEN 'email_conflict'
        ELSE ${input.apply ? 'given' : 'would_give'} END, ${handle}
      FROM settings g
        LEFT JOIN identities i ON i.handle = ${handle} AND i.ticket = 'restored:' || i.handle AND i.status = 'suspended'
        JOIN (SELECT count(DISTINCT t.provider_user_id) AS accounts FROM ${waiting}) w
      WHERE g.id = 1`),
    statement(
      sql`INSERT INTO emails (email, handle, verified_at) SELECT ${email}, ${handle}, ${now} WHERE ${given}`,
    ),
    statement(sql`INSERT INTO credentials (id, handle, provider, provider_user_id, email, name, password_hash,
        public_key, sign_count, transports, backed_up, linked_at, last_login_at)
      SELECT ${id}, ${handle}, t.provider, t.provider_user_id, t.email, t.credential_name, t.password_hash,
        t.public_key, t.sign_count, t.transports, t.backed_up, ${now}, ${now} ${newest}`),
    // Every ticket of that account is of no use any more: its credential belongs to somebody.
    statement(sql`DELETE FROM claim_tickets WHERE consumed_by IS NULL AND ${given}
      AND (provider, provider_user_id) = (SELECT provider, provider_user_id FROM credentials WHERE id = ${id})`),
    statement(sql`UPDATE identities SET status = 'active' WHERE handle = ${handle} AND ${given}`),
    statement(sql`INSERT INTO audit_log (at, actor, action, target, detail)
      SELECT ${now}, 'operator', 'identity.given_back', ${handle}, json_object('provider', ${provider}, 'credential', ${id})
      WHERE ${given}`),
    await noticeStatement(deps, {
      kind: 'credential_linked',
      handle: sql`${handle}`,
      when: given,
      params: { provider, pid: pidOf(handle) },
      now,
    }),
    statement<{ verdict: string }>(sql`SELECT verdict FROM decisions WHERE id = ${id}`),
    statement(sql`DELETE FROM decisions WHERE id = ${id}`),
  ]);
  const verdict = results[7][0]?.verdict;
  return verdict === 'done' || verdict === 'would_give' ? 'given' : (verdict as GiveBackVerdict);
}
