import { all, run, type SQL, type Statement, sql } from '../../db/database.ts';
import { workOff } from '../../db/due.ts';
import type { Deps } from '../../deps.ts';
import { readableName } from '../../lib/display-name.ts';
import { recordAudit } from '../activity/statements.ts';
import { payoutGateway } from '../gateway/configured.ts';
import {
  GatewayAmbiguous,
  GatewayRefused,
  GatewayUnavailable,
  type PayoutGateway,
  type PayoutStatus,
  type SentPayout,
} from '../gateway/gateway.ts';
import { noticeStatement, sendSoon } from '../mail/mail.ts';
import { decryptDestination } from './destination.ts';
import { noticeOf, type WithdrawalNotice } from './notice.ts';
import {
  canEnd,
  canReturn,
  claimDue,
  contradict,
  creditReturned,
  end,
  readTaken,
  unknownMs,
  type WithdrawalRow,
  wait,
} from './statements.ts';

/** Concurrent provider calls; Workers allow six connections. */
const atOnce = 5;
const mostOfJob = 50;
/** The time limit of a worker: two calls of at most ten seconds each, and its writes. */
const leaseMs = 60_000;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** The delays after the first attempts; later attempts follow hourly for two days, then daily. */
const pauses = [1, 2, 5, 15, 30].map((minutes) => minutes * minuteMs);
/** The times after `paid` at which the provider is queried: banks return a payout within two weeks. */
const looks = [hourMs, 6 * hourMs, dayMs, 2 * dayMs, 3 * dayMs, 5 * dayMs, 7 * dayMs, 10 * dayMs, 14 * dayMs];

/** The time of the next check of a submitted withdrawal. */
function nextTry({ tries, submitted_at }: WithdrawalRow, now: number): number {
  const later = now - (submitted_at ?? now) < 2 * dayMs ? hourMs : dayMs;
  return now + (pauses[tries - 1] ?? later);
}

/** The time of the next check of a paid withdrawal; null after the last one. */
export function nextLook(paidAt: number, now: number): number | null {
  const look = looks.find((after) => paidAt + after > now);
  return look === undefined ? null : paidAt + look;
}

/** The scheduled job: pays out held withdrawals, and queries the provider about the others. */
export async function sendPayouts(deps: Deps): Promise<{ answered: number; unanswered: number }> {
  if (deps.config.gateways.payouts === null) return { answered: 0, unanswered: 0 };
  return workPayouts(deps, await payoutGateway(deps));
}

/** The same for a given provider. */
export async function workPayouts(
  deps: Deps,
  gateway: PayoutGateway,
): Promise<{ answered: number; unanswered: number }> {
  const { done: answered, failed: unanswered } = await workOff<WithdrawalRow>({
    atOnce,
    most: mostOfJob,
    claimsAll: true,
    claim(limit) {
      const now = deps.now();
      return all(deps.db, claimDue({ gateway: gateway.name, limit, until: now + leaseMs, now }));
    },
    handle: (row) => handle(deps, gateway, row),
  });
  return { answered, unanswered };
}

/** @returns true if the provider responded */
async function handle(deps: Deps, gateway: PayoutGateway, row: WithdrawalRow): Promise<boolean> {
  const { id, status, tries, failure, submitted_at, ended_at } = row;
  const isYoung = deps.now() - (submitted_at ?? 0) < unknownMs;
  // The operator may return the money at any time while a decision is pending, so it is not sent until then.
  const answer = await ask(deps, gateway, row, isYoung && failure !== 'payout_reused');
  const outcome = answer === null ? 'open' : await settle(deps, row, answer);
  if (outcome === 'done') return true;
  const now = deps.now();
  const look = nextLook(ended_at ?? now, now);
  // A last check without a response is repeated.
  const again = answer === null ? nextTry(row, now) : null;
  const isLost = status === 'submitted' && answer?.state === 'unknown' && !isYoung;
  const [waiting] = await all(
    deps.db,
    wait({
      id,
      gateway: row.gateway,
      tries,
      nextAt: status === 'paid' && outcome === 'open' ? (look ?? again) : nextTry(row, now),
      payout: answer?.payoutId ?? null,
      failure: isLost ? 'unknown' : null,
      isAnswered:
        answer !== null && (status === 'submitted' || (answer.state === 'paid' && failure === 'declared')),
    }),
  );
  if (status === 'submitted' && waiting?.failure)
    deps.log.error(`withdrawal.${waiting.failure}`, { id, tries });
  return answer !== null;
}

/**
 * A withdrawal as sent to the provider in a query: the provider may still report a payout as failed that only the
 * operator has marked paid.
 */
export function asSent(row: WithdrawalRow): SentPayout {
  const isDeclared = row.failure === 'declared' || row.failure === 'contradicted';
  return { ...row, status: isDeclared ? 'declared' : row.status };
}

/** A status, and whether it is the rejection of a single call, which proves nothing about other calls. */
type Answer = PayoutStatus & { readonly isRefusal?: true };

