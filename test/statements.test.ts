import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { beforeAll, expect, it } from 'vitest';
import { openMigrated } from './support/migrated.ts';
import { declaredTables } from './support/tables.ts';

/** Every batch may write these: their rows live no longer than it. */
const SHARED = ['decisions', 'tripwire'];

/** Files that may write the tables of others. */
const EXEMPT: Record<string, string> = {
  'src/db/database.ts':
    'deletes from the table that a feature names, which counts as a write of that feature',
  'src/dev/demo.ts': 'fills an empty database with demo data',
};

/** Foreign writers that remain. An entry that is no longer needed fails the test, so the list only shrinks. */
const KNOWN: string[] = [];

const ROOT = join(import.meta.dirname, '..');
const WRITE = /\b(?:INSERT(?: OR \w+)? INTO|REPLACE INTO|UPDATE(?! SET)|DELETE FROM)\s+(\w+|\?)/gi;

interface Template {
  file: string;
  /** Without comments and string literals, and with `?` for every interpolation. */
  text: string;
}

/** The `sql` templates of the service. The key-value adapter keeps a table of its own in another database. */
const templates = globSync('src/**/*.{ts,tsx}', { cwd: ROOT, exclude: ['src/platform/**'] }).flatMap(
  (file) => {
    const found: Template[] = [];
    const visitor = new Visitor({
      TaggedTemplateExpression({ tag, quasi }) {
        if (tag.type !== 'Identifier' || tag.name !== 'sql') return;
        const text = quasi.quasis.map(({ value }) => value.raw).join('?');
        // A table that is interpolated is a subquery.
        const subqueries = text.replace(/(?<!DELETE )\b(FROM|JOIN) \?/g, '$1 (?)');
        found.push({ file, text: subqueries.replace(/--.*|'[^']*'|INDEXED BY \w+/g, '') });
      },
    });
    visitor.visit(parseSync(file, readFileSync(join(ROOT, file), 'utf8')).program);
    return found;
  },
);

/** The columns of every table and view that the migrations make. */
const columns = new Map<string, Set<string>>();
beforeAll(async () => {
  const { db, close } = await openMigrated();
  const text = `SELECT s.name AS "table", c.name AS "column" FROM sqlite_schema s, pragma_table_info(s.name) c
    WHERE s.type IN ('table', 'view')`;
  const [rows] = await db.batch([{ text, values: [] }]);
  for (const { table = '', column = '' } of rows as Record<string, string>[])
    columns.set(table, (columns.get(table) ?? new Set()).add(column));
  await close();
});

it('only the feature that declares a table writes it', async () => {
  const owners = new Map((await declaredTables()).map(({ name, owner }) => [name, owner]));
  const found = new Set<string>();
  for (const { file, text } of templates.filter((template) => !Object.hasOwn(EXEMPT, template.file))) {
    // A template that is only a name goes to a helper, which writes that table.
    const written = owners.has(text) ? [text] : [...text.matchAll(WRITE)].map(([, table = '']) => table);
    for (const table of written.filter((name) => !SHARED.includes(name)))
      if (owners.get(table) !== dirname(file)) found.add(`${dirname(file)} writes ${table}`);
  }
  expect([...found].filter((name) => !KNOWN.includes(name))).toEqual([]);
  expect(KNOWN.filter((name) => !found.has(name))).toEqual([]);
});

it('a statement writes columns that its table has', () => {
  const insert = /\bINSERT(?: OR \w+)? INTO (\w+)\s*\(([^)]*)\)/g;
  const update = /\bUPDATE (\w+)\s+SET\s+(.*?)(?=\bWHERE\b|\bRETURNING\b|$)/gs;
  const problems = templates.flatMap(({ file, text }) => {
    const inserted = [...text.matchAll(insert)].map(([, table, list = '']) => [table, ...list.split(/,\s*/)]);
    const updated = [...text.matchAll(update)].map(([, table, list = '']) => [
      table,
      ...[...list.matchAll(/(?:^|,)\s*(\w+) =/g)].map(([, name]) => name),
    ]);
    return [...inserted, ...updated].flatMap(([table = '', ...names]) =>
      names.filter((name = '') => !columns.get(table)?.has(name)).map((name) => `${file}: ${table}.${name}`),
    );
  });
  expect(problems).toEqual([]);
});

/** In a template that names tables, names are columns of theirs; in a fragment that names none, of any table. */
it('a statement reads columns that exist', () => {
  const every = new Set([...columns.values()].flatMap((names) => [...names]));
  const problems = templates.flatMap(({ file, text }) => {
    const words = text.match(/\w+/g) ?? [];
    const tables = words.flatMap((word) => columns.get(word) ?? []);
    const known = tables.length > 0 ? new Set(tables.flatMap((names) => [...names])) : every;
    const aliases = [...text.matchAll(/(?<=(\b\w+|\))\s+(?:AS\s+)?)\b([a-z]\w*)/g)]
      .filter(([, before = '']) => before === ')' || columns.has(before))
      .map(([, table = '', alias = '']) => [alias, columns.get(table)] as const);
    const byAlias = new Map([...aliases, ...columns]);
    // A name that the file itself gives to a value or a subquery.
    const given = templates
      .filter((other) => other.file === file)
      .flatMap((other) => other.text.match(/(?<=\bAS )[a-z]\w*|[a-z]\w*(?= AS\b)/g) ?? []);
    const isKnown = (name: string, of = known) =>
      of.has(name) || [...given, 'value', 'key', 'excluded', 'true'].includes(name);
    return [...text.matchAll(/(?<![\w.])([a-z_]\w*)(?![\w(])(?:\.([a-z_]\w*))?/g)]
      .filter(([, name = '', column]) =>
        column === undefined
          ? !byAlias.has(name) && !isKnown(name)
          : !isKnown(column, byAlias.get(name) ?? every),
      )
      .map(([name]) => `${file}: ${name}`);
  });
  expect(problems).toEqual([]);
});
