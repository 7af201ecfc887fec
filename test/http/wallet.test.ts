import { describe, expect, it } from 'vitest';
import type { Transaction, WalletStatement } from '../../src/features/ledger/schema.ts';
import type { Refunded } from '../../src/features/transfer/schema.ts';
import { inOneTrip, refusal, seen } from '../support/answers.ts';
import { json } from '../support/browser.ts';
import { fillWallet } from '../support/long-wallet.ts';
import { adjust, balanceOf, fundedWallet, gateway, giveBack, newHolder, pay } from '../support/money.ts';
import { type Member, newMember } from '../support/people.ts';
import { useService } from '../support/service.ts';

const target = useService();
const none = refusal(404, 'Wallet does not exist');

interface List {
  readonly data: Transaction[];
  readonly nextCursor: string | null;
}

async function read<Body>({ browser }: Member, path: string): Promise<Body> {
  const answer = await browser.fetch(path);
  expect(answer.status, path).toBe(200);
  return (await answer.json()) as Body;
}
const transactionsOf = (member: Member, query = '') => read<List>(member, `/v1/wallet/transactions${query}`);

describe('a wallet', () => {
  it('is opened only once, and a repeat returns the same wallet', async () => {
    const member = await newMember(target);
    expect(await seen(await member.browser.fetch('/v1/wallet'))).toEqual(none);
    expect(await read(member, '/v1/me')).toMatchObject({ wallet: null });
    const open = () => member.browser.fetch('/v1/wallet', { method: 'POST' });
    const first = await seen(await inOneTrip(target, open));
    expect(first).toEqual([
      200,
      {
        pid: `${member.handle}@pid`,
        status: 'active',
        balances: [{ asset: 'IDR', scale: 0, available: 0, held: 0, balance: 0, debt: 0 }],
        limits: null,
        createdAt: expect.any(String),
      },
    ]);
    await target.advance(1);
    expect(await seen(await open())).toEqual(first);
    expect(await seen(await inOneTrip(target, () => member.browser.fetch('/v1/wallet')))).toEqual(first);
    expect(await target.rows('SELECT count(*) AS n FROM accounts WHERE owner = ?', [member.handle])).toEqual([
      { n: 1 },
    ]);
  });

  it('is opened only once by ten concurrent requests', async () => {
    const member = await newMember(target);
    const open = () => member.browser.fetch('/v1/wallet', { method: 'POST' });
    const answers = await Promise.all(Array.from({ length: 10 }, open));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await target.rows('SELECT count(*) AS n FROM accounts WHERE owner = ?', [member.handle])).toEqual([
      { n: 1 },
    ]);
  });

  it('is shown in GET /v1/me, and prevents closing the identity while it holds money', async () => {
    const member = await newHolder(target, 700);
    expect(await read(member, '/v1/me')).toMatchObject({
      wallet: { status: 'active', balances: [{ available: 700, held: 0, balance: 700 }] },
    });
    const close = () => member.browser.fetch('/v1/me', json('DELETE', { handle: member.handle }));
    expect(await seen(await close())).toEqual(refusal(409, 'Wallet balance is not zero', 'closure_blocked'));
    const account = await fundedWallet(target, member.handle, 0);
    await adjust(target, { from: account, to: gateway, amount: 700 });
    expect((await close()).status).toBe(204);
    expect(await target.rows('SELECT status FROM accounts WHERE id = ?', [account])).toEqual([
      { status: 'closed' },
    ]);
  });

  it('returns its balance at any point in time [D-83]', async () => {
    const [from, to] = [await newHolder(target), await newHolder(target)];
    const account = await fundedWallet(target, from.handle, 0);
    const start = target.now();
    await adjust(target, { from: gateway, to: account, amount: 1000, at: start });
    await target.advance(60);
    const transfer = await pay(from, to, 300);
    const at = async (member: Member, time: number) => {
      const iso = new Date(time).toISOString();
      const answer = await read<{ balance: number; at: string }>(member, `/v1/wallet/balance?at=${iso}`);
      expect(answer).toEqual({ asset: 'IDR', scale: 0, balance: answer.balance, at: iso });
      return answer.balance;
    };
    const moved = Date.parse(transfer.createdAt);
    expect(await at(from, start - 1)).toBe(0);
    expect([await at(from, start), await at(from, moved - 1), await at(from, moved)]).toEqual([
      1000, 1000, 700,
    ]);
    expect([await at(to, moved - 1), await at(to, moved)]).toEqual([0, 300]);
    const query = `/v1/wallet/balance?at=${new Date(start).toISOString()}`;
    expect((await inOneTrip(target, () => from.browser.fetch(query))).status).toBe(200);
    const future = refusal(400, ['at must be an ISO 8601 time that is not in the future']);
    const later = new Date(target.now() + 3_600_000).toISOString();
    for (const time of [later, 'yesterday', '2026-13-01', '2026-02-30', '2026-02-30T00:00:00Z'])
      expect(await seen(await from.browser.fetch(`/v1/wallet/balance?at=${time}`))).toEqual(future);
    expect(await read(from, '/v1/wallet/balance')).toMatchObject({ available: 700, held: 0, balance: 700 });
    expect(await seen(await from.browser.fetch('/v1/wallet/balance?asset=USD'))).toEqual(
      refusal(400, ['asset must be IDR']),
    );
  });
});

