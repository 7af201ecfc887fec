import { first, run, sql } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { changeAtDesk, type DeskActor, deskState, requireDesk } from './desk.ts';
import { resolveWithdrawal } from './documents.ts';
import { adjustAccounts, reverseTransfer } from './money.ts';
import { resolveDeposit } from './reviews.ts';
import {
  adjustmentInput,
  depositDecision,
  type Proposal,
  secondPaymentDecision,
  withdrawalDecision,
} from './schema.ts';
import { type Approval, endProposal, isWaiting, selectProposals, toProposal } from './second.ts';
import { resolveSecondPayment } from './second-payments.ts';

type Administrator = Exclude<DeskActor, 'operator'>;

interface Resolution {
  readonly id: string;
  /** The administrator who made the proposal withdraws it with `reject`. */
  readonly decision: 'approve' | 'reject';
  readonly reason: string;
}

/**
 * Approves a proposal, which moves the money, or rejects it. An approval runs the proposed decision again.
 * @throws AppError proposal_not_found, unauthenticated, not_fresh; moved_on if the proposal is no longer pending or its
 *   subject has changed; self_decision; the errors of the decision itself
 */
export async function resolveProposal(
  deps: Deps,
  actor: Administrator,
  { id, decision, reason }: Resolution,
): Promise<Proposal> {
  const read = selectProposals(sql`desk_decisions.id = ${id}`);
  const { desk, known } = await run(deps.db, { desk: deskState(deps, actor), known: read });
  requireDesk(desk);
  const [proposal] = known;
  if (!proposal || proposal.outcome === 'alone') throw new AppError('proposal_not_found');
  if (decision === 'approve') await repeatDecision(deps, actor, { proposal, reason });
  else await reject(deps, actor, { proposal, reason });
  return toProposal((await first(deps.db, read)) ?? proposal);
}

function repeatDecision(deps: Deps, actor: DeskActor, approval: Approval): Promise<unknown> {
  const { action, target: id, detail, reason, idempotency_key: key } = approval.proposal;
  const input = { ...JSON.parse(detail), reason };
  switch (action) {
    case 'deposit.resolved':
      return resolveDeposit(deps, actor, { id, approval, ...depositDecision.parse(input) });
    case 'second_payment.resolved':
      return resolveSecondPayment(deps, actor, { id, approval, ...secondPaymentDecision.parse(input) });
    case 'withdrawal.resolved':
      return resolveWithdrawal(deps, actor, { id, approval, ...withdrawalDecision.parse(input) });
    case 'transfer.reversed':
      return reverseTransfer(deps, actor, { id, approval, reason });
    case 'ledger.adjusted':
      return adjustAccounts(deps, actor, { key, approval, ...adjustmentInput.parse(input) });
    default:
      throw new TypeError(`nobody proposes ${action}`);
  }
}

/** Withdraws the proposal for its author, and rejects it for anyone else. */
function reject(deps: Deps, actor: Administrator, { proposal, reason }: Approval): Promise<{ id: string }> {
  const { id, target, maker } = proposal;
  const isOwn = actor.handle === maker;
  return changeAtDesk(deps, actor, {
    action: isOwn ? 'proposal.withdrawn' : 'proposal.rejected',
    target,
    reason,
    detail: { proposal: id, maker },
    from: sql``,
    requirements: {
      moved_on: sql`EXISTS (SELECT 1 FROM desk_decisions WHERE id = ${id} AND ${isWaiting(deps, deps.now())})`,
    },
    change: ({ when, actor: by, now }) => [
      isOwn
        ? endProposal({ id, outcome: 'withdrawn', by: sql`NULL`, when, now })
        : endProposal({ id, outcome: 'rejected', by, when, now }),
    ],
    read: () => selectProposals(sql`desk_decisions.id = ${id}`),
  });
}
