import { beforeAll, describe, expect, it } from 'vitest';
import type { Transaction } from '../../src/features/ledger/schema.ts';
import { inOneTrip, refusal, seen } from '../support/answers.ts';
import { json } from '../support/browser.ts';
import { newDeposit, notice, payAt, readDeposit, runJobs, sync } from '../support/deposits.ts';
import { adjust, balanceOf, gateway, newHolder } from '../support/money.ts';
import type { Member } from '../support/people.ts';
import { useService } from '../support/service.ts';

const target = useService();

let ada: Member;
beforeAll(async () => {
  ada = await newHolder(target);
});

/** The legs posted for a deposit, including those to suspense. */
async function moved(id: string): Promise<{ kind: string; amount: number }[]> {
  return target.rows(
    `SELECT l.kind, l.amount FROM legs l WHERE substr(l.ref, 1, 30) = ?
      OR l.ref IN (SELECT d.id FROM adjustments d WHERE d.ref = ?) ORDER BY l.seq`,
    [id, id],
  );
}

const freeze = (mode: 'open' | 'frozen' | 'disabled') => target.rows('UPDATE ledger SET mode = ?', [mode]);
/** Read from the database, so that it works even if the sign-in is too old. */
async function statusOf(id: string): Promise<string | undefined> {
  const [row] = await target.rows<{ status: string }>('SELECT status FROM deposits WHERE id = ?', [id]);
  return row?.status;
}

/** Syncs a deposit, and returns its status and failure. */
async function synced(id: string) {
  const [status, body] = await seen(await sync(ada.browser, id));
  expect(status).toBe(200);
  const { status: state, failure } = body as { status: string; failure: string | null };
  return [state, failure];
}