describe('the lines of a wallet', () => {
  it('show each transaction with its amount, its fees and the resulting balance', async () => {
    await target.rows(
      `INSERT INTO fee_versions VALUES ('platform', 'transfer', 1, 10, 0, 0, NULL, 'payer', 'operator', 1)`,
    );
    const [from, to] = [await newHolder(target, 1000), await newHolder(target)];
    const transfer = await pay(from, to, 300, { memo: 'for lunch' });
    await target.advance(1);
    const refund = (await (
      await giveBack(to.browser, transfer.id, 'key', { amount: 100 })
    ).json()) as Refunded;
    await target.rows(
      `INSERT INTO fee_versions VALUES ('platform', 'transfer', 2, 0, 0, 0, NULL, 'payer', 'operator', 1)`,
    );
    const lines = await inOneTrip(target, () => transactionsOf(from));
    expect(lines.data).toMatchObject([
      { id: refund.id, kind: 'refund', direction: 'in', amount: 100, fees: 0, balanceAfter: 790 },
      {
        id: transfer.id,
        kind: 'transfer',
        direction: 'out',
        amount: 310,
        fees: 10,
        balanceAfter: 690,
        counterparty: { pid: `${to.handle}@pid` },
        reference: { type: 'transfer', id: transfer.id },
        memo: 'for lunch',
        appId: null,
      },
      { kind: 'correction', direction: 'in', amount: 1000, counterparty: null, balanceAfter: 1000 },
    ]);
    expect((await transactionsOf(to)).data).toMatchObject([
      { id: refund.id, direction: 'out', amount: 100, balanceAfter: 200 },
      { id: transfer.id, direction: 'in', amount: 300, fees: 0, balanceAfter: 300 },
    ]);
    const detail = await read(from, `/v1/wallet/transactions/${transfer.id}`);
    expect(detail).toEqual({
      ...lines.data[1],
      legs: [
        { direction: 'out', amount: 300, account: 'wallet' },
        { direction: 'out', amount: 10, account: 'platform' },
      ],
    });
    const foreign = await newHolder(target);
    expect(await seen(await foreign.browser.fetch(`/v1/wallet/transactions/${transfer.id}`))).toEqual(
      refusal(404, 'Unknown transaction'),
    );
  });

  it('can be filtered by kind, direction and time, and are returned page by page', async () => {
    const [from, to] = [await newHolder(target, 1000), await newHolder(target)];
    const ids: string[] = [];
    for (const amount of [1, 2, 3, 4]) {
      ids.unshift((await pay(from, to, amount)).id);
      await target.advance(1);
    }
    const idsOf = ({ data }: List) => data.map(({ id }) => id);
    expect(idsOf(await transactionsOf(from, '?kind=transfer'))).toEqual(ids);
    expect(idsOf(await transactionsOf(from, '?kind=refund'))).toEqual([]);
    expect(idsOf(await transactionsOf(from, '?direction=in'))).toHaveLength(1);
    const middle = (await transactionsOf(from, '?kind=transfer')).data[1]?.createdAt ?? '';
    expect(idsOf(await transactionsOf(from, `?kind=transfer&from=${middle}`))).toEqual(ids.slice(0, 2));
    expect(idsOf(await transactionsOf(from, `?kind=transfer&to=${middle}`))).toEqual(ids.slice(2));
    const page = await transactionsOf(from, '?kind=transfer&limit=3');
    const rest = await transactionsOf(from, `?kind=transfer&limit=3&cursor=${page.nextCursor}`);
    expect([idsOf(page), idsOf(rest), rest.nextCursor]).toEqual([ids.slice(0, 3), ids.slice(3), null]);
    expect(await seen(await from.browser.fetch('/v1/wallet/transactions?kind=gift&from=soon'))).toEqual([
      400,
      expect.objectContaining({ message: expect.arrayContaining(['from must be an ISO 8601 time']) }),
    ]);
  });

  it('add up to a statement, as JSON and as CSV without executable formulas', async () => {
    const [from, to] = [await newHolder(target), await newHolder(target)];
    const account = await fundedWallet(target, from.handle, 0);
    await adjust(target, { from: gateway, to: account, amount: 1000, at: target.now() });
    await target.advance(5);
    const between = new Date(target.now()).toISOString();
    await target.advance(5);
    await pay(from, to, 300, { memo: '=HYPERLINK("https://evil.example","click")' });
    await pay(from, to, 50, { memo: 'bread, "fresh"' });
    const statement = await read<WalletStatement>(from, `/v1/wallet/statement?from=${between}`);
    expect(statement).toMatchObject({ pid: `${from.handle}@pid`, openingBalance: 1000, closingBalance: 650 });
    expect(statement.data.map(({ amount }) => amount)).toEqual([300, 50]);
    const before = await read<WalletStatement>(from, `/v1/wallet/statement?to=${between}`);
    expect([before.openingBalance, before.closingBalance, before.data.length]).toEqual([0, 1000, 1]);
    const backwards = await from.browser.fetch(`/v1/wallet/statement?from=${between}&to=2020-01-01`);
    expect(await seen(backwards)).toEqual(refusal(400, ['from must not be after to']));
    const csv = await from.browser.fetch('/v1/wallet/statement?format=csv');
    expect(csv.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
    expect(csv.headers.get('Content-Disposition')).toBe(`attachment; filename="peridot-${from.handle}.csv"`);
    const lines = (await csv.text()).split('\r\n');
    expect(lines).toHaveLength(7);
    expect(lines[0]).toBe('time,id,kind,direction,asset,amount,fees,balance,counterparty,name,memo,app');
    expect(lines[3]).toContain(`"'=HYPERLINK(""https://evil.example"",""click"")"`);
    expect(lines[4]).toContain('"bread, ""fresh"""');
    expect(lines[5]).toMatch(/,closing,,IDR,,,650,,,,$/);
  });

  it('are all included in a statement of any length, and in the export [D-100]', async () => {
    const holder = await newHolder(target);
    const account = await fundedWallet(target, holder.handle, 0);
    await fillWallet(target, { handle: holder.handle, account, length: 600 });
    const statement = await read<WalletStatement>(holder, '/v1/wallet/statement?from=1970-01-01');
    expect([statement.data.length, statement.openingBalance, statement.closingBalance]).toEqual([
      661, 0, 1_000_600,
    ]);
    let balance = 0;
    for (const { direction, amount, balanceAfter } of statement.data) {
      balance += direction === 'in' ? amount : -amount;
      expect(balanceAfter).toBe(balance);
    }
    const csv = await (await holder.browser.fetch('/v1/wallet/statement?from=1970-01-01&format=csv')).text();
    expect(csv.split('\r\n').map((line) => line.split(',')[1])).toEqual([
      ...['id', ''],
      ...statement.data.map(({ id }) => id),
      ...['', undefined],
    ]);
    const held = await read<{ wallet: { transactions: Transaction[] } }>(holder, '/v1/me/export');
    expect(held.wallet.transactions).toEqual(statement.data);
  });

  it('are read 500 at a time, and reading stops when the client disconnects [D-100]', async () => {
    const holder = await newHolder(target);
    const account = await fundedWallet(target, holder.handle, 0);
    await fillWallet(target, { handle: holder.handle, account, length: 600 });
    const before = target.trips()?.database ?? 0;
    const answer = await holder.browser.fetch('/v1/wallet/statement?from=1970-01-01');
    const reader = answer.body?.getReader();
    for (let piece = 0; piece < 2; piece += 1) await reader?.read();
    await reader?.cancel();
    if (target.trips() !== null) expect((target.trips()?.database ?? 0) - before).toBe(2);
  });

  it('are truncated if the session is revoked in the meantime [D-100]', async () => {
    // Over a socket everything is in transit before the session is revoked.
    if (target.trips() === null) return;
    const holder = await newHolder(target);
    const account = await fundedWallet(target, holder.handle, 0);
    await fillWallet(target, { handle: holder.handle, account, length: 600 });
    const setStatus = (status: string) =>
      target.rows('UPDATE identities SET status = ? WHERE handle = ?', [status, holder.handle]);
    for (const path of [
      '/v1/wallet/statement?from=1970-01-01',
      '/v1/wallet/statement?from=1970-01-01&format=csv',
      '/v1/me/export',
    ]) {
      const answer = await holder.browser.fetch(path);
      const reader = answer.body?.getReader();
      let text = new TextDecoder().decode((await reader?.read())?.value);
      await setStatus('suspended');
      const rest = async () => {
        for (let part = await reader?.read(); !part?.done; part = await reader?.read())
          text += new TextDecoder().decode(part?.value);
      };
      await expect(rest(), path).rejects.toThrow();
      expect(() => JSON.parse(text), path).toThrow();
      expect(text).not.toContain(',closing,');
      await setStatus('active');
    }
  });

  it('are exported with the state of the wallet', async () => {
    const [from, to] = [await newHolder(target, 1000), await newHolder(target)];
    const { id } = await pay(from, to, 300);
    expect(await read(from, '/v1/me/export')).toMatchObject({
      complete: true,
      wallet: {
        status: 'active',
        balances: [{ balance: 700 }],
        transactions: [{ kind: 'correction' }, { id, kind: 'transfer', amount: 300 }],
      },
    });
    expect(await balanceOf(target, to.handle)).toBe(300);
  });
});
