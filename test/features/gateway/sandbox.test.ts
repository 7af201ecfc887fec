import { describe, expect, it } from 'vitest';
import type { NoticeWay, PayAction } from '../../../dev/gateway.ts';
import {
  GatewayAmbiguous,
  GatewayContradicted,
  GatewayRefused,
  type Order,
} from '../../../src/features/gateway/gateway.ts';
import { createSandbox } from '../../../src/features/gateway/sandbox.ts';
import { gatewayDeps, openSandboxGateway } from '../../support/gateway.ts';

const { gateway, clock, takeNotices, act, page } = openSandboxGateway();
let orders = 0;

function newOrder(): Order {
  orders += 1;
  return {
    id: `dep_${orders}`,
    amount: 50_000,
    asset: 'IDR',
    payer: { pid: 'ayu@pid', name: 'Ayu' },
    returnUrl: `http://localhost:8787/fiat/return/dep_${orders}`,
    expiresAt: clock.at + 3_600_000,
  };
}

async function openedOrder(): Promise<Order> {
  const order = newOrder();
  await gateway.createCheckout(order);
  return order;
}

describe('a sandbox payment', () => {
  it('has one checkout per order, and rejects a different amount under the same id', async () => {
    const order = newOrder();
    expect(await gateway.getStatus(order.id)).toEqual({ state: 'unknown', payments: [] });
    const checkout = await gateway.createCheckout(order);
    const url = `http://localhost:8787/dev/gateway/${order.id}`;
    expect(checkout).toEqual({ session: order.id, url, expiresAt: order.expiresAt });
    expect(await gateway.createCheckout(order)).toEqual(checkout);
    await expect(gateway.createCheckout({ ...order, amount: 1 })).rejects.toThrow(GatewayRefused);
    expect(await gateway.getStatus(order.id)).toEqual({ state: 'open', payments: [] });
    expect(await (await page(order.id)).text()).toContain('IDR 50000');
  });

  it('supports every action on its page, both in time and late', async () => {
    const ways: readonly (readonly [PayAction[], string, number[]])[] = [
      [['pay'], 'paid', [50_000]],
      [['wrong'], 'paid', [50_001]],
      [['twice'], 'paid', [50_000, 50_000]],
      [['pay', 'pay'], 'paid', [50_000, 50_000]],
      [['expire'], 'expired', []],
      [['expire', 'pay'], 'paid', [50_000]],
      [['fail'], 'failed', []],
      [['fail', 'pay'], 'paid', [50_000]],
      [['pay', 'refund'], 'refunded', [50_000]],
      [['pay', 'partly'], 'partly_refunded', [50_000]],
      [['pay', 'partly', 'restore'], 'paid', [50_000]],
      [['capture'], 'captured', [50_000]],
      [['capture', 'pay'], 'paid', [50_000]],
      [['capture', 'void'], 'failed', [50_000]],
    ];
    for (const [actions, state, amounts] of ways) {
      const order = await openedOrder();
      for (const action of actions) {
        expect(await (await page(order.id)).text()).toContain(`value="${action}"`);
        const { status, headers } = await act(order.id, { action });
        const back = ['pay', 'capture', 'wrong', 'twice', 'restore'].includes(action)
          ? order.returnUrl
          : `/dev/gateway/${order.id}`;
        expect([status, headers.get('Location')]).toEqual([303, back]);
      }
      const found = await gateway.getStatus(order.id);
      expect([actions, found.state, found.payments.map(({ amount }) => amount)]).toEqual([
        actions,
        state,
        amounts,
      ]);
      expect(new Set(found.payments.map(({ id }) => id)).size).toBe(amounts.length);
    }
  });

  it('can expire or be cancelled, but not after payment', async () => {
    const [late, cancelled, paid] = [await openedOrder(), await openedOrder(), await openedOrder()];
    await gateway.cancelCheckout(cancelled.id, cancelled.id);
    await act(paid.id, { action: 'pay' });
    await expect(gateway.cancelCheckout(paid.id, paid.id)).rejects.toThrow(GatewayRefused);
    await expect(gateway.cancelCheckout('dep_none', 'dep_none')).rejects.toThrow(GatewayRefused);
    expect((await gateway.getStatus(cancelled.id)).state).toBe('expired');
    clock.at += 3_600_000;
    expect((await gateway.getStatus(late.id)).state).toBe('expired');
    expect((await gateway.getStatus(paid.id)).state).toBe('paid');
  });

  it('sends the notifications chosen on its page, with Standard Webhooks signatures', async () => {
    const orderOf = async (notice: Request) =>
      gateway.verifyNotification(new Uint8Array(await notice.clone().arrayBuffer()), notice.headers);
    const ways: readonly (readonly [NoticeWay, string[]])[] = [
      ['once', ['payment.paid']],
      ['twice', ['payment.paid', 'payment.paid']],
      ['disordered', ['payment.paid', 'payment.open']],
      ['forged', ['payment.paid']],
      ['never', []],
    ];
    takeNotices();
    for (const [notify, types] of ways) {
      const { id } = await openedOrder();
      await act(id, { action: 'pay', notify });
      const notices = takeNotices();
      const bodies = await Promise.all(
        notices.map(async (notice) => (await notice.clone().json()) as { type: string }),
      );
      expect([notify, bodies.map(({ type }) => type)]).toEqual([notify, types]);
      const verified = await Promise.all(notices.map(orderOf));
      expect(verified).toEqual(types.map(() => (notify === 'forged' ? undefined : id)));
      const ids = new Set(notices.map(({ headers }) => headers.get('webhook-id')));
      expect(ids.size).toBe(notify === 'disordered' ? 2 : Math.min(types.length, 1));
    }
  });

  it('ignores a notification that is altered, old or unsigned', async () => {
    const { id } = await openedOrder();
    takeNotices();
    await act(id, { action: 'pay' });
    const [notice] = takeNotices();
    const text = (await notice?.text()) ?? '';
    const verify = (body: string, headers = new Headers(notice?.headers)) =>
      gateway.verifyNotification(new TextEncoder().encode(body), headers);
    expect(await verify(text)).toBe(id);
    expect(await verify(text.replace(id, 'dep_other'))).toBeUndefined();
    expect(await verify(text, new Headers())).toBeUndefined();
    const headers = new Headers(notice?.headers);
    headers.set('webhook-signature', `v1,AAAA ${headers.get('webhook-signature')}`);
    expect(await verify(text, headers)).toBe(id);
    clock.at += 301_000;
    expect(await verify(text)).toBeUndefined();
  });
});

