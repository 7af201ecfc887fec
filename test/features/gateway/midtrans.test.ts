import { afterEach, describe, expect, inject, it, vi } from 'vitest';
import { paymentGateway } from '../../../src/features/gateway/configured.ts';
import {
  GatewayAmbiguous,
  GatewayContradicted,
  GatewayRefused,
  GatewayUnavailable,
  type Order,
} from '../../../src/features/gateway/gateway.ts';
import { createMidtrans } from '../../../src/features/gateway/midtrans.ts';
import { gatewayDeps } from '../../support/gateway.ts';
import { driveMidtrans, type MidtransFault, midtransKey } from '../../support/midtrans-driver.ts';

const url = inject('midtrans');
const midtrans = driveMidtrans(url);
const { deps, clock, lines, audited } = gatewayDeps((request) => fetch(request), {
  PAYMENT_GATEWAY: 'midtrans',
  MIDTRANS_SERVER_KEY: midtransKey,
  MIDTRANS_BASE_URL: url,
});
const gateway = await paymentGateway(deps);
const run = Math.floor(performance.timeOrigin + performance.now() * 1000).toString(36);
let orders = 0;

function newOrder(more: Partial<Order> = {}): Order {
  orders += 1;
  const id = `dep_${run}${orders}`;
  return {
    id,
    amount: 50_000,
    asset: 'IDR',
    payer: { pid: 'ayu@pid', name: 'Ayu' },
    returnUrl: `http://localhost:8787/fiat/return/${id}`,
    expiresAt: clock.at + 3_600_000,
    ...more,
  };
}

async function opened(more?: Partial<Order>): Promise<Order & { session: string }> {
  const order = newOrder(more);
  return { ...order, ...(await gateway.createCheckout(order)) };
}

const verify = (body: unknown) =>
  gateway.verifyNotification(
    new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)),
    new Headers(),
  );

afterEach(() => vi.restoreAllMocks());

describe('a checkout at Midtrans', () => {
  it('is a Snap page with the order’s amount, methods and expiry', async () => {
    const order = await opened({ method: 'qris' });
    expect(order).toMatchObject({
      url: expect.stringMatching(/^https:\/\/app\..*\/redirection\/[\w-]{36}$/),
    });
    const [{ path, body } = { path: '', body: {} }] = await midtrans.calls(order.id);
    expect(path).toBe('/snap/v1/transactions');
    expect(body).toEqual({
      transaction_details: { order_id: order.id, gross_amount: 50_000 },
      customer_details: { first_name: 'Ayu' },
      enabled_payments: ['gopay', 'shopeepay', 'other_qris'],
      credit_card: { secure: true },
      callbacks: { finish: order.returnUrl },
      expiry: { start_time: '2026-11-22 10:00:00 +0000', unit: 'minutes', duration: 60 },
      page_expiry: { unit: 'minutes', duration: 60 },
    });
    const { id } = await opened({ expiresAt: clock.at + 1 });
    expect((await midtrans.calls(id))[0]?.body).toMatchObject({
      page_expiry: { duration: 5 },
      enabled_payments: expect.arrayContaining(['credit_card', 'bca_va', 'gopay', 'other_qris']),
    });
  });

  it('is opened again after a lost response until the payer has chosen a method', async () => {
    const order = newOrder();
    await gateway.createCheckout(newOrder());
    await midtrans.fail(order.id, 'drop after');
    await expect(gateway.createCheckout(order)).rejects.toThrow(GatewayAmbiguous);
    expect((await gateway.createCheckout(order)).session).toMatch(/^[\w-]{36}$/);
    await midtrans.choose(order.id, 'bank_transfer', 1);
    await expect(gateway.createCheckout(order)).rejects.toThrow(GatewayAmbiguous);
  });

  it('is rejected permanently if the request itself is invalid', async () => {
    await expect(gateway.createCheckout(newOrder({ amount: 0 }))).rejects.toThrow(GatewayRefused);
    await expect(gateway.createCheckout(newOrder({ id: 'a b' }))).rejects.toThrow(GatewayRefused);
  });

  it('can be cancelled as a page, then as a transaction, but not after payment', async () => {
    const [page, pending, paid] = [await opened(), await opened(), await opened()];
    await gateway.cancelCheckout(page.id, page.session);
    await expect(midtrans.choose(page.id, 'qris')).rejects.toThrow('no such page');
    await midtrans.choose(pending.id, 'qris');
    await gateway.cancelCheckout(pending.id, pending.session);
    expect((await gateway.getStatus(pending.id)).state).toBe('expired');
    await midtrans.choose(paid.id, 'qris');
    await midtrans.change(paid.id, { transaction_status: 'settlement' });
    await expect(gateway.cancelCheckout(paid.id, paid.session)).rejects.toThrow(GatewayRefused);
    await expect(gateway.cancelCheckout('dep_none', 'none')).rejects.toThrow(GatewayRefused);
  });
});

