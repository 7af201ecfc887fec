import { integer, run, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import type { CredentialKind } from '../../lib/credential-kinds.ts';
import { pidOf } from '../../lib/id.ts';
import {
  decideApprovalStatement,
  markApprovalOpened,
  needsStepUpToApprove,
  spoilApprovalStatement,
} from '../popup/approval-statements.ts';
import { type PopupRequest, requestColumns } from '../popup/popup.ts';
import { actingSession } from '../session/acting-session.ts';
import { accountOfNobody } from '../transfer/statements.ts';
import type { ApprovalTerms } from './terms.ts';

interface ScreenRow extends PopupRequest {
  readonly params: string;
  readonly acting: string | null;
  readonly blocked: ApprovalScreen['blocked'];
  readonly available: number | null;
  readonly needs_step_up: number | null;
  readonly step_up_amount: number | null;
  readonly ways: string | null;
}

/** An approval request as shown on its page, with the conditions of the page. */
export interface ApprovalScreen {
  readonly request: PopupRequest;
  readonly terms: ApprovalTerms;
  /** The signed-in person's handle; null if nobody is signed in. */
  readonly acting: string | null;
  /** The payer's wallet balance. */
  readonly available: number;
  /**
   * The reason why no payment is possible: the ledger is not open, or the payer's wallet is inactive, missing, or also
   * the payee's.
   */
  readonly blocked: 'ledger' | 'wallet' | 'no_wallet' | 'own_wallet' | null;
  /** True if the person has to sign in again before approving. */
  readonly needsStepUp: boolean;
  /** The payer's step-up amount. */
  readonly stepUpAmount: number | null;
  /** The person's sign-in methods. */
  readonly ways: readonly CredentialKind[];
}

/** Shows a popup page, which opens a waiting request. Null if there is no request (yet), or it is not an approval. */
export async function viewApproval(
  deps: Deps,
  id: string,
  sessionId: string | null,
): Promise<ApprovalScreen | null> {
  const now = deps.now();
  const { screen } = await run(deps.db, {
    open: [markApprovalOpened(id, now)],
    screen: screenStatement(id, sessionId, now),
  });
  const [row] = screen;
  if (!row) return null;
  const { params, acting, blocked, available, needs_step_up, step_up_amount, ways, ...request } = row;
  const terms: ApprovalTerms = JSON.parse(params);
  return {
    request: { ...request, app: terms.app.name },
    terms,
    acting,
    available: available ?? 0,
    blocked,
    needsStepUp: needs_step_up === 1,
    stepUpAmount: step_up_amount,
    ways: JSON.parse(ways ?? '[]'),
  };
}

function screenStatement(id: string, sessionId: string | null, now: number): Statement<ScreenRow> {
  return statement(sql`SELECT ${requestColumns(now)}, p.params, s.handle AS acting,
      CASE WHEN m.mode <> 'open' THEN 'ledger' WHEN t.payee = t.payer THEN 'own_wallet'
        WHEN t.payer_account = ${integer(accountOfNobody)} THEN 'no_wallet' WHEN a.status IS NOT 'active' THEN 'wallet' END AS blocked,
      a.credits_posted - a.debits_posted - a.debits_pending AS available, ${needsStepUpToApprove} AS needs_step_up,
      f.step_up_amount,
      (SELECT json_group_array(DISTINCT provider) FROM credentials WHERE handle = s.handle) AS ways
    FROM popup_requests p JOIN ledger m ON m.id = 1
      LEFT JOIN ${actingSession(sessionId, now)} s ON true LEFT JOIN profiles f ON f.handle = s.handle
      LEFT JOIN transfers t ON t.id = p.inquiry_id LEFT JOIN accounts a ON a.owner = p.handle AND a.kind = 'wallet'
    WHERE p.id = ${id} AND p.kind = 'approval'`);
}

interface Decision {
  readonly id: string;
  readonly decision: 'approved' | 'denied';
  /** The digest of the terms shown to the person. */
  readonly digest: string;
  readonly sessionId: string | null;
  /** True if one of our pages showed these terms to the session. */
  readonly isProven: boolean;
}

/**
 * Approves or denies a transfer on behalf of its payer. No money moves until the opener redeems the approval. A decided
 * request never changes, and a request without an open inquiry becomes invalid.
 * @throws AppError popup_not_found, unauthenticated, other_person, popup_altered, popup_expired, not_fresh, in this
 *   order
 */
export async function decideApproval(deps: Deps, decision: Decision): Promise<void> {
  const now = deps.now();
  const { id, digest, sessionId, isProven } = decision;
  const v = { ...decision, now };
  const {
    decided,
    screen: [row],
  } = await run(deps.db, {
    decided: decideApprovalStatement(v),
    change: [spoilApprovalStatement(v)],
    screen: screenStatement(id, sessionId, now),
  });
  if (!row) throw new AppError('popup_not_found');
  const { acting, handle, origin, status } = row;
  if (decided.length > 0) {
    deps.log.info('approval.decided', { decision: decision.decision, popup: id, origin, handle });
    return;
  }
  if (acting === null) throw new AppError('unauthenticated', null, { reason: 'the session has ended' });
  if (acting !== handle) throw new AppError('other_person', `Signed in as ${pidOf(acting)}`);
  if (row.digest !== digest) throw new AppError('popup_altered');
  if (status === 'expired') throw new AppError('popup_expired');
  if (status === 'opened' || status === 'created')
    throw new AppError(isProven ? 'not_fresh' : 'popup_altered');
}
