import { type SQL, sql } from '../../db/database.ts';
import type { Balance } from './schema.ts';

/** An account's balance. The counters may exceed JavaScript's safe integers, so only differences are read. */
export interface HeldRow {
  readonly balance: number;
  readonly held: number;
  readonly debt: number;
}

/** `HeldRow` of the account `a`. */
export const heldColumns: SQL = sql`a.credits_posted - a.debits_posted AS balance, a.debits_pending AS held, a.debt`;

/** IDR is the only asset, in whole rupiah. */
export function toBalance({ balance, held, debt }: HeldRow): Balance {
  return { asset: 'IDR', scale: 0, available: balance - held, held, balance, debt };
}
