import { Buffer } from 'node:buffer';
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from './mail-servers.ts';
import {
  type MidtransCall,
  type MidtransFault,
  type MidtransNotification,
  type MidtransTransaction,
  midtransKey,
} from './midtrans-driver.ts';
import { payoutStatement, settlementReport } from './midtrans-reports.ts';

interface Page {
  readonly token: string;
  isCancelled: boolean;
}

/** An order with its Snap pages, each of which leads to a separate transaction. */
interface Order {
  readonly amount: number;
  readonly pages: Page[];
  readonly transactions: MidtransTransaction[];
}

interface State {
  readonly orders: Map<string, Order>;
  readonly faults: Map<string, MidtransFault[]>;
  /** The order's next status response reports this instead of the truth. */
  readonly lies: Map<string, Partial<MidtransNotification>>;
  readonly calls: Map<string, MidtransCall[]>;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Imitates Midtrans on a free port, according to its documentation: Snap's transactions and their cancellation, and the
 * core API's status and expiry. One server plays both, which Midtrans keeps separate. `driveMidtrans` plays payers and
 * the outside world.
 */
export async function startMidtrans(): Promise<{ url: string; stop(): Promise<void> }> {
  const state: State = { orders: new Map(), faults: new Map(), lies: new Map(), calls: new Map() };
  const server = createServer((request, response) => void serve(state, request, response));
  // Not five seconds, after which a client may use a connection that is just being closed.
  server.keepAliveTimeout = 600_000;
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function serve(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const body = text === '' ? {} : JSON.parse(text);
  const path = (request.url ?? '').split('/').slice(1).map(decodeURIComponent);
  const send = ({ status, body: value }: Answer) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(value));
  };
  if (path[0] === 'control') return send(control(state, path, body));
  const orderId = orderOf(state, path, body);
  const { method = '', url = '' } = request;
  state.calls.set(orderId, [...(state.calls.get(orderId) ?? []), { method, path: url, body }]);
  const fault = state.faults.get(orderId)?.shift();
  if (fault === 'silence') return;
  if (fault === 'drop') return void request.socket.destroy();
  if (fault === 'large') return void response.end('x'.repeat(2_000_000));
  if (fault === 'html') return void response.end('<html>Bad gateway</html>');
  if (typeof fault === 'number') {
    response.setHeader('Location', '/v2/elsewhere/status');
    return send({ status: fault, body: { status_code: String(fault), error_messages: ['as planned'] } });
  }
  const isKnown = request.headers.authorization === `Basic ${btoa(`${midtransKey}:`)}`;
  const answer = isKnown ? call(state, method, path, body) : unauthorized(path);
  if (fault === 'drop after') return void request.socket.destroy();
  send(answer);
}

type Body = Record<string, Record<string, unknown> | undefined>;

/** The order of a call, by its id or one of its pages' tokens. */
function orderOf({ orders }: State, path: string[], body: Body): string {
  if (path[0] === 'v2') return path[1] ?? '';
  const token = path[3];
  if (token === undefined) return String(body['transaction_details']?.['order_id'] ?? '');
  const [found = ''] = [...orders].find(([, { pages }]) => pages.some((page) => page.token === token)) ?? [];
  return found;
}

function unauthorized(path: string[]): Answer {
  const message = 'Access denied due to unauthorized transaction, please check client or server key';
  if (path[0] === 'snap') return { status: 401, body: { error_messages: [message] } };
  return { status: 401, body: { status_code: '401', status_message: message, id: randomUUID() } };
}

function call(state: State, method: string, path: string[], body: Body): Answer {
  const orderId = orderOf(state, path, body);
  const order = state.orders.get(orderId);
  switch (`${method} ${path.map((part, at) => (at === (path[0] === 'v2' ? 1 : 3) ? '*' : part)).join('/')}`) {
    case 'POST snap/v1/transactions':
      return openPage(state, orderId, body);
    case 'POST snap/v1/transactions/*/cancel':
      return cancelPage(order, path[3] ?? '');
    case 'GET v2/*/status':
      return status(state, orderId);
    case 'POST v2/*/expire':
      return expire(order);
    default:
      return { status: 404, body: { error_messages: ['not found'] } };
  }
}

const refuse = (status: number, ...messages: string[]): Answer => ({
  status,
  body: { error_messages: messages },
});

