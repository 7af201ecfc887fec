import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, Page } from '../../checks/playwright.ts';
import { launchChromium } from '../support/chromium.ts';
import { claimHandle } from '../support/claim-page.ts';
import { freePort, type RunningProcess, runProcess, runScript } from '../support/processes.ts';

const run = promisify(execFile);
const source = join(import.meta.dirname, '../../examples/mcp-server');

let folder: string;
let example: string;
let issuer: string;
let service: RunningProcess;
let browser: Browser;
let page: Page;
/** The reason why the packages of the example could not be installed. */
let missing: string | null = null;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'peridot-mcp-'));
  example = join(folder, 'example');
  await cp(source, example, { recursive: true, filter: (path) => !path.includes('node_modules') });
  const port = await freePort();
  issuer = `http://localhost:${port}`;
  const env = {
    PORT: `${port}`,
    BASE_URL: issuer,
    DATABASE_URL: `file:${join(folder, 'peridot.db')}`,
    KV_URL: `file:${join(folder, 'kv.db')}`,
  };
  service = await runScript(['start'], env, async () => (await fetch(`${issuer}/readyz`)).ok);
  const packages = ['install', '--no-audit', '--no-fund', `${issuer}/sdk/peridot-sdk.tgz`];
  await run('npm', packages, { cwd: example }).catch(({ message }) => {
    missing = String(message);
  });
  browser = await launchChromium();
  page = await (await browser.newContext()).newPage();
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Registers the app that owns the MCP server, as docs/mcp.md describes. */
async function register(): Promise<string> {
  await page.goto(`${issuer}/signin?returnTo=self:/account/apps`);
  await page.getByRole('link', { name: 'Continue with Sandbox' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Dewi Anggraini');
  await page.getByLabel('Email', { exact: true }).fill('dewi@example.com');
  await page.getByRole('button', { name: 'Continue as this person' }).click();
  await claimHandle(page, 'dewi.anggraini');
  await page.locator('a.button.main').click();
  await page.waitForURL('**/account/apps');
  await page.goto(`${issuer}/developers/register`);
  await page.getByLabel('Name', { exact: true }).fill('Greetings');
  await page.getByLabel('Address', { exact: true }).fill('http://localhost:9/unused');
  await page.getByRole('button', { name: 'Register an app' }).click();
  await page.locator('#secret').waitFor();
  return /app_\w+/.exec(page.url())?.[0] ?? '';
}

/** Registers the MCP server's address as the app's resource. */
async function registerResource(app: string, resource: string): Promise<number> {
  return page.evaluate(
    async ([path, body]) => {
      const headers = { 'Content-Type': 'application/json' };
      return (await fetch(path, { method: 'POST', headers, body })).status;
    },
    [`/v1/apps/${app}/resources`, JSON.stringify({ resource })] as const,
  );
}

/** The addresses that the client has asked a person to open. */
const opened = ({ lines }: RunningProcess) =>
  [...lines.join('').matchAll(/^OPEN (.+)$/gm)].map(([, url = '']) => url);

async function allow(url: string): Promise<string> {
  await page.goto(url);
  const text = await page.locator('main').innerText();
  const button = page.getByRole('button', { name: 'Allow' });
  // The page ignores decisions in its first 800 ms.
  await expect
    .poll(async () => {
      if (await button.isVisible())
        await button.click({ noWaitAfter: true, timeout: 1000 }).catch(() => null);
      return page.url();
    })
    .toContain('/callback?');
  return text;
}

describe('the MCP server from docs/mcp.md', () => {
  it('answers a client that nobody registered, after one consent and one step up', async ({ skip }) => {
    if (missing !== null) skip(`the packages of the example cannot be installed: ${missing}`);
    const [port, clientPort] = [await freePort(), await freePort()];
    const app = await register();
    const mcp = `http://localhost:${port}/mcp`;
    const isUp = async () => (await fetch(mcp)).status === 405;
    const env = { APP_ID: app, PORT: `${port}`, PID_URL: issuer };
    const start = ['npm', 'start', '--silent'];
    const server = await runProcess(start, { cwd: example, env }, isUp);
    expect(await registerResource(app, mcp)).toBe(200);
    const bare = await fetch(mcp, { method: 'POST', body: '{}' });
    expect([bare.status, bare.headers.get('WWW-Authenticate')]).toEqual([
      401,
      `Bearer scope="openid", resource_metadata="http://localhost:${port}/.well-known/oauth-protected-resource/mcp"`,
    ]);
    const called = { MCP_URL: mcp, PORT: `${clientPort}` };
    const client = await runProcess(['node', 'client.ts'], { cwd: example, env: called }, async () => true);
    try {
      await expect.poll(() => opened(client), { timeout: 20_000 }).toHaveLength(1);
      const first = await allow(opened(client)[0] ?? '');
      expect(first).toContain('This app is not registered here');
      expect(first).toContain(`127.0.0.1:${clientPort}`);
      expect(first).toContain('It calls itself “Greeter”.');
      expect(first).toContain(`http://localhost:${port}`);
      await expect.poll(() => opened(client), { timeout: 20_000 }).toHaveLength(2);
      const [, stepUp = ''] = opened(client);
      expect(new URL(stepUp).searchParams.get('scope')).toBe('openid profile');
      await allow(stepUp);
      await expect
        .poll(() => client.lines.join(''), { timeout: 20_000 })
        .toContain('Hello, dewi.anggraini@pid');
      const said = client.lines.join('');
      expect(said).toContain(`dewi.anggraini@pid by http://127.0.0.1:${clientPort}/client.json`);
      expect(said).toMatch(/^whoami: .* with openid$/m);
      expect(said).toMatch(/^greet: .* with openid profile$/m);
    } finally {
      await client.stop().catch(() => {});
      await server.stop();
    }
  });
});
