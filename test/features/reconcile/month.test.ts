import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { run } from '../../../src/db/database.ts';
import { closeDay } from '../../../src/features/admin/days.ts';
import { moneyInvariants } from '../../../src/features/admin/money-invariants.ts';
import { explainCase, listCases, resolveReport, takeReport } from '../../../src/features/admin/reports.ts';
import type { Report } from '../../../src/features/reconcile/schema.ts';
import { addDays } from '../../../src/lib/jakarta.ts';
import { makeServiceFiles, openFileService, type ServiceFiles } from '../../support/file-service.ts';
import type { InProcessTarget } from '../../support/in-process.ts';
import { driveMidtrans, midtransKey } from '../../support/midtrans-driver.ts';
import { startMidtrans } from '../../support/midtrans-server.ts';
import { monthSettings, type Outcome, runMonth } from '../../support/month.ts';
import { owedBy } from '../../support/reports.ts';

/** `PAYMENTS=100000` for a full month of a large operator. */
const payments = Number(process.env['PAYMENTS'] ?? 2_000);
const days = 30;

let midtrans: Awaited<ReturnType<typeof startMidtrans>>;
let files: ServiceFiles;
let service: InProcessTarget;
let month: Outcome;
const told: Report[] = [];

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

async function post(source: 'midtrans' | 'bank', text: string): Promise<Report> {
  const { deps } = service;
  const covered = { from: month.first, to: addDays(month.last, 4) };
  const read = await takeReport(deps, 'operator', { source, ...covered, file: bytesOf(text) });
  const decision = { id: read.id, decision: 'accept', reason: 'the month' } as const;
  for (;;) {
    const posted = await resolveReport(deps, 'operator', decision);
    if (posted.status === 'posted') return posted;
  }
}

async function openCases(): Promise<string[]> {
  const found: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await listCases(service.deps, 'operator', { limit: 100, cursor });
    found.push(...page.data.map(({ kind, ref, amount }) => `${kind} ${ref} ${amount}`));
    if (page.nextCursor === null) return found.sort();
    const last = page.data.at(-1);
    cursor = `${last?.day} ${last?.id}`;
  }
}

beforeAll(async () => {
  midtrans = await startMidtrans();
  files = await makeServiceFiles();
  service = await openFileService(files, {
    ...{ IDP_ISSUER: inject('lyingIssuer'), IDP_CLIENT_ID: 'peridot', IDP_CLIENT_SECRET: 'provider secret' },
    ...{ ...monthSettings, MIDTRANS_SERVER_KEY: midtransKey, MIDTRANS_BASE_URL: midtrans.url },
  });
  month = await runMonth(service, midtrans.url, { payments, days, payers: 20 });
  const books = driveMidtrans(midtrans.url);
  told.push(
    await post('midtrans', await books.report(month.doubled)),
    await post('bank', await books.payouts()),
  );
}, 7_200_000);
afterAll(async () => {
  await service.close();
  await files.remove();
  await midtrans.stop();
});

describe('a month of payments', { timeout: 600_000 }, () => {
  it('is reconciled from files, which reveal exactly the actual differences', async () => {
    expect(month.cases.length).toBeGreaterThanOrEqual(payments / 20 - 10);
    expect(await openCases()).toEqual(month.cases);
    expect(await owedBy(service, 'provider_fee')).toBe(month.fees);
    const [bank] = told.slice(1);
    expect(bank?.summary.outcomes).toMatchObject([{ outcome: 'matched', count: days }]);
    expect(await owedBy(service, 'bank')).toBe(bank?.summary.outcomes[0]?.gross);
    const broken = Object.entries(await run(service.deps.db, moneyInvariants(0)));
    expect(broken.filter(([, rows]) => rows.length > 0)).toEqual([]);
  });

  it('does not change if its files are posted again', async () => {
    const books = driveMidtrans(midtrans.url);
    const legs = await service.rows('SELECT count(*) AS n FROM legs');
    expect(await post('midtrans', await books.report(month.doubled))).toEqual(told[0]);
    // The same lines in another file.
    const other = await post('midtrans', await books.report([]));
    expect(other.summary.outcomes.map(({ outcome }) => outcome)).toEqual(['known']);
    expect(await service.rows('SELECT count(*) AS n FROM legs')).toEqual(legs);
    expect(await openCases()).toEqual(month.cases);
  });

  it('is closed day by day as its cases are explained', async () => {
    const { deps } = service;
    const close = (day: string) => closeDay(deps, 'operator', { day, reason: 'the month' });
    await expect(close(month.first)).rejects.toThrow(/cases are open/);
    for (const { id } of await service.rows<{ id: string }>(
      'SELECT id FROM reconciliation_cases WHERE resolved_at IS NULL',
    ))
      await explainCase(deps, 'operator', { id, reason: 'asked' });
    for (let day = month.first; day <= month.last; day = addDays(day, 1)) {
      const { accounts } = await close(day);
      expect(accounts.reduce((sum, { closing }) => sum + closing, 0)).toBe(0);
    }
  });
});
