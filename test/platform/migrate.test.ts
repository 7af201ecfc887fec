import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { all, type Database } from '../../src/db/database.ts';
import { openLibsql } from '../../src/platform/database/libsql-node.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { bun, startBun } from '../support/bun-process.ts';
import { endsWithUs } from '../support/ends-with-us.ts';
import { holdWriteLock } from '../support/write-lock.ts';

const migrations = join(import.meta.dirname, '../../migrations');
let folder = '';
const ends: (() => void)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'peridot-migrate-'));
});
afterEach(async () => {
  for (const end of ends.splice(0)) end();
  await rm(folder, { recursive: true, force: true });
});

async function open(): Promise<Database> {
  const { db, close } = await openLibsql(`file:${join(folder, 'peridot.db')}`);
  ends.push(close);
  return db;
}

function rowsOf(db: Database, text: string): Promise<Record<string, unknown>[]> {
  return all(db, { text, values: [] });
}

/** A separate folder of migrations. */
async function write(files: Record<string, string>): Promise<string> {
  const place = join(folder, 'migrations');
  await mkdir(place, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(place, name), text);
  return place;
}

async function schemaOf(db: Database): Promise<unknown[]> {
  const rows = await rowsOf(
    db,
    `SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name`,
  );
  return rows.map(({ type, name, sql }) => [type, name, sql]);
}