describe('a sandbox payout', () => {
  const payTo = (id: string, accountNumber: string) =>
    gateway.createPayout({
      id,
      amount: 20_000,
      destination: { bankCode: 'BCA', accountNumber },
      holder: 'Budi',
    });

  it('has the outcome given by the last digit of the account, and is found by a repeated request', async () => {
    const outcomes = [
      ['12345671', 'failed', 'failed'],
      ['12345672', 'pending', 'pending'],
      ['12345674', 'paid', 'returned'],
      ['12345675', 'paid', 'paid'],
    ] as const;
    for (const [account, first, later] of outcomes) {
      const created = await payTo(`wdr_${account}`, account);
      expect([account, created.state]).toEqual([account, first]);
      const found = await gateway.getPayout({
        id: `wdr_${account}`,
        amount: 20_000,
        payout: null,
        status: 'submitted',
      });
      expect(found).toEqual({ ...created, state: later });
      expect(await payTo(`wdr_${account}`, account)).toEqual(found);
    }
    expect(
      (await gateway.getPayout({ id: 'wdr_12345671', amount: 20_000, payout: null, status: 'submitted' }))
        .failure,
    ).toBe('The account is closed');
    expect(
      await gateway.getPayout({ id: 'wdr_none', amount: 20_000, payout: null, status: 'submitted' }),
    ).toEqual({ state: 'unknown' });
  });

  it('may exist even if its response never arrives', async () => {
    await expect(payTo('wdr_3', '12345673')).rejects.toThrow(GatewayAmbiguous);
    const found = await gateway.getPayout({ id: 'wdr_3', amount: 20_000, payout: null, status: 'submitted' });
    expect(found.state).toBe('paid');
    expect(await payTo('wdr_3', '12345673')).toEqual(found);
  });

  it('is not settled by a response about another payout, amount or currency [D-97]', async () => {
    const paid = { id: 'wdr_9', amount: 20_000, currency: 'IDR', state: 'paid', payoutId: 'pyt_9' };
    const { deps, audited } = gatewayDeps(async () => Response.json(said));
    let said: object = paid;
    const lying = createSandbox(deps);
    const asked = { id: 'wdr_9', amount: 20_000, payout: null, status: 'submitted' };
    expect(await lying.getPayout(asked)).toEqual({ state: 'paid', payoutId: 'pyt_9' });
    for (const lie of [{ id: 'wdr_8' }, { amount: 20_001 }, { currency: 'USD' }]) {
      said = { ...paid, ...lie };
      await expect(lying.getPayout(asked)).rejects.toThrow(GatewayContradicted);
      const destination = { bankCode: 'BCA', accountNumber: '12345678' };
      const payout = { id: 'wdr_9', amount: 20_000, destination, holder: 'Budi' };
      await expect(lying.createPayout(payout)).rejects.toThrow(GatewayContradicted);
    }
    expect(audited).toHaveLength(6);
  });

  it('requires an existing account at a listed bank', async () => {
    const [{ code: bankCode } = { code: '' }] = await gateway.listBanks();
    const holder = (accountNumber: string, bank = bankCode) =>
      gateway.inquireAccount({ bankCode: bank, accountNumber });
    expect(await holder('12345675')).toBe('Budi Santoso');
    expect(await holder('12345670')).toBeUndefined();
    expect(await holder('../../x')).toBeUndefined();
    expect(await holder('12345675', 'NONE')).toBeUndefined();
  });
});
