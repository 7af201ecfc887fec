import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Statement } from '../src/db/database.ts';
import { endpoints } from '../src/endpoints.ts';
import { accountPaths, appPath, grantPath } from '../src/lib/page-paths.ts';
import { newApp } from './support/apps.ts';
import { bun } from './support/bun-process.ts';
import type { InProcessTarget } from './support/in-process.ts';
import { fillWallet } from './support/long-wallet.ts';
import { newAdmin, newMember } from './support/people.ts';
import { startService } from './support/service.ts';
import { exchange, newCode, post, tokensOf } from './support/token.ts';

/** Tables with one row. */
const small = ['settings', 'ledger'];

/**
 * Statements that read growing data, each identified by part of its text and with a reason. An unused entry fails the
 * test.
 */
const exceptions: Record<string, string> = {
  'SELECT count(*) AS count FROM': 'the admin desk counts open cases, by an index that contains nothing else',
  'WITH cases AS (SELECT NULL AS kind':
    'the admin desk lists every open case, each kind by an index that contains nothing else, and suspense by origin',
  'w.held_at FROM withdrawals w WHERE w.next_at': 'the same',
  "'not_checked' AS reason": 'the admin desk lists apps with restrictions',
  'count(DISTINCT l.ref) AS count': "the admin desk sums one day's movements",
  'FROM apps a JOIN app_secrets k': 'the apps with their own limit',
  'FROM app_secrets k WHERE k.app_id': 'an app has few valid secrets',
  'CROSS JOIN fee_versions f ON': "the versions of one app's fees, of which only the owner reads 1,000",
  'SELECT * FROM desk_decisions WHERE':
    'the admin desk lists pending proposals, by an index that contains nothing else',
  'FROM signing_keys WHERE verifies_until': 'a few keys are valid at a time',
  "FROM accounts WHERE owner IN ('system','debts','bank','provider_fee')": 'the few accounts of the service',
  'FROM emails e JOIN mails m ON': 'the admin desk lists the emails to a person, whose rows last a day',
  'FROM json_each(?) j WHERE NOT EXISTS': 'the suggested handles of a claim',
  'WITH RECURSIVE queues': 'the delivery job reads one row for each app with due events',
};

/** Lists the lines of a plan that read or sort every row. */
function costsIn(text: string, plan: readonly string[]): string[] {
  const made = plan.flatMap((line) => /^(?:CO-ROUTINE|MATERIALIZE) (\S+)/.exec(line)?.[1] ?? []);
  return plan.filter((line) => {
    if (line.startsWith('USE TEMP B-TREE')) return true;
    const [, name = ''] = /^SCAN (\S+)/.exec(line) ?? [];
    if (name === '' || name === 'CONSTANT' || / VIRTUAL TABLE /.test(line) || made.includes(name))
      return false;
    const table = new RegExp(`\\b(\\w+) (?:AS )?${name}\\b`).exec(text)?.[1] ?? name;
    return !small.includes(name) && !small.includes(table) && !name.startsWith('(');
  });
}

