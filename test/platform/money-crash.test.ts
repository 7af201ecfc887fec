import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { all } from '../../src/db/database.ts';
import { openFile } from '../../src/platform/database/libsql-file.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { expectInvariants, text } from '../model/money-world.ts';
import { writeUntilKilled } from '../support/kill-writer.ts';

const migrations = join(import.meta.dirname, '../../migrations');
/** Rounds of 64 confirmations each. */
const rounds = 200;
const kills = 10;

it('a crash loses no acknowledged transfer and violates no invariant', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'peridot-money-crash-'));
  const file = join(folder, 'peridot.db');
  const setUp = openFile(file);
  await migrate(setUp.db, migrations);
  setUp.close();
  const acknowledged: string[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    // In the middle of a round.
    const enough = (rounds / kills) * 64 + kill * 6;
    acknowledged.push(...(await writeUntilKilled('confirm-writer.ts', [file, `k${kill}`], enough)));
    const { db, close } = openFile(file);
    const rows = await all(
      db,
      text<{ id: string }>(`SELECT id FROM transfers t WHERE status = 'confirmed'
        AND EXISTS (SELECT 1 FROM legs WHERE kind = 'transfer' AND ref = t.id AND n = 1)`),
    );
    const stored = new Set(rows.map(({ id }) => id));
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
    await expectInvariants(db, 0);
    close();
  }
  expect(acknowledged.length).toBeGreaterThanOrEqual(rounds * 64);
  await rm(folder, { recursive: true, force: true });
}, 600_000);