describe('a payment accepted by a provider', () => {
  it('is credited only once if notifications, sync, the return page and the sweeper report it concurrently', async () => {
    const before = await balanceOf(target, ada.handle);
    const { id } = await newDeposit(ada, 50_000);
    await payAt(target, { id }, 'pay');
    await target.advance(121);
    const answers = await Promise.all([
      notice(target, id),
      notice(target, id),
      notice(target, id),
      sync(ada.browser, id),
      ada.browser.navigate(`/fiat/return/${id}`),
      target.request('/dev/scheduled', { method: 'POST' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 303, 200]);
    await expect.poll(() => statusOf(id)).toBe('credited');
    expect(await moved(id)).toEqual([{ kind: 'deposit', amount: 50_000 }]);
    expect(await balanceOf(target, ada.handle)).toBe(before + 50_000);
  });

  it.each(['once', 'twice', 'disordered'] as const)('is credited after a notification: %s', async (way) => {
    const { id } = await newDeposit(ada);
    await payAt(target, { id }, 'pay', way);
    await expect.poll(() => statusOf(id)).toBe('credited');
    expect(await moved(id)).toEqual([{ kind: 'deposit', amount: 50_000 }]);
  });

  it('is credited by the scheduled job if no valid notification arrives', async () => {
    const [forged, silent] = [await newDeposit(ada), await newDeposit(ada)];
    await payAt(target, forged, 'pay', 'forged');
    await payAt(target, silent, 'pay', 'never');
    expect(await statusOf(forged.id)).toBe('pending');
    await target.advance(121);
    await runJobs(target);
    expect([await statusOf(forged.id), await statusOf(silent.id)]).toEqual(['credited', 'credited']);
  });

  it('goes to the wallet once, and to suspense each time the order is paid again', async () => {
    const before = await balanceOf(target, ada.handle);
    const { id } = await newDeposit(ada);
    await payAt(target, { id }, 'twice');
    await Promise.all([sync(ada.browser, id), sync(ada.browser, id), notice(target, id)]);
    await expect.poll(() => moved(id)).toHaveLength(2);
    await target.advance(2);
    await payAt(target, { id }, 'pay', 'once');
    await expect.poll(() => moved(id)).toHaveLength(3);
    await target.advance(2);
    await notice(target, id);
    await runJobs(target);
    expect(await moved(id)).toEqual([
      { kind: 'deposit', amount: 50_000 },
      { kind: 'second_payment', amount: 50_000 },
      { kind: 'second_payment', amount: 50_000 },
    ]);
    expect(await balanceOf(target, ada.handle)).toBe(before + 50_000);
  });

  it.each(['expire', 'fail'] as const)('is credited if it arrives late: %s, then pay', async (way) => {
    const { id } = await newDeposit(ada);
    await payAt(target, { id }, way, 'once');
    const ended = way === 'expire' ? 'expired' : 'failed';
    await expect.poll(() => statusOf(id)).toBe(ended);
    await target.advance(40 * 86_400);
    await payAt(target, { id }, 'pay', 'once');
    await expect.poll(() => statusOf(id)).toBe('credited');
    ada = await newHolder(target);
  });

  it('waits for review when the amount differs or the wallet is closed', async () => {
    const wrong = await newDeposit(ada);
    await payAt(target, wrong, 'wrong');
    expect(await synced(wrong.id)).toEqual(['review', 'amount_mismatch']);
    expect(await moved(wrong.id)).toEqual([]);
    const [row] = await target.rows('SELECT paid, paid_currency, next_at FROM deposits WHERE id = ?', [
      wrong.id,
    ]);
    expect(row).toEqual({ paid: 50_001, paid_currency: 'IDR', next_at: null });

    const gone = await newHolder(target);
    const { id } = await newDeposit(gone);
    expect((await gone.browser.fetch('/v1/me', closing(gone.handle))).status).toBe(204);
    await payAt(target, { id }, 'pay', 'once');
    const state = () => target.rows('SELECT status, failure FROM deposits WHERE id = ?', [id]);
    await expect.poll(state).toEqual([{ status: 'review', failure: 'account_closed' }]);
  });

  it('waits while the ledger is frozen, and is credited after the ledger is unfrozen', async () => {
    const [told, silent] = [await newDeposit(ada), await newDeposit(ada)];
    await freeze('frozen');
    await payAt(target, told, 'pay', 'once');
    await payAt(target, silent, 'pay');
    expect(await seen(await sync(ada.browser, silent.id))).toEqual(refusal(503, 'Ledger is frozen'));
    await freeze('disabled');
    expect(await seen(await sync(ada.browser, silent.id))).toEqual(refusal(503, 'Ledger is disabled'));
    await target.advance(121);
    await runJobs(target);
    expect([await statusOf(told.id), await statusOf(silent.id)]).toEqual(['pending', 'pending']);
    await freeze('open');
    await target.advance(121);
    await runJobs(target);
    expect([await statusOf(told.id), await statusOf(silent.id)]).toEqual(['credited', 'credited']);
  });

  it('waits while the wallet is frozen', async () => {
    const { id } = await newDeposit(ada);
    await payAt(target, { id }, 'pay');
    const status = (to: string) =>
      target.rows(`UPDATE accounts SET status = ? WHERE owner = ?`, [to, ada.handle]);
    await status('frozen');
    expect(await synced(id)).toEqual(['pending', null]);
    await status('active');
    await target.advance(3601);
    await runJobs(target);
    expect(await statusOf(id)).toBe('credited');
    ada = await newHolder(target);
  });
});

describe('a payment refunded by a provider', () => {
  it('is debited only once from a wallet that covers it', async () => {
    const before = await balanceOf(target, ada.handle);
    const { id } = await newDeposit(ada);
    await payAt(target, { id }, 'pay');
    expect(await synced(id)).toEqual(['credited', null]);
    await target.advance(2);
    await payAt(target, { id }, 'refund', 'twice');
    await expect.poll(() => statusOf(id)).toBe('reversed');
    await target.advance(2);
    await notice(target, id);
    expect(await moved(id)).toEqual([
      { kind: 'deposit', amount: 50_000 },
      { kind: 'deposit_reversal', amount: 50_000 },
    ]);
    expect(await balanceOf(target, ada.handle)).toBe(before);
  });

  it('becomes a debt if the wallet has spent it, and the next deposit settles the debt first [D-98]', async () => {
    const eve = await newHolder(target);
    const { id } = await newDeposit(eve);
    await payAt(target, { id }, 'pay');
    await sync(eve.browser, id);
    const [wallet] = await target.rows<{ id: number }>('SELECT id FROM accounts WHERE owner = ?', [
      eve.handle,
    ]);
    await adjust(target, { from: wallet?.id ?? 0, to: gateway, amount: 30_000 });
    await target.advance(2);
    await payAt(target, { id }, 'void', 'once');
    await expect.poll(() => statusOf(id)).toBe('reversed');
    const read = async (path: string) => (await eve.browser.fetch(path)).json();
    expect(await read('/v1/wallet/balance')).toMatchObject({ available: 0, balance: 0, debt: 30_000 });
    const closing = json('DELETE', { handle: eve.handle });
    expect(await seen(await eve.browser.fetch('/v1/me', closing))).toMatchObject([
      409,
      { message: 'Wallet has a debt' },
    ]);
    const next = await newDeposit(eve);
    await payAt(target, next, 'pay');
    await sync(eve.browser, next.id);
    expect(await read('/v1/wallet/balance')).toMatchObject({ available: 20_000, debt: 0 });
    const { data } = (await read('/v1/wallet/transactions')) as { data: Transaction[] };
    expect(data.map(({ kind, direction, amount }) => [kind, direction, amount])).toEqual([
      ['debt', 'out', 30_000],
      ['deposit', 'in', 50_000],
      ['reversal', 'out', 50_000],
      ['debt', 'in', 30_000],
      ['correction', 'out', 30_000],
      ['deposit', 'in', 50_000],
    ]);
    for (const { id: line, kind } of data)
      expect(await read(`/v1/wallet/transactions/${line}`)).toMatchObject({ id: line, kind });
    expect(await read(`/v1/fiat/deposits/${id}`)).toMatchObject({
      status: 'reversed',
      returnedAmount: 50_000,
    });
  });

  it('is reduced by each partial refund, and credited again if the provider restores it', async () => {
    const before = await balanceOf(target, ada.handle);
    const { id } = await newDeposit(ada);
    await payAt(target, { id }, 'pay');
    await sync(ada.browser, id);
    for (const [action, held] of [
      ['partly', 40_000],
      ['partly', 30_000],
      ['refund', 0],
      ['restore', 50_000],
      ['partly', 40_000],
    ] as const) {
      await target.advance(2);
      await payAt(target, { id }, action, 'twice');
      await expect.poll(() => balanceOf(target, ada.handle)).toBe(before + held);
    }
    expect(await readDeposit(ada, id)).toMatchObject({ status: 'credited', returnedAmount: 10_000 });
  });

  it('is never credited if it was voided before settlement', async () => {
    const [settled, voided] = [await newDeposit(ada), await newDeposit(ada)];
    for (const { id } of [settled, voided]) {
      await payAt(target, { id }, 'capture');
      expect(await synced(id)).toEqual(['pending', null]);
    }
    await payAt(target, settled, 'pay');
    await payAt(target, voided, 'void');
    expect(await synced(settled.id)).toEqual(['credited', null]);
    expect(await synced(voided.id)).toEqual(['failed', null]);
    expect(await moved(voided.id)).toEqual([]);
  });

  it('fails a deposit that has not been credited yet', async () => {
    const { id } = await newDeposit(ada);
    await payAt(target, { id }, 'pay');
    await payAt(target, { id }, 'refund');
    expect(await synced(id)).toEqual(['failed', 'refunded']);
    expect(await moved(id)).toEqual([]);
  });
});

it('a checkout takes three round trips, and syncing a credited deposit takes one and no provider call', async () => {
  const before = target.trips()?.database ?? 0;
  const { id } = await newDeposit(ada);
  if (target.trips() !== null) expect((target.trips()?.database ?? 0) - before).toBe(3);
  await payAt(target, { id }, 'pay');
  const paid = target.trips()?.database ?? 0;
  expect(await synced(id)).toEqual(['credited', null]);
  if (target.trips() !== null) expect((target.trips()?.database ?? 0) - paid).toBe(2);
  // The provider would now report that it returned the money.
  await payAt(target, { id }, 'refund');
  const answer = await inOneTrip(target, () => sync(ada.browser, id));
  expect(await answer.json()).toMatchObject({ status: 'credited', synced: true });
});

function closing(handle: string) {
  return {
    method: 'DELETE',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ handle }),
  };
}
