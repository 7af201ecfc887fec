import * as z from 'zod/mini';
import type { MidtransSettings } from '../../config/gateway-settings.ts';
import type { Deps } from '../../deps.ts';
import { fromUtf8, toBase64, utf8 } from '../../lib/encoding.ts';
import { isoTime } from '../../lib/id.ts';
import { isSameSecret } from '../../lib/oslo.ts';
import { callGateway, expectClaims, type GatewayAnswer, isUnclear } from './call.ts';
import {
  GatewayAmbiguous,
  GatewayRefused,
  GatewayUnavailable,
  type Order,
  type PaymentGateway,
  type PaymentStatus,
} from './gateway.ts';

/** The payment types of each method. Types whose status cannot be queried by order id, such as DANA, are omitted. */
const paymentTypes: Readonly<Record<string, readonly string[]>> = {
  card: ['credit_card'],
  va: ['echannel', 'permata_va', 'bca_va', 'bni_va', 'bri_va', 'cimb_va', 'other_va'],
  ewallet: ['gopay', 'shopeepay'],
  qris: ['gopay', 'shopeepay', 'other_qris'],
};

/** The Midtrans limits for a Snap page: 5 minutes to 7 days. */
const pageMinutes = { least: 5, most: 10_080 };

/** States by `transaction_status`; some payment types send it in capitals. */
const states: Readonly<Record<string, PaymentStatus['state']>> = {
  settlement: 'paid',
  pending: 'open',
  authorize: 'open',
  deny: 'declined',
  cancel: 'failed',
  failure: 'failed',
  expire: 'expired',
  refund: 'refunded',
  chargeback: 'refunded',
  partial_refund: 'partly_refunded',
  partial_chargeback: 'partly_refunded',
};

const text = z.string();
const checkoutAnswer = z.object({ token: text, redirect_url: z.url() });
const errorAnswer = z.object({ error_messages: z.array(text) });
const codeAnswer = z.object({ status_code: text });
const signedFields = { order_id: text, status_code: text, gross_amount: text, signature_key: text };
const given = z.object({ refund_amount: text });
const statusAnswer = z.object({
  ...signedFields,
  transaction_id: text,
  transaction_status: text,
  transaction_time: z.optional(text),
  settlement_time: z.optional(text),
  fraud_status: z.optional(text),
  currency: z._default(text, 'IDR'),
  payment_type: z.optional(text),
  refund_amount: z.optional(text),
  refunds: z.optional(z.array(given)),
});

const notification = z.object(signedFields);
type Signed = z.infer<typeof notification>;

/** The provider's clock may be ahead by this much. */
const toleranceMs = 300_000;

/** Midtrans Snap: a hosted page for cards, virtual accounts, e-wallets and QRIS (https://docs.midtrans.com). */
export function createMidtrans(deps: Deps, settings: MidtransSettings): PaymentGateway {
  const { serverKey, apiUrl, snapUrl } = settings;
  const headers = { Authorization: `Basic ${toBase64(utf8(`${serverKey}:`))}` };
  const transaction = (orderId: string, verb: string) =>
    `${apiUrl}/v2/${encodeURIComponent(orderId)}/${verb}`;
  const sessions = `${snapUrl}/snap/v1/transactions`;
  return {
    name: 'midtrans',
    async createCheckout(order) {
      const body = checkoutOf(order, deps.now());
      const answer = await callGateway(deps, { method: 'POST', url: sessions, headers, body });
      const created = checkoutAnswer.safeParse(answer.body);
      if (!created.success) throw refusalOf(answer);
      return { session: created.data.token, url: created.data.redirect_url, expiresAt: order.expiresAt };
    },
    async verifyNotification(body) {
      const given = notification.safeParse(parseJson(fromUtf8(body))).data;
      return given && (await isSigned(serverKey, given)) ? given.order_id : undefined;
    },
    async getStatus(orderId) {
      const answer = await callGateway(deps, { method: 'GET', url: transaction(orderId, 'status'), headers });
      return statusOf(deps, orderId, { answer, serverKey });
    },
    async cancelCheckout(orderId, session) {
      const url = `${sessions}/${encodeURIComponent(session)}/cancel`;
      const page = await callGateway(deps, { method: 'POST', url, headers });
      if (page.status < 400) return;
      // The payer has chosen a method, so there is a transaction to cancel instead of a page.
      const expire = { method: 'POST', url: transaction(orderId, 'expire'), headers } as const;
      const code = codeOf(await callGateway(deps, expire));
      if (isUnclear(code) || code === 429) throw new GatewayAmbiguous(`status code ${code}`);
      if (code !== 200 && code !== 407) throw new GatewayRefused(`status code ${code}`);
    },
  };
}

