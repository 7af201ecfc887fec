import { all, type SQL, sql } from '../../db/database.ts';
import { workOff } from '../../db/due.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { paymentGateway } from '../gateway/configured.ts';
import type { PaymentGateway } from '../gateway/gateway.ts';
import { reconcileDeposit } from './reconcile.ts';
import { claimDue, type DepositRow, longestDue } from './statements.ts';

/** Deposits checked concurrently; Workers allow six connections. */
const atOnce = 5;
/**
 * Deposits per run: a Worker may make 1,000 subrequests, and a check needs one to the provider and two or three to the
 * database.
 */
const mostOfJob = 250;
/** A run ends before the next one starts, so that a slow provider does not delay other jobs. */
const claimsForMs = 30_000;
/** The minimum time between checks of an order during a flood of notifications. */
const pauseMs = 1000;

/**
 * The scheduled job, which checks the longest-waiting deposits, alternating between people. While money may not move,
 * they stay due.
 */
export async function reconcileDue(deps: Deps): Promise<{ reconciled: number; failed: number }> {
  if (deps.config.gateways.payments === null) return { reconciled: 0, failed: 0 };
  const gateway = await paymentGateway(deps);
  const until = deps.now() + claimsForMs;
  const { done, failed } = await workOff<DepositRow>({
    atOnce,
    most: mostOfJob,
    claimsAll: true,
    async claim(limit) {
      const now = deps.now();
      return now < until ? claim(deps, gateway, longestDue(gateway.name, now, limit)) : [];
    },
    handle: (row) => handle(deps, gateway, row),
  });
  return { reconciled: done, failed };
}

/**
 * Checks a deposit made due by a notification or a newer deposit, unless a check started moments ago; then the job
 * checks it later.
 */
export async function lookAt(deps: Deps, gateway: PaymentGateway, id: string): Promise<void> {
  const [row] = await claim(deps, gateway, sql`id = ${id} AND asked_at <= ${deps.now() - pauseMs}`);
  if (row) await handle(deps, gateway, row);
}

function claim(deps: Deps, { name }: PaymentGateway, where: SQL): Promise<DepositRow[]> {
  return all(deps.db, claimDue({ gateway: name, where, now: deps.now() }));
}

/** True if the provider responded. */
async function handle(deps: Deps, gateway: PaymentGateway, row: DepositRow): Promise<boolean> {
  try {
    await reconcileDeposit(deps, gateway, row);
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    deps.log.warn('deposit.unreachable', { id: row.id, reason: error.reason ?? error.code });
    return false;
  }
}
