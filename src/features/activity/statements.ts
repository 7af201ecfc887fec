import { type SQL, type Statement, sql, statement } from '../../db/database.ts';
import type { Level } from '../../lib/level.ts';

interface Change {
  readonly type:
    | 'identity.claimed'
    | `identity.${Level}`
    | 'profile.changed'
    | 'data.exported'
    | 'support.viewed'
    | 'support.ended_sessions'
    | 'support.sent_recovery'
    | 'credential.unlinked'
    | 'password.changed'
    | 'password.reset'
    | 'app.created'
    | 'app.changed'
    | 'app.deleted'
    | 'app.secret_rotated'
    | 'app.secret_revoked'
    | 'withdrawal.held'
    | 'payment.reversed'
    | 'payment.returned';
  /** The session that made the change, if any. */
  readonly sessionId: string | null;
  /** The decision that made the change, if a retry must recognise the line. */
  readonly decisionId?: string;
  /**
   * A SELECT of `handle`, `credential_id` and `detail` (provider, app name, or amount and counterparty), with one row
   * per change.
   */
  readonly rows: SQL;
  readonly now: number;
}

/** Adds a change to the identity's activity. Triggers do this for sessions, new credentials and payments. */
export function record({ type, sessionId, decisionId, rows, now }: Change): Statement {
  return statement(sql`INSERT INTO activity (handle, at, type, session_id, credential_id, detail, decision_id)
    SELECT handle, ${now}, ${type}, ${sessionId}, credential_id, detail, ${decisionId ?? null} FROM (${rows})`);
}

/** Adds the session that linked a credential to the line just written by the credential's trigger. */
export function nameLinkingSession(credentialId: string, sessionId: string): Statement {
  return statement(sql`UPDATE activity SET session_id = ${sessionId} WHERE seq =
      (SELECT v.seq FROM credentials c JOIN activity v ON v.handle = c.handle
        WHERE c.id = ${credentialId} ORDER BY v.seq DESC LIMIT 1)
    AND credential_id = ${credentialId} AND type = 'credential.linked' AND session_id IS NULL`);
}

export type AuditAction =
  | 'identity.status'
  | 'identity.level'
  | 'identity.given_back'
  | 'identity.claimed'
  | 'people.searched'
  | 'person.viewed'
  | 'transaction.viewed'
  | 'mails.viewed'
  | 'access.refused'
  | 'recovery.sent'
  | 'sessions.revoke'
  | 'ledger.mode'
  | 'wallet.status'
  | 'app.status'
  | 'app.marked'
  | 'app.created'
  | 'app.resource'
  | 'app.secret_rotated'
  | 'transfer.reversed'
  | 'payment.reversed'
  | 'gateway.unknown_order'
  | 'gateway.contradicted'
  | 'money.waiting'
  | 'deposit.resolved'
  | 'deposit.reversed'
  | 'deposit.restored'
  | 'deposit.refund_uncovered'
  | 'deposit.contradicted'
  | 'second_payment.resolved'
  | 'withdrawal.resolved'
  | 'withdrawal.contradicted'
  | 'ledger.adjusted'
  | 'proposal.made'
  | 'proposal.rejected'
  | 'proposal.withdrawn'
  | 'report.accepted'
  | 'report.rejected'
  | 'case.resolved'
  | 'day.closed'
  | 'fee.changed';

interface AuditLine {
  /** The administrator's handle, `operator` for the command line, or `system`. */
  readonly actor: SQL | 'operator' | 'system';
  readonly action: AuditAction;
  /**
   * An identity's handle, the id of an app or a document, `ledger`, `people`, a rejected request, or a kind of open
   * case, such as `deposit.review`.
   */
  readonly target: string;
  readonly detail: Readonly<Record<string, string | number | boolean>>;
  /** Details as JSON computed in the batch, in place of `detail`. */
  readonly computed?: SQL;
  readonly when: SQL;
  readonly now: number;
}

/** Records an administrator's action and reason in the audit log. */
export function recordAudit({ actor, action, target, detail, computed, when, now }: AuditLine): Statement {
  return statement(sql`INSERT INTO audit_log (at, actor, action, target, detail)
    SELECT ${now}, ${actor}, ${action}, ${target}, ${computed ?? JSON.stringify(detail)} WHERE ${when}`);
}

/** Inserts the line only once per target, however often it is written. */
export function recordOnce(line: Omit<AuditLine, 'actor' | 'when'>): Statement {
  const { action, target } = line;
  const when = sql`NOT EXISTS (SELECT 1 FROM audit_log WHERE target = ${target} AND action = ${action})`;
  return recordAudit({ ...line, actor: 'system', when });
}