function openPage({ orders }: State, orderId: string, body: Body): Answer {
  const amount = body['transaction_details']?.['gross_amount'];
  if (!/^[\w.~-]{1,50}$/.test(orderId)) return refuse(400, 'transaction_details.order_id is required');
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount) || amount < 1) {
    return refuse(400, 'transaction_details.gross_amount must be greater than or equal to 0.01');
  }
  const order = orders.get(orderId) ?? { amount, pages: [], transactions: [] };
  if (order.transactions.length > 0) return refuse(400, 'transaction_details.order_id sudah digunakan');
  orders.set(orderId, order);
  const token = randomUUID();
  order.pages.push({ token, isCancelled: false });
  const url = `https://app.sandbox.midtrans.com/snap/v3/redirection/${token}`;
  return { status: 201, body: { token, redirect_url: url } };
}

function cancelPage(order: Order | undefined, token: string): Answer {
  const page = order?.pages.find((one) => one.token === token);
  if (!order || !page) return refuse(404, 'token not found');
  if (order.transactions.length > 0) return refuse(400, 'Transaction is on progress');
  if (page.isCancelled) return refuse(400, 'token already canceled');
  page.isCancelled = true;
  return { status: 200, body: { canceled_at: '2025-06-03T13:09:39.776Z' } };
}

/** Signs the true response, and changes it afterwards on request. */
function status({ orders, lies }: State, orderId: string): Answer {
  const last = orders.get(orderId)?.transactions.at(-1);
  const lie = lies.get(orderId);
  lies.delete(orderId);
  return found(last && { ...last, signature_key: signatureOf(last), ...lie });
}

/** Whatever status code the body contains, the HTTP status is 200 unless there is no such transaction. */
function found(transaction: MidtransTransaction | undefined): Answer {
  if (transaction) return { status: 200, body: transaction };
  const body = { status_code: '404', status_message: "Transaction doesn't exist.", id: randomUUID() };
  return { status: 404, body };
}

function expire(order: Order | undefined): Answer {
  const last = order?.transactions.at(-1);
  if (!order || !last) return found(undefined);
  if (last.transaction_status !== 'pending') {
    const status_message = 'Merchant cannot modify the status of the transaction';
    return { status: 200, body: { status_code: '412', status_message } };
  }
  const status_message = 'Success, transaction has expired';
  const expired = { ...last, status_code: '407', status_message, transaction_status: 'expire' };
  order.transactions.splice(-1, 1, expired);
  return { status: 200, body: expired };
}

function control(state: State, [, orderId = '', what]: string[], body: unknown): Answer {
  const books = () => [...state.orders.values()].flatMap(({ transactions }) => transactions);
  if (what === 'report') return { status: 200, body: settlementReport(books(), body as string[]) };
  if (what === 'payouts') return { status: 200, body: payoutStatement(books()) };
  const order = state.orders.get(orderId);
  if (what === 'faults') {
    state.faults.set(orderId, body as MidtransFault[]);
    return { status: 200, body: {} };
  }
  if (what === 'lie') {
    state.lies.set(orderId, body as Partial<MidtransNotification>);
    return { status: 200, body: {} };
  }
  if (what === 'calls') return { status: 200, body: state.calls.get(orderId) ?? [] };
  if (!order) return { status: 404, body: 'no such order' };
  if (what === 'choose') return choose(order, orderId, body as { payment_type: string; page: number });
  const { change = {}, which = order.transactions.length - 1 } = body as {
    change?: Partial<MidtransTransaction>;
    which?: number;
  };
  const transaction = order.transactions[which];
  if (!transaction) return { status: 404, body: 'no such transaction' };
  if (what === 'notification') return { status: 200, body: signed(transaction) };
  const changed = { ...transaction, ...change };
  order.transactions[which] = changed;
  return { status: 200, body: changed };
}

function choose(
  order: Order,
  orderId: string,
  { payment_type, page }: { payment_type: string; page: number },
): Answer {
  if (order.pages[page]?.isCancelled !== false) return refuse(400, 'no such page');
  order.transactions.push({
    status_code: '201',
    status_message: 'Success, transaction is found',
    transaction_id: randomUUID(),
    order_id: orderId,
    payment_type,
    transaction_time: '2026-05-27 14:30:00',
    transaction_status: 'pending',
    fraud_status: 'accept',
    gross_amount: `${order.amount}.00`,
    currency: 'IDR',
  });
  return { status: 200, body: order.transactions.at(-1) };
}

function signed(transaction: MidtransTransaction): MidtransNotification {
  const signature_key = signatureOf(transaction);
  return { ...transaction, status_message: 'midtrans payment notification', signature_key };
}

function signatureOf({ order_id, status_code, gross_amount }: MidtransTransaction): string {
  const text = `${order_id}${status_code}${gross_amount}${midtransKey}`;
  return createHash('sha512').update(text).digest('hex');
}
