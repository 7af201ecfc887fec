import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { withoutCredentials } from '../scripts/cli/stores.ts';
import type { DeskApp } from '../src/features/admin/schema.ts';
import type { NewApp, NewSecret } from '../src/features/app/schema.ts';
import type { Report } from '../src/features/reconcile/schema.ts';
import { newApp } from './support/apps.ts';
import { json, openBrowser } from './support/browser.ts';
import { newDeposit, payAt, sync } from './support/deposits.ts';
import { makeServiceFiles, openFileService, type ServiceFiles } from './support/file-service.ts';
import type { InProcessTarget } from './support/in-process.ts';
import { balanceOf, inquire, newHolder, pay } from './support/money.ts';
import { newMember, signIn, somebody } from './support/people.ts';
import { providerReport } from './support/reports.ts';
import { decodeJwt } from './support/signing.ts';
import { testSecretKey } from './support/target.ts';
import { allowWithdrawals, withdraw } from './support/withdrawals.ts';

const root = join(import.meta.dirname, '..');
const opened = new Set<InProcessTarget>();
const folders: ServiceFiles[] = [];
afterEach(async () => {
  await Promise.all([...opened].map(close));
  await Promise.all(folders.splice(0).map((files) => files.remove()));
});

async function makeFiles(): Promise<ServiceFiles> {
  const files = await makeServiceFiles();
  folders.push(files);
  return files;
}

async function open(files: ServiceFiles, variables: Record<string, string> = {}): Promise<InProcessTarget> {
  const service = await openFileService(files, {
    IDP_ISSUER: inject('lyingIssuer'),
    IDP_CLIENT_ID: 'peridot',
    IDP_CLIENT_SECRET: 'provider secret',
    RATE_LIMITS: '{"*":1000000}',
    ...variables,
  });
  opened.add(service);
  return service;
}

async function close(service: InProcessTarget): Promise<void> {
  opened.delete(service);
  await service.close();
}

interface Ending {
  code: number | null;
  out: string;
  errors: string;
}

