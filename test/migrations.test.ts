import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { SQL } from 'drizzle-orm';
import {
  getTableConfig,
  type SQLiteColumn,
  SQLiteSyncDialect,
  type SQLiteTable,
} from 'drizzle-orm/sqlite-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { declaredRules, differencesOf, madeRules, migrationOf } from '../scripts/rules.ts';
import { useOnce } from '../src/features/idp/consume-once.ts';
import { secretHash } from '../src/lib/secret.ts';
import { openMigrated } from './support/migrated.ts';
import { declaredTables } from './support/tables.ts';

/** A table as a list of facts, for comparing the result of the migrations with the code's declarations. */
interface Facts {
  readonly columns: Record<
    string,
    { type: string; notNull: boolean; default: string | null; primary: number }
  >;
  readonly indexes: { columns: string[]; unique: boolean; where: string | null }[];
  readonly foreignKeys: { columns: string[]; table: string; foreignColumns: string[] }[];
  readonly checks: Record<string, string>;
}

const folder = join(import.meta.dirname, '../migrations');

/** Applies the migrations from one up to another, which is excluded. */
function apply(database: DatabaseSync, from: string, to: string): void {
  for (const name of readdirSync(folder).sort())
    if (name.endsWith('.sql') && name >= from && name < to)
      database.exec(`BEGIN;\n${readFileSync(join(folder, name), 'utf8')};\nCOMMIT`);
}

/** SQL without meaningless differences: white space, quotes around names, table names before columns. */
function plain(text: string): string {
  return text
    .replace(/"(\w+)"\./g, '')
    .replace(/["`](\w+)["`]/g, '$1')
    .replace(/\s+/g, ' ')
    .replace(/\( /g, '(')
    .replace(/ \)/g, ')')
    .replace(/ ?, ?/g, ',')
    .trim();
}

const byText = <T>(items: T[]) => items.sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
const rendered = (query: SQL) => plain(new SQLiteSyncDialect().sqlToQuery(query).sql);
/** An index may be on a column with another collation, or on an expression, which has no name; both are SQL. */
const namesOf = (columns: readonly unknown[]) =>
  columns.map(
    (column) =>
      (column as SQLiteColumn).name ??
      /^["`]?(\w+)["`]? COLLATE \w+$/i.exec(rendered(column as SQL))?.[1] ??
      null,
  );

/** Returns a table as the code declares it. */
function declared(table: SQLiteTable): Facts {
  const config = getTableConfig(table);
  const [composite] = config.primaryKeys;
  const keys = composite
    ? namesOf(composite.columns)
    : namesOf(config.columns.filter((column) => column.primary));
  const literal = (column: SQLiteColumn) => {
    if (column.default === undefined) return null;
    return typeof column.default === 'string' ? `'${column.default}'` : String(column.default);
  };
  return {
    columns: Object.fromEntries(
      config.columns.map((column) => [
        column.name,
        {
          type: column.getSQLType().toUpperCase(),
          notNull: column.notNull || column.primary || keys.includes(column.name),
          default: literal(column),
          primary: keys.indexOf(column.name) + 1,
        },
      ]),
    ),
    indexes: byText([
      ...config.indexes.map(({ config: index }) => ({
        columns: namesOf(index.columns),
        unique: index.unique,
        where: index.where ? rendered(index.where) : null,
      })),
      ...config.uniqueConstraints.map(({ columns }) => ({
        columns: namesOf(columns),
        unique: true,
        where: null,
      })),
      ...config.columns
        .filter((column) => column.isUnique)
        .map(({ name }) => ({ columns: [name], unique: true, where: null })),
    ]),
    foreignKeys: byText(
      config.foreignKeys.map((key) => {
        const { columns, foreignTable, foreignColumns } = key.reference();
        return {
          columns: namesOf(columns),
          table: getTableConfig(foreignTable).name,
          foreignColumns: namesOf(foreignColumns),
        };
      }),
    ),
    checks: Object.fromEntries(config.checks.map(({ name, value }) => [name, rendered(value)])),
  };
}

/** The text in balanced parentheses that starts at a position. */
function parenthesised(text: string, start: number): string {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === "'") quoted = !quoted;
    if (!quoted && text[at] === '(') depth += 1;
    if (!quoted && text[at] === ')') depth -= 1;
    if (depth === 0) return text.slice(start + 1, at);
  }
  throw new Error(`no end of ${text.slice(start)}`);
}

let database: Awaited<ReturnType<typeof openMigrated>>;
beforeAll(async () => {
  database = await openMigrated();
});
afterAll(() => database.close());

async function query<Row>(text: string, values: string[] = []): Promise<Row[]> {
  const [rows] = await database.db.batch([{ text, values }]);
  return rows as Row[];
}

async function createStatement(type: string, name: string): Promise<string> {
  const [row] = await query<{ sql: string }>('SELECT sql FROM sqlite_master WHERE type = ? AND name = ?', [
    type,
    name,
  ]);
  return row?.sql ?? '';
}

