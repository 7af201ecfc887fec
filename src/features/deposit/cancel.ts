import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { paymentGatewayNamed } from '../gateway/configured.ts';
import type { Caller } from '../grant/acting-caller.ts';
import { findDeposit, showTo } from './deposit.ts';
import { cancelAt, endDeposit, reconcileDeposit } from './reconcile.ts';
import type { Deposit } from './schema.ts';
import type { DepositRow } from './statements.ts';

/**
 * Cancels an unpaid deposit, first at the provider. A retry returns the deposit. A late payment is still credited.
 * @throws AppError transaction_not_found, deposit_final, gateway_not_configured, gateway_unavailable, and as
 *   `explainCaller`
 */
export async function cancelDeposit(deps: Deps, caller: Caller, id: string): Promise<Deposit> {
  const row = await findDeposit(deps, caller, id);
  const ended = isOpen(row) ? await endAtProvider(deps, row) : row;
  if (ended.status !== 'expired' && ended.status !== 'failed') throw new AppError('deposit_final');
  return showTo(deps, caller, ended);
}

function isOpen({ status }: DepositRow): boolean {
  return status === 'creating' || status === 'pending';
}

async function endAtProvider(deps: Deps, row: DepositRow): Promise<DepositRow> {
  const gateway = await paymentGatewayNamed(deps, row.gateway);
  if (gateway === null) throw new AppError('gateway_not_configured');
  // Nobody has the URL of a page that was never opened.
  const isEnded = row.session === null || (await cancelAt(gateway, row.id, row.session));
  // Only the provider knows the outcome, because the deposit may just have been paid.
  const after = row.session === null ? row : (await reconcileDeposit(deps, gateway, row)).row;
  return isEnded && isOpen(after) ? (await endDeposit(deps, after)).row : after;
}