/** Runs `npm run cli -- …` as a separate process on a service's files. */
async function cli(
  files: ServiceFiles,
  args: string[],
  variables: Record<string, string> = {},
  heard: (message: unknown) => void = () => {},
): Promise<Ending> {
  const child = spawn(join(root, 'node_modules/.bin/node'), [join(root, 'scripts/cli.ts'), ...args], {
    cwd: files.folder,
    // This process's own environment must not supply variables that a test omits.
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_COMPILE_CACHE: join(tmpdir(), 'compiled'),
      DATABASE_URL: `file:${files.database}`,
      KV_URL: `file:${files.kv}`,
      SECRET_KEY: testSecretKey,
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  child.on('message', heard);
  const ending: Ending = { code: null, out: '', errors: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    ending.out += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    ending.errors += text;
  });
  ending.code = await new Promise((resolve) => child.once('close', resolve));
  return ending;
}

/** Returns the JSON output of a successful command. */
async function ask<T>(
  files: ServiceFiles,
  args: string[],
  variables: Record<string, string> = {},
): Promise<T> {
  const { code, out, errors } = await cli(files, [...args, '--json'], variables);
  expect([code, errors]).toEqual([0, '']);
  return JSON.parse(out);
}

const runJobs = (service: InProcessTarget) => service.request('/dev/scheduled', { method: 'POST' });

interface Key {
  kid: string;
  state: string;
  secretKey: string;
}

// Every command is a separate process, which is slow on a machine busy with other tests.
describe('the command line', { timeout: 120_000 }, () => {
  it('previews the postings of a report, and posts them with --yes', async () => {
    const files = await makeFiles();
    const service = await open(files);
    const path = join(files.folder, 'report.csv');
    const line = { id: 'dep_x', day: '2026-11-19', gross: 5_000 };
    const args = ['reconcile', 'import', path, '--source', 'sandbox'];
    expect((await cli(files, args)).errors).toContain('does not exist');
    await writeFile(path, providerReport([line]).slice(0, -1));
    expect(await cli(files, args)).toMatchObject({ code: 1, errors: expect.stringContaining('line 2: ') });
    await writeFile(path, providerReport([line]));
    const read = await ask<Report>(files, args);
    expect(read).toMatchObject({
      status: 'read',
      summary: { outcomes: [{ outcome: 'unknown_payment', count: 1 }] },
    });
    expect(await service.rows('SELECT id FROM reconciliation_cases')).toEqual([]);
    const { out } = await cli(files, [...args, '--yes', '--json']);
    expect(JSON.parse(out)).toMatchObject({ id: read.id, status: 'posted' });
    expect(await service.rows('SELECT id FROM reconciliation_cases')).toEqual([{ id: `${read.id}.2` }]);
    expect((await cli(files, ['ledger', 'check', '--source', 'bank'])).code).toBe(2);
  });

  it('checks, freezes and unfreezes the ledger', async () => {
    const files = await makeFiles();
    const service = await open(files);
    const [ada, ben] = [await newHolder(service, 500), await newHolder(service)];
    await pay(ada, ben, 100);
    const moved = async (...args: string[]) =>
      JSON.parse((await cli(files, ['ledger', ...args, '--json'])).out) as unknown;
    expect(await moved('check')).toEqual([]);
    expect(await moved('freeze', 'an audit')).toEqual({ changed: true });
    expect(await moved('freeze', 'an audit')).toEqual({ changed: false });
    expect((await inquire(ada.browser, ben.handle, 1)).status).toBe(503);
    expect(await moved('disable', 'no licence yet')).toEqual({ changed: true });
    expect((await inquire(ada.browser, ben.handle, 1)).headers.get('X-Error-Code')).toBe('ledger_disabled');
    expect(await moved('thaw', 'done')).toEqual({ changed: true });
    await pay(ada, ben, 100);
    expect((await cli(files, ['ledger', 'thaw'])).code).toBe(2);
    await service.rows('DROP TRIGGER account_totals');
    await service.rows('UPDATE accounts SET credits_posted = credits_posted + 1 WHERE owner = ?', [
      ben.handle,
    ]);
    const broken = await cli(files, ['ledger', 'check']);
    expect([broken.code, broken.errors]).toEqual([1, expect.stringContaining('"event":"ledger.violated"')]);
    expect(broken.out).toContain('The ledger is frozen.');
    expect(await service.rows('SELECT mode FROM ledger')).toEqual([{ mode: 'frozen' }]);
    const lines = await service.rows<{ actor: string; detail: string }>(
      `SELECT actor, detail FROM audit_log WHERE action = 'ledger.mode' ORDER BY seq`,
    );
    expect(lines.map(({ actor, detail }) => [actor, JSON.parse(detail).mode])).toEqual([
      ['operator', 'frozen'],
      ['operator', 'disabled'],
      ['operator', 'open'],
      ['system', 'frozen'],
    ]);
  });

  it('offers the functions of the admin desk and acts as the operator', async () => {
    const files = await makeFiles();
    const service = await open(files);
    const [ada, ben] = [await newHolder(service, 100_000), await newHolder(service)];
    const app = await newApp(ada.browser);
    const transfer = await pay(ada, ben, 100);
    await allowWithdrawals(service);
    const held = await withdraw(ada.browser, 20_000);
    const paid = await newDeposit(ben, 50_000);
    await payAt(service, paid, 'wrong');
    await sync(ben.browser, paid.id);
    const move = ['adjust', 'gateway', `${ben.handle}@pid`, '70', 'key-1', 'by hand'];
    const steps: [string[], object][] = [
      [['app', 'suspend', app.id, 'by hand'], { status: 'suspended' }],
      [['app', 'activate', app.id, 'by hand'], { status: 'active' }],
      [
        ['app', 'resource', app.id, 'https://api.intranet/', app.id, 'by hand'],
        { resources: [{ resource: 'https://api.intranet/', clients: [app.id], provenBy: 'desk' }] },
      ],
      [['app', 'unresource', app.id, 'https://api.intranet/', 'by hand'], { resources: [] }],
      [['wallet', 'freeze', `${ben.handle}@pid`, 'by hand'], { status: 'frozen' }],
      [['wallet', 'unfreeze', ben.handle, 'by hand'], { status: 'active' }],
      [['user', 'level', `${ben.handle}@pid`, 'verified', 'by hand'], { level: 'verified' }],
      [['deposit', 'list'], { data: [{ id: paid.id, failure: 'amount_mismatch', paidAmount: 50_001 }] }],
      [['deposit', 'resolve', paid.id, 'credit', 'by hand'], { status: 'credited', amount: 50_001 }],
      [['withdrawal', 'resolve', held.id, 'failed', 'by hand'], { status: 'cancelled' }],
      [['transfer', 'reverse', transfer.id, 'by hand'], { status: 'reversed' }],
      [move, { amount: 70 }],
      [move, { amount: 70 }],
      [['fee', 'set', 'transfer', '5', '0', '0', 'none', 'payer', 'by hand'], { fixed: 5, max: null }],
      [['withdrawals', 'off', 'by hand'], { withdrawals: false }],
      [['withdrawals', 'on', 'by hand'], { withdrawals: true }],
      [['audit', 'list'], { data: expect.arrayContaining([expect.objectContaining({ target: paid.id })]) }],
      [['overview'], { ledger: { withdrawals: true }, reviews: 0 }],
    ];
    for (const [args, expected] of steps) {
      const { code, out, errors } = await cli(files, [...args, '--json']);
      expect([args, code, errors]).toEqual([args, 0, expect.not.stringContaining('"level":"error"')]);
      expect(JSON.parse(out)).toMatchObject(expected);
    }
    expect([await balanceOf(service, ada.handle), await balanceOf(service, ben.handle)]).toEqual([
      100_000, 50_071,
    ]);
    // The service sends the email; the command line only stores it.
    expect(
      await service.rows(`SELECT tries FROM mails WHERE kind = 'withdrawal_failed' AND next_at IS NOT NULL`),
    ).toEqual([{ tries: 0 }]);
    const lines = await service.rows<{ actor: string; detail: string }>(
      'SELECT actor, detail FROM audit_log',
    );
    expect(lines.map(({ actor, detail }) => [actor, JSON.parse(detail).reason])).toEqual(
      Array(16).fill(['operator', 'by hand']),
    );
    for (const [args, text] of [
      [['transfer', 'reverse', transfer.id, 'again'], 'The state has changed in the meantime'],
      [['wallet', 'freeze', ben.handle, ' '], 'reason must not be empty'],
      [['fee', 'set', 'transfer', '', '0', '0', 'none', 'payer', 'x'], 'fixed must'],
      [['adjust', 'gateway', 'suspense', '1.5', 'key-2', 'x'], 'amount must be a positive integer'],
    ] as const) {
      const { code, errors } = await cli(files, [...args]);
      expect([code, errors]).toEqual([1, expect.stringContaining(text)]);
    }
  });

  it('registers an app for a person and replaces its secret as the operator', async () => {
    const files = await makeFiles();
    const service = await open(files);
    const { handle, browser, claims } = await newMember(service);
    const fields = { name: 'Corner Shop', type: 'web', allowedOrigins: ['https://shop.example.com'] };
    const create = (owner: string, input: object = fields) =>
      cli(files, ['app', 'create', owner, JSON.stringify(input), 'by hand', '--json']);
    const created = await create(`${handle}@pid`);
    expect([created.code, created.errors]).toEqual([0, expect.not.stringContaining('"level":"error"')]);
    const { secret, ...app } = JSON.parse(created.out) as NewApp;
    expect(app).toMatchObject({ ...fields, scopes: ['openid', 'profile', 'email'], status: 'active' });
    const { secret: _, ...none } = JSON.parse(
      (await create(handle, { ...fields, type: 'spa' })).out,
    ) as NewApp;
    const listed = (await (await browser.fetch('/v1/apps')).json()) as { data: unknown[] };
    expect(listed.data).toEqual([none, app]);

    const rotated = await cli(files, ['app', 'secret', app.id, '0', 'leaked', '--json']);
    const renewed = JSON.parse(rotated.out) as NewSecret;
    expect(renewed.previous).toEqual([]);
    const kept = await cli(files, ['app', 'secret', app.id, '60', 'again', '--json']);
    expect(JSON.parse(kept.out)).toMatchObject({ previous: [{ id: renewed.id, hint: renewed.hint }] });
    const good = await service.rows('SELECT id FROM app_secrets WHERE expires_at IS NULL OR expires_at > ?', [
      service.now(),
    ]);
    expect(good).toEqual(expect.arrayContaining([{ id: renewed.id }]));
    expect(good).not.toContainEqual({ id: secret?.id });
    expect(JSON.stringify(await service.rows('SELECT * FROM app_secrets'))).not.toContain(renewed.value);

    expect(await service.rows(`SELECT kind FROM mails WHERE recipient = ?`, [claims.email])).toEqual(
      Array(2).fill({ kind: 'app_secret_rotated' }),
    );
    const { data } = (await (await browser.fetch('/v1/me/activity')).json()) as { data: { type: string }[] };
    expect(data.slice(0, 4).map(({ type }) => type)).toEqual([
      ...Array(2).fill('app.secret_rotated'),
      ...Array(2).fill('app.created'),
    ]);
    const lines = await service.rows<{ detail: string }>(
      'SELECT actor, action, target, detail FROM audit_log ORDER BY seq',
    );
    expect(lines.map(({ detail, ...line }) => ({ ...line, reason: JSON.parse(detail).reason }))).toEqual(
      [
        ['app.created', app.id, 'by hand'],
        ['app.created', none.id, 'by hand'],
        ['app.secret_rotated', app.id, 'leaked'],
        ['app.secret_rotated', app.id, 'again'],
      ].map(([action, target, reason]) => ({ actor: 'operator', action, target, reason })),
    );
    expect(lines.map(({ detail }) => detail).join()).not.toContain('pids_');

    for (const [args, text] of [
      [['create', 'nobody-here', '{"name":"x","type":"web"}', 'x'], 'Identity does not exist'],
      [['create', handle, 'x', 'x'], 'APP must be JSON'],
      [['secret', none.id, '0', 'x'], 'Secret does not exist'],
    ] as const) {
      const { code, errors } = await cli(files, ['app', ...args]);
      expect([args, code, errors]).toEqual([args, 1, expect.stringContaining(text)]);
    }
  });

  it('marks an app as first-party only in the version that was shown', async () => {
    const files = await makeFiles();
    const service = await open(files);
    const { browser, handle } = await newMember(service);
    const { id } = await newApp(browser);
    const app = (...args: string[]) => cli(files, ['app', ...args, '--json']);
    const shown = JSON.parse((await app('show', id)).out) as DeskApp;
    expect(shown).toMatchObject({ id, owner: `${handle}@pid`, name: 'Corner Shop', checked: false });
    await browser.fetch(`/v1/apps/${id}`, json('PATCH', { name: 'Bank of Jakarta' }));
    for (const act of ['check', 'own'])
      expect(await app(act, id, shown.updatedAt, 'by hand')).toMatchObject({
        code: 1,
        errors: expect.stringContaining('The state has changed in the meantime'),
      });
    const { updatedAt } = JSON.parse((await app('show', id)).out) as DeskApp;
    const owned = await app('own', id, updatedAt, 'by hand');
    expect(JSON.parse(owned.out)).toMatchObject({ name: 'Bank of Jakarta', firstParty: true });
    expect(JSON.parse((await app('list')).out)).toEqual({ data: [] });
  });

  it('lists its commands, and rejects an unknown one with a one-line error and exit code 2', async () => {
    const files = await makeFiles();
    const help = await cli(files, []);
    expect([help.code, help.errors]).toEqual([0, '']);
    for (const command of ['keys rotate', 'db restore', 'user show', 'admin list'])
      expect(help.out).toContain(command);
    const unknown: [string[], string][] = [
      [['burn'], 'There is no command "burn". `help` lists every command.\n'],
      [['keys'], '"keys" is not a whole command. There is keys list, generate, rotate, remove.\n'],
      [['keys', 'burn'], 'There is no command "keys burn". There is keys list, generate, rotate, remove.\n'],
      [['user', 'show'], 'Usage: user show PID\n'],
      [['keys', 'list', '--force'], 'No --force here. Usage: keys list\n'],
      [['keys', 'list', '--kid'], "Unknown option '--kid'. `help` lists every command.\n"],
    ];
    const endings = await Promise.all(unknown.map(([args]) => cli(files, args)));
    expect(endings).toEqual(unknown.map(([, errors]) => ({ code: 2, out: '', errors })));
  });

  it('lists invalid settings without their values', async () => {
    const files = await makeFiles();
    const { code, errors } = await cli(files, ['keys', 'list'], {
      SECRET_KEY: 'hunter2hunter2',
      BASE_URL: 'x',
    });
    expect(code).toBe(1);
    expect(errors).toMatch(
      /SECRET_KEY must be base64[\s\S]*BASE_URL|BASE_URL[\s\S]*SECRET_KEY must be base64/,
    );
    expect(errors).not.toContain('hunter2');
  });

  it('reports an unmigrated database and migrates it', async () => {
    const files = await makeFiles();
    const early = await cli(files, ['keys', 'list']);
    expect([early.code, early.errors]).toEqual([1, expect.stringContaining('db migrate')]);
    const { applied } = await ask<{ applied: string[] }>(files, ['db', 'migrate']);
    expect(applied[0]).toBe('0000_identity.sql');
    expect(await ask(files, ['db', 'migrate'])).toEqual({ applied: [] });
    expect(await ask(files, ['db', 'status'])).toMatchObject({ pendingMigrations: [], identities: 0 });
  });

  it('creates, rotates, replaces and removes signing keys of a running service', async () => {
    const files = await makeFiles();
    await ask(files, ['db', 'migrate']);
    const { kid: first } = await ask<{ kid: string }>(files, ['keys', 'generate']);
    expect(await ask(files, ['keys', 'generate'])).toEqual({ kid: null });
    const rotations = await Promise.all(
      Array.from({ length: 4 }, () => ask<{ kid: string | null }>(files, ['keys', 'rotate'])),
    );
    expect(rotations.filter(({ kid }) => kid !== null)).toHaveLength(1);

    const service = await open(files);
    const { browser } = await newMember(service);
    const token = (await browser.cookie('pid_access')) ?? '';
    expect(decodeJwt(token).header['kid']).toBe(first);
    expect(await ask(files, ['keys', 'rotate', '--now'])).toEqual({ kid: null });
    expect(await ask<Key[]>(files, ['keys', 'list'])).toHaveLength(2);
    const { kid: replacement } = await ask<{ kid: string }>(files, ['keys', 'rotate', '--now', '--yes']);
    const listed = await ask<Key[]>(files, ['keys', 'list']);
    expect(listed.map(({ kid, state, secretKey }) => [kid === first, state, secretKey])).toEqual([
      [true, 'verifies', 'current'],
      [false, 'waits', 'current'],
      [false, 'signs', 'current'],
    ]);

    expect(await ask(files, ['keys', 'remove', first])).toEqual({ kid: first, removed: false });
    expect(await ask<Key[]>(files, ['keys', 'list'])).toHaveLength(3);
    expect(await ask(files, ['keys', 'remove', replacement, '--yes'])).toMatchObject({ removed: true });
    const refused = await cli(files, ['keys', 'remove', first, '--yes']);
    expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining('keys rotate --now')]);
  });

  it('refuses to write a signing key under a SECRET_KEY that cannot decrypt the existing keys, unless forced', async () => {
    const files = await makeFiles();
    await ask(files, ['db', 'migrate']);
    const { kid } = await ask<{ kid: string }>(files, ['keys', 'generate']);
    const before = await ask(files, ['keys', 'list']);
    const wrong = { SECRET_KEY: randomBytes(32).toString('base64') };
    const writing = [
      ['generate'],
      ['rotate'],
      ['rotate', '--now', '--yes'],
      ['remove', kid],
      ['remove', kid, '--yes'],
    ];
    for (const args of writing) {
      const { code, out, errors } = await cli(files, ['keys', ...args], wrong);
      expect([args, code, out]).toEqual([args, 1, '']);
      expect(errors).toContain('This SECRET_KEY decrypts none of the signing keys');
    }
    expect(await ask(files, ['keys', 'list'])).toEqual(before);

    // Even then the key of the other SECRET_KEY stays, and is not used as a signing key.
    const { kid: forced } = await ask<{ kid: string }>(files, ['keys', 'generate', '--force'], wrong);
    const after = await ask<Key[]>(files, ['keys', 'list'], wrong);
    expect(after.map((key) => [key.kid, key.secretKey])).toEqual([
      [kid, 'unknown'],
      [forced, 'current'],
    ]);
    expect((await cli(files, ['keys', 'remove', forced, '--yes'], wrong)).code).toBe(1);
    expect(await ask(files, ['keys', 'remove', kid, '--yes'], wrong)).toMatchObject({ removed: true });
  });

  it('does not generate a SECRET_KEY for a database that has signing keys', async () => {
    const files = await makeFiles();
    const missing = { SECRET_KEY: '' };
    await ask(files, ['db', 'migrate']);
    await ask(files, ['keys', 'generate']);
    for (const args of [
      ['keys', 'rotate', '--force'],
      ['db', 'status'],
    ]) {
      const { code, errors } = await cli(files, args, missing);
      expect([code, errors]).toEqual([1, expect.stringContaining('SECRET_KEY is not set')]);
    }
    expect(await readdir(files.folder)).not.toContain('data');

    const fresh = await makeFiles();
    await ask(fresh, ['db', 'migrate'], missing);
    await ask(fresh, ['keys', 'generate'], missing);
    const listed = await ask<Key[]>(fresh, ['keys', 'list'], missing);
    expect(listed.map(({ secretKey }) => secretKey)).toEqual(['current']);
  });

  it('shows the addresses of the stores without their credentials', async () => {
    const addresses = {
      'file:./data/peridot.db?authToken=hunter2#x': 'file:./data/peridot.db',
      'file:///srv/peridot.db': 'file:///srv/peridot.db',
      'libsql://ada:hunter2@db.example.com/one?authToken=hunter2': 'libsql://db.example.com/one',
      'https://hunter2@db.example.com:8080': 'https://db.example.com:8080/',
      'libsql://ada:hunter2@:x': 'libsql:…',
    };
    expect(Object.keys(addresses).map(withoutCredentials)).toEqual(Object.values(addresses));

    const files = await makeFiles();
    await ask(files, ['db', 'migrate']);
    expect(await ask(files, ['db', 'status'])).toMatchObject({ database: `file:${files.database}` });
    for (const name of ['DATABASE_URL', 'KV_URL']) {
      const place = `file:${name === 'KV_URL' ? files.kv : files.database}?authToken=hunter2`;
      const refused = await cli(files, ['db', 'restore'], { [name]: place });
      expect([refused.code, refused.errors]).toEqual([
        1,
        'A file: URL of a database must not have a query or a fragment.\n',
      ]);
    }
    const absent = await cli(files, ['db', 'restore'], { KV_URL: `file:${files.kv}` });
    expect([absent.code, absent.errors]).toEqual([
      1,
      `There is no key-value store at KV_URL (file:${files.kv}).\n`,
    ]);
  });

  it('lists which keys still need SECRET_KEY_PREVIOUS', async () => {
    const files = await makeFiles();
    await ask(files, ['db', 'migrate']);
    await ask(files, ['keys', 'generate']);
    const SECRET_KEY = randomBytes(32).toString('base64');
    const sealed = async (variables: Record<string, string>) =>
      (await ask<Key[]>(files, ['keys', 'list'], variables)).map(({ secretKey }) => secretKey);
    expect(await sealed({ SECRET_KEY, SECRET_KEY_PREVIOUS: testSecretKey })).toEqual(['previous']);
    expect(await sealed({ SECRET_KEY })).toEqual(['unknown']);
  });

  it('shows people and their sessions, and revokes the sessions only with --yes', async () => {
    const files = await makeFiles();
    const service = await open(files);
    const { handle, browser, claims } = await newMember(service);
    await signIn(service, openBrowser(service), claims);
    const desk = { ADMIN_PIDS: `${handle}@pid`, SUPPORT_PIDS: 'nobody-here@pid' };
    expect(await ask(files, ['admin', 'list'], desk)).toEqual([
      { pid: `${handle}@pid`, role: 'administrator', status: 'active', displayName: claims.name },
      { pid: 'nobody-here@pid', role: 'support', status: 'unknown', displayName: null },
    ]);
    expect(await ask(files, ['user', 'show', `${handle}@pid`])).toMatchObject({
      pid: `${handle}@pid`,
      status: 'active',
      credentials: [{ provider: 'idp' }],
      emails: [claims.email],
    });
    const text = await cli(files, ['user', 'find', claims.email]);
    expect(text.out).toMatch(
      /^pid +displayName +status +createdAt +email +foundBy\n\S+@pid .*active .* email\n$/,
    );
    expect((await cli(files, ['user', 'find', 'nobody-here'])).errors).toBe(
      'Nobody found for "nobody-here".\n',
    );
    const sessions = await ask<{ id: string }[]>(files, ['user', 'sessions', handle]);
    expect(sessions).toHaveLength(2);

    expect(await ask(files, ['user', 'revoke', handle])).toEqual({ pid: `${handle}@pid`, ended: 0 });
    expect((await browser.fetch('/v1/auth/refresh', { method: 'POST' })).status).toBe(204);
    const revoked = await cli(files, ['user', 'revoke', handle, '--yes', '--json']);
    expect(JSON.parse(revoked.out)).toEqual({ pid: `${handle}@pid`, ended: 2 });
    expect((await browser.fetch('/v1/auth/refresh', { method: 'POST' })).status).toBe(401);
    expect(
      await service.rows(`SELECT actor, action FROM audit_log WHERE target = ? ORDER BY seq`, [handle]),
    ).toEqual(['person.viewed', 'sessions.revoke'].map((action) => ({ actor: 'operator', action })));
    await signIn(service, openBrowser(service), claims);
    const suspended = await cli(files, ['user', 'suspend', handle, 'sent spam']);
    expect(suspended.out).toMatch(/^pid +\S+@pid\nhandle .*\nstatus +suspended\nlevel +unverified\n$/);
    expect(await ask(files, ['user', 'sessions', handle])).toEqual([]);
    expect((await cli(files, ['user', 'activate', handle, 'a mistake'])).out).toMatch(/^status +active$/m);
    const lines = await cli(files, ['audit', 'list']);
    expect(lines.out).toMatch(/^at +actor +action +target +detail\n/);
    expect(lines.out).toContain('status=suspended reason=sent spam');
    const unknown = await cli(files, ['user', 'show', 'nobody-here']);
    expect([unknown.code, unknown.errors]).toEqual([1, expect.stringContaining('nobody-here@pid')]);
  });
});

