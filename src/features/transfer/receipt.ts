import { first, run, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { partyLine, withoutLinks } from '../../lib/display-name.ts';
import { pidOf } from '../../lib/id.ts';
import { actingCaller, type Caller } from '../grant/acting-caller.ts';
import type { TransactionDetail } from '../ledger/schema.ts';
import { getTransaction } from '../ledger/transactions.ts';
import { noticeStatement, sendSoon } from '../mail/mail.ts';
import { getTransfer } from './read.ts';
import type { Transfer } from './schema.ts';
import { refOf } from './transfer.ts';

/** A movement of the caller's wallet, with its transfer and the name of the app that requested it. */
export interface Receipt {
  readonly line: TransactionDetail;
  readonly transfer: Transfer | null;
  /** The transfer's refunds, oldest first. */
  readonly refunds: readonly { readonly id: string; readonly amount: number }[];
  readonly app: string | null;
  /** Whether the person has a verified address. */
  readonly canMail: boolean;
}

/** @throws AppError transaction_not_found, wallet_not_found, and those of `explainCaller` */
export async function getReceipt(deps: Deps, caller: Caller, id: string): Promise<Receipt> {
  const line = await getTransaction(deps, caller, id);
  const { reference, appId } = line;
  const name = statement<{ name: string }>(sql`SELECT a.name FROM apps a WHERE a.id = ${appId}`);
  const address = statement(sql`SELECT 1 FROM emails WHERE handle = ${caller.handle} LIMIT 1`);
  const refunds = statement<{ id: string; amount: number }>(
    sql`SELECT t.id, t.amount FROM transfers t WHERE t.refund_of = ${refOf(reference.id, 'trf')} ORDER BY t.id LIMIT 20`,
  );
  const [{ mailed, refunded }, transfer, app] = await Promise.all([
    run(deps.db, { mailed: address, refunded: refunds }),
    reference.type === 'transfer' ? getTransfer(deps, caller, reference.id) : null,
    appId === null ? null : first(deps.db, name),
  ]);
  return {
    ...{ line, transfer, app: app?.name ?? null, canMail: mailed.length > 0 },
    refunds: refunded.map(({ id, amount }) => ({ id: `trf_${id}`, amount })),
  };
}

/**
 * Sends the receipt to the person's verified addresses, at most 20 an hour to each. @throws AppError those of
 * `getReceipt`
 */
export async function mailReceipt(deps: Deps, caller: Caller, id: string): Promise<void> {
  const { line, app } = await getReceipt(deps, caller, id);
  const now = deps.now();
  const { counterparty: other, direction, amount, fees, memo, createdAt } = line;
  const party = other && partyLine(other.pid, other.displayName);
  const notice = await noticeStatement(deps, {
    kind: 'receipt',
    handle: sql`${caller.handle}`,
    when: sql`EXISTS (SELECT 1 FROM ${actingCaller(caller, now)})`,
    params: {
      pid: pidOf(caller.handle),
      movement: line.kind,
      amount: String(amount),
      ...(fees > 0 && { fee: String(fees) }),
      ...(party && { [direction === 'in' ? 'sender' : 'destination']: party }),
      ...(memo !== null && { memo: withoutLinks(memo) }),
      ...(app !== null && { app: withoutLinks(app) }),
      at: String(Date.parse(createdAt)),
      reference: id,
    },
    now,
  });
  await run(deps.db, { change: [notice] });
  sendSoon(deps);
}
