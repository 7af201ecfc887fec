import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, Page } from '../../checks/playwright.ts';
import { launchChromium } from '../support/chromium.ts';
import {
  addAuthenticator,
  openPerson,
  type Person,
  runtimes,
  said,
  sessionOf,
  signOut,
  signUp,
} from '../support/passkey-pages.ts';
import { freePort, type RunningProcess, runScript } from '../support/processes.ts';

let browser: Browser;
let folder: string;
let server: RunningProcess;
let origin: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'peridot-passkey-attacks-'));
  const port = await freePort();
  origin = `http://localhost:${port}`;
  const { script, env } = runtimes['npm start (Bun, libSQL)'](port, folder);
  [server, browser] = await Promise.all([
    runScript(script, env, async () => (await fetch(`${origin}/readyz`)).ok),
    launchChromium(),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A person with a passkey but no session, on the sign-in page. */
async function openSignedOut(): Promise<Person & { readonly handle: string }> {
  const person = await openPerson(browser, origin);
  const handle = await signUp(person);
  await signOut(person);
  return { ...person, handle };
}

/** Presses the button, and waits until the page reports that the passkey was not accepted. */
async function pressInVain(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect.poll(() => said(page).textContent()).toContain('was not accepted');
  expect(await sessionOf(page)).toBe(401);
}

describe('a passkey in Chromium', () => {
  it('is rejected when its challenge has expired [D-69]', async () => {
    const { page, context } = await openSignedOut();
    await page.route('**/v1/auth/passkey/verify', async (route) => {
      const headers = { 'Content-Type': 'application/json' };
      const body = JSON.stringify({ advanceSeconds: 301 });
      await fetch(`${origin}/dev/clock`, { method: 'POST', headers: { ...headers, Origin: origin }, body });
      await route.continue();
    });
    await pressInVain(page);
    await context.close();
  });

  it('is rejected if its counter went backwards, and accepted once the counter is ahead again [S-02]', async () => {
    const { page, cdp, authenticatorId, context, handle } = await openSignedOut();
    for (let count = 0; count < 2; count += 1) {
      await page.goto('/signin?prompt=login');
      await page.getByRole('button', { name: 'Use a passkey' }).dispatchEvent('click');
      await page.waitForURL('**/dev/welcome');
    }
    await signOut({ page });
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
    const [passkey] = credentials;
    if (!passkey) throw new Error('the authenticator has no passkey');
    expect(passkey.signCount).toBeGreaterThan(2);
    const restore = async (signCount: number) => {
      await cdp.send('WebAuthn.clearCredentials', { authenticatorId });
      await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: { ...passkey, signCount } });
    };
    await restore(0);
    await pressInVain(page);
    await restore(passkey.signCount);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL('**/dev/welcome');
    expect(await sessionOf(page)).toBe(`${handle}@pid`);
    await context.close();
  });

  it('is rejected if it was registered for another person or with a login challenge [D-69]', async () => {
    const ada = await openPerson(browser, origin);
    const ben = await openPerson(browser, origin);
    await signUp(ada);
    await signUp(ben);
    const optionsOf = (page: Page, path: string) =>
      page.evaluate(async (address) => {
        const headers = { 'Content-Type': 'application/json' };
        return (await fetch(address, { method: 'POST', headers, body: '{}' })).json();
      }, path);
    const next = '/v1/credentials/passkey/options';
    const ofAda = await optionsOf(ada.page, next);
    const { challenge } = await optionsOf(ben.page, '/v1/auth/passkey/options');
    const ofLogin = { ...(await optionsOf(ben.page, next)), challenge };
    await ben.cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: ben.authenticatorId });
    for (const options of [ofAda, ofLogin]) {
      const authenticatorId = await addAuthenticator(ben.cdp);
      await ben.page.reload();
      await ben.page.route(`**${next}`, (route) => route.fulfill({ json: options }), { times: 1 });
      await ben.page.getByRole('button', { name: 'Add a passkey' }).click();
      await expect.poll(() => said(ben.page).textContent()).toContain('was not accepted');
      expect(await ben.page.locator('li.item').count()).toBe(1);
      await ben.cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
    }
    await Promise.all([ada.context.close(), ben.context.close()]);
  });
});
