import { type Row, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { ErrorCode } from '../../errors.ts';
import { createId, handleOf, isoTime, pidOf } from '../../lib/id.ts';
import { stringList } from '../../lib/present.ts';
import { type AuditAction, recordAudit } from '../activity/statements.ts';
import { isDecided } from '../identity/decision.ts';
import { noticeStatement } from '../mail/mail.ts';
import type { Proposal } from './schema.ts';
import type { deskDecisions } from './tables.ts';

/** The lifetime of a proposal. */
const proposalMs = 3 * 86_400_000;

export type ProposalRow = Row<typeof deskDecisions>;

/** A proposal to approve, which runs the decision again. */
export interface Approval {
  readonly proposal: ProposalRow;
  /** The approver's session. */
  readonly reason: string;
}

/** The part of a change at the admin desk that moves money. */
export interface Money {
  /** Rupiah. */
  readonly amount: number;
  /** A SELECT of the `handle` whose money increases. */
  readonly gainers: SQL;
  /** The document's state as JSON, read from the tables that the change joins. */
  readonly seen: SQL;
  readonly key?: string | null;
  readonly approval?: Approval | undefined;
}

/** A change at the admin desk in its batch, with the money it moves. */
interface Change {
  readonly action: AuditAction;
  readonly target: string;
  readonly detail: Readonly<Record<string, string | number | boolean>>;
  readonly reason: string;
  readonly from: SQL;
  readonly money?: Money;
  /** The id of its row in `decisions`. */
  readonly requestId: string;
  readonly now: number;
}

type Decision = Change & { readonly money: Money };
type ProposedDecision = Decision & { readonly maker: string };

/**
 * Conditions by the reason for rejecting when one fails, in order. If `same` fails, there is nothing to do, which is
 * not a rejection.
 */
export type DeskRequirements = Readonly<Partial<Record<ErrorCode | 'same', SQL>>>;

/** Two-person decisions: the statements and requirements. */
interface MoneyParts {
  /** Requirements checked before and after those of the change. */
  readonly own: DeskRequirements;
  readonly second: DeskRequirements;
  /** The verdict if all requirements are met. */
  readonly verdict: 'changed' | 'proposed';
  /** For the audit log line. */
  readonly about: Readonly<Record<string, string>>;
  /** Stores the decision before the money moves, because the database otherwise rejects the movement. */
  readonly store: readonly Statement[];
  /** The pending proposal. */
  readonly waiting: Statement<ProposalRow>;
}

/** @param actor an administrator; the operator needs no second person */
export async function moneyParts(
  deps: Deps,
  actor: { readonly handle: string } | 'operator',
  change: Change,
): Promise<MoneyParts> {
  const { money, now, requestId } = change;
  const plain = { second: {}, verdict: 'changed', about: {}, waiting: selectProposals(sql`0`) } as const;
  if (!money) return { ...plain, own: {}, store: [] };
  const own = { self_decision: sql`w.handle NOT IN (${money.gainers})` };
  if (money.approval) {
    const { id, maker } = money.approval.proposal;
    const end = {
      id,
      by: sql`(SELECT handle FROM decisions WHERE id = ${requestId})`,
      when: isDecided(requestId, 'changed'),
    };
    return {
      ...plain,
      own: {
        moved_on: sql`EXISTS (SELECT 1 FROM desk_decisions WHERE id = ${id} AND ${isWaiting(deps, now)})`,
        self_decision: sql`w.handle <> ${maker} AND ${own.self_decision}`,
      },
      second: { moved_on: sql`${money.seen} IS (SELECT seen FROM desk_decisions WHERE id = ${id})` },
      about: { proposal: id, maker, reason: money.approval.reason },
      store: [endProposal({ ...end, outcome: 'approved', now })],
    };
  }
  const id = createId('prp', now, deps.randomBytes);
  const store = storeDecision(deps, id, { ...change, money });
  if (actor === 'operator' || money.amount <= deps.config.DESK_SECOND_ABOVE)
    return { ...plain, own, store: [store] };
  const decision = { ...change, money, maker: actor.handle };
  return {
    ...plain,
    own,
    second: secondRequirements(deps, decision),
    verdict: 'proposed',
    store: [store, ...(await announce(deps, id, decision))],
    waiting: selectProposals(sql`${isSameAsk(decision)} AND ${isWaiting(deps, now)}`),
  };
}

/** The administrators who may act, as a SELECT of `handle`. */
function administrators({ config }: Deps): SQL {
  const handles = JSON.stringify(config.ADMIN_PIDS.map(handleOf));
  return sql`SELECT i.handle FROM identities i JOIN json_each(${handles}) j ON j.value = i.handle WHERE i.status = 'active'`;
}

/** Selects rows of `desk_decisions` that are proposals and can be approved. */
export function isWaiting(deps: Deps, now: number): SQL {
  return sql`(desk_decisions.outcome IS NULL AND desk_decisions.expires_at > ${now}
    AND desk_decisions.maker IN (${administrators(deps)}))`;
}

export function selectProposals(where: SQL): Statement<ProposalRow> {
  return statement(sql`SELECT * FROM desk_decisions WHERE ${where}`);
}

/** Matches a decision of the same kind about the same document, or one with the same key by the same administrator. */
function isSameAsk({ action, target, maker, money }: ProposedDecision): SQL {
  return sql`desk_decisions.action = ${action} AND (desk_decisions.target = ${target}
    OR (desk_decisions.maker = ${maker} AND desk_decisions.idempotency_key = ${money.key ?? null}))`;
}

/** The requirements for an administrator to propose a decision. */
function secondRequirements(deps: Deps, decision: ProposedDecision): DeskRequirements {
  const { maker, detail, reason, now } = decision;
  const { key = null } = decision.money;
  const waits = sql`SELECT 1 FROM desk_decisions WHERE ${isSameAsk(decision)} AND ${isWaiting(deps, now)}`;
  return {
    same: sql`NOT EXISTS (${waits} AND desk_decisions.maker = ${maker}
      AND desk_decisions.detail = ${JSON.stringify(detail)} AND desk_decisions.reason = ${reason})`,
    [key === null ? 'moved_on' : 'idempotency_key_reused']: sql`NOT EXISTS (${waits})`,
    no_second_administrator: sql`EXISTS (${others(deps, decision)})`,
  };
}

/** The administrators who may approve a proposal, as a SELECT of `handle`. */
function others(deps: Deps, { maker, money }: ProposedDecision): SQL {
  return sql`SELECT o.handle FROM (${administrators(deps)}) o
    WHERE o.handle <> ${maker} AND o.handle NOT IN (${money.gainers})`;
}

/** A decision has an outcome; a proposal does not yet. */
function storeDecision(
  deps: Deps,
  id: string,
  { action, target, detail, reason, from, money, requestId, now }: Decision,
): Statement {
  return statement(sql`INSERT INTO desk_decisions (id, action, target, amount, gainers, seen, detail, reason,
      idempotency_key, second_above, maker, created_at, expires_at, outcome, decided_at)
    SELECT ${id}, ${action}, ${target}, ${money.amount}, (SELECT json_group_array(handle) FROM (${money.gainers})),
      ${money.seen}, ${JSON.stringify(detail)}, ${reason}, ${money.key ?? null}, ${deps.config.DESK_SECOND_ABOVE},
      w.handle, ${now}, ${now + proposalMs}, iif(w.verdict = 'changed', 'alone', NULL), iif(w.verdict = 'changed', ${now}, NULL)
    FROM (SELECT handle, verdict FROM decisions WHERE id = ${requestId} AND verdict IN ('changed','proposed')) w ${from}`);
}

/** Adds the audit log line about a proposed decision, and emails those who may approve it. */
async function announce(deps: Deps, id: string, decision: ProposedDecision): Promise<Statement[]> {
  const { action, target, detail, reason, maker, requestId, now } = decision;
  const { amount } = decision.money;
  const when = isDecided(requestId, 'proposed');
  return [
    recordAudit({
      actor: sql`${maker}`,
      action: 'proposal.made',
      target,
      detail: { proposal: id, decides: action, ...detail, amount, reason, op: requestId },
      when,
      now,
    }),
    await noticeStatement(deps, {
      kind: 'desk_proposal',
      handle: others(deps, decision),
      when,
      params: { maker: pidOf(maker), amount: String(amount), provider: target },
      now,
    }),
  ];
}

/** Closes a proposal. @param end.by the person who approved or rejected it */
export function endProposal(end: {
  readonly id: string;
  readonly outcome: 'approved' | 'rejected' | 'withdrawn';
  readonly by: SQL;
  readonly when: SQL;
  readonly now: number;
}): Statement {
  return statement(sql`UPDATE desk_decisions SET outcome = ${end.outcome}, decided_by = ${end.by}, decided_at = ${end.now}
    WHERE id = ${end.id} AND outcome IS NULL AND ${end.when}`);
}

export function toProposal(row: ProposalRow): Proposal {
  const { id, action, target, amount, reason, decided_by, decided_at } = row;
  return {
    ...{ id, action, target, asset: 'IDR', amount, reason },
    gainers: stringList(row.gainers).map(pidOf),
    detail: JSON.parse(row.detail),
    maker: pidOf(row.maker),
    createdAt: isoTime(row.created_at),
    expiresAt: isoTime(row.expires_at),
    outcome: row.outcome === 'alone' ? null : row.outcome,
    decidedBy: decided_by === null ? null : pidOf(decided_by),
    decidedAt: decided_at === null ? null : isoTime(decided_at),
  };
}
