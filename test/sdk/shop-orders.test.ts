import { expect, it } from 'vitest';
import { markPaid, markRefunded, orders, type StoredOrder, takeInquiry } from '../../examples/shop/orders.ts';

function openOrder(id: string): StoredOrder {
  const order: StoredOrder = {
    ...{ id, number: 1001, items: {}, total: 22_000, status: 'open', transferId: null },
    ...{ createdAt: '2026-01-01T00:00:00Z', buyer: 'ayu@pid' },
  };
  orders.push(order);
  return order;
}

const payment = { id: 'trf_1', inquiryId: 'inq_1', refundOf: '', to: 'shop@pid', amount: 22_000 };

it('the example shop counts a payment toward only one order, even if it is reported twice', () => {
  const [first, second] = [openOrder('a'), openOrder('b')];
  expect(takeInquiry(first, 'inq_1')).toBe(true);
  expect(takeInquiry(first, 'inq_1')).toBe(true);
  expect(takeInquiry(second, 'inq_1')).toBe(false);
  markPaid(payment, 'shop@pid');
  expect([first.status, first.transferId, second.status]).toEqual(['paid', 'trf_1', 'open']);
  // Not even once the first order has another status.
  markPaid(payment, 'shop@pid');
  markRefunded('trf_1');
  expect(takeInquiry(second, 'inq_1')).toBe(false);
  markPaid(payment, 'shop@pid');
  expect([first.status, second.status]).toEqual(['refunded', 'open']);
});

it('the example shop accepts a payment of an earlier inquiry, but only of the order’s total to the shop', () => {
  const order = openOrder('c');
  takeInquiry(order, 'inq_2');
  takeInquiry(order, 'inq_3');
  markPaid({ ...payment, inquiryId: 'inq_2', amount: 1 }, 'shop@pid');
  markPaid({ ...payment, inquiryId: 'inq_2', to: 'eve@pid' }, 'shop@pid');
  expect(order.status).toBe('open');
  markPaid({ ...payment, inquiryId: 'inq_2' }, 'shop@pid');
  expect(order.status).toBe('paid');
});
