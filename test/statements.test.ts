import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { beforeAll, expect, it } from 'vitest';
import { declaredRules } from '../scripts/rules.ts';
import { FEATURES, table } from './support/architecture.ts';
import { openMigrated } from './support/migrated.ts';
import { declaredTables } from './support/tables.ts';

/** Every batch may write these tables, because their rows exist only during a batch. */
const SHARED = ['decisions', 'tripwire'];

/** Files that may write other features' tables. */
const EXEMPT: Record<string, string> = {
  'src/db/database.ts': 'deletes from a table on behalf of a feature, whose write it is',
  'dev/demo.ts': 'fills an empty database with demo data',
};

/** Remaining exceptions. An entry that is no longer needed fails the test, so the list can only shrink. */
const KNOWN: string[] = [];

/** Triggers that write other features' tables: triggers, table, reason. */
const WRITTEN_BY_TRIGGERS = table(`
session_started session_ended credential_linked grant_created grant_ended transfer_noticed | activity | a line is written on every code path
app_document_forgotten | apps | an unregistered client exists for its grants, and money may refer to it
credential_email_freed credential_email_changed | emails | an address becomes available when its last credential is removed
identity_closes_wallet | accounts | a closed identity has no open wallet
transfer_approved | popup_requests | an approval is redeemed in the statement that uses it
transfer_spends | grants | spending is counted in the statement that spends
transfer_noticed | mails | a confirmation is one statement, however many emails it causes
transfer_captured | accounts | starts the settlement of a debt, which is delayed during a capture
transfer_posts transfer_posts_fees transfer_holds transfer_captured transfer_released transfer_reversed transfer_refunds | legs | each document posts its own movements
deposit_posts deposit_returns withdrawal_holds withdrawal_ends withdrawal_returns report_line_fee report_line_arrives | legs | the same
transfer_counted transfer_uncounted withdrawal_counted withdrawal_uncounted | outflows | an outflow is counted in the statement that moves or holds the money
second_payment_ends | adjustments | a decision about held money is a correction
sign_out_done grant_ended | webhook_events | apps are notified of a revoked session or grant on every code path
transfer_holds transfer_captured transfer_released transfer_refunds transfer_told | webhook_events | an event is written together with the change it reports
deposit_returns deposit_told second_payment_begins second_payment_ends | webhook_events | the same
`);

/** Triggers and features that read tables or views of higher features: reader, table or view, reason. */
const READ_UPWARDS = table(`
leg_allowed transfer_allowed | desk_decisions | another trigger would slow every movement down
leg_allowed | transfers | another trigger would slow every movement down
leg_allowed | withdrawals | the same
second_payment_ends | desk_decisions | it carries out the decision
activity | credentials | a new line is found by its credential
session | credentials | a session shows the person's address and kinds of credential
session | live_grants | an app reads a person's session under its grant
session | apps | an unchecked app's grant is valid only for the hosts that the person saw
popup | apps | a popup shows the requesting app
popup_device_flow popup_device_flow_ended | apps | only an app whose owner allows devices has them
popup | live_grants | a sign-in can be redeemed while the app has a grant
popup | transfers | an approval expires with its inquiry
mail | apps | an email is composed from its subject's current data when it is sent
mail | transfers | the same
mail | withdrawals | the same
mail | legs | the same
app | accounts | an app with money is not deleted
app | app_references | a deleted app's row is deleted once nothing refers to it
app | grants | a deleted app's grants are revoked first
grant | app_sessions | a grant is kept as long as its sign-ins, and shows its last use
grant | live_app_sessions | an app's token works while its sign-in is live
ledger | transfers | a wallet's lines show the counterparty; a view over all documents would be read completely
ledger | deposits | the same
ledger | withdrawals | the same
`);

const ROOT = join(import.meta.dirname, '..');
const WRITE = /\b(?:INSERT(?: OR \w+)? INTO|REPLACE INTO|UPDATE(?! SET)|DELETE FROM)\s+(\w+|\?)/gi;

interface Template {
  file: string;
  /** Without comments and string literals, and with `?` for every interpolation. */
  text: string;
}

/** The folder of a feature, whose files may be in subfolders; for any other file, its own folder. */
const folderOf = (file: string) => /^src\/features\/[^/]+/.exec(file)?.[0] ?? dirname(file);

