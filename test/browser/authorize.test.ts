import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, BrowserContext, Page } from '../../checks/playwright.ts';
import type { NewApp } from '../../src/features/app/schema.ts';
import { launchChromium } from '../support/chromium.ts';
import { claimHandle } from '../support/claim-page.ts';
import { authorizeUrl } from '../support/oauth.ts';
import { freePort, type RunningProcess, runScript } from '../support/processes.ts';

let browser: Browser;
let service: RunningProcess;
let client: Server;
let folder: string;
let origin: string;
let callback: string;
let app: Pick<NewApp, 'id' | 'redirectUris'>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'peridot-authorize-'));
  const [port, clientPort] = [await freePort(), await freePort()];
  origin = `http://localhost:${port}`;
  callback = `http://127.0.0.1:${clientPort}/callback`;
  client = createServer((_, answer) => {
    answer.setHeader('Content-Type', 'text/html');
    answer.end('<!doctype html><title>The app</title><h1>Back in the app</h1>');
  }).listen(clientPort, '127.0.0.1');
  const env = {
    PORT: String(port),
    BASE_URL: origin,
    DATABASE_URL: `file:${join(folder, 'peridot.db')}`,
    KV_URL: `file:${join(folder, 'kv.db')}`,
  };
  [service, browser] = await Promise.all([
    runScript(['start'], env, async () => (await fetch(`${origin}/readyz`)).ok),
    launchChromium(),
  ]);
  const context = await browser.newContext({ baseURL: origin });
  const page = await context.newPage();
  await page.goto('/signin?returnTo=self:/account/apps');
  await joinAs(page, 'dewi.anggraini');
  await page.waitForURL('**/account/apps');
  // Any port on this machine works, because the app has registered none.
  const data = { name: 'Warung Kopi', type: 'native', redirectUris: ['http://127.0.0.1/callback'] };
  const made = await context.request.post('/v1/apps', { headers: { Origin: origin }, data });
  app = { ...((await made.json()) as NewApp), redirectUris: [callback] };
  await context.close();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  client?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Signs a newcomer in at the sandbox from the sign-in page, and claims the handle. */
async function joinAs(page: Page, handle: string): Promise<void> {
  await page.getByRole('link', { name: /Continue with Sandbox|Lanjutkan dengan Sandbox/ }).click();
  await page.getByLabel('Name', { exact: true }).fill('Rani Wijaya');
  await page.getByLabel('Email', { exact: true }).fill(`${handle}@example.com`);
  await page.getByRole('button', { name: 'Continue as this person' }).click();
  await claimHandle(page, handle);
  await page.locator('a.button.main').click();
}

/** Opens the app's request, and records what the browser blocks. */
async function open(context: BrowserContext, changes: Record<string, string> = {}) {
  const page = await context.newPage();
  const refused: string[] = [];
  page.on('console', (message) => {
    if (/Content Security Policy|TrustedHTML|Uncaught/.test(message.text())) refused.push(message.text());
  });
  page.on('pageerror', (error) => refused.push(String(error)));
  await page.goto(authorizeUrl(app, changes));
  return { page, refused };
}

async function landed(page: Page): Promise<URLSearchParams> {
  await page.getByRole('heading', { name: 'Back in the app' }).waitFor();
  const url = new URL(page.url());
  expect(`${url.origin}${url.pathname}`).toBe(callback);
  return url.searchParams;
}

const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent');

async function tabTo(page: Page, name: string): Promise<void> {
  for (let press = 0; press < 20; press += 1) {
    await page.keyboard.press('Tab');
    if ((await focused(page)) === name) return;
  }
  throw new Error(`no ${name} can be reached by Tab`);
}

describe('an app’s authorization request in a browser', () => {
  it('takes a newcomer through sign-in, claim and consent by keyboard, and skips the consent page the second time', async () => {
    const context = await browser.newContext({ baseURL: origin });
    const { page, refused } = await open(context);
    await page.waitForURL('**/signin?*');
    expect(await page.locator('.lead').innerText()).toContain('Warung Kopi · http://127.0.0.1:');
    await joinAs(page, 'kirana.putri');
    await page.locator('[value=allow]').waitFor();
    expect(await page.locator('p.lead strong').innerText()).toBe(new URL(callback).origin);
    await tabTo(page, 'Continue');
    // The page ignores decisions in its first 800 ms.
    await expect
      .poll(async () => {
        if (page.url().startsWith(origin)) await page.keyboard.press('Enter');
        return page.url();
      })
      .toContain(callback);
    expect([...(await landed(page)).keys()]).toEqual(['code', 'state', 'iss']);
    // Back does not return to the intermediate page, which would respond again.
    await page.goBack();
    expect(page.url()).not.toContain('code=');

    const again = await open(context);
    expect((await landed(again.page)).get('code')).toMatch(/^[\w-]{43}\.aps_/);
    await context.clearCookies();
    const known = await open(context);
    await known.page.getByRole('link', { name: 'Continue with Sandbox' }).click();
    await known.page.getByLabel('Name', { exact: true }).fill('Rani Wijaya');
    await known.page.getByLabel('Email', { exact: true }).fill('kirana.putri@example.com');
    await known.page.getByRole('button', { name: 'Continue as this person' }).click();
    expect((await landed(known.page)).get('code')).toMatch(/^[\w-]{43}\.aps_/);
    expect([...refused, ...again.refused, ...known.refused]).toEqual([]);
    await context.close();
  });

  it('is denied by Escape, and ignores clicks that come too early [S-04]', async () => {
    const context = await browser.newContext({ baseURL: origin });
    const first = await open(context);
    await joinAs(first.page, 'laras.ayu');
    await first.page.locator('[value=deny]').waitFor();
    await first.page.keyboard.press('Escape');
    expect((await landed(first.page)).get('error')).toBe('access_denied');

    await context.clock.install();
    await context.clock.pauseAt(Date.now() + 1_000);
    const { page, refused } = await open(context);
    const allow = page.locator('[value=allow]');
    await page.evaluate(`(window.clicks = [], addEventListener('click', (event) =>
      clicks.push([event.detail, event.defaultPrevented])))`);
    // The button is still marked as disabled, so Chromium's driver would wait for it.
    await allow.click({ force: true });
    await allow.dblclick({ force: true });
    expect(await page.evaluate('clicks')).toEqual([
      [1, true],
      [1, true],
      [2, true],
    ]);
    await context.clock.runFor(1_000);
    await allow.click();
    expect((await landed(page)).get('code')).toMatch(/^[\w-]{43}\.aps_/);
    expect(refused).toEqual([]);
    await context.close();
  });

  it('works without JavaScript', async () => {
    const context = await browser.newContext({ baseURL: origin, javaScriptEnabled: false });
    const { page } = await open(context, { ui_locales: 'id' });
    await joinAs(page, 'sekar.wangi');
    await page.locator('[value=allow]').click();
    expect((await landed(page)).get('code')).toMatch(/^[\w-]{43}\.aps_/);
    await context.close();
  });

  it('cannot be framed by the app’s page', async () => {
    const context = await browser.newContext({ baseURL: origin });
    const page = await context.newPage();
    await page.goto(callback);
    const failed = page.waitForEvent('console', (message) => /frame/i.test(message.text()));
    await page.evaluate(`document.body.append(Object.assign(document.createElement('iframe'),
      { src: ${JSON.stringify(origin + authorizeUrl(app))} }))`);
    expect((await failed).text()).toMatch(/frame-ancestors|X-Frame-Options/);
    await context.close();
  });
});
