import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openLibsql } from '../../src/platform/database/libsql-node.ts';
import { makeServiceFiles, openFileService, type ServiceFiles } from '../support/file-service.ts';
import { placeRelease, releasesFolder, releaseVersions, type Saved } from '../support/release-contents.ts';
import { fillRelease } from '../support/release-stage.ts';
import { expectFilesWork, releaseVariables } from '../support/release-works.ts';

async function filesHere(): Promise<ServiceFiles> {
  const files = await makeServiceFiles();
  onTestFinished(files.remove);
  return files;
}

/** Fills new files with today's code. */
async function fill(files: ServiceFiles): Promise<Saved> {
  const service = await openFileService(files, releaseVariables());
  const people = await fillRelease(service);
  const at = service.now();
  await service.close();
  return { at, people };
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
    if (version !== undefined) await write(join(releasesFolder, version), files, saved);
    await expectFilesWork(files, saved);
  });

  it.each(releaseVersions())('%s works with the current code', { timeout: 180_000 }, async (version) => {
    const files = await filesHere();
    await expectFilesWork(files, placeRelease(version, files));
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