/** The service's `sql` templates. The key-value adapter has a table in another database. */
const templates = globSync('{src,dev}/**/*.{ts,tsx}', { cwd: ROOT, exclude: ['src/platform/**'] }).flatMap(
  (file) => {
    const found: Template[] = [];
    const visitor = new Visitor({
      TaggedTemplateExpression({ tag, quasi }) {
        if (tag.type !== 'Identifier' || tag.name !== 'sql') return;
        const text = quasi.quasis.map(({ value }) => value.raw).join('?');
        // An interpolated table is a subquery.
        const subqueries = text.replace(/(?<!DELETE )\b(FROM|JOIN) \?/g, '$1 (?)');
        found.push({ file, text: subqueries.replace(/--.*|'[^']*'|INDEXED BY \w+/g, '') });
      },
    });
    visitor.visit(parseSync(file, readFileSync(join(ROOT, file), 'utf8')).program);
    return found;
  },
);

/** The columns of every table and view that the migrations create. */
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

it('a table is written only by the feature that declares it', async () => {
  const owners = new Map((await declaredTables()).map(({ name, owner }) => [name, owner]));
  const found = new Set<string>();
  for (const { file, text } of templates.filter((template) => !Object.hasOwn(EXEMPT, template.file))) {
    // A template that is only a name is passed to a helper, which writes that table.
    const written = owners.has(text) ? [text] : [...text.matchAll(WRITE)].map(([, table = '']) => table);
    for (const table of written.filter((name) => !SHARED.includes(name)))
      if (owners.get(table) !== folderOf(file)) found.add(`${folderOf(file)} writes ${table}`);
  }
  expect([...found].filter((name) => !KNOWN.includes(name))).toEqual([]);
  expect(KNOWN.filter((name) => !found.has(name))).toEqual([]);
});

const rules = declaredRules().map((rule) => ({
  ...rule,
  owner: dirname(rule.file),
  sql: rule.text.replace(/--.*|'[^']*'/g, ''),
}));

/** The folder that declares each table and view. */
async function ownersOfAll(): Promise<Map<string, string>> {
  const tables = (await declaredTables()).map(({ name, owner }) => [name, owner] as const);
  const views = rules.filter(({ type }) => type === 'VIEW').map(({ name, owner }) => [name, owner] as const);
  return new Map([...tables, ...views]);
}

/** Fails for everything found but not listed, and for everything listed but no longer found. */
function expectListed(found: Iterable<string>, listed: readonly string[][]): void {
  const names = listed.flatMap(([subjects = '', object]) =>
    subjects.split(' ').map((one) => `${one} ${object}`),
  );
  expect([...new Set(found)].sort()).toEqual(names.sort());
}

it('a trigger writes other features’ tables only as listed, and lists them in its comment', async () => {
  const owners = await ownersOfAll();
  const written = rules.flatMap(({ name, type, owner, text, sql }) => {
    const body = type === 'VIEW' ? '' : sql.slice(sql.indexOf('BEGIN'));
    const tables = [...new Set([...body.matchAll(WRITE)].map(([, one = '']) => one))];
    const foreign = tables.filter((one) => owners.get(one) !== owner);
    const noted =
      /^-- Writes: (.*)\.$/m
        .exec(text)?.[1]
        ?.replace(/ \([a-z-]+\)/g, '')
        .split(', ') ?? [];
    expect(noted.sort(), name).toEqual(foreign.toSorted());
    return foreign.map((one) => `${name} ${one}`);
  });
  expect(written.length).toBeGreaterThan(30);
  expectListed(written, WRITTEN_BY_TRIGGERS);
});

it('triggers, views and statements read tables of higher features only as listed', async () => {
  const owners = await ownersOfAll();
  const rankOf = (folder = '') => FEATURES.indexOf(folder.replace('src/features/', ''));
  const isAbove = (name: string, folder: string) => rankOf(owners.get(name)) > rankOf(folder);
  const byRules = rules.flatMap(({ name, owner, sql }) =>
    (sql.match(/\w+/g) ?? []).filter((word) => isAbove(word, owner)).map((word) => `${name} ${word}`),
  );
  const byStatements = templates
    .filter(({ file }) => rankOf(folderOf(file)) >= 0)
    .flatMap(({ file, text }) =>
      [...text.matchAll(/\b(?:FROM|JOIN)\s+(\w+)/g)]
        .filter(([, name = '']) => isAbove(name, folderOf(file)))
        .map(([, name]) => `${folderOf(file).replace('src/features/', '')} ${name}`),
    );
  expectListed([...byRules, ...byStatements], READ_UPWARDS);
});

it('every trigger and view has a comment, and lines of at most 120 characters', () => {
  const problems = rules.filter(
    ({ text }) => !text.startsWith('-- ') || text.split('\n').some((line) => line.length > 120),
  );
  expect(problems.map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
});

it('a statement writes only columns of its table', () => {
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

/**
 * In a template with table names, other names are columns of these tables; in a fragment without table names, columns
 * of any table.
 */
it('a statement reads only columns that exist', () => {
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
