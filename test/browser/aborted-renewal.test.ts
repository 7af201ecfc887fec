import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { connect, createServer as createNetwork, type Server as Network } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Browser, Page } from '../../checks/playwright.ts';
import { launchChromium } from '../support/chromium.ts';
import { claimHandle } from '../support/claim-page.ts';
import { freePort, type RunningProcess, runScript } from '../support/processes.ts';

let browser: Browser;
let service: RunningProcess;
let stranger: Server;
let network: Network;
let folder: string;
let origin: string;
/** Another site than the service. */
let site: string;
/** How long the network takes, one way. */
let delayMs = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'peridot-aborted-'));
  const [inner, port, strangerPort] = [await freePort(), await freePort(), await freePort()];
  origin = `http://localhost:${port}`;
  site = `http://127.0.0.1:${strangerPort}`;
  network = createNetwork((near) => {
    const far = connect(inner, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (bytes) => setTimeout(() => to.destroyed || to.write(bytes), delayMs));
      from.on('close', () => setTimeout(() => to.destroy(), delayMs));
      from.on('error', () => {});
    }
  }).listen(port, '127.0.0.1');
  // Opens the renewal, and stops it after the request has arrived, before the response.
  const renewal = `${origin}/v1/auth/continue?${new URLSearchParams({ returnTo: `${origin}/signin` })}`;
  const script = `addEventListener('load', () => setTimeout(() => {
    location.href = '${renewal}';
    setTimeout(() => { stop(); document.title = 'Stopped'; }, location.search ? 2000 : 300);
  }, 100));`;
  stranger = createServer((_, answer) => {
    answer.setHeader('Content-Type', 'text/html');
    answer.end(`<!doctype html><title>A stranger</title><h1>A stranger</h1><script>${script}</script>`);
  }).listen(strangerPort, '127.0.0.1');
  const env = {
    PORT: String(inner),
    BASE_URL: origin,
    DATABASE_URL: `file:${join(folder, 'peridot.db')}`,
    KV_URL: `file:${join(folder, 'kv.db')}`,
  };
  [service, browser] = await Promise.all([
    runScript(['start'], env, async () => (await fetch(`${origin}/readyz`)).ok),
    launchChromium(),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  stranger?.close();
  network?.close();
  await rm(folder, { recursive: true, force: true });
});

async function signIn(handle: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: origin });
  const page = await context.newPage();
  await page.goto('/signin?returnTo=self:/account/apps');
  await page.getByRole('link', { name: /Continue with Sandbox/ }).click();
  await page.getByLabel('Name', { exact: true }).fill('Rani Wijaya');
  await page.getByLabel('Email', { exact: true }).fill(`${handle}@example.com`);
  await page.getByRole('button', { name: 'Continue as this person' }).click();
  await claimHandle(page, handle);
  await page.locator('a.button.main').click();
  await page.waitForURL('**/account/apps');
  return page;
}

async function advance(seconds: number): Promise<void> {
  const body = JSON.stringify({ advanceSeconds: seconds });
  const answer = await fetch(`${origin}/dev/clock`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  expect(answer.status).toBe(200);
}

it('a page of another site cannot end a session by stopping its renewal, and a link to it still renews [S-14]', async () => {
  const page = await signIn('rani.wijaya');
  const refresh = async () =>
    (await page.request.post('/v1/auth/refresh', { headers: { Origin: origin } })).status();
  const token = async () => {
    const cookies = await page.context().cookies(`${origin}/v1/auth`);
    return cookies.find(({ name }) => name === 'pid_refresh')?.value;
  };
  delayMs = 200;
  await page.goto(`${site}/`);
  await page.waitForFunction(() => document.title === 'Stopped');
  delayMs = 0;
  await advance(31);
  expect(await refresh()).toBe(204);

  const before = await token();
  await page.goto(`${site}/?patient`);
  await page.waitForURL(`${origin}/signin`);
  expect(await token()).not.toBe(before);
  await advance(31);
  expect(await refresh()).toBe(204);
});
