import { type SQL, sql } from 'drizzle-orm';
import type { Balance } from './schema.ts';

/** What an account holds. Counters may exceed what a number holds exactly, so they are never read themselves. */
export interface HeldRow {
  readonly balance: number;
  readonly held: number;
}

/** `HeldRow` of the account `a`. */
export const heldColumns: SQL = sql`a.credits_posted - a.debits_posted AS balance, a.debits_pending AS held`;

/** IDR is the only asset, in whole rupiah. */
export function toBalance({ balance, held }: HeldRow): Balance {
  return { asset: 'IDR', scale: 0, available: balance - held, held, balance };
}