it('no list sorts or scans rows that can accumulate for a person, and no statement is recompiled [D-100]', async () => {
  const target = (await startService({
    ADMIN_PIDS: 'the-boss@pid',
    PAYMENT_GATEWAY: 'sandbox',
    PAYOUT_GATEWAY: 'sandbox',
  })) as InProcessTarget;
  const [sent, others] = [new Map<string, Statement>(), new Map<string, Statement>()];
  const { batch } = target.deps.db;
  Object.assign(target.deps.db, {
    batch(statements: readonly Statement[]) {
      for (const one of statements) (/^\s*(SELECT|WITH)\b/.test(one.text) ? sent : others).set(one.text, one);
      return batch.call(target.deps.db, statements as never);
    },
  });
  expect(await drive(target)).toEqual([]);
  expect(sent.size).toBeGreaterThan(50);
  const found: Record<string, string[]> = {};
  const used = new Set<string>();
  for (const { text, values } of sent.values()) {
    const rows = await target.rows<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, values);
    const costs = costsIn(
      text,
      rows.map(({ detail }) => detail),
    );
    const known = Object.keys(exceptions).find((part) => text.replace(/\s+/g, ' ').includes(part));
    if (known !== undefined && costs.length > 0) used.add(known);
    else if (costs.length > 0) found[text.replace(/\s+/g, ' ')] = costs;
  }
  expect(found).toEqual({});
  expect(Object.keys(exceptions).filter((part) => !used.has(part))).toEqual([]);
  const schema = await target.rows<{ sql: string }>(
    `SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'`,
  );
  const statements = [...sent.values(), ...others.values()];
  const { stdout, stderr } = spawnSync(bun, [join(import.meta.dirname, 'support/recompiled.ts')], {
    input: JSON.stringify({ schema: schema.map(({ sql }) => sql), statements }),
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  const { bare, found: recompiled } = JSON.parse(stdout);
  // SQLite does recompile some statements in their unmodified form, so the test would detect one.
  expect(bare).toBeGreaterThan(10);
  expect(recompiled).toEqual([]);
});

/**
 * Reads every readable endpoint and page with every choice of its query parameters.
 * @returns the lists that no caller could read
 */
async function drive(target: InProcessTarget): Promise<string[]> {
  const [person, boss] = [await newMember(target), await newAdmin(target, 'the-boss')];
  for (const { browser } of [person, boss]) await browser.fetch('/v1/wallet', { method: 'POST' });
  const app = await newApp(boss.browser, {
    scopes: ['openid', 'offline_access', 'wallet:read', 'fiat:read'],
  });
  const relation = { target, person: boss, app };
  const code = await newCode(relation, { scope: 'openid offline_access wallet:read fiat:read' });
  const { access_token: token } = await tokensOf(await exchange(relation, code));
  const own = await tokensOf(
    await post(relation, '/v1/auth/token', { grant_type: 'client_credentials', scope: 'fiat:read' }),
  );
  const grant = code.grantId;
  const unread: string[] = [];
  const ids: Record<string, string> = { '/v1/apps/': app.id, '/v1/admin/apps/': app.id, grants: grant };
  const [wallet] = await target.rows<{ id: number }>('SELECT id FROM accounts WHERE owner = ?', [
    boss.handle,
  ]);
  await fillWallet(target, { handle: boss.handle, account: wallet?.id ?? 0, length: 30 });
  const statuses = new Set<number>();
  const reads = async (path: string) => {
    const finish = finishInto(statuses);
    await person.browser.fetch(path).then(finish);
    await boss.browser.fetch(path).then(finish);
    for (const bearer of [token, own.access_token])
      await target.request(path, { headers: { Authorization: `Bearer ${bearer}` } }).then(finish);
  };
  for (const { method, path, query } of endpoints) {
    if (method !== 'GET') continue;
    const named = Object.keys(ids).find((part) => path.includes(part)) ?? '';
    const address = path.replace(/:\w+/, ids[named] ?? 'none').replace(/:\w+/g, 'transfer');
    statuses.clear();
    const { choices, isList } = await choicesOf(query);
    for (const choice of choices) await reads(address + choice);
    if (isList && !statuses.has(200)) unread.push(path);
  }
  const pages = [
    ...Object.values(accountPaths),
    appPath(app.id),
    grantPath(grant),
    '/admin',
    '/admin?app=shop',
    '/admin/people/the-boss',
    '/admin/audit?actor=the-boss&from=2026-01-01',
    '/admin/audit?action=person.viewed',
    '/admin/audit?target=the-boss',
    ...['the-boss', 'a@b.example', 'mYx0Zk3nQ7uWb1VhT5sLrA'].map((q) => `/admin/people?q=${q}`),
    `/admin/people?q=the&cursor=${Buffer.from('the-boss').toString('base64url')}`,
    ...['crd', 'ses', 'aps', 'dep', 'wdr', 'adj', 'trf', 'rev'].map((kind) => `/admin/people?q=${kind}_x`),
  ];
  for (const page of pages)
    for (const { browser } of [person, boss]) await browser.navigate(page).then(finishInto(statuses));
  return unread;
}

/** Reads a response to its end, because some are produced during reading. */
function finishInto(statuses: Set<number>): (answer: Response) => Promise<void> {
  return async (answer) => {
    await answer.text();
    statuses.add(answer.status);
  };
}

interface Shape {
  readonly _zod?: {
    readonly def: {
      readonly shape?: Record<string, Shape>;
      readonly innerType?: Shape;
      readonly entries?: Record<string, string>;
    };
  };
}

/** No query, and every choice for each of its fields. */
async function choicesOf(query: unknown): Promise<{ choices: string[]; isList: boolean }> {
  const schema = (typeof query === 'function' ? await query() : query) as Shape | undefined;
  const shape = schema?._zod?.def.shape ?? {};
  const entriesOf = (field: Shape | undefined): string[] =>
    field?._zod === undefined
      ? []
      : Object.values(field._zod.def.entries ?? {}).concat(entriesOf(field._zod.def.innerType));
  const choices = [
    'q' in shape ? '?q=the' : '',
    ...Object.entries(shape).flatMap(([name, field]) => entriesOf(field).map((value) => `?${name}=${value}`)),
  ];
  return { choices, isList: 'limit' in shape };
}
