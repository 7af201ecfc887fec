import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AxeResults, axeFile } from '../../checks/pages.ts';
import type { Browser, Page } from '../../checks/playwright.ts';
import type { DeviceAnswer, TokenAnswer } from '../../src/features/oauth/schema.ts';
import { launchChromium } from '../support/chromium.ts';
import { claimHandle } from '../support/claim-page.ts';
import { freePort, type RunningProcess, runScript } from '../support/processes.ts';

let browser: Browser;
let service: RunningProcess;
let folder: string;
let origin: string;
let axe: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'peridot-device-'));
  const port = await freePort();
  origin = `http://localhost:${port}`;
  const env = {
    PORT: String(port),
    BASE_URL: origin,
    DATABASE_URL: `file:${join(folder, 'peridot.db')}`,
    KV_URL: `file:${join(folder, 'kv.db')}`,
  };
  axe = await readFile(axeFile, 'utf8');
  [service, browser] = await Promise.all([
    runScript(['start'], env, async () => (await fetch(`${origin}/readyz`)).ok),
    launchChromium(),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Posts a form like the device. */
async function post<Answer>(path: string, fields: Record<string, string>): Promise<Answer> {
  const answer = await fetch(`${origin}${path}`, { method: 'POST', body: new URLSearchParams(fields) });
  return (await answer.json()) as Answer;
}

/** Checks that a page has no axe finding, does not scroll sideways, and weighs at most 12 kB. */
async function expectGood(page: Page): Promise<void> {
  const { violations } = await page.evaluate(
    `${axe}; axe.run({ resultTypes: ['violations'] })` as unknown as () => Promise<AxeResults>,
  );
  expect(violations.map(({ id }) => id)).toEqual([]);
  const tooWide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  expect(tooWide).toBeLessThanOrEqual(0);
  expect(gzipSync(await page.content()).length).toBeLessThanOrEqual(12_000);
}

it('a person types a device’s code on a phone and on a computer, in both languages, and the device gets tokens', {
  timeout: 120_000,
}, async () => {
  const context = await browser.newContext({ baseURL: origin, bypassCSP: true });
  const page = await context.newPage();
  await page.goto('/signin?returnTo=self:/account/apps');
  await page.getByRole('link', { name: 'Continue with Sandbox' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Dewi Anggraini');
  await page.getByLabel('Email', { exact: true }).fill('dewi@example.com');
  await page.getByRole('button', { name: 'Continue as this person' }).click();
  await claimHandle(page, 'dewi.anggraini');
  await page.locator('a.button.main').click();
  await page.waitForURL('**/account/apps');
  const data = {
    name: 'Warung TV',
    type: 'native',
    redirectUris: ['com.example.tv:/callback'],
    deviceFlow: true,
  };
  const made = await context.request.post('/v1/apps', { headers: { Origin: origin }, data });
  const { id: client_id } = (await made.json()) as { id: string };

  for (const [width, language, allow, done] of [
    [390, 'en', 'Allow', 'The device is signed in'],
    [1280, 'id', 'Izinkan', 'Perangkat sudah masuk'],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    const device = await post<DeviceAnswer>('/v1/auth/device', { client_id, scope: 'openid profile' });
    await page.goto(`/device?ui_locales=${language}`);
    await expectGood(page);
    await page.getByRole('textbox').fill('BBBB-BBBB');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await expectGood(page);
    await page.getByRole('textbox').fill(device.user_code.toLowerCase());
    await page.keyboard.press('Enter');
    await page.getByText(device.user_code).waitFor();
    await expectGood(page);
    // The page ignores clicks in its first 800 ms.
    await page.waitForTimeout(1000);
    await page.getByRole('button', { name: allow, exact: true }).click();
    await page.getByRole('heading', { name: done }).waitFor();
    await expectGood(page);
    const tokens = await post<TokenAnswer>('/v1/auth/token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: device.device_code,
      client_id,
    });
    expect(tokens.scope).toBe('openid profile');
  }
  await context.close();
});