describe('an order at Midtrans', () => {
  it('is unknown until a payment method is chosen', async () => {
    const { id } = await opened();
    expect(await gateway.getStatus(id)).toEqual({ state: 'unknown', payments: [] });
  });

  it.each([
    ['settlement', undefined, 'paid'],
    ['capture', 'accept', 'captured'],
    ['capture', 'challenge', 'open'],
    ['pending', undefined, 'open'],
    ['PENDING', 'accept', 'open'],
    ['authorize', 'accept', 'open'],
    ['deny', 'deny', 'declined'],
    ['cancel', undefined, 'failed'],
    ['failure', undefined, 'failed'],
    ['expire', undefined, 'expired'],
    ['refund', undefined, 'refunded'],
    ['partial_refund', undefined, 'partly_refunded'],
    ['chargeback', undefined, 'refunded'],
    ['partial_chargeback', undefined, 'partly_refunded'],
    ['expired', undefined, 'open'],
  ])(
    'with status %s and fraud status %s has the state %s',
    async (transaction_status, fraud_status, state) => {
      const { id } = await opened();
      await midtrans.choose(id, 'qris');
      const { transaction_id } = await midtrans.change(id, {
        transaction_status,
        ...(fraud_status === undefined ? {} : { fraud_status }),
      });
      const payment = { id: transaction_id, amount: 50_000, currency: 'IDR', method: 'qris' };
      const isPaid = !['open', 'declined', 'expired', 'failed'].includes(state);
      expect(await gateway.getStatus(id)).toEqual({
        state,
        payments: isPaid ? [payment] : [],
        payment: transaction_id,
      });
      const alarm = lines.some(({ fields }) => fields?.['status'] === transaction_status);
      expect(alarm).toBe(transaction_status === 'expired');
    },
  );

  it('has the total refund unless it differs from the sum of the partial refunds', async () => {
    const { id } = await opened();
    await midtrans.choose(id, 'credit_card');
    const part = (refund_amount: string) => ({ refund_chargeback_id: 1, refund_amount });
    for (const [refund_amount, parts, returned] of [
      ['12000.00', ['5000.00', '7000.00'], 12_000],
      ['12000.00', undefined, 12_000],
      [undefined, ['5000.00', '7000'], 12_000],
      ['12000.00', ['5000.00'], undefined],
      ['12000.50', undefined, undefined],
      [undefined, ['some'], undefined],
      [undefined, undefined, undefined],
    ] as const) {
      await midtrans.change(id, { transaction_status: 'partial_refund' });
      await midtrans.lie(id, {
        ...(refund_amount && { refund_amount }),
        ...(parts && { refunds: parts.map(part) }),
      });
      expect(await gateway.getStatus(id)).toMatchObject({ state: 'partly_refunded', returned });
    }
  });

  it('stays open if its QR code is still pending after expiry, and becomes paid later', async () => {
    const { id } = await opened();
    await midtrans.choose(id, 'qris');
    clock.at += 86_400_000;
    expect((await gateway.getStatus(id)).state).toBe('open');
    await midtrans.change(id, { transaction_status: 'expire', status_code: '407' });
    expect((await gateway.getStatus(id)).state).toBe('expired');
    await midtrans.change(id, { transaction_status: 'settlement', status_code: '200' });
    expect((await gateway.getStatus(id)).state).toBe('paid');
  });

  it('accepts only whole amounts of rupiah', async () => {
    const { id } = await opened();
    await midtrans.choose(id, 'bank_transfer');
    for (const [gross_amount, amount] of [
      ['50000', 50_000],
      ['50000.0', 50_000],
      ['50000.00', 50_000],
      ['50000.01', undefined],
      ['50000.000', undefined],
      ['50,000.00', undefined],
      ['-50000.00', undefined],
      ['5e4', undefined],
      [' 50000', undefined],
    ] as const) {
      await midtrans.change(id, { transaction_status: 'settlement', gross_amount });
      const [payment] = (await gateway.getStatus(id)).payments;
      expect([gross_amount, payment?.amount]).toEqual([gross_amount, amount]);
    }
    await midtrans.change(id, { currency: 'SGD' });
    expect((await gateway.getStatus(id)).payments[0]?.currency).toBe('SGD');
  });

  it('becomes paid only after a signed response about it with a past timestamp [D-97]', async () => {
    const paid = { transaction_status: 'settlement', status_code: '200' };
    const inJakarta = (seconds: number) =>
      new Date(clock.at + 7 * 3_600_000 + seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
    const other = await opened();
    await midtrans.choose(other.id, 'qris');
    await midtrans.change(other.id, paid);
    const { order_id, signature_key } = await midtrans.notification(other.id);
    const lies = {
      order_id: await midtrans.notification(other.id),
      signature_key: { signature_key },
      'order_id alone': { order_id },
      'amount after signing': { gross_amount: '1000000.00' },
      'amount in another form': { gross_amount: '50000' },
      transaction_time: { transaction_time: inJakarta(301) },
      settlement_time: { settlement_time: '2027-01-01 00:00:00' },
      'no time': { transaction_time: 'soon' },
    };
    const { id } = await opened();
    await midtrans.choose(id, 'qris');
    await midtrans.change(id, paid);
    for (const [what, lie] of Object.entries(lies)) {
      await midtrans.lie(id, lie);
      const before = [lines.length, audited.length];
      const answer = await gateway.getStatus(id).catch((error: unknown) => error);
      expect([what, answer]).toEqual([what, expect.any(GatewayContradicted)]);
      expect(lines.slice(before[0])).toEqual([
        { event: 'gateway.contradicted', fields: { id, field: expect.any(String) } },
      ]);
      expect(audited.slice(before[1])).toHaveLength(1);
    }
    for (const lie of [{ transaction_time: inJakarta(299) }, {}]) {
      await midtrans.lie(id, lie);
      expect((await gateway.getStatus(id)).state).toBe('paid');
    }
  });

  it('returns its payment id, which distinguishes a payment through a second page', async () => {
    const order = await opened();
    await gateway.createCheckout(order);
    const paid = { transaction_status: 'settlement' };
    for (const page of [0, 1]) {
      await midtrans.choose(order.id, 'bank_transfer', page);
      await midtrans.change(order.id, paid);
      const [payment] = (await gateway.getStatus(order.id)).payments;
      expect(payment?.id).toBe((await midtrans.notification(order.id)).transaction_id);
    }
  });
});

describe('a Midtrans failure', () => {
  const failures: readonly (readonly [MidtransFault, unknown, unknown])[] = [
    [500, GatewayUnavailable, GatewayAmbiguous],
    [503, GatewayUnavailable, GatewayAmbiguous],
    ['drop', GatewayUnavailable, GatewayAmbiguous],
    ['drop after', GatewayUnavailable, GatewayAmbiguous],
    ['large', GatewayUnavailable, GatewayAmbiguous],
    ['html', GatewayUnavailable, GatewayAmbiguous],
    [408, GatewayUnavailable, GatewayAmbiguous],
    [425, GatewayUnavailable, GatewayUnavailable],
    [429, GatewayUnavailable, GatewayUnavailable],
    [401, GatewayUnavailable, GatewayUnavailable],
    [302, GatewayUnavailable, GatewayUnavailable],
    [400, GatewayUnavailable, GatewayRefused],
    [402, GatewayUnavailable, GatewayRefused],
    [406, GatewayUnavailable, GatewayAmbiguous],
  ];

  it('is final only if the provider reports it as final, and otherwise leaves the outcome of a change open', async () => {
    for (const [fault, reading, changing] of failures) {
      const order = await opened();
      await midtrans.choose(order.id, 'qris');
      await midtrans.fail(order.id, fault, fault);
      const failed = [gateway.getStatus(order.id), gateway.createCheckout(order)].map((call) =>
        call.catch((error: unknown) => error),
      );
      const [read, change] = await Promise.all(failed);
      expect([fault, read?.constructor, change?.constructor]).toEqual([fault, reading, changing]);
    }
    expect(JSON.stringify(lines)).not.toContain(midtransKey);
  });

  it('is reported when no response arrives within ten seconds', async () => {
    const { id } = await opened();
    await midtrans.fail(id, 'silence');
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
      const ending = new AbortController();
      setTimeout(() => ending.abort(new Error('late')), 50);
      return ending.signal;
    });
    await expect(gateway.getStatus(id)).rejects.toThrow(GatewayUnavailable);
    expect(timeout).toHaveBeenCalledWith(10_000);
  });

  it('is reported if the key is unknown', async () => {
    const other = createMidtrans(deps, { name: 'midtrans', serverKey: 'other', apiUrl: url, snapUrl: url });
    await expect(other.createCheckout(newOrder())).rejects.toThrow(GatewayUnavailable);
    await expect(other.getStatus('dep_1')).rejects.toThrow(GatewayUnavailable);
  });
});

