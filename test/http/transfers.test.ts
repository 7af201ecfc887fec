import { beforeAll, describe, expect, it } from 'vitest';
import type { Inquiry, Refunded, Transfer } from '../../src/features/transfer/schema.ts';
import { inOneTrip, refusal, seen } from '../support/answers.ts';
import { json } from '../support/browser.ts';
import { balanceOf, confirmInquiry, giveBack, inquire, newHolder, pay } from '../support/money.ts';
import { freshHandle, type Member, newMember } from '../support/people.ts';
import { useService } from '../support/service.ts';

const target = useService();

let ada: Member;
let ben: Member;
beforeAll(async () => {
  [ada, ben] = [await newHolder(target, 100_000), await newHolder(target)];
});

const unknown = refusal(404, 'Unknown transaction');

async function inquiryOf(from: Member, to: Member, amount: number, fields = {}): Promise<Inquiry> {
  const answer = await inquire(from.browser, to.handle, amount, fields);
  expect(answer.status).toBe(200);
  return (await answer.json()) as Inquiry;
}

describe('an inquiry', () => {
  it('shows the cost, the recipient and the expiry of a transfer without moving anything', async () => {
    const before = target.now();
    const inquiry = await inquiryOf(ada, ben, 1500, { memo: ' for lunch ' });
    expect(inquiry).toMatchObject({
      status: 'open',
      from: `${ada.handle}@pid`,
      to: { pid: `${ben.handle}@pid` },
      asset: 'IDR',
      amount: 1500,
      fees: { payer: 0, payee: 0, app: 0, platform: 0, total: 0 },
      totalDebit: 1500,
      netAmount: 1500,
      sufficientFunds: true,
      requiresApproval: false,
      memo: 'for lunch',
    });
    expect(inquiry.id).toMatch(/^inq_[0-9a-z]{26}$/);
    const lifetime = Date.parse(inquiry.expiresAt) - before;
    expect(lifetime).toBeGreaterThanOrEqual(300_000);
    expect(lifetime).toBeLessThan(360_000);
    expect(await seen(await ada.browser.fetch(`/v1/fiat/transfers/inquiry/${inquiry.id}`))).toEqual([
      200,
      inquiry,
    ]);
    expect(await balanceOf(target, ben.handle)).toBe(0);
  });

  it('reports insufficient funds rather than failing', async () => {
    expect(await inquiryOf(ada, ben, 100_001)).toMatchObject({ sufficientFunds: false, status: 'open' });
  });

  it.each([
    ['100', 'amount must be a positive integer'],
    [0.5, 'amount must be a positive integer'],
    [0, 'amount must be a positive integer'],
    [-1, 'amount must be a positive integer'],
    [null, 'amount must be a positive integer'],
    [[100], 'amount must be a positive integer'],
  ])('rejects the amount %j', async (amount, message) => {
    expect(await seen(await inquire(ada.browser, ben.handle, amount))).toEqual(refusal(400, [message]));
  });

  it('accepts 1e3 as a thousand, and nothing above 10^12', async () => {
    const ask = (amount: string) =>
      ada.browser.fetch('/v1/fiat/transfers/inquiry', {
        ...json('POST', {}),
        body: `{"to":"${ben.handle}@pid","amount":${amount}}`,
      });
    expect(await (await ask('1e3')).json()).toMatchObject({ amount: 1000 });
    expect(await (await ask('1000000000000')).json()).toMatchObject({ amount: 1_000_000_000_000 });
    const tooLarge = refusal(400, 'Amount too large: maximum is 1000000000000 IDR');
    expect(await seen(await ask('10000000000000'))).toEqual(tooLarge);
    expect(await seen(await ask('1e300'))).toEqual(tooLarge);
    expect(await seen(await ask('1e400'))).toEqual(refusal(400, ['amount must be a positive integer']));
  });

  it('rejects the payer’s own wallet, a recipient who cannot be paid, and a misleading memo', async () => {
    const ask = async (to: string, fields = {}) => seen(await inquire(ada.browser, to, 5, fields));
    expect(await ask(ada.handle)).toEqual(refusal(400, 'Cannot transfer to your own wallet'));
    const recipient = refusal(404, 'Unknown recipient');
    const bare = await newMember(target);
    const closed = await newMember(target);
    await closed.browser.fetch('/v1/me', json('DELETE', { handle: closed.handle }));
    const suspended = await newHolder(target);
    await target.rows(`UPDATE identities SET status = 'suspended' WHERE handle = ?`, [suspended.handle]);
    for (const to of [freshHandle(), 'no such one', bare.handle, closed.handle, suspended.handle])
      expect(await ask(to)).toEqual(recipient);
    expect(await ask(ben.handle, { memo: 'm'.repeat(141) })).toEqual(
      refusal(400, ['memo must be shorter than or equal to 140 characters']),
    );
    for (const memo of ['a\u0000b', 'a\u202eb', 'line\nbreak'])
      expect(await ask(ben.handle, { memo })).toEqual(
        refusal(400, ['memo must not contain control or invisible characters']),
      );
    expect(await ask(ben.handle, { asset: 'USD' })).toEqual(refusal(400, ['asset must be IDR']));
    expect(await seen(await inquire(bare.browser, ben.handle, 5))).toEqual(
      refusal(404, 'Wallet does not exist'),
    );
  });

  it('can be cancelled only once by its payer, and not confirmed after that', async () => {
    const { id } = await inquiryOf(ada, ben, 5);
    const cancel = (by: Member) =>
      by.browser.fetch(`/v1/fiat/transfers/inquiry/${id}/cancel`, { method: 'POST' });
    expect(await seen(await cancel(ben))).toEqual(unknown);
    expect(await (await cancel(ada)).json()).toMatchObject({ id, status: 'cancelled' });
    expect(await (await cancel(ada)).json()).toMatchObject({ id, status: 'cancelled' });
    expect(await seen(await confirmInquiry(ada.browser, id))).toEqual(
      refusal(400, 'Transfer inquiry has expired'),
    );
    const paid = await inquiryOf(ada, ben, 5);
    expect((await confirmInquiry(ada.browser, paid.id)).status).toBe(200);
    expect(
      await seen(await ada.browser.fetch(`/v1/fiat/transfers/inquiry/${paid.id}/cancel`, { method: 'POST' })),
    ).toEqual(refusal(400, 'Transfer inquiry can no longer be cancelled'));
  });
});