interface IndexRow {
  name: string;
  unique: number;
  origin: string;
}

async function indexesOf(name: string): Promise<Facts['indexes']> {
  const indexes: Facts['indexes'] = [];
  for (const index of await query<IndexRow>('SELECT * FROM pragma_index_list(?)', [name])) {
    if (index.origin === 'pk') continue;
    const columns = await query<{ name: string }>('SELECT name FROM pragma_index_info(?) ORDER BY seqno', [
      index.name,
    ]);
    const [, where] = / WHERE (.+)$/is.exec(await createStatement('index', index.name)) ?? [];
    indexes.push({
      columns: columns.map((column) => column.name),
      unique: index.unique === 1,
      where: where === undefined ? null : plain(where),
    });
  }
  return byText(indexes);
}

async function foreignKeysOf(name: string): Promise<Facts['foreignKeys']> {
  const rows = await query<{ id: number; table: string; from: string; to: string }>(
    'SELECT id, "table", "from", "to" FROM pragma_foreign_key_list(?) ORDER BY id, seq',
    [name],
  );
  const keys = new Map<number, Facts['foreignKeys'][number]>();
  for (const { id, table, from, to } of rows) {
    const key = keys.get(id) ?? { columns: [], table, foreignColumns: [] };
    key.columns.push(from);
    key.foreignColumns.push(to);
    keys.set(id, key);
  }
  return byText([...keys.values()]);
}