describe('a write command', () => {
  it('waits longer than a request would for another process to release the database lock', async () => {
    const files = await makeFiles();
    const service = await open(files);
    const { handle } = await newMember(service);
    const holder = new DatabaseSync(files.database);
    holder.exec('BEGIN IMMEDIATE');
    let pauses = 0;
    const NODE_OPTIONS = `--import=${join(root, 'test/support/fast-pauses.ts')}`;
    const ending = cli(files, ['user', 'revoke', handle, '--yes', '--json'], { NODE_OPTIONS }, () => {
      pauses += 1;
      if (pauses === 5) holder.close();
    });
    expect((await ending).code).toBe(0);
    expect(JSON.parse((await ending).out)).toEqual({ pid: `${handle}@pid`, ended: 1 });
    expect(pauses).toBeGreaterThanOrEqual(5);
    expect(holder.isOpen).toBe(false);
  });
});

describe('admin claim', () => {
  it('lets only the owner’s account claim a PID from ADMIN_PIDS on the claim page', async () => {
    const files = await makeFiles();
    const ADMIN_PIDS = 'night.keeper@pid';
    const service = await open(files, { ADMIN_PIDS });
    const claims = somebody();
    const owner = openBrowser(service);
    const claimFor = (pid: string, email: string, ...rest: string[]) =>
      cli(files, ['admin', 'claim', pid, 'idp', email, ...rest], { ADMIN_PIDS });
    const refused = async (pid: string, email: string, why: string) => {
      const answer = await claimFor(pid, email, '--yes');
      expect([answer.code, answer.errors]).toEqual([1, expect.stringContaining(why)]);
    };
    await refused(ADMIN_PIDS, claims.email, 'no such account is waiting');
    await signIn(service, owner, claims);
    await refused('somebody-else@pid', claims.email, 'reads both from its own environment');
    await refused(ADMIN_PIDS, 'another@example.com', 'no such account is waiting');
    expect((await claimFor(ADMIN_PIDS, claims.email)).out).toContain('--yes');
    expect(await service.rows('SELECT handle FROM identities')).toEqual([]);
    expect((await claimFor(ADMIN_PIDS, claims.email, '--yes')).code).toBe(0);
    await refused(ADMIN_PIDS, claims.email, 'has been claimed');
    expect((await owner.fetch('/v1/auth/claim', json('POST', { handle: 'too-late' }))).status).toBe(410);
    await signIn(service, owner, claims);
    expect(await (await owner.fetch('/v1/auth/session')).json()).toMatchObject({
      pid: ADMIN_PIDS,
      roles: ['admin'],
    });
    expect(await service.rows('SELECT actor, action, target FROM audit_log')).toEqual([
      { actor: 'operator', action: 'identity.claimed', target: 'night.keeper' },
    ]);
    expect(await service.rows('SELECT handle FROM pid_journal')).toEqual([{ handle: 'night.keeper' }]);
  });
});

