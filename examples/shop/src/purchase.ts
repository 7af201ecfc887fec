import { createClient, isApiError } from 'peridot-sdk';
import { createHooks } from 'peridot-sdk/react';
import type { Items } from './catalog.ts';
import { fill, locale, texts } from './texts.ts';

/** An order, as stored by the back end. */
export interface Order {
  readonly id: string;
  readonly number: number;
  readonly items: Items;
  readonly total: number;
  /** `open` until the webhook has reported the payment. */
  readonly status: 'open' | 'paid' | 'refunded';
  readonly transferId: string | null;
  readonly createdAt: string;
}

/** The shop's app, and the recipient of its payments. */
export interface Shop {
  readonly appId: string;
  readonly payee: string;
}

export const service = import.meta.env['VITE_PID_URL'] ?? `${location.protocol}//${location.hostname}:8787`;
const options = { baseUrl: service, popupBaseUrl: service, locale };

/** Signs people in. This page is on the operator's own origin. */
export const pid = createClient(options);
export const { useSession, usePopupAction, useWallet } = createHooks(pid);

const { appId, payee } = await ask<Shop>('/shop');
/** Takes payments as an app, which needs the person's approval. */
const app = createClient({ ...options, appId });

/** Requests the person's approval of the cart's payment in a popup. Call it in the click handler. */
export async function buy(items: Items): Promise<Order> {
  // The window must open within the click, before anything is awaited.
  const window = app.popup.prepare('approval');
  try {
    const order = await ask<Order>('/shop/orders', items);
    const memo = fill(texts.order, { number: String(order.number) });
    const inquiry = await app.fiat.inquireTransfer({ to: payee, amount: order.total, memo });
    const request = await ask<{ requestId: string; verifier: string }>(`/shop/orders/${order.id}/approval`, {
      inquiryId: inquiry.id,
    });
    const approval = await app.popup.approve(request, { window });
    await app.fiat.confirmTransfer({ inquiryId: inquiry.id, approval });
    return order;
  } catch (error) {
    window.close();
    throw error;
  }
}

export function listOrders(): Promise<Order[]> {
  return ask('/shop/orders');
}

/** A payment's receipt in the buyer's own wallet. */
export function receiptUrl(transferId: string): string {
  return `${service}/account/wallet/transactions/${transferId}`;
}

/** The amount that the sandbox gives to newcomers. */
export const playMoney = 250_000;

/** Opens a newcomer's wallet. The sandbox adds play money, once per person, so that they can buy immediately. */
export async function welcome(to: string): Promise<void> {
  const wallet = await pid.wallet.create();
  if (isApiError(wallet)) return;
  await fetch(`${service}/dev/money`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ to, amount: playMoney, once: true }),
  });
}

/** Calls the shop's back end. `pid.fetch` renews the session's cookies when they are about to expire. */
async function ask<T>(path: string, body?: object): Promise<T> {
  const headers = { 'Content-Type': 'application/json' };
  const init = body && { method: 'POST', headers, body: JSON.stringify(body) };
  const answer = await pid.fetch(path, init);
  const value = await answer.json();
  if (!answer.ok) throw new Error(value.message);
  return value;
}
