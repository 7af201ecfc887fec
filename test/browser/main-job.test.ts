import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, Page } from '../../checks/playwright.ts';
import { launchChromium } from '../support/chromium.ts';
import { claimHandle } from '../support/claim-page.ts';
import { freePort, type RunningProcess, runScript } from '../support/processes.ts';

const runtimes = {
  'npm run dev (workerd, D1)': (port: number, folder: string) => ({
    script: ['dev', '--', '--port', String(port), '--inspector-port', '0', '--persist-to', folder],
    env: { SPA_PORT: 'off' },
  }),
  'npm start (Bun, libSQL)': (port: number, folder: string) => ({
    script: ['start'],
    env: {
      PORT: String(port),
      BASE_URL: `http://localhost:${port}`,
      DATABASE_URL: `file:${join(folder, 'peridot.db')}`,
      KV_URL: `file:${join(folder, 'kv.db')}`,
    },
  }),
};

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

describe.each(Object.entries(runtimes))('a person in Chromium, on %s', (_, runtime) => {
  let folder: string;
  let server: RunningProcess;
  let origin: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'peridot-browser-'));
    const port = await freePort();
    origin = `http://localhost:${port}`;
    const { script, env } = runtime(port, folder);
    server = await runScript(script, env, async () => (await fetch(`${origin}/readyz`)).ok);
  });
  afterAll(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('signs in, claims a PID, refreshes in two tabs concurrently, unlinks, and logs out', async () => {
    const context = await browser.newContext({ baseURL: origin });
    const page = await context.newPage();
    await signInAs(page, 'Wira Santoso', 'wira.santoso@example.com');

    await page.getByRole('link', { name: 'Choose your PID' }).click();
    await claimHandle(page, 'Wira');
    await page.getByRole('link', { name: /^Continue to/ }).click();
    await page.waitForURL('**/dev/welcome');
    expect(await page.getByText('wira@pid').first().isVisible()).toBe(true);

    const other = await context.newPage();
    await other.goto('/dev/welcome');
    const [first, second] = await Promise.all([refresh(page), refresh(other)]);
    expect([first, second].filter((status) => status === 204).length).toBeGreaterThanOrEqual(1);
    for (const tab of [page, other]) expect(await readSession(tab)).toBe('wira@pid');
    expect(await refresh(other)).toBe(204);
    expect(await readSession(page)).toBe('wira@pid');

    await page.reload();
    expect(await unlinkFirst(page)).toContain('Cannot unlink the last credential');
    await page.getByRole('button', { name: 'Add a second one' }).click();
    await page
      .getByRole('button', { name: /^Unlink/ })
      .nth(1)
      .waitFor();
    expect(await unlinkFirst(page)).toContain('204');
    // The page shows the response first, and then the change.
    await expect.poll(() => page.getByRole('button', { name: /^Unlink/ }).count()).toBe(1);

    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByText('Nobody is signed in').waitFor();
    expect((await context.cookies()).filter(({ name }) => /^pid_(access|refresh|hint)$/.test(name))).toEqual(
      [],
    );
    await context.close();
  });

  it('signs in and claims without JavaScript', async () => {
    const context = await browser.newContext({ baseURL: origin, javaScriptEnabled: false });
    const page = await context.newPage();
    await signInAs(page, 'Lia Hartono', 'lia.hartono@example.com');
    await page.goto('/claim');
    await page.getByLabel('Handle', { exact: true }).fill('admin');
    await page.getByRole('button', { name: 'Claim this PID' }).last().click();
    expect(await page.getByRole('alert').innerText()).toContain('PID already taken');
    await claimHandle(page, 'lia');
    await page.getByRole('link', { name: /^Continue to/ }).click();
    await page.waitForURL('**/dev/welcome');
    expect(await page.getByText('lia@pid').first().isVisible()).toBe(true);
    await context.close();
  });

  it('sees a helpful page after declining at the provider', async () => {
    const context = await browser.newContext({ baseURL: origin });
    const page = await context.newPage();
    await page.goto('/v1/auth/idp');
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().includes('/v1/auth/idp/callback')),
      page.getByRole('button', { name: 'Deny the request' }).click(),
    ]);
    expect(answer.status()).toBe(400);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).not.toBe('');
    expect(await page.content()).toContain('The sign-in was cancelled');
    await context.close();
  });
});

async function signInAs(page: Page, name: string, email: string): Promise<void> {
  await page.goto('/signin');
  await page.getByRole('link', { name: /Sandbox/ }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Email', { exact: false }).first().fill(email);
  await page
    .getByRole('button', { name: /new|continue/i })
    .last()
    .click();
  await page.waitForURL('**/dev/welcome*');
}

/** Refreshes from the page's own script, as a single-page app would. */
function refresh(page: Page): Promise<number> {
  return page.evaluate(async () => (await fetch('/v1/auth/refresh', { method: 'POST' })).status);
}

function readSession(page: Page): Promise<string> {
  return page.evaluate(async () => ((await (await fetch('/v1/auth/session')).json()) as { pid: string }).pid);
}

/** Unlinks the first credential on the welcome page; returns what the page then shows of it. */
async function unlinkFirst(page: Page): Promise<string> {
  const entries = page.locator('#log li');
  const before = await entries.count();
  await page
    .getByRole('button', { name: /^Unlink/ })
    .first()
    .click();
  await expect.poll(() => entries.count()).toBe(before + 1);
  return entries.first().innerText();
}
