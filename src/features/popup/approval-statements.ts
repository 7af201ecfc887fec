import { integer, type Row, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import { actingSession, needsStepUp } from '../session/acting-session.ts';
import { isPending } from './popup.ts';
import type { popupRequests } from './tables.ts';

/** The time limit for a decision (interface section 8). */
const approvalTtlMs = 2 * 60_000;

interface NewApproval {
  readonly id: string;
  /** SHA-256 of the opener's verifier. */
  readonly challenge: string;
  /** The inquiry, without a prefix. */
  readonly inquiry: string;
  readonly app: string;
  readonly origin: string;
  /** Canonical JSON of the page's content. */
  readonly params: string;
  /** SHA-256 of `params`. */
  readonly digest: string;
  /** True for an inquiry `t` that the caller may use. */
  readonly when: SQL;
  readonly now: number;
}

type Registered = Pick<Row<typeof popupRequests>, 'status' | 'expires_at'>;

/**
 * Requests the approval of an open inquiry from its payer, for two minutes or until the inquiry ends. The same opener
 * may repeat the request. Returns no row if the id is in use, or the caller or the inquiry has changed.
 */
export function registerApprovalStatement(v: NewApproval): Statement<Registered> {
  return statement(sql`INSERT INTO popup_requests
      (id, kind, app_id, origin, verifier_hash, operation, params, inquiry_id, digest, handle, created_at, expires_at)
    SELECT ${v.id}, 'approval', t.app_id, ${v.origin}, ${v.challenge}, 'transfer', ${v.params}, t.id, ${v.digest}, t.payer,
      ${v.now}, min(${integer(v.now + approvalTtlMs)}, t.expires_at) FROM transfers t
    WHERE t.id = ${v.inquiry} AND t.app_id = ${v.app} AND t.needs_approval = 1 AND ${isOpenAt(v.now)} AND ${v.when}
    ON CONFLICT (id) DO UPDATE SET id = excluded.id
      WHERE verifier_hash = excluded.verifier_hash AND digest = excluded.digest AND ${isPending(v.now)}
    RETURNING status, expires_at`);
}

/** Holds if the inquiry `t` can still be confirmed or held. */
function isOpenAt(now: number): SQL {
  return sql`t.status = 'open' AND t.held_at IS NULL AND t.expires_at > ${now}`;
}

/** Holds if the inquiry of the request `p` can still be confirmed. */
function inquiryIsOpen(now: number): SQL {
  return sql`EXISTS (SELECT 1 FROM transfers t WHERE t.id = p.inquiry_id AND ${isOpenAt(now)})`;
}

/** Shows a popup page, which opens a waiting request, or invalidates it if its inquiry is no longer open. */
export function markApprovalOpened(id: string, now: number): Statement {
  return statement(sql`UPDATE popup_requests AS p SET status = iif(${inquiryIsOpen(now)}, 'opened', 'invalid'),
    last_seen_at = ${now} WHERE id = ${id} AND kind = 'approval' AND ${isPending(now)}`);
}

/** Holds if the person of the session `s` has to sign in again to approve the transfer `t` with the request `p`. */
export const needsStepUpToApprove: SQL = needsStepUp(sql`t.debit_total`, sql`p.created_at`);

interface ApprovalDecision {
  readonly id: string;
  readonly decision: 'approved' | 'denied';
  /** The digest of the content shown to the person. */
  readonly digest: string;
  readonly sessionId: string | null;
  /** True if one of our pages showed this content to the session. */
  readonly isProven: boolean;
  readonly now: number;
}

/** Decides a request according to the content that the person saw. A decided request never changes. */
export function decideApprovalStatement(v: ApprovalDecision): Statement<{ id: string }> {
  return statement(sql`UPDATE popup_requests AS p SET status = ${v.decision}, decided_at = ${v.now}, session_id = ${v.sessionId}
    WHERE id = ${v.id} AND kind = 'approval' AND status = 'opened' AND expires_at > ${v.now} AND digest = ${v.digest}
      AND EXISTS (SELECT 1 FROM ${actingSession(v.sessionId, v.now)} s JOIN transfers t ON t.id = p.inquiry_id
        WHERE s.handle = p.handle AND (${v.decision} = 'denied' OR (${Number(v.isProven)} = 1 AND ${isOpenAt(v.now)} AND NOT ${needsStepUpToApprove})))
    RETURNING id`);
}

/** Ends a request if the decision does not match the page's content, or its inquiry is no longer open. */
export function spoilApprovalStatement(v: ApprovalDecision): Statement {
  return statement(sql`UPDATE popup_requests AS p SET status = 'invalid'
    WHERE id = ${v.id} AND kind = 'approval' AND status = 'opened' AND expires_at > ${v.now}
      AND handle = (SELECT handle FROM ${actingSession(v.sessionId, v.now)})
      AND (digest <> ${v.digest} OR NOT ${inquiryIsOpen(v.now)})`);
}