describe('confirming a transfer', () => {
  it('moves the money, and returns the same transfer if repeated', async () => {
    const [from, to] = [await newHolder(target, 900), await newHolder(target)];
    const { id } = await inquiryOf(from, to, 400);
    const first = await inOneTrip(target, () => confirmInquiry(from.browser, id));
    const transfer = (await first.json()) as Transfer;
    expect(transfer).toMatchObject({
      id: id.replace('inq_', 'trf_'),
      inquiryId: id,
      refundOf: null,
      status: 'completed',
      from: `${from.handle}@pid`,
      to: `${to.handle}@pid`,
      totalDebit: 400,
      netAmount: 400,
      refundedTotal: 0,
      refundable: 400,
    });
    expect(first.headers.get('Idempotent-Replayed')).toBeNull();
    const again = await confirmInquiry(from.browser, id);
    expect([again.status, again.headers.get('Idempotent-Replayed')]).toEqual([200, 'true']);
    expect(await again.json()).toEqual(transfer);
    expect([await balanceOf(target, from.handle), await balanceOf(target, to.handle)]).toEqual([500, 400]);
    for (const person of [from, to])
      expect(await seen(await person.browser.fetch(`/v1/fiat/transfers/${transfer.id}`))).toEqual([
        200,
        transfer,
      ]);
    expect(await seen(await ada.browser.fetch(`/v1/fiat/transfers/${transfer.id}`))).toEqual(unknown);
    expect(await (await from.browser.fetch(`/v1/fiat/transfers/inquiry/${id}`)).json()).toMatchObject({
      status: 'confirmed',
    });
  });

  it('rejects an inquiry that is unknown, expired, another person’s, or above the balance', async () => {
    const [from, to] = [await newHolder(target, 100), await newHolder(target)];
    const inquiry = await inquiryOf(from, to, 60);
    expect(await seen(await confirmInquiry(to.browser, inquiry.id))).toEqual(unknown);
    for (const id of ['inq_00000000000000000000000000', inquiry.id.replace('inq_', 'trf_'), 'x'])
      expect(await seen(await confirmInquiry(from.browser, id))).toEqual(unknown);
    const other = await inquiryOf(from, to, 60);
    expect((await confirmInquiry(from.browser, inquiry.id)).status).toBe(200);
    expect(await seen(await confirmInquiry(from.browser, other.id))).toEqual(
      refusal(400, 'Insufficient internal credit'),
    );
    const late = await inquiryOf(from, to, 40);
    await target.advance(301);
    expect(await seen(await confirmInquiry(from.browser, late.id))).toEqual(
      refusal(400, 'Transfer inquiry has expired'),
    );
    expect(await (await from.browser.fetch(`/v1/fiat/transfers/inquiry/${late.id}`)).json()).toMatchObject({
      status: 'expired',
    });
    expect(await seen(await confirmInquiry(from.browser, 5 as never))).toEqual(
      refusal(400, ['inquiryId must be a string']),
    );
  });

  it('stops while the ledger is frozen or disabled, but reading still works [S-20]', async () => {
    const inquiry = await inquiryOf(ada, ben, 5);
    for (const mode of ['frozen', 'disabled']) {
      await target.rows('UPDATE ledger SET mode = ?', [mode]);
      const stopped = refusal(503, `Ledger is ${mode}`);
      expect(await seen(await confirmInquiry(ada.browser, inquiry.id))).toEqual(stopped);
      expect(await seen(await inquire(ada.browser, ben.handle, 5))).toEqual(stopped);
      expect(await seen(await giveBack(ada.browser, 'trf_x', 'key'))).toEqual(stopped);
      expect((await ada.browser.fetch('/v1/wallet')).status).toBe(200);
      expect((await ada.browser.fetch(`/v1/fiat/transfers/inquiry/${inquiry.id}`)).status).toBe(200);
    }
    await target.rows(`UPDATE ledger SET mode = 'open'`);
    expect((await confirmInquiry(ada.browser, inquiry.id)).status).toBe(200);
  });

  it('stops immediately when the session is revoked [S-20]', async () => {
    const holder = await newHolder(target, 10);
    const inquiry = await inquiryOf(holder, ben, 5);
    const Cookie = await holder.browser.cookies();
    await target.rows(`UPDATE sessions SET revoked_at = 1, revoked_reason = 'ended' WHERE handle = ?`, [
      holder.handle,
    ]);
    const send = (path: string, body: object) => {
      const init = json('POST', body);
      return target.request(path, { ...init, headers: { ...init.headers, Cookie } });
    };
    const ended = refusal(401, 'Session has ended');
    expect(await seen(await send('/v1/fiat/transfers/confirm', { inquiryId: inquiry.id }))).toEqual(ended);
    expect(
      await seen(await send('/v1/fiat/transfers/inquiry', { to: `${ben.handle}@pid`, amount: 1 })),
    ).toEqual(ended);
    expect(await seen(await send('/v1/wallet', {}))).toEqual(ended);
    for (const path of ['/v1/wallet', '/v1/wallet/balance', '/v1/wallet/transactions', '/v1/fiat/transfers'])
      expect(await seen(await target.request(path, { headers: { Cookie } }))).toEqual(ended);
  });

  it('moves the money only once, even if twenty requests confirm one inquiry concurrently [S-19]', async () => {
    const [from, to] = [await newHolder(target, 1000), await newHolder(target)];
    const { id } = await inquiryOf(from, to, 50);
    const answers = await Promise.all(Array.from({ length: 20 }, () => confirmInquiry(from.browser, id)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const replays = answers.filter(({ headers }) => headers.get('Idempotent-Replayed') === 'true');
    expect(replays).toHaveLength(19);
    expect([await balanceOf(target, from.handle), await balanceOf(target, to.handle)]).toEqual([950, 50]);
  });

  it('spends no more than the balance when ten inquiries are confirmed concurrently', async () => {
    const [from, to] = [await newHolder(target, 350), await newHolder(target)];
    const inquiries = [];
    for (let count = 0; count < 10; count += 1) inquiries.push(await inquiryOf(from, to, 100));
    const answers = await Promise.all(inquiries.map(({ id }) => confirmInquiry(from.browser, id)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 200, 200, ...Array<number>(7).fill(400)]);
    expect([await balanceOf(target, from.handle), await balanceOf(target, to.handle)]).toEqual([50, 300]);
  });
});

describe('a refund', () => {
  it('returns part of the amount or the rest, never more than was received, and keeps the fees [D-80]', async () => {
    const [from, to] = [await newHolder(target, 1000), await newHolder(target)];
    const transfer = await pay(from, to, 300);
    const first = (await (
      await giveBack(to.browser, transfer.id, 'one', { amount: 100, memo: 'sorry' })
    ).json()) as Refunded;
    expect(first).toMatchObject({
      inquiryId: null,
      refundOf: transfer.id,
      status: 'completed',
      from: `${to.handle}@pid`,
      to: `${from.handle}@pid`,
      amount: 100,
      memo: 'sorry',
      refundedTotal: 100,
      refundable: 200,
      feesReturned: 0,
    });
    expect(await seen(await giveBack(to.browser, transfer.id, 'two', { amount: 201 }))).toEqual(
      refusal(400, 'Refund exceeds the remaining amount of the transfer'),
    );
    expect(await (await giveBack(to.browser, transfer.id, 'three')).json()).toMatchObject({
      amount: 200,
      refundable: 0,
    });
    expect([await balanceOf(target, from.handle), await balanceOf(target, to.handle)]).toEqual([1000, 0]);
    expect(await (await from.browser.fetch(`/v1/fiat/transfers/${transfer.id}`)).json()).toMatchObject({
      refundedTotal: 300,
      refundable: 0,
    });
    expect(await seen(await giveBack(from.browser, first.id, 'four'))).toEqual(
      refusal(400, 'Transfer can no longer be refunded'),
    );
  });

  it('needs a key, returns the same refund if repeated, and rejects a different body for the same key', async () => {
    const [from, to] = [await newHolder(target, 1000), await newHolder(target)];
    const transfer = await pay(from, to, 300);
    const path = `/v1/fiat/transfers/${transfer.id}/refund`;
    expect(await seen(await to.browser.fetch(path, json('POST', {})))).toEqual(
      refusal(400, 'Idempotency-Key is required'),
    );
    expect(await seen(await giveBack(to.browser, transfer.id, 'k'.repeat(256)))).toEqual(
      refusal(400, ['Idempotency-Key must have 1 to 255 visible ASCII characters']),
    );
    const first = await giveBack(to.browser, transfer.id, 'key', { amount: 10 });
    expect(first.headers.get('Idempotent-Replayed')).toBeNull();
    const again = await giveBack(to.browser, transfer.id, 'key', { amount: 10 });
    expect([again.status, again.headers.get('Idempotent-Replayed')]).toEqual([200, 'true']);
    expect(await again.json()).toEqual(await first.json());
    expect(await seen(await giveBack(to.browser, transfer.id, 'key', { amount: 11 }))).toEqual(
      refusal(409, 'Idempotency-Key was already used with a different request'),
    );
    expect(await balanceOf(target, to.handle)).toBe(290);
  });

  it('is made only by the payee, from their balance, to an active payer [D-80]', async () => {
    const [from, to, third] = [
      await newHolder(target, 1000),
      await newHolder(target),
      await newHolder(target),
    ];
    const transfer = await pay(from, to, 300);
    for (const person of [from, third])
      expect(await seen(await giveBack(person.browser, transfer.id, 'key'))).toEqual(unknown);
    await pay(to, third, 250);
    expect(await seen(await giveBack(to.browser, transfer.id, 'key'))).toEqual(
      refusal(400, 'Insufficient internal credit'),
    );
    expect((await giveBack(to.browser, transfer.id, 'key', { amount: 50 })).status).toBe(200);
    await target.rows(`UPDATE identities SET status = 'suspended' WHERE handle = ?`, [from.handle]);
    await pay(third, to, 100);
    expect(await seen(await giveBack(to.browser, transfer.id, 'other'))).toEqual(
      refusal(404, 'Unknown recipient'),
    );
  });

  it('returns the whole amount only once for twenty concurrent requests [D-80]', async () => {
    const [from, to] = [await newHolder(target, 1000), await newHolder(target, 5000)];
    const transfer = await pay(from, to, 300);
    const keys = Array.from({ length: 20 }, (_, count) => `key${count}`);
    const answers = await Promise.all(
      keys.map((key) => giveBack(to.browser, transfer.id, key, { amount: 300 })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(19).fill(400)]);
    const same = await Promise.all(
      keys.map(() => giveBack(to.browser, transfer.id, 'key99', { amount: 300 })),
    );
    expect(new Set(same.map(({ status }) => status))).toEqual(new Set([400]));
    expect([await balanceOf(target, from.handle), await balanceOf(target, to.handle)]).toEqual([1000, 5000]);
  });
});

describe('the transfer list', () => {
  it('shows transfers and refunds newest first, filtered by direction and page by page', async () => {
    const [from, to] = [await newHolder(target, 1000), await newHolder(target)];
    const ids: string[] = [];
    for (const amount of [10, 20, 30]) ids.unshift((await pay(from, to, amount)).id);
    const refund = (await (await giveBack(to.browser, ids[0] ?? '', 'key')).json()) as Refunded;
    const list = async (person: Member, query = '') => {
      const answer = await person.browser.fetch(`/v1/fiat/transfers${query}`);
      return (await answer.json()) as { data: Transfer[]; nextCursor: string | null };
    };
    const idsOf = ({ data }: { data: Transfer[] }) => data.map(({ id }) => id);
    expect(idsOf(await list(from))).toEqual([refund.id, ...ids]);
    expect(idsOf(await list(from, '?direction=out'))).toEqual(ids);
    expect(idsOf(await list(to, '?direction=out'))).toEqual([refund.id]);
    const page = await list(from, '?limit=3');
    expect(idsOf(page)).toEqual([refund.id, ...ids.slice(0, 2)]);
    const rest = await list(from, `?limit=3&cursor=${page.nextCursor}`);
    expect([idsOf(rest), rest.nextCursor]).toEqual([ids.slice(2), null]);
    expect(await list(await newMember(target))).toEqual({ data: [], nextCursor: null });
  });
});
