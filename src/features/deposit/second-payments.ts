import { all, integer, type Row, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { derivedId, isoTime, pidOf } from '../../lib/id.ts';
import type { Payment } from '../gateway/gateway.ts';
import { actingCaller, type Caller } from '../grant/acting-caller.ts';
import { maxAmount } from '../ledger/schema.ts';
import { adjust, isOpen, systemAccount } from '../ledger/statements.ts';
import { noticeStatement } from '../mail/mail.ts';
import type { SecondPayment } from './schema.ts';
import { type DepositRow, integerOrNull } from './statements.ts';
import type { secondPayments } from './tables.ts';

export type SecondPaymentRow = Row<typeof secondPayments>;

/**
 * Keeps every payment for an order except the credited one in suspense, once per payment id, and emails the person.
 * Triggers open a case for an administrator and notify the app.
 * @param own the id of the credited payment
 */
export async function suspendOthers(
  deps: Deps,
  row: DepositRow,
  { payments, own }: { payments: readonly Payment[]; own: string | null },
): Promise<Statement[]> {
  const suspended = payments
    .filter(({ id }) => id !== own)
    .map(async (payment) => {
      const { id, amount, currency } = payment;
      if (amount === undefined || currency !== row.asset)
        deps.log.error('deposit.unattributable', { id: row.id, payment: id, currency });
      return suspend(deps, row, payment);
    });
  return (await Promise.all(suspended)).flat();
}

async function suspend(deps: Deps, row: DepositRow, payment: Payment): Promise<Statement[]> {
  const now = deps.now();
  const id = derivedId('adj', `${row.gateway} ${payment.id}`);
  const reason = `Another payment of one deposit: ${payment.id}`;
  const deposit = sql`FROM deposits d WHERE d.id = ${row.id} AND (d.status IN ('credited','reversed') OR d.failure = 'rejected')
    AND d.payment <> ${payment.id} AND ${payment.currency} = d.asset
    AND ${integerOrNull(payment.amount)} BETWEEN 1 AND ${integer(maxAmount)} AND ${isOpen}`;
  const { handle } = row;
  return [
    await noticeStatement(deps, {
      kind: 'second_payment',
      handle: sql`${handle}`,
      when: sql`NOT EXISTS (SELECT 1 FROM second_payments WHERE id = ${id}) AND EXISTS (SELECT 1 ${deposit})`,
      params: { pid: pidOf(handle), amount: String(payment.amount) },
      now,
    }),
    adjust(sql`SELECT ${id}, 'second_payment', ${systemAccount('gateway')}, ${systemAccount('suspense')},
      ${integerOrNull(payment.amount)}, d.id, ${reason}, 'gateway', NULL, NULL, ${integer(now)} ${deposit}`),
  ];
}

/** A person's second payments waiting for a decision, oldest first. */
export async function listSecondPayments(deps: Deps, caller: Caller): Promise<SecondPayment[]> {
  const rows = await all(
    deps.db,
    selectSecondPayments(sql`handle = (SELECT w.handle FROM ${actingCaller(caller, deps.now())} w)
      AND status = 'open' ORDER BY id LIMIT 20`),
  );
  return rows.map(toSecondPayment);
}

/** @param where a condition on `second_payments`, and any clauses after it */
export function selectSecondPayments(where: SQL): Statement<SecondPaymentRow> {
  return statement(sql`SELECT * FROM second_payments WHERE ${where}`);
}

export function toSecondPayment(row: SecondPaymentRow): SecondPayment {
  const { id, deposit, handle, amount, status, at, decided_at } = row;
  return {
    ...{ id, status, depositId: deposit, pid: pidOf(handle), asset: 'IDR', amount },
    createdAt: isoTime(at),
    decidedAt: decided_at === null ? null : isoTime(decided_at),
  };
}

/**
 * Resolves a second payment: a trigger moves the money from suspense to the wallet, or to the account of the refunding
 * provider, according to the stored decision.
 */
export function endSecondPayment(v: {
  readonly id: string;
  readonly status: 'credited' | 'returned';
  readonly now: number;
  readonly when: SQL;
}): Statement {
  return statement(sql`UPDATE second_payments SET status = ${v.status}, decided_at = ${v.now}
    WHERE id = ${v.id} AND status = 'open' AND ${isOpen} AND ${v.when}`);
}