describe('a Midtrans notification', () => {
  /** Order, status code, amount and signature from the samples in github.com/veritrans/midtrans-agent-skills. */
  const samples = [
    [
      'ORDER-sandbox-0001',
      '200',
      '150000.00',
      'd65b4adf15335095fe1bfafe24964d48009dcc2989393e13570b0c9852ea60df0040b1a9646b9c9ef9433317f77acc8e387c59998dc20f5bd93fff93d23672e4',
    ],
    [
      'ORDER-sandbox-0002',
      '201',
      '75000.00',
      'db70270f6c27da2b564d4fffd9df3eeae578a7afba22bf5e6071711c7914d7a3d22ccaa533e864cf53742ca73c9e63016b0cbc1f97ee253a77b24b7a410d876a',
    ],
    [
      'ORDER-sandbox-0003',
      '202',
      '50000.00',
      'a51d1bd2aa8b1dca9228f3827cd641b6dadf52ebb9ed40fb45db6a06dbb33de7cde8e80caa93dfb5e6beeaaf44f698dc7f6f56edd46556eddaa2a774ff7692c6',
    ],
    [
      'ORDER-refund-0001',
      '200',
      '150000.00',
      '066b9923b82f27ba2aaa61bdea78133dcf3d442709a678c86dda29c6656c4cb9d11995e4357e074694e3da2e8d0e25d5afe0578df9f35d85a0365c197387d525',
    ],
    [
      'ORDER-partial-refund-0001',
      '200',
      '150000.00',
      'd115a0f55a40f2c60465006118c1e48f52c3baf5a953f8443221d84dea9a9ebd7ba20f7c76d2320dfcdd31c3de41a047f6b43a4075bea5f734dd8c5231268906',
    ],
  ] as const;

  it('is accepted by its signature, as in the samples from the Midtrans documentation', async () => {
    for (const [order_id, status_code, gross_amount, signature_key] of samples) {
      const body = { order_id, status_code, gross_amount, signature_key };
      expect(await verify(body)).toBe(order_id);
      for (const change of [
        { order_id: 'ORDER-sandbox-0009' },
        { status_code: '407' },
        { gross_amount: '150000' },
        { gross_amount: 150_000 },
        { signature_key: signature_key.toUpperCase() },
        { signature_key: signature_key.slice(1) },
        { signature_key: '' },
        { signature_key: undefined },
      ])
        expect([change, await verify({ ...body, ...change })]).toEqual([change, undefined]);
    }
  });

  it('is accepted if signed by the stand-in and rejected if malformed', async () => {
    const { id } = await opened();
    await midtrans.choose(id, 'qris');
    expect(await verify(await midtrans.notification(id))).toBe(id);
    for (const body of ['', 'no JSON', '[]', 'null', '{}', '\u0000'])
      expect(await verify(body)).toBeUndefined();
  });
});