describe('a database restored from a backup', { timeout: 120_000 }, () => {
  it('reserves PIDs issued since, closes identities closed since, and revokes every old session', async () => {
    const files = await makeFiles();
    const backup = join(files.folder, 'backup.db');
    let service = await open(files);
    const ada = await newMember(service);
    const bob = await newMember(service);
    const strayTicket = openBrowser(service);
    await signIn(service, strayTicket);
    const ticket = await strayTicket.cookie('pid_claim', '/v1/auth/claim');
    await ask(files, ['db', 'backup', backup]);
    expect((await stat(backup)).size).toBeGreaterThan(0);
    const modes = [files.database, backup].map(async (file) => (await stat(file)).mode & 0o777);
    expect(await Promise.all(modes)).toEqual([0o600, 0o600]);

    // After the backup: a session is refreshed, a PID claimed, an identity closed, and an open ticket used.
    const before = await ada.browser.cookies('/v1/auth/refresh');
    expect((await ada.browser.fetch('/v1/auth/refresh', { method: 'POST' })).status).toBe(204);
    const eve = await newMember(service);
    const closing = ['UPDATE identities SET status = ?, closed_at = ? WHERE handle = ?', 'closed'] as const;
    await service.rows(closing[0], [closing[1], service.now(), bob.handle]);
    expect((await strayTicket.fetch('/v1/auth/claim', json('POST', { handle: 'late-claimer' }))).status).toBe(
      200,
    );
    expect((await runJobs(service)).status).toBe(200);
    const after = await ada.browser.cookies('/v1/auth/refresh');
    await close(service);

    await Promise.all(
      ['', '-wal', '-shm'].map((suffix) => rm(`${files.database}${suffix}`, { force: true })),
    );
    await copyFile(backup, files.database);
    const dryRun = await cli(files, ['db', 'restore']);
    expect([dryRun.code, dryRun.errors]).toEqual([0, '']);
    expect(dryRun.out).toContain('--yes');
    expect(await ask(files, ['db', 'status'])).toMatchObject({ identities: 2, closed: 0, liveSessions: 2 });
    const restored = { closed: [bob.handle], applied: true };
    const first = await ask<{ issued: string[] }>(files, ['db', 'restore', '--yes']);
    expect(first).toMatchObject(restored);
    expect([...first.issued].sort()).toEqual([eve.handle, 'late-claimer'].sort());
    expect(await ask(files, ['db', 'restore', '--yes'])).toMatchObject({ issued: [], closed: [] });

    service = await open(files);
    for (const cookie of [before, after]) {
      const refreshed = await service.request('/v1/auth/refresh', {
        method: 'POST',
        headers: { Cookie: cookie },
      });
      expect(refreshed.status).toBe(401);
    }
    expect(await ask(files, ['user', 'show', bob.handle])).toMatchObject({
      status: 'closed',
      credentials: [],
    });
    expect(await ask(files, ['user', 'show', eve.handle])).toMatchObject({
      status: 'suspended',
      credentials: [],
      displayName: eve.handle,
    });

    // The ticket that is open in the backup has been used since; nobody gets a PID that someone else had.
    const claim = json('POST', { handle: 'another-one' });
    const headers = { ...claim.headers, Cookie: `pid_claim=${ticket}` };
    const again = await service.request('/v1/auth/claim', { ...claim, headers });
    expect(again.status).toBe(410);
    const mallory = openBrowser(service);
    await signIn(service, mallory);
    for (const handle of [eve.handle, bob.handle, 'late-claimer', 'late.claimer']) {
      const claimed = await mallory.fetch('/v1/auth/claim', json('POST', { handle }));
      expect([handle, claimed.status]).toEqual([handle, 409]);
    }
    expect((await mallory.fetch('/v1/auth/claim', json('POST', { handle: 'new-comer' }))).status).toBe(200);
    const returned = openBrowser(service);
    expect((await signIn(service, returned, ada.claims)).status).toBe(302);
    expect((await returned.fetch('/v1/auth/session')).status).toBe(200);

    // An operator assigns a lost PID to the account waiting on the claim page, and to no other account.
    const give = (handle: string, email: string, ...rest: string[]) =>
      cli(files, ['user', 'give-back', handle, 'idp', email, ...rest]);
    const refused = async (handle: string, email: string, why: string) => {
      const answer = await give(handle, email, '--yes');
      expect([answer.code, answer.errors]).toEqual([1, expect.stringContaining(why)]);
    };
    await refused(eve.handle, eve.claims.email, 'no such account is waiting');
    const owner = openBrowser(service);
    await signIn(service, owner, eve.claims);
    await refused(ada.handle, eve.claims.email, 'restored without credentials');
    await refused(eve.handle, ada.claims.email, 'no such account is waiting');
    expect((await give(eve.handle, eve.claims.email)).out).toContain('--yes');
    expect(await ask(files, ['user', 'show', eve.handle])).toMatchObject({ status: 'suspended' });
    expect((await give(eve.handle, eve.claims.email.toUpperCase(), '--yes')).code).toBe(0);
    await refused(eve.handle, eve.claims.email, 'restored without credentials');
    expect((await owner.fetch('/v1/auth/claim', json('POST', { handle: 'too-late' }))).status).toBe(410);
    await signIn(service, owner, eve.claims);
    expect(await (await owner.fetch('/v1/auth/session')).json()).toMatchObject({ handle: eve.handle });
    expect(
      await service.rows(`SELECT actor, target FROM audit_log WHERE action = 'identity.given_back'`),
    ).toEqual([{ actor: 'operator', target: eve.handle }]);
  });

  it('revokes replaced app secrets, and the apps of people who have since closed their identity', async () => {
    const files = await makeFiles();
    const backup = join(files.folder, 'backup.db');
    const service = await open(files);
    const [ada, bob] = [await newMember(service), await newMember(service)];
    const [kept, closed] = [await newApp(ada.browser), await newApp(bob.browser)];
    const rotated = await ada.browser.fetch(`/v1/apps/${kept.id}/secret`, { method: 'POST' });
    const { id: current } = (await rotated.json()) as { id: string };
    await ask(files, ['db', 'backup', backup]);
    await bob.browser.fetch('/v1/me', json('DELETE', { handle: bob.handle }));
    expect((await runJobs(service)).status).toBe(200);
    await close(service);
    await Promise.all(
      ['', '-wal', '-shm'].map((suffix) => rm(`${files.database}${suffix}`, { force: true })),
    );
    await copyFile(backup, files.database);
    await ask(files, ['db', 'restore', '--yes']);
    const restored = await open(files);
    const good = 'SELECT id FROM app_secrets WHERE expires_at IS NULL OR expires_at > ?';
    expect(await restored.rows(good, [restored.now()])).toEqual([{ id: current }]);
    expect(await restored.rows(`SELECT id FROM apps WHERE status = 'active'`)).toEqual([{ id: kept.id }]);
    expect(await restored.rows('SELECT app_id FROM app_origins')).toEqual([{ app_id: kept.id }]);
    expect(await restored.rows('SELECT status FROM apps WHERE id = ?', [closed.id])).toEqual([
      { status: 'deleted' },
    ]);
  });

  it('is recovered from a journal that was rewritten after the journal’s store was lost', async () => {
    const files = await makeFiles();
    const backup = join(files.folder, 'backup.db');
    const service = await open(files);
    await ask(files, ['db', 'backup', backup]);
    const { handle } = await newMember(service);
    await runJobs(service);
    const lost = { ...files, kv: join(files.folder, 'new-kv.db') };
    await close(service);
    const again = await open(lost);
    await runJobs(again);
    const { waiting } = await ask<{ waiting: number }>(files, ['db', 'journal']);
    expect(waiting).toBe(1);
    await runJobs(again);
    await close(again);
    const restored = { ...lost, database: backup };
    expect(await ask(restored, ['db', 'restore', '--yes'])).toMatchObject({ issued: [handle] });
  });

  it('stays unchanged without a journal', async () => {
    const files = await makeFiles();
    await ask(files, ['db', 'migrate']);
    const absent = await cli(files, ['db', 'restore', '--yes']);
    expect([absent.code, absent.errors]).toEqual([1, expect.stringContaining('KV_URL')]);
    const service = await open(files);
    const empty = await cli(files, ['db', 'restore', '--yes']);
    expect([empty.code, empty.errors]).toEqual([1, expect.stringContaining('journal')]);
    expect(await service.rows('SELECT sessions_not_before FROM settings')).toEqual([
      { sessions_not_before: 0 },
    ]);
  });
});
