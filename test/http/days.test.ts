import { beforeAll, describe, expect, it } from 'vitest';
import type { Day, Report } from '../../src/features/reconcile/schema.ts';
import { addDays, jakartaDay, startOfDay } from '../../src/lib/jakarta.ts';
import { advanceToNoon, refusal, seen } from '../support/answers.ts';
import { json } from '../support/browser.ts';
import { fundedWallet } from '../support/money.ts';
import { type Member, newAdmin, newMember, signIn } from '../support/people.ts';
import {
  acceptReport,
  bankStatement,
  creditDeposit,
  openCases,
  payoutOf,
  providerReport,
  sendReport,
  takeBack,
} from '../support/reports.ts';
import { form } from '../support/sandbox.ts';
import { useService } from '../support/service.ts';

const target = useService({ ADMIN_PIDS: 'the-boss@pid' });
let boss: Member;
let account: number;
let first: string;
const deposits = ['dep_00000000000000000000000001', 'dep_00000000000000000000000002'] as const;
const provider = { source: 'sandbox' };

/** Advances the clock by this many days, and signs in again. */
async function later(days: number): Promise<void> {
  await target.advance(days * 86_400);
  await signIn(target, boss.browser, boss.claims);
}

const close = async (day: string) =>
  seen(await boss.browser.fetch(`/v1/admin/days/${day}/close`, json('POST', { reason: 'compared' })));
const show = async (day: string) => (await (await boss.browser.fetch(`/v1/admin/days/${day}`)).json()) as Day;
const journal = async (format: string, month = first.slice(0, 7)) =>
  boss.browser.fetch(`/v1/admin/journal?month=${month}&format=${format}`);
const open = (why: string) => refusal(409, `Day cannot be closed yet: ${why}`, 'day_open');

/** One deposit on each of two days; the second is partly refunded. */
beforeAll(async () => {
  await advanceToNoon(target);
  boss = await newAdmin(target, 'the-boss');
  account = await fundedWallet(target, 'the-payer', 0);
  first = jakartaDay(target.now());
  const [one, other] = deposits;
  await creditDeposit(target, { id: one, account, gross: 50_000, at: target.now() });
  await later(1);
  await creditDeposit(target, { id: other, account, gross: 70_000, at: target.now() });
  await takeBack(target, other, 20_000, target.now());
});

describe('a day', () => {
  it('cannot be closed until provider, bank and ledger agree', async () => {
    const second = addDays(first, 1);
    expect(await close(second)).toEqual(open('the day is not over'));
    await later(4);
    expect(await close(first)).toEqual(open(`the provider has not reported until ${addDays(first, 3)}`));
    const [one, other] = deposits;
    const lines = [
      { id: one, day: first, gross: 50_000, fee: 350 },
      { id: other, day: second, gross: 70_000, fee: 490 },
      { id: 'dep_unknown', day: second, gross: 10_000 },
      { id: other, day: addDays(first, 4), gross: -20_000, status: 'partial_refund' },
    ];
    await acceptReport(boss.browser, provider, providerReport(lines));
    expect(await close(first)).toEqual(open('1 payouts have not arrived'));
    const arrivals = [
      { day: second, text: `MIDTRANS ${payoutOf(first)}`, amount: 49_650 },
      { day: addDays(first, 2), text: `MIDTRANS ${payoutOf(second)}`, amount: 79_510 },
    ];
    await acceptReport(boss.browser, { source: 'bank' }, bankStatement(arrivals));
    expect(await close(first)).toMatchObject([200, { day: first, closedBy: 'the-boss', openCases: 0 }]);
    expect(await close(second)).toEqual(open('1 cases are open'));
    expect(await openCases(boss.browser)).toEqual(['unknown_payment dep_unknown 10000']);
  });

  it('has a trial balance that sums to zero and continues from the previous day', async () => {
    const [one, two] = [await show(first), await show(addDays(first, 1))];
    for (const { accounts } of [one, two]) {
      const sum = (of: 'debits' | 'credits' | 'closing') =>
        accounts.reduce((total, line) => total + line[of], 0);
      expect([sum('debits'), sum('closing')]).toEqual([sum('credits'), 0]);
    }
    const ofOne = Object.fromEntries(one.accounts.map((line) => [line.name, line]));
    expect(ofOne['wallets']).toEqual({
      name: 'wallets',
      opening: 0,
      debits: 0,
      credits: 50_000,
      closing: 50_000,
    });
    expect(ofOne['gateway']).toMatchObject({ opening: 0, closing: -50_000 });
    const ofTwo = Object.fromEntries(two.accounts.map((line) => [line.name, line]));
    expect(ofTwo['wallets']).toEqual({
      name: 'wallets',
      opening: 50_000,
      debits: 20_000,
      credits: 70_000,
      closing: 100_000,
    });
    expect(two).toMatchObject({ from: addDays(first, 1), openCases: 1, closedAt: null });
  });

  it('never changes after it is closed, and days are closed in order', async () => {
    const before = await show(first);
    expect(await close(first)).toEqual([200, before]);
    const third = addDays(first, 2);
    expect(await close(third)).toEqual(open(`${addDays(first, 1)} is not closed; 1 cases are open`));
    const late = [{ id: 'dep_late', day: first, gross: 5_000 }];
    const report: Report = await acceptReport(boss.browser, provider, providerReport(late));
    expect(report.summary.outcomes).toMatchObject([{ outcome: 'too_late', count: 1 }]);
    for (const { id } of await target.rows<{ id: string }>(
      'SELECT id FROM reconciliation_cases WHERE resolved_at IS NULL',
    ))
      await boss.browser.fetch(`/v1/admin/cases/${id}/resolve`, json('POST', { reason: 'of another shop' }));
    expect((await close(addDays(first, 1)))[0]).toBe(200);
    expect((await close(third))[0]).toBe(200);
    expect(await close(addDays(first, -1))).toEqual(
      refusal(409, 'The state has changed in the meantime', 'moved_on'),
    );
    expect(await show(first)).toEqual(before);
    const [row] = await target.rows<{ n: number }>(
      `SELECT count(*) AS n FROM audit_log WHERE action = 'day.closed' AND target = ?`,
      [first],
    );
    expect(row?.n).toBe(1);
  });

  it('must be a date, and is limited to administrators', async () => {
    expect(await close('2026-02-30')).toEqual(refusal(400, ['day must be a date such as 2026-11-22']));
    const { browser } = await newMember(target);
    for (const path of [`days/${first}`, 'journal?month=2026-11'])
      expect((await browser.fetch(`/v1/admin/${path}`)).status).toBe(403);
  });
});

