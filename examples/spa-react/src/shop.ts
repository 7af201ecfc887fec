import { createClient, type Transfer } from 'peridot-sdk';

/** A paid purchase according to the shop. */
export interface Receipt {
  readonly transfer: Transfer;
  readonly status: 'open' | 'paid';
}

interface Order {
  readonly id: string;
  readonly amount: number;
  readonly status: 'open' | 'paid';
}

/** Connects to examples/shop-backend, whose app takes the payments. */
export async function connectShop(service: string): Promise<{ buy(): Promise<Receipt> }> {
  const { appId, payee } = await ask<{ appId: string; payee: string }>('/shop');
  const pid = createClient({ baseUrl: service, popupBaseUrl: service, appId });
  return {
    async buy() {
      // The window must open within the click, before anything is awaited.
      const window = pid.popup.prepare('approval');
      try {
        const order = await ask<Order>('/shop/orders', {});
        const inquiry = await pid.fiat.inquireTransfer({ to: payee, amount: order.amount, memo: 'Snack' });
        const request = await ask<{ requestId: string; verifier: string }>(
          `/shop/orders/${order.id}/approval`,
          { inquiryId: inquiry.id },
        );
        const approval = await pid.popup.approve(request, { window });
        const transfer = await pid.fiat.confirmTransfer({ inquiryId: inquiry.id, approval });
        return { transfer, status: await statusOf(order.id) };
      } catch (error) {
        window.close();
        throw error;
      }
    },
  };
}

/** Polls for half a minute until the webhook has reported the payment to the shop. */
async function statusOf(id: string): Promise<Order['status']> {
  for (let tries = 0; tries < 60; tries += 1) {
    const { status } = await ask<Order>(`/shop/orders/${id}`);
    if (status === 'paid') return status;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  return 'open';
}

async function ask<T>(path: string, body?: object): Promise<T> {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(path, body ? { method: 'POST', headers, body: JSON.stringify(body) } : {});
  const value = await answer.json();
  if (!answer.ok) throw new Error(value.message);
  return value;
}
