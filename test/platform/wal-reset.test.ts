import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { engineFault } from '../../src/platform/database/engine.ts';
import { sqliteVersion } from '../../src/platform/database/libsql-connection.ts';

const source = join(import.meta.dirname, '../fixtures/wal-reset/wal-reset.c');

/** Compiles the program with the machine's SQLite. Returns what prevents it, or null. */
function compile(program: string): string | null {
  const { status, stderr, error } = spawnSync('cc', ['-O1', source, '-lsqlite3', '-o', program], {
    encoding: 'utf8',
  });
  if (error) return 'no C compiler is installed: apt-get install gcc';
  if (stderr.includes('sqlite3.h')) return 'SQLite is not installed: apt-get install libsqlite3-dev';
  expect(status, stderr).toBe(0);
  return null;
}

it('SQLite loses commits in the WAL-reset race exactly in the versions that the service rejects', ({
  skip,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'peridot-wal-reset-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const obstacle = compile(join(folder, 'race'));
  if (obstacle !== null) return skip(obstacle);
  const output = execFileSync(join(folder, 'race'), [join(folder, 'rows.db')], { encoding: 'utf8' });
  const [version = '', missing] = output.trim().split(' ');
  expect(Number(missing) > 0).toBe(engineFault(version) !== null);
  expect(engineFault(sqliteVersion())).toBeNull();
});
