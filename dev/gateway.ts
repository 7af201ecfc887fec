import * as z from 'zod/mini';
import type { Deps } from '../src/deps.ts';
import { sandboxSecrets } from '../src/features/gateway/sandbox.ts';
import {
  type SandboxCheckout,
  type SandboxPayout,
  type SandboxPayoutStatus,
  type SandboxStatus,
  sandboxCheckout,
  sandboxPayoutStatus,
  sandboxStatus,
} from '../src/features/gateway/schema.ts';
import { toBase64, toBase64url } from '../src/lib/encoding.ts';
import { isoTime } from '../src/lib/id.ts';
import { notificationPath } from '../src/lib/page-paths.ts';
import { signWebhook } from '../src/lib/secret.ts';

const orderState = z.extend(sandboxCheckout, z.omit(sandboxStatus, { orderId: true }).shape);

/** An order as stored by the sandbox. */
export type SandboxOrder = z.infer<typeof orderState>;

const payoutState = z.extend(sandboxPayoutStatus, { reports: z.int() });

/**
 * Actions on the payment page. After the order has ended, a payment is late; after a payment, another one is a second
 * payment.
 */
export const payActions = [
  'pay',
  'capture',
  'wrong',
  'twice',
  'expire',
  'fail',
  'void',
  'refund',
  'partly',
  'restore',
] as const;
export type PayAction = (typeof payActions)[number];

/** Ways in which the sandbox notifies the service. `disordered` sends an older notification after the newest. */
export const noticeWays = ['once', 'twice', 'disordered', 'forged', 'never'] as const;
export type NoticeWay = (typeof noticeWays)[number];

/** The sandbox keeps its state in the key-value store, so that all isolates and restarts share it. */
const orderKey = (id: string) => `sandbox:order:${id}`;
const payoutKey = (id: string) => `sandbox:payout:${id}`;

/** As at a real provider, an order expires after its time. Null for an unknown order. */
export async function readOrder(deps: Deps, id: string): Promise<SandboxOrder | null> {
  const text = await deps.kv.get(orderKey(id));
  if (text === null) return null;
  const order = orderState.parse(JSON.parse(text));
  return order.state === 'open' && order.expiresAt <= deps.now() ? { ...order, state: 'expired' } : order;
}

async function writeOrder(deps: Deps, id: string, order: SandboxOrder): Promise<void> {
  await deps.kv.put(orderKey(id), JSON.stringify(order));
}

/** Opens an order. A repeated call finds the open order. @returns false if another order has the id */
export async function openOrder(deps: Deps, id: string, checkout: SandboxCheckout): Promise<boolean> {
  const known = await readOrder(deps, id);
  if (known === null) await writeOrder(deps, id, { ...checkout, state: 'open', payments: [] });
  return known === null || (known.amount === checkout.amount && known.asset === checkout.asset);
}

/** @returns whether the order was open, or had ended before */
export async function endOrder(deps: Deps, id: string, order: SandboxOrder): Promise<boolean> {
  if (order.payments.length > 0) return false;
  await writeOrder(deps, id, { ...order, state: 'expired' });
  return true;
}

/** Performs an action from the payment page. @returns the order's new state */
export async function act(deps: Deps, id: string, order: SandboxOrder, action: PayAction) {
  const next = { ...order, ...change(deps, order, action) };
  await writeOrder(deps, id, next);
  return next;
}

function change(deps: Deps, order: SandboxOrder, action: PayAction): Partial<SandboxStatus> {
  const { amount, asset: currency, method = 'qris', payments, returned = 0 } = order;
  const payment = (paid = amount) => {
    const id = `pay_${toBase64url(deps.randomBytes(12))}`;
    return { id, amount: paid, currency, method };
  };
  switch (action) {
    case 'pay':
      // The first payment settles a captured one.
      if (order.state === 'captured') return { state: 'paid' };
      return { state: 'paid', payments: [...payments, payment()] };
    case 'capture':
      return { state: 'captured', payments: [...payments, payment()] };
    case 'wrong':
      return { state: 'paid', payments: [...payments, payment(amount + 1)] };
    case 'twice':
      return { state: 'paid', payments: [...payments, payment(), payment()] };
    case 'expire':
      return { state: 'expired' };
    case 'fail':
    case 'void':
      return { state: 'failed' };
    case 'refund':
      return { state: 'refunded' };
    case 'partly':
      return { state: 'partly_refunded', returned: Math.min(amount, returned + Math.ceil(amount / 5)) };
    case 'restore':
      return { state: 'paid', returned: 0 };
  }
}

