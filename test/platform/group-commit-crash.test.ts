import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { all } from '../../src/db/database.ts';
import { openFile } from '../../src/platform/database/libsql-file.ts';
import { writeUntilKilled } from '../support/kill-writer.ts';

it('a crash neither loses an acknowledged batch of a group nor leaves one partly applied', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'peridot-crash-'));
  const file = join(folder, 'peridot.db');
  const run = <Row>(text: string) => ({ text, values: [] }) as { text: string; values: []; row?: Row };
  const setUp = openFile(file);
  for (const name of ['ones', 'others']) {
    await setUp.db.batch([run(`CREATE TABLE ${name} (n INTEGER PRIMARY KEY) STRICT`)]);
  }
  setUp.close();
  for (let round = 0; round < 12; round += 1) {
    const args = [file, String(round * 1_000_000)];
    const lines = await writeUntilKilled('group-writer.ts', args, 200 + round * 100);
    const acknowledged = lines.map(Number);
    const { db, close } = openFile(file);
    const ones = await all(db, run<{ n: number }>('SELECT n FROM ones'));
    expect(await all(db, run<{ n: number }>('SELECT n FROM others'))).toEqual(ones);
    const stored = new Set(ones.map(({ n }) => n));
    expect(acknowledged.length).toBeGreaterThanOrEqual(200);
    expect(acknowledged.filter((n) => !stored.has(n))).toEqual([]);
    close();
  }
  await rm(folder, { recursive: true, force: true });
}, 120_000);
