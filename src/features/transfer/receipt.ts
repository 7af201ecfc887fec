import { first, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Caller } from '../grant/acting-caller.ts';
import type { TransactionDetail } from '../ledger/schema.ts';
import { getTransaction } from '../ledger/transactions.ts';
import { getTransfer } from './read.ts';
import type { Transfer } from './schema.ts';

/** A movement of the caller's wallet, with the transfer that it comes from and the name of the app that asked for it. */
export interface Receipt {
  readonly line: TransactionDetail;
  readonly transfer: Transfer | null;
  readonly app: string | null;
}

/** @throws AppError transaction_not_found, wallet_not_found, and as `explainCaller` */
export async function getReceipt(deps: Deps, caller: Caller, id: string): Promise<Receipt> {
  const line = await getTransaction(deps, caller, id);
  const { reference, appId } = line;
  const name = statement<{ name: string }>(sql`SELECT a.name FROM apps a WHERE a.id = ${appId}`);
  const [transfer, app] = await Promise.all([
    reference.type === 'transfer' ? getTransfer(deps, caller, reference.id) : null,
    appId === null ? null : first(deps.db, name),
  ]);
  return { line, transfer, app: app?.name ?? null };
}
