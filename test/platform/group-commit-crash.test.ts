import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { all } from '../../src/db/database.ts';
import { openFile } from '../../src/platform/libsql-file.ts';
import { endsWithUs } from '../support/ends-with-us.ts';

const root = join(import.meta.dirname, '../..');

/** Lets another process write until it has acknowledged so many batches, and kills it in the middle of more. */
async function writeUntilKilled(file: string, first: number, enough: number): Promise<number[]> {
  const writer = endsWithUs(
    spawn(join(root, 'node_modules/.bin/bun'), ['test/support/group-writer.ts', file, String(first)], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  let text = '';
  writer.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    if (text.split('\n').length > enough) writer.kill('SIGKILL');
  });
  await once(writer, 'close');
  // The last line may be cut off.
  return text.split('\n').slice(0, -1).map(Number);
}

it('a crash loses no acknowledged batch of a group, and leaves none half applied', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'peridot-crash-'));
  const file = join(folder, 'peridot.db');
  const run = <Row>(text: string) => ({ text, values: [] }) as { text: string; values: []; row?: Row };
  const setUp = openFile(file);
  for (const name of ['ones', 'others']) {
    await setUp.db.batch([run(`CREATE TABLE ${name} (n INTEGER PRIMARY KEY) STRICT`)]);
  }
  setUp.close();
  for (let round = 0; round < 12; round += 1) {
    const acknowledged = await writeUntilKilled(file, round * 1_000_000, 200 + round * 100);
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
