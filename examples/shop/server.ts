/**
 * The shop's back end. It identifies the visitor by their session, sets the prices, requests approvals with the app's
 * secret, and is notified of payments by webhook. `npm run dev` starts it. To start it separately:
 *
 * APP_ID=app_… APP_SECRET=pids_… WEBHOOK_SECRET=whsec_… PAYEE=kedai-pagi@pid ORIGIN=http://localhost:5173 bun
 * examples/shop/server.ts
 */
import { Hono } from 'hono';
import { createApproval, verifyOrigin, verifySession, verifyWebhook } from 'peridot-sdk/server';
import { markPaid, markRefunded, orders, type Payment, type StoredOrder, takeInquiry } from './orders.ts';
import { type Items, isProductId, totalOf } from './src/catalog.ts';
import type { Order, Shop } from './src/purchase.ts';

const { PID_URL = 'http://localhost:8787', PORT = '3001', PAYEE = '', ORIGIN = '' } = process.env;
const { APP_ID = '', APP_SECRET = '', WEBHOOK_SECRET = '' } = process.env;

const shop = new Hono<{ Variables: { buyer: string } }>();

/** The data that the page needs to request payments. */
shop.get('/shop', (c) => c.json<Shop>({ appId: APP_ID, payee: PAYEE }));

/** The session cookie identifies the buyer, and the Origin header proves that the request came from the shop's page. */
shop.use('/shop/orders/*', async (c, next) => {
  if (!verifyOrigin(c.req.raw, [ORIGIN])) return c.json({ message: 'Origin is not allowed' }, 403);
  const session = await verifySession(c.req.raw, { baseUrl: PID_URL });
  if (!session) return c.json({ message: 'Authentication is required' }, 401);
  c.set('buyer', session.pid);
  return next();
});

/** The buyer's paid orders, newest first. */
shop.get('/shop/orders', (c) =>
  c.json(orders.filter(({ buyer, status }) => buyer === c.get('buyer') && status !== 'open').toReversed()),
);

/** The page chooses the products, and the back end sets the prices. */
shop.post('/shop/orders', async (c) => {
  const items = itemsOf(await c.req.json());
  const total = totalOf(items);
  if (total === 0) return c.json({ message: 'The cart is empty' }, 400);
  const id = crypto.randomUUID();
  const order: StoredOrder = {
    ...{ id, number: 1001 + orders.length, items, total, status: 'open', transferId: null },
    ...{ createdAt: new Date().toISOString(), buyer: c.get('buyer') },
  };
  orders.push(order);
  return c.json<Order>(order);
});

/** Requests the buyer's approval of the inquiry made by their page. The page opens the popup. */
shop.post('/shop/orders/:id/approval', async (c) => {
  const order = orders.find(({ id, buyer }) => id === c.req.param('id') && buyer === c.get('buyer'));
  if (!order) return c.json({ message: 'Unknown order' }, 404);
  const { inquiryId } = await c.req.json<{ inquiryId: string }>();
  // The service rejects an origin that the app does not list, and another app's inquiry.
  const { requestId, verifier } = await createApproval({
    baseUrl: PID_URL,
    appId: APP_ID,
    secret: APP_SECRET,
    inquiryId,
    origin: ORIGIN,
  });
  if (!takeInquiry(order, inquiryId)) return c.json({ message: 'The inquiry belongs to another order' }, 409);
  return c.json({ requestId, verifier });
});

/**
 * The money has arrived or was refunded. Only this changes an order, regardless of the page. A repeated event changes
 * nothing.
 */
shop.post('/webhooks', async (c) => {
  const event = await verifyWebhook<Payment>(c.req.raw, await c.req.text(), WEBHOOK_SECRET);
  if (!event) return c.body(null, 401);
  if (event.type === 'transfer.completed') markPaid(event.data, PAYEE);
  if (event.type === 'transfer.refunded') markRefunded(event.data.refundOf);
  if (event.type === 'transfer.reversed') markRefunded(event.data.id);
  return c.body(null, 204);
});

shop.onError((error, c) => c.json({ message: error.message }, 502));

/** Products of the catalogue, at most 20 of each. */
function itemsOf(given: unknown): Items {
  const counts = Object.entries(Object(given)).filter(
    ([id, count]) => isProductId(id) && Number.isInteger(count) && Number(count) > 0 && Number(count) <= 20,
  );
  return Object.fromEntries(counts);
}

export default { hostname: '127.0.0.1', port: Number(PORT), fetch: shop.fetch };
