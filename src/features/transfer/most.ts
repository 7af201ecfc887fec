import { all } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Caller } from '../grant/acting-caller.ts';
import { feesOf } from '../ledger/fee.ts';
import { feesInForce, rulesOf } from '../ledger/fees.ts';
import { maxAmount } from '../ledger/schema.ts';
import { getWallet } from '../ledger/wallet.ts';

/**
 * The largest amount that the person can send, after the fee; 0 if there is none. @throws AppError those of `getWallet`
 */
export async function mostSendable(deps: Deps, caller: Caller): Promise<number> {
  const [{ balances }, fees] = await Promise.all([
    getWallet(deps, caller),
    all(deps.db, feesInForce(null, 'transfer')),
  ]);
  const rules = rulesOf(deps, fees);
  const available = balances[0]?.available ?? 0;
  let [least, most] = [0, Math.min(available, maxAmount)];
  // The cost never decreases as the amount increases.
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (middle + feesOf(middle, rules).payer <= available) least = middle;
    else most = middle - 1;
  }
  return least;
}
