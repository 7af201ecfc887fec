import { join } from 'node:path';
import { expect, inject } from 'vitest';
import { moneyInvariants } from '../../src/features/admin/money-invariants.ts';
import { checkLedger } from '../../src/features/ledger/check.ts';
import { openLibsql } from '../../src/platform/database/libsql-node.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { runScheduled } from '../../src/scheduled.ts';
import { openFileService, type ServiceFiles } from './file-service.ts';
import { clockFrom, type InProcessTarget } from './in-process.ts';
import { fundedWallet, pay } from './money.ts';
import { newMember } from './people.ts';
import type { Saved } from './release-contents.ts';
import type { TargetVariables } from './target.ts';

const everything = { of: 'everything', invariants: moneyInvariants } as const;

/** The settings of a service that writes or opens a release's database. */
export const releaseVariables = (): TargetVariables => ({
  IDP_ISSUER: inject('lyingIssuer'),
  IDP_CLIENT_ID: 'peridot',
  IDP_CLIENT_SECRET: 'provider secret',
  RATE_LIMITS: '{"*":1000000}',
  ADMIN_PIDS: 'the-boss@pid',
  PAYMENT_GATEWAY: 'sandbox',
  PAYOUT_GATEWAY: 'sandbox',
});

/** The rows that an upgrade keeps. */
const kept = [
  'identities',
  'sessions',
  'credentials',
  'grants',
  'apps',
  'legs',
  'entries',
  'transfers',
  'deposits',
  'withdrawals',
];

/** Counts the rows of each table that an upgrade keeps. */
export const keptRows = `SELECT ${kept.map((name) => `(SELECT count(*) FROM ${name}) AS ${name}`).join(', ')}`;

/** Checks that a database written by a release is sound, its people are signed in, and the main job works on it. */
export async function expectWorks(service: InProcessTarget, { people }: Saved): Promise<void> {
  expect(await service.rows('PRAGMA foreign_key_check')).toEqual([]);
  expect(await checkLedger(service.deps, everything)).toEqual([]);
  const failed = (await runScheduled(service.deps)).filter(({ outcome }) => outcome === 'failed');
  expect(failed).toEqual([]);
  for (const { handle, cookies } of people) {
    const headers = { Cookie: cookies, Origin: service.origin };
    const refreshed = await service.request('/v1/auth/refresh', { method: 'POST', headers });
    expect([handle, refreshed.status]).toEqual([handle, 204]);
  }
  // Handles that occur in no fixture.
  const [from, to] = [await newMember(service, 'upgrade-payer'), await newMember(service, 'shop-of-today')];
  for (const { browser } of [from, to]) await browser.fetch('/v1/wallet', { method: 'POST' });
  await fundedWallet(service, from.handle, 10_000);
  expect(await pay(from, to, 2_000)).toMatchObject({ status: 'completed' });
  expect(await checkLedger(service.deps, everything)).toEqual([]);
}

/** Upgrades files that a release has written, and checks that nothing of it is lost and that they work. */
export async function expectFilesWork(files: ServiceFiles, saved: Saved): Promise<void> {
  const { db, close } = await openLibsql(`file:${files.database}`);
  const count = async () =>
    (await db.batch([{ text: keptRows, values: [] }]))[0]?.[0] as Record<string, number>;
  const before = await count();
  await migrate(db, join(import.meta.dirname, '../../migrations'));
  expect(await count()).toEqual(before);
  for (const [name, rows] of Object.entries(before)) expect(rows, name).toBeGreaterThan(0);
  close();

  const service = await openFileService(files, releaseVariables(), undefined, clockFrom(saved.at));
  expect(await service.rows('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  await expectWorks(service, saved);
  await service.close();
}
