/**
 * A shop's back end: it requests approvals with the app's secret, and is notified of payments by webhook. `npm run dev`
 * starts it for examples/spa and examples/spa-react. To start it separately:
 *
 * APP_ID=app_… APP_SECRET=pids_… WEBHOOK_SECRET=whsec_… PAYEE=ayu@pid bun examples/shop-backend/server.ts
 */
import { Hono } from 'hono';
import { createApproval, verifyWebhook } from 'peridot-sdk/server';

const { PID_URL = 'http://localhost:8787', PORT = '3001', PAYEE = '' } = process.env;
const { APP_ID = '', APP_SECRET = '', WEBHOOK_SECRET = '' } = process.env;

interface Order {
  readonly id: string;
  readonly amount: number;
  status: 'open' | 'paid';
  inquiryId?: string;
}

/** The data of `transfer.completed`. */
interface Paid {
  readonly inquiryId: string;
  readonly to: string;
  readonly amount: number;
}

/** A real shop stores them in a database. */
const orders = new Map<string, Order>();

const shop = new Hono();

/** The shop's data for its pages. */
shop.get('/shop', (c) => c.json({ appId: APP_ID, payee: PAYEE }));

/** The back end sets the price, not the page. */
shop.post('/shop/orders', (c) => {
  const order: Order = { id: crypto.randomUUID(), amount: 15_000, status: 'open' };
  orders.set(order.id, order);
  return c.json(order);
});

shop.get('/shop/orders/:id', (c) => {
  const order = orders.get(c.req.param('id'));
  return order ? c.json(order) : c.json({ message: 'Unknown order' }, 404);
});

/** Requests the person's approval of the inquiry made by their page. The page opens the popup. */
shop.post('/shop/orders/:id/approval', async (c) => {
  const order = orders.get(c.req.param('id'));
  if (!order) return c.json({ message: 'Unknown order' }, 404);
  const { inquiryId } = await c.req.json<{ inquiryId: string }>();
  order.inquiryId = inquiryId;
  // The service rejects an origin that the app does not list, and another app's inquiry.
  const { requestId, verifier } = await createApproval({
    baseUrl: PID_URL,
    appId: APP_ID,
    secret: APP_SECRET,
    inquiryId,
    origin: c.req.header('Origin') ?? '',
  });
  return c.json({ requestId, verifier });
});

/**
 * The money has arrived. Only this marks an order as paid, regardless of the page. A repeated event changes nothing.
 */
shop.post('/webhooks', async (c) => {
  const event = await verifyWebhook<Paid>(c.req.raw, await c.req.text(), WEBHOOK_SECRET);
  if (!event) return c.body(null, 401);
  if (event.type === 'transfer.completed') {
    const { inquiryId, to, amount } = event.data;
    const order = [...orders.values()].find((one) => one.inquiryId === inquiryId);
    if (order && to === PAYEE && amount === order.amount) order.status = 'paid';
  }
  return c.body(null, 204);
});

shop.onError((error, c) => c.json({ message: error.message }, 502));

export default { hostname: '127.0.0.1', port: Number(PORT), fetch: shop.fetch };
