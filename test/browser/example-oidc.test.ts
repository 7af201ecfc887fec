import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, Page } from '../../checks/playwright.ts';
import { launchChromium } from '../support/chromium.ts';
import { claimHandle } from '../support/claim-page.ts';
import { freePort, type RunningProcess, runScript } from '../support/processes.ts';

const runtimes = {
  'npm run dev (workerd)': (port: number, folder: string) => ({
    script: ['dev', '--', '--port', `${port}`, '--inspector-port', '0', '--persist-to', folder],
    env: { SPA_PORT: 'off' },
  }),
  'npm start (Bun)': (port: number, folder: string) => ({
    script: ['start'],
    env: {
      PORT: `${port}`,
      BASE_URL: `http://localhost:${port}`,
      DATABASE_URL: `file:${join(folder, 'peridot.db')}`,
      KV_URL: `file:${join(folder, 'kv.db')}`,
    },
  }),
};

let folder: string;
let issuer: string;
let service: RunningProcess;
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

/** Registers the app as docs/oauth.md describes. */
async function register(page: Page, redirectUri: string): Promise<{ id: string; secret: string }> {
  await page.goto(`${issuer}/signin?returnTo=self:/account/apps`);
  await page.getByRole('link', { name: 'Continue with Sandbox' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Dewi Anggraini');
  await page.getByLabel('Email', { exact: true }).fill('dewi@example.com');
  await page.getByRole('button', { name: 'Continue as this person' }).click();
  await claimHandle(page, 'dewi.anggraini');
  await page.locator('a.button.main').click();
  await page.waitForURL('**/account/apps');
  await page.goto(`${issuer}/developers/register`);
  await page.getByLabel('Name', { exact: true }).fill('Shop');
  await page.getByLabel('Address', { exact: true }).fill(redirectUri);
  await page.getByRole('button', { name: 'Register an app' }).click();
  const secret = await page.locator('#secret').inputValue();
  const [id = ''] = /app_\w+/.exec(page.url()) ?? [];
  return { id, secret: secret.trim() };
}

describe.each(Object.entries(runtimes))('the example from docs/oauth.md, alongside %s', (_, runtime) => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'peridot-oidc-'));
    const port = await freePort();
    issuer = `http://localhost:${port}`;
    const { script, env } = runtime(port, folder);
    service = await runScript(script, env, async () => (await fetch(`${issuer}/readyz`)).ok);
  }, 180_000);
  afterAll(async () => {
    await service?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('signs a person in and out, and shows the error when the person declines', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const port = await freePort();
    const site = `http://localhost:${port}/`;
    const { id, secret } = await register(page, `${site}callback`);
    const env = { ISSUER: issuer, CLIENT_ID: id, CLIENT_SECRET: secret, PORT: `${port}` };
    const example = await runScript(['example:oidc'], env, async () => (await fetch(site)).ok);
    try {
      await page.goto(site);
      await page.getByRole('link', { name: 'Sign in with PID' }).click();
      await page.locator('[value=deny]').click();
      await page.getByText('You did not allow this site to know you.').waitFor();
      await page.goto(`${site}signin`);
      const allow = page.locator('[value=allow]');
      // The page ignores decisions in its first 800 ms.
      await expect
        .poll(async () => {
          if (await allow.isVisible())
            await allow.click({ noWaitAfter: true, timeout: 1_000 }).catch(() => null);
          return page.url();
        })
        .toBe(site);
      await page.getByText('Hello, dewi.anggraini@pid').waitFor();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('link', { name: 'Sign in with PID' }).waitFor();
    } finally {
      await example.stop();
      await context.close();
    }
  });
});
