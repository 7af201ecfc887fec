import { statSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { migrationsIn } from '../../src/platform/database/migrate.ts';
import { killBun, startBun } from '../support/bun-process.ts';
import { makeServiceFiles, type ServiceFiles } from '../support/file-service.ts';
import { placeRelease, releaseVersions, type Saved } from '../support/release-contents.ts';
import { expectFilesWork, keptRows, releaseVariables } from '../support/release-works.ts';

/** The number of kills; 200 take minutes. */
const kills = Number(process.env['KILLS'] ?? 20);
const migrations = migrationsIn(join(import.meta.dirname, '../../migrations'));

interface Stage {
  readonly files: ServiceFiles;
  readonly saved: Saved;
  /** The settings of a service on the files. */
  readonly variables: Record<string, string>;
}

/** A release's files in a separate folder. */
async function stageOf(version: string): Promise<Stage> {
  const files = await makeServiceFiles();
  onTestFinished(files.remove);
  const saved = placeRelease(version, files);
  const stores = { DATABASE_URL: `file:${files.database}`, KV_URL: `file:${files.kv}` };
  return { files, saved, variables: { ...releaseVariables(), ...stores } };
}

async function copyOf({ folder }: ServiceFiles): Promise<ServiceFiles> {
  const files = await makeServiceFiles();
  onTestFinished(files.remove);
  await cp(folder, files.folder, { recursive: true });
  return files;
}

/** Reads the file as SQLite recovers it. */
function read({ database }: ServiceFiles) {
  const file = new DatabaseSync(database);
  const rows = (text: string) => file.prepare(text).all();
  const state = {
    applied: rows('SELECT name FROM d1_migrations ORDER BY id').map(({ name }) => String(name)),
    integrity: rows('PRAGMA integrity_check'),
    dangling: rows('PRAGMA foreign_key_check'),
    schema: rows('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name'),
    kept: rows(keptRows),
  };
  file.close();
  return state;
}

/** Waits until a process begins to write. */
async function begun({ database }: ServiceFiles): Promise<void> {
  while (!statSync(`${database}-wal`, { throwIfNoEntry: false })?.size) await sleep(1);
}

/** Upgrades undisturbed. @returns the time from the first write to the last, in milliseconds */
async function timeUpgrade({ files, variables }: Stage): Promise<number> {
  let startedAt = 0;
  let endedAt = 0;
  await killBun(variables, async (output) => {
    await begun(files);
    startedAt = performance.now();
    while (!output().includes('"event":"migrated"')) await sleep(1);
    endedAt = performance.now();
  });
  return endedAt - startedAt;
}

describe.each(releaseVersions())('an upgrade of the database of %s', (version) => {
  it('leaves each migration applied or untouched whenever it is killed, and the next start finishes it [R-21]', {
    timeout: 120_000 + kills * 20_000,
  }, async ({ skip }) => {
    const undisturbed = await stageOf(version);
    const { applied, integrity, kept, schema } = read(undisturbed.files);
    if (applied.length === migrations.length) skip('it has all migrations, so there is no upgrade');
    const tookMs = await timeUpgrade(undisturbed);
    const after = read(undisturbed.files);
    expect(after).toMatchObject({ applied: migrations, integrity, dangling: [], kept });

    const states: number[] = [];
    let half: Stage | undefined;
    for (let kill = 0; kill < kills; kill += 1) {
      const stage = await stageOf(version);
      await killBun(stage.variables, async () => {
        await begun(stage.files);
        // Mostly early, because the next upgrade may be faster than the measured one.
        await sleep(Math.random() ** 2 * tookMs);
      });
      const found = await copyOf(stage.files);
      const left = read(stage.files);
      const more = left.applied.length - applied.length;
      states.push(more);
      expect(left).toMatchObject({ integrity, dangling: [], kept });
      expect(left.applied).toEqual(migrations.slice(0, left.applied.length));
      if (more === 0) expect(left.schema).toEqual(schema);
      if (more > 0 && left.applied.length < migrations.length) half ??= { ...stage, files: found };

      const next = await startBun(stage.variables);
      await next.close();
      // The jobs may have run.
      expect(read(stage.files)).toMatchObject({ ...after, kept: expect.anything() });
    }
    console.log(`killed within ${Math.round(tookMs)} ms, after ${states.join(', ')} migrations`);
    expect(half).toBeDefined();
    if (half) await expectFilesWork(half.files, half.saved);
  });
});