/** Notifies the service of an order's state (Standard Webhooks), unless the notification is to be lost. */
export async function notify(deps: Deps, orderId: string, state: SandboxStatus['state'], way: NoticeWay) {
  if (way === 'never') return;
  const [secret = ''] = sandboxSecrets(deps.config.secretKeys);
  const now = Math.floor(deps.now() / 1000);
  const notice = { id: newNoticeId(deps), at: now, state, orderId };
  const forger = `whsec_${toBase64(deps.randomBytes(32))}`;
  await post(deps, notice, way === 'forged' ? forger : secret);
  if (way === 'twice') await post(deps, notice, secret);
  if (way === 'disordered') {
    await post(deps, { ...notice, id: newNoticeId(deps), at: now - 60, state: 'open' }, secret);
  }
}

function newNoticeId(deps: Deps): string {
  return `evt_${toBase64url(deps.randomBytes(12))}`;
}

interface Notice {
  readonly id: string;
  readonly at: number;
  readonly orderId: string;
  readonly state: SandboxStatus['state'];
}

async function post(deps: Deps, { id, at, state, orderId }: Notice, secret: string): Promise<void> {
  const body = JSON.stringify({
    type: `payment.${state}`,
    timestamp: isoTime(at * 1000),
    data: { orderId },
  });
  const headers = {
    'Content-Type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(at),
    'webhook-signature': signWebhook(secret, `${id}.${at}.${body}`),
  };
  const url = `${deps.config.origin}${notificationPath('sandbox')}`;
  const answer = await deps.fetch(new Request(url, { method: 'POST', headers, body }));
  await answer.body?.cancel();
}

/**
 * Accepts a payout. A repeated call finds it. The account's last digit determines the outcome: 1 fails, 2 stays
 * pending, 3 is paid but its first response is lost, 4 is paid and later returned, any other is paid.
 * @returns null if the response is lost
 */
export async function takePayout(
  deps: Deps,
  id: string,
  { amount, destination }: SandboxPayout,
): Promise<SandboxPayoutStatus | null> {
  const known = await readPayout(deps, id);
  if (known !== null) return known;
  const payoutId = `pyt_${toBase64url(deps.randomBytes(12))}`;
  const digit = destination.accountNumber.at(-1);
  const about = { id, amount, currency: 'IDR', payoutId };
  const outcome: SandboxPayoutStatus =
    digit === '1'
      ? { ...about, state: 'failed', failure: 'The account is closed' }
      : { ...about, state: digit === '2' ? 'pending' : 'paid' };
  const returns = digit === '4';
  const kept = { ...outcome, reports: returns ? 0 : -1 };
  await deps.kv.put(payoutKey(id), JSON.stringify(kept));
  return digit === '3' ? null : readPayout(deps, id);
}

/** Returns a payout's state; null for an unknown one. A returned payout is first reported as paid. */
export async function readPayout(deps: Deps, id: string): Promise<SandboxPayoutStatus | null> {
  const text = await deps.kv.get(payoutKey(id));
  if (text === null) return null;
  const { reports, ...status } = payoutState.parse(JSON.parse(text));
  if (reports < 0) return status;
  if (reports > 0) return { ...status, state: 'returned' };
  await deps.kv.put(payoutKey(id), JSON.stringify({ ...status, reports: reports + 1 }));
  return status;
}

/** The account holder; null if the account does not exist, that is, if it ends with 0 or is not a number. */
export function holderOf(accountNumber: string): string | null {
  return /^\d{5,20}$/.test(accountNumber) && !accountNumber.endsWith('0') ? 'Budi Santoso' : null;
}