describe('the admin desk page', () => {
  const page = async () => (await boss.browser.navigate('/admin')).text();
  const send = async (fields: Record<string, string>) =>
    boss.browser.navigate('/admin', form({ reason: 'compared', key: 'k', ...fields }, target.origin));

  it('accepts a report, explains its difference, and closes a day', async () => {
    const fifth = addDays(first, 5);
    const file = providerReport([{ id: 'dep_page', day: fifth, gross: 9_000 }]);
    const { id } = (await (await sendReport(boss.browser, provider, file)).json()) as Report;
    expect(await page()).toContain(`sandbox, ${fifth}: payment that nobody ordered`);
    expect((await send({ act: 'report', id, decision: 'accept' })).status).toBe(303);
    expect(await page()).toContain(`${id}.2`);
    expect((await send({ act: 'difference', id: `${id}.2` })).status).toBe(303);
    expect(await openCases(boss.browser)).toEqual([]);
    const refused = await send({ act: 'day', day: fifth });
    expect([refused.status, await refused.text()]).toEqual([
      409,
      expect.stringContaining('Day cannot be closed yet'),
    ]);
    expect((await send({ act: 'day', day: addDays(first, 3) })).status).toBe(303);
    expect((await show(addDays(first, 3))).closedBy).toBe('the-boss');
  });
});

describe('the journal of a month', () => {
  it.each(['csv', 'jsonl'])('contains every leg once and a checksum of all of them: %s', async (format) => {
    const text = await (await journal(format)).text();
    const cut = text.lastIndexOf('\n', text.length - 2) + 1;
    const [body, end] = [text.slice(0, cut), text.slice(cut).trim()];
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(body));
    const sha256 = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    const lines = body
      .trim()
      .split(/\r?\n/)
      .slice(format === 'csv' ? 1 : 0);
    const after = `${addDays(`${first.slice(0, 7)}-28`, 4).slice(0, 7)}-01`;
    const legs = await target.rows<{ seq: number }>('SELECT seq FROM legs WHERE at < ? ORDER BY seq', [
      startOfDay(after),
    ]);
    expect(
      lines.map((line) => (format === 'csv' ? Number(line.split(',')[0]) : JSON.parse(line).seq)),
    ).toEqual(legs.map(({ seq }) => seq));
    expect(end).toBe(
      format === 'csv' ? `end,${legs.length},${sha256}` : JSON.stringify({ legs: legs.length, sha256 }),
    );
    expect(body).toContain('the-payer@pid');
  });

  it('is empty if no money moved, and rejects an invalid month', async () => {
    expect((await (await journal('csv', '2020-01')).text()).split('\r\n')[1]).toMatch(/^end,0,[0-9a-f]{64}$/);
    expect(await seen(await journal('csv', '2026-13'))).toEqual(
      refusal(400, ['month must be a month such as 2026-11']),
    );
  });
});
