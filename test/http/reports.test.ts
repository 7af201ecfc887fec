import { beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../../src/features/reconcile/schema.ts';
import { addDays, startOfDay } from '../../src/lib/jakarta.ts';
import { refusal, seen } from '../support/answers.ts';
import { type Browser, json } from '../support/browser.ts';
import { runJobs } from '../support/deposits.ts';
import { fundedWallet } from '../support/money.ts';
import { newAdmin, newMember } from '../support/people.ts';
import {
  acceptReport,
  bankStatement,
  creditDeposit,
  decideReport,
  openCases,
  owedBy,
  payoutOf,
  providerReport,
  type Reported,
  sendReport,
  takeBack,
} from '../support/reports.ts';
import { useService } from '../support/service.ts';

const target = useService({ ADMIN_PIDS: 'the-boss@pid' });
let boss: Browser;
let account: number;
beforeAll(async () => {
  boss = (await newAdmin(target, 'the-boss')).browser;
  account = await fundedWallet(target, 'the-payer', 1);
});

const noon = (day: string) => startOfDay(day) + 12 * 3_600_000;
let count = 0;
/** Each test uses a separate month, in order, because an account's time never goes back. */
let month = 0;
const nextMonth = () => {
  month += 1;
  return `20${40 + month}-03-01`;
};
const newId = () => {
  count += 1;
  return `dep_${String(count).padStart(26, '0')}`;
};

/** A deposit known to both sides, as the provider reports it. */
async function known(day: string, gross = 50_000, fee = 0): Promise<Reported> {
  const id = newId();
  await creditDeposit(target, { id, account, gross, at: noon(day) });
  return { id, day, gross, fee };
}

const provider = { source: 'sandbox' };
const read = async (lines: Reported[], more = {}) =>
  (await (await sendReport(boss, { ...provider, ...more }, providerReport(lines))).json()) as Report;
const outcomes = ({ summary }: Report) =>
  Object.fromEntries(summary.outcomes.map(({ outcome, count: lines }) => [outcome, lines]));
/** Closes every open case manually. */
async function explainAll() {
  for (const { id } of await target.rows<{ id: string }>(
    'SELECT id FROM reconciliation_cases WHERE resolved_at IS NULL',
  )) {
    const said = json('POST', { reason: 'the provider was asked' });
    expect((await boss.fetch(`/v1/admin/cases/${id}/resolve`, said)).status).toBe(200);
  }
}
const lastLeg = async () =>
  (await target.rows<{ seq: number }>('SELECT coalesce(max(seq), 0) AS seq FROM legs'))[0]?.seq;

describe('a provider’s report', () => {
  it('posts the fees of matching lines after it is accepted', async () => {
    const day = nextMonth();
    const lines = [
      await known(day, 50_000, 350),
      await known(day, 20_000, 0),
      await known(day, 70_000, 4_440),
    ];
    const [before, fees, leg] = [
      await owedBy(target, 'system'),
      await owedBy(target, 'provider_fee'),
      await lastLeg(),
    ];
    const report = await read(lines);
    expect(report).toMatchObject({ status: 'read', firstDay: day, lastDay: day, decidedBy: null });
    expect(report.summary).toEqual({
      ...{ lines: 3, skipped: 0, differences: [] },
      outcomes: [{ outcome: 'matched', count: 3, gross: 140_000, fee: 4_790 }],
    });
    expect(await lastLeg()).toBe(leg);
    expect(await decideReport(boss, report.id)).toMatchObject({ status: 'posted', decidedBy: 'the-boss' });
    expect(await owedBy(target, 'provider_fee')).toBe(fees + 4_790);
    expect(await owedBy(target, 'system')).toBe(before - 4_790);
    expect(await openCases(boss)).toEqual([]);
  });

  it('changes nothing if it is sent or accepted again', async () => {
    const day = nextMonth();
    const lines = [await known(day, 50_000, 100)];
    const report = await acceptReport(boss, provider, providerReport(lines));
    const leg = await lastLeg();
    expect(await read(lines)).toEqual(report);
    expect(await decideReport(boss, report.id)).toEqual(report);
    // Another file with the same line.
    const more = await read([...lines, await known(day, 10_000)]);
    expect(outcomes(more)).toEqual({ known: 1, matched: 1 });
    await decideReport(boss, more.id);
    expect(await openCases(boss)).toEqual([]);
    expect(await lastLeg()).toBe((leg ?? 0) + 1);
    expect(
      await target.rows(`SELECT net FROM provider_payouts WHERE reference = ?`, [payoutOf(day)]),
    ).toEqual([{ net: 59_900 }]);
  });

  it('opens a case for each difference, and posts nothing for it', async () => {
    const day = nextMonth();
    const [fine, other, twice, back, dollar, late] = [
      ...[await known(day), await known(day, 60_000), await known(day, 30_000, 30)],
      ...[await known(day, 80_000), await known(day, 5_000), await known(day, 90_000)],
    ] as [Reported, Reported, Reported, Reported, Reported, Reported];
    await takeBack(target, back.id, 20_000, noon(day));
    const unknown = newId();
    const before = await owedBy(target, 'provider_fee');
    const report = await read([
      ...[fine, { ...other, gross: 61_000, fee: 10 }, twice, twice, back, { ...dollar, currency: 'USD' }],
      { id: unknown, day, gross: 40_000, fee: 9 },
      { ...back, status: 'partial_refund', gross: -20_000 },
      { ...late, payment: 'pay-of-another' },
      { ...fine, status: 'refund', gross: -50_000 },
    ]);
    expect(report.summary.differences.map(({ line, outcome }) => [line, outcome])).toEqual([
      ...[
        [3, 'amount'],
        [5, 'doubled'],
        [7, 'currency'],
        [8, 'unknown_payment'],
      ],
      ...[
        [10, 'unknown_payment'],
        [11, 'return'],
      ],
    ]);
    await decideReport(boss, report.id);
    expect(await openCases(boss)).toEqual(
      [
        ...[`amount ${other.id} 61000`, `doubled ${twice.id} 30000`, `currency ${dollar.id} 5000`],
        ...[
          `unknown_payment ${unknown} 40000`,
          `unknown_payment ${late.id} 90000`,
          `return ${fine.id} 50000`,
        ],
      ].sort(),
    );
    expect(await owedBy(target, 'provider_fee')).toBe(before + 30);
    // A later file contradicts a line.
    const changed = await read([{ ...fine, gross: 49_000 }]);
    expect(outcomes(changed)).toEqual({ changed: 1 });
    await decideReport(boss, changed.id, 'reject');
    await explainAll();
    expect(await openCases(boss)).toEqual([]);
  });

  it('detects payments and returns that the provider’s records should contain but do not', async () => {
    const day = nextMonth();
    const [fine, lost, back] = [
      await known(day),
      await known(day, 70_000),
      await known(day, 90_000),
    ] as const;
    await takeBack(target, back.id, 10_000, noon(day));
    await acceptReport(boss, provider, providerReport([fine, back]));
    expect(await openCases(boss)).toEqual([]);
    const later = { ...provider, from: addDays(day, 1), to: addDays(day, 3) };
    await acceptReport(boss, later, providerReport([]));
    const cases = [`missing_payment ${lost.id} 70000`, `missing_return ${back.id} 10000`];
    expect(await openCases(boss)).toEqual(cases);
    // A later report contains them.
    const last = [lost, { ...back, status: 'refund', gross: -10_000 }].map((line) => ({
      ...line,
      day: addDays(day, 4),
    }));
    await acceptReport(boss, provider, providerReport(last));
    expect(await openCases(boss)).toEqual([]);
  });

  it('explains a case if the money is booked later', async () => {
    const day = nextMonth();
    const id = newId();
    await acceptReport(boss, provider, providerReport([{ id, day, gross: 40_000, fee: 7 }]));
    expect(await openCases(boss)).toEqual([`unknown_payment ${id} 40000`]);
    const before = await owedBy(target, 'provider_fee');
    await creditDeposit(target, { id, account, gross: 40_000, at: noon(addDays(day, 1)) });
    await acceptReport(boss, { ...provider, from: addDays(day, 1), to: addDays(day, 1) }, providerReport([]));
    expect(await openCases(boss)).toEqual([]);
    expect(await owedBy(target, 'provider_fee')).toBe(before + 7);
  });

  it('posts the fee of a payment that was explained manually and credited later', async () => {
    const day = nextMonth();
    const id = newId();
    await acceptReport(boss, provider, providerReport([{ id, day, gross: 40_000, fee: 7 }]));
    await explainAll();
    const before = await owedBy(target, 'provider_fee');
    await creditDeposit(target, { id, account, gross: 40_000, at: noon(addDays(day, 1)) });
    for (const later of [addDays(day, 1), addDays(day, 2)])
      await acceptReport(boss, { ...provider, from: later, to: later }, providerReport([]));
    expect(await owedBy(target, 'provider_fee')).toBe(before + 7);
    expect(await target.rows('SELECT resolved_by FROM reconciliation_cases WHERE ref = ?', [id])).toEqual([
      { resolved_by: 'the-boss' },
    ]);
  });

  it('is rejected within a day if a crash interrupted its import, and can be imported again in the meantime', async () => {
    const day = nextMonth();
    const lines = [await known(day, 50_000, 5)];
    const cut = `rep_${'0'.repeat(26)}`;
    await target.rows(`INSERT INTO reports (id, source, created_at) VALUES (?, 'sandbox', ?)`, [
      cut,
      target.now(),
    ]);
    const again = await read(lines);
    await target.rows(
      `INSERT INTO report_lines (report, line, source, key, kind, ref, payment, day, gross, fee, currency, payout)
        SELECT ?, line, source, key, kind, ref, payment, day, gross, fee, currency, payout FROM report_lines WHERE report = ?`,
      [cut, again.id],
    );
    const left = () =>
      target.rows(
        `SELECT r.status, l.line FROM reports r LEFT JOIN report_lines l ON l.report = r.id WHERE r.id = ?`,
        [cut],
      );
    expect(await decideReport(boss, again.id)).toMatchObject({ status: 'posted' });
    await runJobs(target);
    expect(await left()).toEqual([{ status: 'reading', line: 2 }]);
    await target.rows('UPDATE reports SET created_at = created_at - 86400001 WHERE id = ?', [cut]);
    await runJobs(target);
    expect(await left()).toEqual([{ status: 'rejected', line: null }]);
  });

  it('waits while the ledger is frozen, and continues afterwards', async () => {
    const day = nextMonth();
    const lines = [await known(day, 50_000, 5), await known(day, 50_000, 6)];
    const report = await read(lines);
    await target.rows(`UPDATE ledger SET mode = 'frozen'`);
    const before = await owedBy(target, 'provider_fee');
    expect((await decideReport(boss, report.id)).status).toBe('accepted');
    expect(await owedBy(target, 'provider_fee')).toBe(before);
    await target.rows(`UPDATE ledger SET mode = 'open'`);
    await runJobs(target);
    await runJobs(target);
    expect(await owedBy(target, 'provider_fee')).toBe(before + 11);
    expect(await decideReport(boss, report.id)).toMatchObject({ status: 'posted' });
  });

  it.each([
    ['', 'line 1: the file is empty'],
    ['Order ID,Transaction ID\r\n', 'line 1: the column "Transaction Status" (status) is missing'],
    [
      providerReport([{ id: 'a', day: '2026-11-01', gross: 5 }]).replace(
        '14:30:00,5.00',
        '14:30:00,Rp 5.000',
      ),
      'line 2: gross must be a whole amount such as 10000 or 10000.00, not "Rp 5.000"',
    ],
    [
      providerReport([{ id: 'a', day: '2026-11-01', gross: 5 }]).replace(',5,', ',"1,000",'),
      'line 2: net must be a whole amount such as 10000 or 10000.00, not "1,000"',
    ],
    [
      providerReport([
        { id: 'a', day: '2026-11-01', gross: 5 },
        { id: 'b', day: '2026-11-01', gross: 5 },
      ]).slice(0, -20),
      'line 3: the file ends in the middle of a line: it is truncated, or its last line has no line break',
    ],
    [
      `${providerReport([{ id: 'a', day: '2026-11-01', gross: 5 }])}b,c\r\n`,
      'line 3: has 2 columns, and the heading has 9',
    ],
    [providerReport([{ id: 'a', day: '2026-02-30', gross: 5 }]), /^line 2: time must look like/],
    [
      providerReport([{ id: 'a', day: '2026-11-01', gross: 5, status: 'won' }]),
      'line 2: the status "won" is not known',
    ],
    [
      providerReport([{ id: 'a', day: '2026-11-01', gross: 5 }]).replace(',5,', ',6,'),
      'line 2: net is 6, and gross minus fee is 5',
    ],
    [providerReport([{ id: '"a', day: '2026-11-01', gross: 5 }]), /^line 2: /],
    [new Uint8Array([0x4f, 0xff, 0x0a]), 'line 1: the text is not UTF-8'],
    [providerReport([]), 'line 1: no line moves money: give from and to'],
  ])('is rejected with the line and the reason (%#)', async (file, message) => {
    const answer = await sendReport(boss, provider, file);
    expect([answer.status, await answer.json()]).toEqual([
      400,
      expect.objectContaining({
        message: [typeof message === 'string' ? message : expect.stringMatching(message)],
      }),
    ]);
    expect(
      await target.rows(`SELECT l.line FROM report_lines l JOIN reports r ON r.id = l.report
      WHERE r.status IN ('reading','rejected')`),
    ).toEqual([]);
  });

  it('can be read with another column mapping', async () => {
    const day = nextMonth();
    const { id } = await known(day, 1_000, 3);
    const map = {
      ...{
        delimiter: ';',
        order: 'merchant_ref',
        payment: 'trx',
        status: '=settlement',
        time: 'date',
        gross: 'amount',
      },
      ...{ fee: 'mdr', net: 'settled', currency: '=IDR' },
    };
    const file = `trx;merchant_ref;date;amount;mdr;settled\npay-${id};${id};${day.split('-').reverse().join('/')};1000;3;997\n`;
    const answer = await sendReport(boss, { ...provider, map: JSON.stringify(map) }, file);
    expect(outcomes((await answer.json()) as Report)).toEqual({ matched: 1 });
    for (const wrong of ['{', '{"order":1}', JSON.stringify({ ...map, more: 'x' })])
      expect(await seen(await sendReport(boss, { ...provider, map: wrong }, file))).toEqual(
        refusal(400, ['map must name the columns of the source, as its documentation says']),
      );
  });

  it('is limited to administrators', async () => {
    const { browser } = await newMember(target);
    expect((await sendReport(browser, provider, providerReport([]))).status).toBe(403);
    for (const path of ['reports', 'cases'])
      expect((await browser.fetch(`/v1/admin/${path}`)).status).toBe(403);
    const none = `rep_${'0'.repeat(26)}`;
    const decision = json('POST', { decision: 'accept', reason: 'x' });
    expect(await seen(await boss.fetch(`/v1/admin/reports/${none}/resolve`, decision))).toEqual(
      refusal(404, 'Unknown report'),
    );
    expect(
      await seen(await boss.fetch('/v1/admin/cases/none/resolve', json('POST', { reason: 'x' }))),
    ).toEqual(refusal(404, 'Unknown case'));
  });
});

describe('a bank statement', () => {
  it('posts the payouts that it lists, and opens a case for every other line', async () => {
    const day = nextMonth();
    const [second, third] = [addDays(day, 1), addDays(day, 2)];
    await acceptReport(
      boss,
      provider,
      providerReport([
        await known(day, 50_000, 350),
        await known(second, 20_000),
        await known(third, 9_000, 9),
      ]),
    );
    const [before, bank] = [await owedBy(target, 'system'), await owedBy(target, 'bank')];
    const statement = bankStatement([
      { day: second, text: `MIDTRANS, ${payoutOf(day)}`, amount: 49_650 },
      { day: third, text: `MIDTRANS ${payoutOf(second)}`, amount: 19_000 },
      { day: third, text: 'MIDTRANS PO-unheard-of', amount: 777 },
      { day: third, text: 'RENT', amount: 5_000 },
    ]);
    const map = {
      reference: 'Description',
      amount: 'Credit',
      time: 'Date',
      currency: 'Currency',
      only: 'MIDTRANS',
    };
    const report = await acceptReport(boss, { source: 'bank', map: JSON.stringify(map) }, statement);
    expect(report).toMatchObject({ status: 'posted', summary: { lines: 3, skipped: 1 } });
    expect(await owedBy(target, 'bank')).toBe(bank + 49_650);
    expect(await owedBy(target, 'system')).toBe(before - 49_650);
    const cases = ['arrival_amount MIDTRANS PO-', 'unknown_arrival MIDTRANS PO-unheard-of 777'];
    expect(await openCases(boss)).toEqual([`${cases[0]}${second} 19000`, cases[1]]);
    // Days later the third payout has not arrived.
    await acceptReport(
      boss,
      { source: 'bank', from: addDays(day, 3), to: addDays(day, 9) },
      bankStatement([]),
    );
    expect(await openCases(boss)).toContain(`missing_arrival ${payoutOf(third)} 8991`);
    await acceptReport(
      boss,
      { source: 'bank' },
      bankStatement([{ day: addDays(day, 10), text: `MIDTRANS ${payoutOf(third)}`, amount: 8_991 }]),
    );
    expect(await openCases(boss)).not.toContain(`missing_arrival ${payoutOf(third)} 8991`);
    expect(await owedBy(target, 'bank')).toBe(bank + 49_650 + 8_991);
  });

  it('leaves a payout open if its line has a different amount', async () => {
    const day = nextMonth();
    await acceptReport(boss, provider, providerReport([await known(day, 50_000, 350)]));
    const bank = await owedBy(target, 'bank');
    const arrives = (amount: number, at: string) =>
      acceptReport(
        boss,
        { source: 'bank' },
        bankStatement([{ day: at, text: `MIDTRANS ${payoutOf(day)}`, amount }]),
      );
    await explainAll();
    await arrives(1, addDays(day, 1));
    expect(await openCases(boss)).toEqual([`arrival_amount MIDTRANS ${payoutOf(day)} 1`]);
    expect(await owedBy(target, 'bank')).toBe(bank);
    // The provider later says that it contains more.
    await acceptReport(
      boss,
      provider,
      providerReport([{ ...(await known(day, 20_000)), payout: payoutOf(day) }]),
    );
    await arrives(69_650, addDays(day, 2));
    expect(await openCases(boss)).toEqual([`arrival_amount MIDTRANS ${payoutOf(day)} 1`]);
    expect(await owedBy(target, 'bank')).toBe(bank + 69_650);
    // A second payment of the same amount becomes a case.
    await arrives(69_650, addDays(day, 3));
    expect(await openCases(boss)).toHaveLength(2);
    expect(await owedBy(target, 'bank')).toBe(bank + 69_650);
  });

  it('posts a line that precedes the report of the payout’s last payment', async () => {
    const day = nextMonth();
    await explainAll();
    await acceptReport(boss, provider, providerReport([await known(day, 50_000)]));
    const bank = await owedBy(target, 'bank');
    const statement = bankStatement([
      { day: addDays(day, 1), text: `MIDTRANS ${payoutOf(day)}`, amount: 70_000 },
    ]);
    await acceptReport(boss, { source: 'bank' }, statement);
    expect(await openCases(boss)).toEqual([`arrival_amount MIDTRANS ${payoutOf(day)} 70000`]);
    await acceptReport(boss, provider, providerReport([await known(day, 20_000)]));
    expect(await openCases(boss)).toEqual([]);
    expect(await owedBy(target, 'bank')).toBe(bank + 70_000);
  });
});