/** Returns a table as the migrations create it. */
async function made(name: string): Promise<Facts> {
  const columns = await query<{
    name: string;
    type: string;
    notnull: number;
    dflt_value: string | null;
    pk: number;
  }>('SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_xinfo(?)', [name]);
  const text = await createStatement('table', name);
  const checks = [...text.matchAll(/CONSTRAINT\s+["`]?(\w+)["`]?\s+CHECK\s*(?=\()/gi)];
  expect(checks.length, `every CHECK of ${name} has a name`).toBe(
    [...text.matchAll(/\bCHECK\s*\(/gi)].length,
  );
  return {
    columns: Object.fromEntries(
      columns.map((column) => [
        column.name,
        { type: column.type, notNull: column.notnull === 1, default: column.dflt_value, primary: column.pk },
      ]),
    ),
    indexes: await indexesOf(name),
    foreignKeys: await foreignKeysOf(name),
    checks: Object.fromEntries(
      checks.map((match) => [match[1], plain(parenthesised(text, match.index + match[0].length))]),
    ),
  };
}

const named = await declaredTables();

describe('the migrations', () => {
  it('create only the tables that the code declares', async () => {
    const rows = await query<{ name: string }>(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'd1_migrations' ORDER BY name`,
    );
    expect(rows.map(({ name }) => name)).toEqual(named.map(({ name }) => name).sort());
  });

  it.each(named)(
    'create $name as the code declares it: columns, keys, indexes and checks',
    async ({ name, table }) => {
      expect(await made(name)).toEqual(declared(table));
    },
  );

  it('create only the triggers and views that the features declare', () => {
    expect(differencesOf(declaredRules(), madeRules())).toEqual([]);
  });

  it('are compared token by token with the features', () => {
    const rule = (name: string, text: string) => ({ name, type: 'TRIGGER' as const, file: 'a.sql', text });
    const made = new Map(
      Object.entries({
        same: `CREATE TRIGGER same BEFORE DELETE ON t BEGIN SELECT RAISE(ABORT,'a  b'); END`,
        other: `CREATE TRIGGER other BEFORE DELETE ON t BEGIN SELECT RAISE(ABORT,'a b'); END`,
        undeclared: 'CREATE TRIGGER undeclared',
      }).map(([name, text]) => [name, rule(name, text)]),
    );
    const declared = [
      rule(
        'same',
        `-- Why.\nCREATE TRIGGER same BEFORE DELETE ON t\nBEGIN\n  SELECT RAISE(ABORT, 'a  b'); -- so\nEND;`,
      ),
      rule('other', `CREATE TRIGGER other BEFORE DELETE ON t BEGIN SELECT RAISE(ABORT, 'a  b'); END;`),
      rule('missing', 'CREATE TRIGGER missing'),
    ];
    const names = differencesOf(declared, made).map(({ name }) => name);
    expect(names).toEqual(['other', 'missing', 'undeclared']);
  });

  it('are generated from the features’ declarations', async () => {
    const { db, close } = await openMigrated();
    const run = async (...texts: string[]) => db.batch(texts.map((text) => ({ text, values: [] })));
    await run(
      'DROP TRIGGER identity_closure_blocked',
      'DROP VIEW closure_blockers',
      `CREATE VIEW closure_blockers AS SELECT handle, 'never' AS source, '' AS reason FROM identities WHERE 0`,
      `CREATE TRIGGER ticket_kept BEFORE DELETE ON claim_tickets BEGIN SELECT RAISE(ABORT, 'guard:ticket_kept'); END`,
    );
    const differences = async () => {
      const [rows] = await run(
        `SELECT upper(type) AS type, name, sql AS text FROM sqlite_schema WHERE type IN ('trigger', 'view')`,
      );
      const made = (rows ?? []) as { type: 'TRIGGER' | 'VIEW'; name: string; text: string }[];
      return differencesOf(declaredRules(), new Map(made.map((rule) => [rule.name, rule])));
    };
    const found = await differences();
    const names = ['closure_blockers', 'identity_closure_blocked', 'ticket_kept'];
    expect(found.map(({ name }) => name)).toEqual(names);
    await run(...migrationOf(found));
    expect(await differences()).toEqual([]);
    await close();
  });

  it('create every table as STRICT, so no value of another type is stored', async () => {
    for (const { name } of named) {
      const [row] = await query<{ strict: number }>('SELECT strict FROM pragma_table_list(?)', [name]);
      expect(row?.strict, name).toBe(1);
    }
  });

  describe('that change stored rows', () => {
    const database = new DatabaseSync(':memory:');
    afterAll(() => database.close());
    const rows = (sql: string) =>
      database
        .prepare(sql)
        .all()
        .map((row) => ({ ...row }));
    const guards = () => rows(`SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name`);

    it('keep credentials and all their guards', () => {
      apply(database, '0000', '0002');
      database.exec(`
        INSERT INTO identities (handle, skeleton, ticket, created_at) VALUES ('ada', 'ada', 'ticket', 1);
        INSERT INTO emails VALUES ('ada@example.com', 'ada', 1);
        INSERT INTO credentials (id, handle, provider, provider_user_id, email, linked_at, last_login_at)
          VALUES ('crd_1', 'ada', 'idp', 'subject', 'ada@example.com', 2, 3)`);
      const [stored = {}] = rows('SELECT * FROM credentials');
      const before = [[{ ...stored, passkey_user_id: null }], rows('SELECT * FROM activity')];
      const guarded = guards();
      apply(database, '0002', '0003');
      expect([rows('SELECT * FROM credentials'), rows('SELECT * FROM activity')]).toEqual(before);
      expect(guards()).toEqual(expect.arrayContaining(guarded));
      expect(rows('SELECT * FROM pragma_foreign_key_check')).toEqual([]);
    });

    it('keep fees and all their guards', () => {
      apply(database, '0003', '0046');
      database.exec(`
        INSERT INTO fee_versions VALUES ('platform', 'deposit', 1, 500, 70, 0, NULL, 'payer', 'ada', 4);
        INSERT INTO fee_versions VALUES ('platform', 'transfer', 1, 5, 70, 9, 10, 'payee', 'ada', 4)`);
      const before = rows('SELECT * FROM fee_versions');
      const guarded = guards().map(({ name }) => name);
      apply(database, '0046', '0047');
      expect(rows('SELECT * FROM fee_versions')).toEqual(before);
      expect(guards().map(({ name }) => name)).toEqual(expect.arrayContaining(guarded));
      expect(rows('SELECT * FROM pragma_foreign_key_check')).toEqual([]);
    });

    it('remove logos of deleted and of checked apps, which stay checked', () => {
      apply(database, '0047', '0061');
      database.exec(`
        INSERT INTO apps (id, owner, name, type, logo_url, logo_hash, created_at, updated_at) VALUES
          ('app_deleted', 'ada', 'Shop', 'web', 'https://shop.example/logo', 'hash', 1, 1),
          ('app_checked', 'ada', 'Shop', 'web', 'https://shop.example/logo', 'hash', 1, 1);
        UPDATE apps SET status = 'deleted' WHERE id = 'app_deleted';
        UPDATE apps SET checked_at = 2 WHERE id = 'app_checked'`);
      apply(database, '0061', '0093');
      expect(rows('SELECT id, checked_at, logo_url, logo_hash FROM apps ORDER BY id')).toEqual([
        { id: 'app_checked', checked_at: 2, logo_url: null, logo_hash: null },
        { id: 'app_deleted', checked_at: null, logo_url: null, logo_hash: null },
      ]);
    });

    it('keep single-use values used', () => {
      const state = { value: 'state', ttlSeconds: 600, expiresAt: 1_795_000_000_000 };
      const insert = database.prepare('INSERT INTO used_once (hash, expires_at) VALUES (?, ?)');
      insert.run(secretHash(state.value), state.expiresAt);
      apply(database, '0093', '9999');
      const use = (oneTime: typeof state) => {
        const { text, values } = useOnce(oneTime, 'request');
        return database.prepare(text).all(...values);
      };
      expect(use(state)).toEqual([]);
      expect(use({ ...state, value: 'another' })).toHaveLength(1);
    });
  });

  it('leave a database that passes its integrity checks', async () => {
    expect(await query('SELECT * FROM pragma_integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    expect(await query('SELECT * FROM pragma_foreign_key_check')).toEqual([]);
  });
});