function checkoutOf({ id, amount, method = 'auto', payer, returnUrl, expiresAt }: Order, now: number) {
  const minutes = Math.ceil((expiresAt - now) / 60_000);
  const duration = Math.min(Math.max(minutes, pageMinutes.least), pageMinutes.most);
  return {
    transaction_details: { order_id: id, gross_amount: amount },
    customer_details: { first_name: payer.name },
    enabled_payments: paymentTypes[method] ?? [...new Set(Object.values(paymentTypes).flat())],
    credit_card: { secure: true },
    callbacks: { finish: returnUrl },
    expiry: { start_time: isoTime(now).replace(/T(.{8}).*/, ' $1 +0000'), unit: 'minutes', duration },
    page_expiry: { unit: 'minutes', duration },
  };
}

/**
 * The reason why no checkout was opened. An existing order was opened by an earlier request whose response was lost;
 * only the status shows its outcome.
 */
function refusalOf({ status, body }: GatewayAnswer): Error {
  if (status < 400) return new GatewayAmbiguous('an answer without a page');
  const messages = errorAnswer.safeParse(body).data?.error_messages.join('; ') ?? `status ${status}`;
  const isKnown = status === 406 || /order_id.*(digunakan|taken|utilized|used)/i.test(messages);
  return isKnown ? new GatewayAmbiguous(messages) : new GatewayRefused(messages);
}

/** The status code of a response is in the body; the HTTP status may always be 200. */
function codeOf({ status, body }: GatewayAnswer): number {
  return Number(codeAnswer.safeParse(body).data?.status_code ?? status);
}

/**
 * Until the payer chooses a method, there is no transaction, and the order is reported as not found.
 * @throws GatewayUnavailable
 */
async function statusOf(
  deps: Deps,
  orderId: string,
  { answer, serverKey }: { answer: GatewayAnswer; serverKey: string },
): Promise<PaymentStatus> {
  const code = codeOf(answer);
  if (code === 404) return { state: 'unknown', payments: [] };
  const found = statusAnswer.safeParse(answer.body).data;
  if (!found) throw new GatewayUnavailable(`status code ${code}`);
  const { transaction_time, settlement_time } = found;
  await expectClaims(deps, orderId, {
    order_id: found.order_id === orderId,
    signature_key: await isSigned(serverKey, found),
    transaction_time: hasPassed(transaction_time, deps.now()),
    settlement_time: hasPassed(settlement_time, deps.now()),
  });
  const payment = {
    id: found.transaction_id,
    amount: amountOf(found.gross_amount),
    currency: found.currency,
    method: found.payment_type,
  };
  const state = stateOf(deps, found.transaction_status.toLowerCase(), found.fraud_status?.toLowerCase());
  const isPaid = !['open', 'declined', 'expired', 'failed'].includes(state);
  return { state, payments: isPaid ? [payment] : [], payment: payment.id, returned: returnedOf(found) };
}

/** The sum of all refunds and chargebacks, which must equal the reported total. */
function returnedOf({ refund_amount: total, refunds }: z.infer<typeof statusAnswer>): number | undefined {
  const parts = refunds?.map(({ refund_amount: part }) => amountOf(part) ?? Number.NaN);
  const sum = parts?.reduce((before, part) => before + part, 0);
  const named = total === undefined ? sum : amountOf(total);
  return sum === undefined || sum === named ? named : undefined;
}

function stateOf(deps: Deps, word: string, fraud: string | undefined): PaymentStatus['state'] {
  // A challenged capture waits for the merchant's decision.
  if (word === 'capture') return fraud === 'accept' ? 'captured' : 'open';
  const state = states[word];
  if (state === undefined) deps.log.error('gateway.unknown_status', { gateway: 'midtrans', status: word });
  return state ?? 'open';
}

/** Rupiah have no minor unit, so all decimals must be zeros. */
export function amountOf(grossAmount: string): number | undefined {
  const [, whole] = /^(\d{1,15})(?:\.0{1,2})?$/.exec(grossAmount) ?? [];
  return whole === undefined ? undefined : Number(whole);
}

/** Returns whether a time is not ahead of the clock. Midtrans sends Jakarta times, such as `2026-11-22 17:00:00`. */
function hasPassed(time: string | undefined, now: number): boolean {
  return time === undefined || Date.parse(`${time.replace(' ', 'T')}+07:00`) <= now + toleranceMs;
}

/** Returns whether `signature_key` is the digest of its parts as received and the server key. */
async function isSigned(serverKey: string, given: Signed): Promise<boolean> {
  const { order_id, status_code, gross_amount } = given;
  return isSameSecret(
    given.signature_key,
    await sha512(`${order_id}${status_code}${gross_amount}${serverKey}`),
  );
}

/** In hexadecimal. */
export async function sha512(signed: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-512', utf8(signed)));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
