import type { MidtransTransaction } from './midtrans-driver.ts';
import { bankStatement, providerReport, type Reported } from './reports.ts';

/** Returns Midtrans's fee: a share for QRIS, rounded up, plus a fixed amount for cards. */
export function midtransFee({ payment_type, gross_amount }: MidtransTransaction): number {
  const gross = Number(gross_amount);
  return payment_type === 'credit_card' ? Math.ceil(gross * 0.029) + 2_000 : Math.ceil(gross * 0.007);
}

/** Returns the settled lines in Midtrans's books: a payment, and its reversed part. */
function linesOf(transaction: MidtransTransaction): Reported[] {
  const {
    order_id: id,
    transaction_id: payment,
    transaction_status,
    settlement_time,
    ...other
  } = transaction;
  const gross = Number(other.gross_amount);
  const day = (settlement_time ?? other.transaction_time).slice(0, 10);
  if (settlement_time === undefined) return [{ id, payment, day, gross, status: transaction_status }];
  const paid = { id, payment, day, gross, fee: midtransFee(transaction), status: 'settlement' };
  const back = { ...paid, gross: -gross, fee: 0, status: transaction_status };
  return transaction_status === 'settlement' ? [paid] : [paid, back];
}

/** A period's settlement report. @param doubled orders whose lines occur twice, by a mistake in the report */
export function settlementReport(
  transactions: readonly MidtransTransaction[],
  doubled: readonly string[],
): string {
  const twice = new Set(doubled);
  return providerReport(
    transactions.flatMap((one) => [...linesOf(one), ...(twice.has(one.order_id) ? linesOf(one) : [])]),
  );
}

/** The bank statement: Midtrans's transfers for each day, one day later. */
export function payoutStatement(transactions: readonly MidtransTransaction[]): string {
  const days = new Map<string, number>();
  for (const { day, gross, fee = 0, status } of transactions.flatMap(linesOf))
    if (status === 'settlement' || gross < 0) days.set(day, (days.get(day) ?? 0) + gross - fee);
  return bankStatement(
    [...days].map(([day, amount]) => ({ day, text: `MIDTRANS SETTLEMENT PO-${day}`, amount })),
  );
}
