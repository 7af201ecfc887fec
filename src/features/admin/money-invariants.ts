import { sql } from '../../db/database.ts';
import { depositInvariants, depositKinds } from '../deposit/invariants.ts';
import {
  type Invariants,
  ledgerInvariants,
  ledgerKinds,
  recentLegs,
  violations,
} from '../ledger/invariants.ts';
import { reconcileInvariants, reconcileKinds } from '../reconcile/invariants.ts';
import { transferInvariants, transferKinds } from '../transfer/invariants.ts';
import { withdrawalInvariants, withdrawalKinds } from '../withdrawal/invariants.ts';

/** Every kind of leg. Each kind belongs to a document that its feature checks. */
const kinds = [
  ...['debt_payment', ...ledgerKinds, ...transferKinds, ...depositKinds, ...withdrawalKinds],
  ...reconcileKinds,
];

/**
 * The money invariants of every feature that moves money, for the hourly check, `ledger check` and the model tests.
 * @param after the last leg seen by an earlier check; 0 to read everything
 */
export function moneyInvariants(after: number): Invariants {
  return {
    ...ledgerInvariants(after),
    ...transferInvariants(after),
    ...withdrawalInvariants(after),
    ...depositInvariants(after),
    ...reconcileInvariants(after),
    knownKind: violations(sql`SELECT r.seq AS what FROM ${recentLegs(after)} r
      WHERE r.kind NOT IN (SELECT value FROM json_each(${JSON.stringify(kinds)}))`),
  };
}