describe('migrate', () => {
  it('applies the migrations in order, and the second run is a no-op [R-21]', async () => {
    const db = await open();
    expect(await migrate(db, migrations)).toContain('0000_identity.sql');
    const before = await schemaOf(db);
    expect(await migrate(db, migrations)).toEqual([]);
    expect(await schemaOf(db)).toEqual(before);
  });

  it('applies only new migrations and records them as wrangler does for D1', async () => {
    const db = await open();
    const place = await write({
      '0001_b.sql': 'CREATE TABLE b (n INTEGER)',
      '0000_a.sql': 'CREATE TABLE a (n INTEGER)',
      'readme.md': 'no',
    });
    expect(await migrate(db, place)).toEqual(['0000_a.sql', '0001_b.sql']);
    await write({
      '0002_c.sql': 'CREATE TABLE c (n INTEGER);\n--> statement-breakpoint\nINSERT INTO c VALUES (1)',
    });
    expect(await migrate(db, place)).toEqual(['0002_c.sql']);
    const rows = await rowsOf(db, 'SELECT id, name FROM d1_migrations ORDER BY id');
    expect(rows.map(({ id, name }) => [id, name])).toEqual([
      [1, '0000_a.sql'],
      [2, '0001_b.sql'],
      [3, '0002_c.sql'],
    ]);
  });

  it('rolls back a migration that fails halfway and continues after it is fixed [R-21]', async () => {
    const db = await open();
    const start =
      'CREATE TABLE half (n INTEGER);\n--> statement-breakpoint\nINSERT INTO half VALUES (1);\n--> statement-breakpoint\n';
    const place = await write({
      '0000_a.sql': 'CREATE TABLE a (n INTEGER)',
      '0001_half.sql': `${start}CREATE TABLE a (again INTEGER)`,
    });
    await expect(migrate(db, place)).rejects.toThrow(/already exists/);
    expect((await schemaOf(db)).map((row) => (row as string[])[1])).toEqual(['a', 'd1_migrations']);
    await write({ '0001_half.sql': `${start}CREATE TABLE b (n INTEGER)` });
    expect(await migrate(db, place)).toEqual(['0001_half.sql']);
  });

  it('runs on only one of many nodes that start simultaneously while the others wait [R-21]', async () => {
    const nodes = await Promise.all(Array.from({ length: 6 }, () => open()));
    const applied = await Promise.all(nodes.map((db) => migrate(db, migrations)));
    expect(applied.flat()).toEqual([...new Set(applied.flat())]);
    expect(applied.flat()).toContain('0000_identity.sql');
    const [first, ...others] = await Promise.all(nodes.map(schemaOf));
    for (const other of others) expect(other).toEqual(first);
  });

  it('waits for another process’s short write [R-21]', async () => {
    const db = await open();
    await rowsOf(db, 'SELECT 1');
    const { released } = await holdWriteLock(join(folder, 'peridot.db'), 800);
    expect(await migrate(db, migrations)).toContain('0000_identity.sql');
    await released;
  });

  it('leaves each migration applied or untouched when the process is killed, and the next start continues [R-21]', async () => {
    const names = (await readdir(migrations)).filter((name) => name.endsWith('.sql')).sort();
    const fresh = await open();
    await migrate(fresh, migrations);
    const seen: number[] = [];
    for (let kills = 0; kills < Number(process.env['KILLS'] ?? 3); kills += 1) {
      const url = `file:${join(folder, `killed-${kills}.db`)}`;
      const code = `import { openForOperator } from './src/platform/database/libsql-node.ts';
        import { migrate } from './src/platform/database/migrate.ts';
        const { db } = await openForOperator('${url}');
        console.log('ready');
        await migrate(db, '${migrations}');`;
      const child = endsWithUs(spawn(bun, ['-e', code], { cwd: join(import.meta.dirname, '../..') }));
      const ended = once(child, 'exit');
      await once(child.stdout, 'data');
      await sleep(Math.random() * 250);
      child.kill('SIGKILL');
      await ended;
      const { db, close } = await openLibsql(url);
      ends.push(close);
      const books = await rowsOf(db, `SELECT 1 FROM sqlite_schema WHERE name = 'd1_migrations'`);
      const applied = books.length > 0 ? await rowsOf(db, 'SELECT name FROM d1_migrations ORDER BY id') : [];
      expect(applied.map(({ name }) => name)).toEqual(names.slice(0, applied.length));
      expect(await rowsOf(db, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
      await migrate(db, migrations);
      expect(await schemaOf(db)).toEqual(await schemaOf(fresh));
      seen.push(applied.length);
    }
    if (process.env['KILLS']) console.log('killed after', seen.join(', '), 'of', names.length);
  });

  describe('when the service starts', () => {
    const file = () => join(folder, 'given.db');
    const put = async (...texts: string[]) => {
      const { db, close } = await openLibsql(`file:${file()}`);
      for (const text of texts) await rowsOf(db, text);
      close();
    };
    const later = `INSERT INTO d1_migrations (name) VALUES ('9999_later.sql')`;
    const upgraded = async () => {
      const { db, close } = await openLibsql(`file:${file()}`);
      await migrate(db, migrations);
      close();
    };

    it.each([
      {
        what: 'that a later version has migrated',
        make: async () => {
          await upgraded();
          await put(later);
        },
        says: /a later version has migrated the database \(9999_later.sql\)/,
      },
      {
        what: 'of another product',
        make: () => put('CREATE TABLE other (n INTEGER)'),
        says: /another product/,
      },
      {
        what: 'of another product that has migrations',
        make: () => put('CREATE TABLE d1_migrations (name TEXT)', 'CREATE TABLE other (n INTEGER)'),
        says: /another product/,
      },
      {
        what: 'that was truncated',
        make: async () => {
          await upgraded();
          await truncate(file(), 40_960);
        },
        says: /is damaged/,
      },
      {
        what: 'that is not a database',
        make: () => writeFile(file(), 'x'.repeat(8_192)),
        says: /is damaged or not a database/,
      },
    ])('rejects a file $what, and writes nothing', async ({ make, says }) => {
      await make();
      const before = await readFile(file());
      await expect(startBun({ DATABASE_URL: `file:${file()}` })).rejects.toThrow(says);
      expect((await readFile(file())).equals(before)).toBe(true);
    });

    it('accepts a newer database if the settings allow it', async () => {
      await upgraded();
      await put(later);
      const service = await startBun({ DATABASE_URL: `file:${file()}`, NEWER_DATABASE: 'allow' });
      await service.close();
    });
  });

  it('lets several services start simultaneously on one new file [R-21]', async () => {
    const DATABASE_URL = `file:${join(folder, 'shared.db')}`;
    const services = await Promise.all([1, 2, 3].map(() => startBun({ DATABASE_URL })));
    try {
      const applied = services.flatMap((service) =>
        [...service.output().matchAll(/"applied":\[([^\]]+)\]/g)].flatMap(([, names = '']) =>
          names.split(','),
        ),
      );
      expect(applied).toContain('"0000_identity.sql"');
      expect(applied).toEqual([...new Set(applied)]);
      for (const { origin } of services) {
        const keys = await fetch(`${origin}/.well-known/jwks.json`);
        expect(keys.status).toBe(200);
      }
      const database = new DatabaseSync(join(folder, 'shared.db'));
      ends.push(() => database.close());
      expect(database.prepare('SELECT count(*) AS n FROM signing_keys').get()).toEqual({ n: 1 });
    } finally {
      await Promise.all(services.map((service) => service.close()));
    }
  });
});

/** A leg of each kind, with further legs. */
const movements = [
  `INSERT INTO accounts (id, kind, owner, asset, created_at) VALUES (11, 'wallet', 'ada', 'IDR', 1), (12, 'wallet', 'bob', 'IDR', 1)`,
  ...[
    `'deposit', 'dep_1', 1, 2, 11, 900, 5`,
    `'deposit', 'dep_1', 2, 2, 1, 100, 5`,
    `'transfer', 't1', 1, 11, 12, 50, 6`,
    `'transfer', 't1', 2, 11, 1, 5, 6`,
    `'refund', 't2', 1, 12, 11, 10, 4`,
    `'transfer_reversal', 't1', 1, 12, 11, 40, 7`,
    `'withdrawal_return', 'wdr_1', 1, 3, 12, 10, 8`,
    `'sweep', 'adj_1', 1, 1, 11, 10, 8`,
    `'correction', 'adj_2', 1, 11, 2, 10, 8`,
  ].map((leg) => `INSERT INTO legs (kind, ref, n, debit, credit, amount, at) VALUES (${leg})`),
  `INSERT INTO legs (kind, ref, n, phase, debit, credit, amount, at) VALUES ('withdrawal', 'wdr_2', 1, 'pending', 11, 3, 20, 9)`,
  `INSERT INTO legs (kind, ref, n, phase, pending_leg, debit, credit, amount, at)
    VALUES ('withdrawal_end', 'wdr_2', 1, 'post', 10, 11, 3, 20, 10)`,
];

it('the entries migration sorts an older ledger in the same order as the triggers sort a new one [D-100]', async () => {
  const older = join(folder, 'older');
  await mkdir(older);
  const names = (await readdir(migrations)).filter((name) => name.endsWith('.sql')).sort();
  const flat = names.findIndex((name) => name.endsWith('flat-lists.sql'));
  for (const name of names.slice(0, flat)) await copyFile(join(migrations, name), join(older, name));
  const entriesAfter = async (first: string, file: string) => {
    const { db, close } = await openLibsql(`file:${join(folder, file)}`);
    ends.push(close);
    await migrate(db, first);
    await db.batch(movements.map((text) => ({ text, values: [] })));
    await migrate(db, migrations);
    // Each leg has already changed its accounts, and changes no total again.
    const again = `UPDATE accounts SET credits_posted = credits_posted + 1, leg = (SELECT max(seq) FROM legs) WHERE id = 11`;
    await expect(db.batch([{ text: again, values: [] }])).rejects.toThrow('guard:account_totals');
    return rowsOf(db, 'SELECT * FROM entries');
  };
  const moved = await entriesAfter(older, 'older.db');
  expect(moved).toHaveLength(20);
  expect(moved).toEqual(await entriesAfter(migrations, 'newer.db'));
});