/**
 * Reads the provider's response; null if there is none. Only the provider's explicit report of a failed payout is
 * treated as a failure.
 * @param maySend true if an id unknown to the provider may be sent again
 */
async function ask(
  deps: Deps,
  gateway: PayoutGateway,
  row: WithdrawalRow,
  maySend: boolean,
): Promise<Answer | null> {
  const { id, status, tries } = row;
  const isFirst = status === 'submitted' && tries === 1;
  try {
    const answer: PayoutStatus = isFirst ? { state: 'unknown' } : await gateway.getPayout(asSent(row));
    const isMissing = status === 'submitted' && answer.state === 'unknown';
    return isMissing && maySend ? await send(deps, gateway, row) : answer;
  } catch (error) {
    if (isFirst && error instanceof GatewayRefused)
      return { state: 'failed', failure: error.message, isRefusal: true };
    const isExpected = error instanceof GatewayUnavailable || error instanceof GatewayAmbiguous;
    deps.log[isExpected ? 'warn' : 'error']('withdrawal.unanswered', { id, tries, error });
    return null;
  }
}

/** Retries of a call have the same id, so the provider makes only one payout. */
async function send(deps: Deps, gateway: PayoutGateway, row: WithdrawalRow): Promise<PayoutStatus> {
  const { id, amount, tries } = row;
  const destination = await decryptDestination(deps, id, row.destination_enc);
  if (destination === null) {
    deps.log.error('withdrawal.unreadable', { id });
    return { state: 'unknown' };
  }
  const { bankCode, accountNumber, holder } = destination;
  deps.log.info('withdrawal.sent', { id, amount, tries });
  return gateway.createPayout({ id, amount, destination: { bankCode, accountNumber }, holder });
}

/**
 * Applies the provider's report on a payout, only once.
 * @returns `open` if nothing changes, `stopped` if the report cannot be applied now
 */
export async function settle(
  deps: Deps,
  row: WithdrawalRow,
  { state, payoutId, failure, isRefusal }: Answer,
): Promise<'open' | 'done' | 'stopped'> {
  const { id, status, gateway } = row;
  const payout = payoutId ?? null;
  const named = { id, gateway, payout };
  const now = deps.now();
  if (status === 'paid') {
    const isUnknown = state === 'unknown' && row.failure !== 'declared';
    if (state === 'failed' || isUnknown) await leaveToPerson(deps, id, state);
    if (state !== 'returned') return 'open';
    const when = canReturn(named);
    const change = creditReturned({ id, when, now });
    return apply(deps, row, { kind: 'withdrawal_returned', payout, when, change, now });
  }
  if (state === 'failed') {
    // A rejection is a failure only if no other call can have been made.
    const when = canEnd(named, isRefusal ? 1 : undefined);
    const reason = readableName(failure ?? '') ?? 'failed';
    const change = end({ id, status: 'failed', payout, failure: reason, nextAt: null, when, now });
    return apply(deps, row, { kind: 'withdrawal_failed', payout, when, change, now });
  }
  if (state !== 'paid' && state !== 'returned') return 'open';
  const when = canEnd(named);
  // Money that has already been returned is credited by the next check.
  const nextAt = state === 'returned' ? now : nextLook(now, now);
  const change = end({ id, status: 'paid', payout, failure: null, nextAt, when, now });
  return apply(deps, row, { kind: 'withdrawal_paid', payout, when, change, now });
}

/** A paid payout can neither fail nor become unknown later: no money moves, and an administrator decides. */
async function leaveToPerson(deps: Deps, id: string, state: PayoutStatus['state']): Promise<void> {
  const action = 'withdrawal.contradicted';
  const isNew = sql`EXISTS (SELECT 1 FROM withdrawals WHERE id = ${id} AND status = 'paid' AND failure IS NOT 'contradicted')`;
  const line = {
    actor: 'system',
    action,
    target: id,
    detail: { state },
    when: isNew,
    now: deps.now(),
  } as const;
  const { changed } = await run(deps.db, { audit: [recordAudit(line)], changed: contradict(id) });
  if (changed.length > 0) deps.log.error(action, { id, state });
}

interface Change {
  readonly kind: WithdrawalNotice;
  /** The provider's id of the payout. */
  readonly payout: string | null;
  /** The condition for the change. */
  readonly when: SQL;
  readonly change: Statement<WithdrawalRow>;
  readonly now: number;
}

/**
 * Changes a withdrawal and notifies the person. The email comes first, so that a retry after a lost response sends
 * none.
 */
async function apply(
  deps: Deps,
  row: WithdrawalRow,
  { kind, payout, when, change, now }: Change,
): Promise<'open' | 'done' | 'stopped'> {
  const { id, gateway } = row;
  const notice = await noticeStatement(deps, noticeOf(row, { kind, when, now }));
  const { taken, changed } = await run(deps.db, {
    mail: [notice],
    taken: readTaken({ id, gateway, payout }),
    changed: change,
  });
  if (taken.length > 0) return 'open';
  if (changed.length === 0) return 'stopped';
  deps.log.info('withdrawal.settled', { id, kind });
  sendSoon(deps);
  return 'done';
}
