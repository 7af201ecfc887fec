import type { Order } from './src/purchase.ts';

export type StoredOrder = { -readonly [Key in keyof Order]: Order[Key] } & { buyer: string };

/** The data of `transfer.completed`, `transfer.refunded` and `transfer.reversed`. */
export interface Payment {
  readonly id: string;
  readonly inquiryId: string;
  readonly refundOf: string;
  readonly to: string;
  readonly amount: number;
}

/** A real shop stores these in a database, where the inquiry is a unique key. */
export const orders: StoredOrder[] = [];
const orderOf = new Map<string, StoredOrder>();

/**
 * Makes an inquiry the payment of an order, for good: a payment that is reported twice must not pay two orders. An order
 * may have several inquiries, because a buyer may reject one and try again.
 * @returns false if it is another order's
 */
export function takeInquiry(order: StoredOrder, inquiryId: string): boolean {
  const taken = orderOf.get(inquiryId) ?? order;
  orderOf.set(inquiryId, taken);
  return taken === order;
}

/** The money of an order has arrived. A repeated event changes nothing. */
export function markPaid({ id, inquiryId, to, amount }: Payment, payee: string): void {
  const order = orderOf.get(inquiryId);
  if (order?.status !== 'open' || to !== payee || amount !== order.total) return;
  order.status = 'paid';
  order.transferId = id;
}

/** The buyer has the money of an order back: the shop refunded it, or an operator reversed the payment. */
export function markRefunded(transfer: string): void {
  const order = orders.find(({ transferId }) => transferId === transfer);
  if (order) order.status = 'refunded';
}
