import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { moneyInvariants } from '../../src/features/admin/money-invariants.ts';
import { checkLedger } from '../../src/features/ledger/check.ts';
import { openLibsql } from '../../src/platform/database/libsql-node.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { runScheduled } from '../../src/scheduled.ts';
import { makeServiceFiles, openFileService, type ServiceFiles } from '../support/file-service.ts';
import { fundedWallet, pay } from '../support/money.ts';
import { newMember } from '../support/people.ts';
import { fillRelease, type SavedPerson } from '../support/release-stage.ts';

const root = join(import.meta.dirname, '../..');
const releases = join(root, 'test/fixtures/releases');
const versions = existsSync(releases) ? readdirSync(releases).sort() : [];
const everything = { of: 'everything', invariants: moneyInvariants } as const;

/** What a release wrote, besides its two files. */
interface Saved {
  /** When it was written, epoch milliseconds. */
  readonly at: number;
  readonly people: readonly SavedPerson[];
}

const variables = () => ({
  IDP_ISSUER: inject('lyingIssuer'),
  IDP_CLIENT_ID: 'peridot',
  IDP_CLIENT_SECRET: 'provider secret',
  RATE_LIMITS: '{"*":1000000}',
  ADMIN_PIDS: 'the-boss@pid',
  PAYMENT_GATEWAY: 'sandbox',
  PAYOUT_GATEWAY: 'sandbox',
});

async function filesHere(): Promise<ServiceFiles> {
  const files = await makeServiceFiles();
  onTestFinished(files.remove);
  return files;
}

/** Fills new files by today's code. */
async function fill(files: ServiceFiles): Promise<Saved> {
  const service = await openFileService(files, variables());
  const people = await fillRelease(service);
  const at = service.now();
  await service.close();
  return { at, people };
}

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

/** Opens files that a release has written: nothing of it is lost, it is sound, and the main job works on it. */
async function expectWorks(files: ServiceFiles, { at, people }: Saved): Promise<void> {
  const { db, close } = await openLibsql(`file:${files.database}`);
  const count = async () => {
    const text = kept
      .map((name) => `SELECT '${name}' AS name, count(*) AS n FROM ${name}`)
      .join(' UNION ALL ');
    const [rows] = await db.batch([{ text, values: [] }]);
    return Object.fromEntries((rows as { name: string; n: number }[]).map(({ name, n }) => [name, n]));
  };
  const before = await count();
  await migrate(db, join(root, 'migrations'));
  expect(await count()).toEqual(before);
  for (const name of kept) expect(before[name], name).toBeGreaterThan(0);
  close();

  const startedAt = Date.now();
  const service = await openFileService(files, variables(), undefined, () => at + 1 + Date.now() - startedAt);
  expect(await service.rows('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  expect(await service.rows('PRAGMA foreign_key_check')).toEqual([]);
  expect(await checkLedger(service.deps, everything)).toEqual([]);
  const failed = (await runScheduled(service.deps)).filter(({ outcome }) => outcome === 'failed');
  expect(failed).toEqual([]);
  for (const { handle, cookies } of people) {
    const headers = { Cookie: cookies, Origin: service.origin };
    const refreshed = await service.request('/v1/auth/refresh', { method: 'POST', headers });
    expect([handle, refreshed.status]).toEqual([handle, 204]);
  }
  // Handles that no fixture has.
  const [from, to] = [await newMember(service, 'upgrade-payer'), await newMember(service, 'shop-of-today')];
  for (const { browser } of [from, to]) await browser.fetch('/v1/wallet', { method: 'POST' });
  await fundedWallet(service, from.handle, 10_000);
  expect(await pay(from, to, 2_000)).toMatchObject({ status: 'completed' });
  expect(await checkLedger(service.deps, everything)).toEqual([]);
  await service.close();
}

describe('a database written by a release', () => {
  it('is written and read by the current code, with people and money in every state', {
    timeout: 180_000,
  }, async () => {
    const files = await filesHere();
    const saved = await fill(files);
    const { db, close } = await openLibsql(`file:${files.database}`);
    const statuses = async (table: string) => {
      const text = `SELECT DISTINCT status FROM ${table} ORDER BY status`;
      const [rows] = await db.batch([{ text, values: [] }]);
      return (rows as { status: string }[]).map(({ status }) => status);
    };
    expect(await statuses('identities')).toEqual(['active', 'closed', 'suspended']);
    expect(await statuses('deposits')).toEqual([
      'credited',
      'expired',
      'failed',
      'pending',
      'reversed',
      'review',
    ]);
    expect(await statuses('transfers')).toEqual(['cancelled', 'confirmed', 'open', 'reversed']);
    expect(await statuses('withdrawals')).toEqual([
      'cancelled',
      'failed',
      'held',
      'paid',
      'quoted',
      'returned',
      'submitted',
    ]);
    for (const table of ['mails', 'webhook_events', 'withdrawals', 'deposits']) {
      const [rows] = await db.batch([
        { text: `SELECT count(*) AS n FROM ${table} WHERE next_at IS NOT NULL`, values: [] },
      ]);
      expect((rows as { n: number }[])[0]?.n, table).toBeGreaterThan(0);
    }
    close();
    const version = process.env['WRITE_FIXTURE'];
    if (version !== undefined) await write(join(releases, version), files, saved);
    await expectWorks(files, saved);
  });

  it.each(versions)('%s works with the current code', { timeout: 180_000 }, async (version) => {
    const files = await filesHere();
    const folder = join(releases, version);
    for (const [name, file] of [
      ['peridot.db', files.database],
      ['kv.db', files.kv],
    ] as const)
      await writeFile(file, gunzipSync(await readFile(join(folder, `${name}.gz`))));
    await expectWorks(files, JSON.parse(await readFile(join(folder, 'saved.json'), 'utf8')));
  });
});

async function write(folder: string, files: ServiceFiles, saved: Saved): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, file] of [
    ['peridot.db', files.database],
    ['kv.db', files.kv],
  ] as const)
    await writeFile(join(folder, `${name}.gz`), gzipSync(await readFile(file), { level: 9 }));
  await writeFile(join(folder, 'saved.json'), `${JSON.stringify(saved, null, 1)}\n`);
}
