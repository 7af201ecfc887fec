import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { json } from './support/browser.ts';
import { newDeposit, readDeposit } from './support/deposits.ts';
import { codeTo } from './support/mailbox.ts';
import { fundedWallet, newHolder } from './support/money.ts';
import { freshEmail } from './support/passwords.ts';
import { freshHandle, newMember } from './support/people.ts';
import { useService } from './support/service.ts';
import { appSignIn, newRelation } from './support/token.ts';
import { allowWithdrawals } from './support/withdrawals.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const pages = [
  'README.md',
  'bench/README.md',
  ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`),
];

/** The blocks of shell commands on a page. */
function blocksOf(page: string): string[] {
  const content = readFileSync(join(root, page), 'utf8');
  return [...content.matchAll(/^( *)```sh\n(.*?)^ *```/gms)].map(([, indent = '', block = '']) =>
    block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
}

/** For each page, the tests that run the commands of its blocks, in order, or the reason why none can. */
const runs: Record<string, string[]> = {
  'README.md': ['test/browser/docs.test.ts', 'test/deploying.test.ts'],
  'bench/README.md': ['not here: takes minutes'],
  'docs/api.md': ['test/openapi-client.test.ts', 'test/openapi.test.ts'],
  'docs/apps.md': ['below'],
  'docs/deploying.md': [
    ...Array(5).fill('test/deploying.test.ts'),
    'test/release.test.ts',
    'test/deploying.test.ts',
    'not here: needs Docker',
    'test/deploying.test.ts',
  ],
  'docs/mcp.md': ['test/clients/mcp-sdk.test.ts', 'test/clients/mcp-sdk.test.ts'],
  'docs/oauth.md': ['test/browser/example-oidc.test.ts'],
  'docs/operations.md': ['test/deploying.test.ts', 'test/cli.test.ts'],
  'docs/passwords.md': ['below'],
  'docs/payments.md': ['below'],
  'docs/performance.md': Array(9).fill('not here: takes minutes'),
  'docs/quick-start.md': [
    'test/browser/quick-start.test.ts',
    'not here: needs the registry of npm',
    'test/browser/quick-start.test.ts',
    'not here: needs the registry of npm',
    'test/docs.test.ts',
  ],
  'docs/reconciliation.md': ['test/cli.test.ts', 'test/cli.test.ts', 'test/cli.test.ts'],
  'docs/sdk.md': ['test/browser/integrations.test.ts'],
  'docs/upgrading.md': ['test/deploying.test.ts', 'test/deploying.test.ts'],
  'docs/wallet.md': ['below', 'test/features/transfer', 'below'],
};

describe('the documentation', () => {
  it.each(pages.filter((page) => page.endsWith('.md')))(
    'has a test for each block of commands in %s, or a reason why none can run it',
    (page) => {
      const expected = runs[page] ?? [];
      expect(blocksOf(page)).toHaveLength(expected.length);
      const tests = expected.filter((where) => where.startsWith('test/'));
      expect(tests.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    },
  );
});

const target = useService({ PAYMENT_GATEWAY: 'sandbox', PAYOUT_GATEWAY: 'sandbox' });
let server: Server;
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    const { host: _, 'content-length': __, ...sent } = headers as Record<string, string>;
    const body = await text(request);
    const answer = await target.request(url, { method, headers: sent, ...(body === '' ? {} : { body }) });
    const set = { ...Object.fromEntries(answer.headers), 'set-cookie': answer.headers.getSetCookie() };
    response.writeHead(answer.status, set).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => server.close());

/** Runs commands with a `curl` that reaches this service. @returns the last response */
async function sh(commands: string, env: Record<string, string> = {}): Promise<Record<string, unknown>> {
  const { port } = server.address() as AddressInfo;
  const curl = `shopt -s expand_aliases; curl() { command curl -sS --connect-to "::127.0.0.1:${port}" "$@"; }`;
  const { stdout } = await run('bash', ['-c', `${curl}\n${commands}`], {
    env: { ...process.env, BASE: target.origin, ...env },
  });
  return stdout === '' ? {} : JSON.parse(stdout);
}

/** The block on a page with the values that a reader fills in. */
function block(page: string, index: number, filled: Record<string, string> = {}): string {
  const found = blocksOf(page)[index] ?? '';
  return Object.entries(filled).reduce((text, [from, to]) => text.replaceAll(from, to), found);
}

describe('documented commands that call the service', () => {
  it('register an app', async () => {
    const { browser } = await newMember(target);
    const registered = await sh(
      block('docs/apps.md', 0, {
        'https://id.example.com': target.origin,
        'pid_access=…; __Host-pid_refresh_key=…': await browser.cookies(),
      }),
    );
    expect(registered).toMatchObject({ name: 'Corner Shop', id: expect.stringMatching(/^app_/) });
  });

  it('pay with the token of an app', async () => {
    const recipient = await newMember(target, 'ketut');
    const relation = await newRelation(target, { scopes: ['openid', 'fiat:transfer'] });
    for (const { handle } of [recipient, relation.person]) await fundedWallet(target, handle, 50_000);
    const { access_token: TOKEN, grantId } = await appSignIn(relation, { scope: 'openid fiat:transfer' });
    const limits = { total: 20_000 };
    const allowed = await relation.person.browser.fetch(`/v1/grants/${grantId}`, json('PATCH', { limits }));
    expect(allowed.status).toBe(200);
    const [alias, inquiry = '', confirm = ''] = block('docs/wallet.md', 0).split('\n');
    const asked = await sh(`${alias}\n${inquiry}`, { TOKEN });
    expect(asked).toMatchObject({ id: expect.stringMatching(/^inq_/), amount: 15_000 });
    const filled = confirm.replace('inq_…', String(asked['id']));
    expect(await sh(`${alias}\n${filled}`, { TOKEN })).toMatchObject({ status: 'completed', amount: 15_000 });
  });

  it('withdraw with the cookies of a person', async () => {
    await allowWithdrawals(target);
    const { browser } = await newHolder(target, 500_000);
    const COOKIES = `'${await browser.cookies()}'`;
    const [alias, banks, quote, confirm = ''] = block('docs/wallet.md', 2).split('\n');
    const ask = (line = '') => sh(`${alias}\n${line}`, { COOKIES });
    expect(await ask(banks)).toMatchObject({ data: expect.any(Array) });
    const { withdrawalId } = await ask(quote);
    expect(withdrawalId).toMatch(/^wdr_/);
    expect(await ask(confirm.replace('wdr_…', String(withdrawalId)))).toMatchObject({ status: 'held' });
  });

  it('register with a password and read the first session', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'peridot-curl-'));
    const [email, handle] = [freshEmail(), freshHandle()];
    const filled = block('docs/passwords.md', 0, {
      'https://id.example.com': target.origin,
      'cookies.txt': join(folder, 'cookies.txt'),
      'ayu@example.com': email,
      '"ayu"': `"${handle}"`,
    });
    const [base, ask, register, verify = '', claim, session] = filled.split('\n');
    const curl = (line = '') => sh(`${base}\n${ask}\n${line}`);
    expect(await curl(register)).toEqual({});
    expect(await curl(verify.replace('123456', await codeTo(target, email)))).toEqual({ claim: true });
    expect(await curl(claim)).toMatchObject({ pid: `${handle}@pid` });
    expect(await curl(session)).toMatchObject({ pid: `${handle}@pid` });
    await rm(folder, { recursive: true });
  });

  it('pay at the sandbox', async () => {
    const person = await newHolder(target);
    const { id } = await newDeposit(person);
    await sh(block('docs/payments.md', 0, { 'http://localhost:8787': target.origin, 'dep_…': id }));
    expect(await readDeposit(person, id)).toMatchObject({ status: 'credited' });
  });
});
