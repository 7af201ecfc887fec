import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from '../../checks/playwright.ts';
import { launchChromium } from '../support/chromium.ts';
import {
  addAuthenticator,
  openPerson,
  runtimes,
  said,
  sessionOf,
  setPresence,
  signOut,
  signUp,
} from '../support/passkey-pages.ts';
import { freePort, type RunningProcess, runScript } from '../support/processes.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

describe.each(Object.entries(runtimes))('passkeys in Chromium, on %s', (_, runtime) => {
  let folder: string;
  let server: RunningProcess;
  let origin: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'peridot-passkey-'));
    const port = await freePort();
    origin = `http://localhost:${port}`;
    const { script, env } = runtime(port, folder);
    server = await runScript(script, env, async () => (await fetch(`${origin}/readyz`)).ok);
  });
  afterAll(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('create a PID, sign in with one click, and can be named, added, renamed and removed', async () => {
    const person = await openPerson(browser, origin);
    const { page, cdp, authenticatorId, context } = person;
    const handle = await signUp(person);
    // The authenticator now has the user name of the passkey, which was unknown at its creation.
    await page.waitForSelector('body[data-passkeys=signalled]', { state: 'attached' });
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
    expect(credentials).toEqual([expect.objectContaining({ rpId: 'localhost', userName: `${handle}@pid` })]);
    expect(await page.getByText('Linux', { exact: true }).first().isVisible()).toBe(true);
    expect(await page.getByText('Only on one device').isVisible()).toBe(true);

    await signOut(person);
    expect(await sessionOf(page)).toBe(401);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL('**/dev/welcome');
    expect(await sessionOf(page)).toBe(`${handle}@pid`);

    // The same authenticator never holds two passkeys, but another authenticator can hold one as well.
    await page.goto('/account/credentials');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await expect.poll(() => said(page).textContent()).toBe('This device already has a passkey for your PID.');
    await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
    const second = await addAuthenticator(cdp);
    await page.getByLabel('Name of the new passkey').fill('Spare key');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('Your passkey is ready').waitFor();
    const item = page.locator('li.item', { hasText: 'Spare key' });
    await item.getByText('Rename').click();
    await item.getByLabel('New name for Spare key').fill('Key in the drawer');
    await item.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Passkey renamed').waitFor();

    // Removing the passkey here removes it there, because the authenticator receives the list of valid passkeys.
    const kept = (await cdp.send('WebAuthn.getCredentials', { authenticatorId: second })).credentials;
    expect(kept).toHaveLength(1);
    const renamed = page.locator('li.item', { hasText: 'Key in the drawer' });
    await renamed.getByRole('link', { name: 'Remove Passkey' }).click();
    await page.locator('dialog[open]').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Sign-in method removed').waitFor();
    await page.waitForSelector('body[data-passkeys=signalled]', { state: 'attached' });
    const left = (await cdp.send('WebAuthn.getCredentials', { authenticatorId: second })).credentials;
    expect(left).toEqual([]);
    expect(await page.locator('li.item').count()).toBe(1);
    await context.close();
  });

  it('reauthenticate the person where a fresh sign-in is required', async () => {
    const person = await openPerson(browser, origin);
    const { page, cdp, authenticatorId, context } = person;
    const handle = await signUp(person);
    const session = () =>
      page.evaluate(async () => {
        const { session } = (await (await fetch('/v1/auth/session')).json()) as { session: { id: string } };
        return session.id;
      });
    const before = await session();
    // After FRESH_SECONDS and the access token's expiry, which the page renews automatically.
    await page.evaluate(async () => {
      const headers = { 'Content-Type': 'application/json' };
      await fetch('/dev/clock', { method: 'POST', headers, body: '{"advanceSeconds":1000}' });
    });
    await page.reload();
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('Sign in again to continue').waitFor();
    await page.getByRole('button', { name: 'Sign in again with a passkey' }).click();
    await page.getByText('Sign in again to continue').waitFor({ state: 'hidden' });
    expect(await sessionOf(page)).toBe(`${handle}@pid`);
    expect(await session()).not.toBe(before);
    await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
    await addAuthenticator(cdp);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('Your passkey is ready').waitFor();
    expect(await page.locator('li.item').count()).toBe(2);

    // A rejected removal must not leave anything that would be signalled to the next user's authenticator.
    await page.evaluate(async () => {
      const headers = { 'Content-Type': 'application/json' };
      await fetch('/dev/clock', { method: 'POST', headers, body: '{"advanceSeconds":1000}' });
    });
    await page.goto('/account/credentials');
    await page.getByRole('link', { name: 'Remove Passkey' }).last().click();
    await page.locator('dialog[open]').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Sign in again to continue').first().waitFor();
    expect(await page.evaluate(() => sessionStorage.getItem('pid_passkeys'))).toBeNull();
    await context.close();
  });

  it('are rejected with an invalid signature, without user verification or without user presence [D-68]', async () => {
    const person = await openPerson(browser, origin);
    const { page, cdp, authenticatorId, context } = person;
    const handle = await signUp(person);
    await signOut(person);
    const statuses: number[] = [];
    page.on('response', (answer) => {
      if (answer.url().endsWith('/passkey/verify')) statuses.push(answer.status());
    });
    for (const lie of ['isBogusSignature', 'isBadUV', 'isBadUP'] as const) {
      await cdp.send('WebAuthn.setResponseOverrideBits', { authenticatorId, [lie]: true });
      await page.getByRole('button', { name: 'Use a passkey' }).click();
      await expect.poll(() => said(page).textContent()).toContain('was not accepted');
      await page.reload();
      await cdp.send('WebAuthn.setResponseOverrideBits', { authenticatorId, [lie]: false });
    }
    expect([statuses, await sessionOf(page)]).toEqual([[401, 401, 401], 401]);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL('**/dev/welcome');
    expect(await sessionOf(page)).toBe(`${handle}@pid`);
    await context.close();
  });

  it('sign in only once when the same assertion is posted repeatedly [D-67, D-69]', async () => {
    const person = await openPerson(browser, origin);
    const { page, context } = person;
    await signUp(person);
    await signOut(person);
    const [asked] = await Promise.all([
      page.waitForResponse('**/v1/auth/passkey/options'),
      page.route('**/v1/auth/passkey/verify', async (route) => {
        const assertion = route.request().postData() ?? '';
        const statuses = await page.evaluate(async (body) => {
          const post = async () => {
            const headers = { 'Content-Type': 'application/json' };
            const answer = await fetch('/v1/auth/passkey/verify?', { method: 'POST', headers, body });
            return answer.status;
          };
          return Promise.all(Array.from({ length: 20 }, post));
        }, assertion);
        expect(statuses.filter((status) => status === 204)).toHaveLength(1);
        expect(statuses.filter((status) => status === 401)).toHaveLength(19);
        await route.continue();
      }),
      page.getByRole('button', { name: 'Use a passkey' }).click(),
    ]);
    const { challenge, ...options } = await asked.json();
    expect(Buffer.from(challenge, 'base64url')).toHaveLength(32);
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required', allowCredentials: [] });
    // Replaying the page's own last request is rejected too.
    await expect.poll(() => said(page).textContent()).toContain('was not accepted');
    await context.close();
  });

  it('can be declined without an error, and the prompt can be opened again', async () => {
    const person = await openPerson(browser, origin);
    const { page, cdp, authenticatorId, context } = person;
    await signUp(person);
    await signOut(person);
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await expect.poll(() => said(page).textContent()).toBe('No passkey was used, and nothing was changed.');
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL('**/dev/welcome');
    await context.close();
  });

  it('are removed from the authenticator if the service does not recognise them', async () => {
    const person = await openPerson(browser, origin);
    const { page, cdp, authenticatorId, context } = person;
    await signUp(person);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/signin?**');
    // A passkey removed while its authenticator was disconnected.
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
    const [passkey] = credentials;
    if (!passkey) throw new Error('the authenticator has no passkey');
    await cdp.send('WebAuthn.clearCredentials', { authenticatorId });
    const forgotten = { ...passkey, credentialId: Buffer.from('removed long ago').toString('base64') };
    await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: forgotten });
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await expect.poll(() => said(page).textContent()).toContain('removed from its PID');
    expect((await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials).toEqual([]);
    await context.close();
  });

  it('are offered by autofill in the email field until the passkey button is clicked', async () => {
    const person = await openPerson(browser, origin, { autofill: true });
    const { page, context } = person;
    const handle = await signUp(person);
    // Nobody touches the authenticator, so autofill stays pending until the button is pressed.
    await setPresence(person, false);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/v1/auth/passkey/')) asked.push(new URL(request.url()).pathname);
    });
    await signOut(person);
    expect(await page.getByLabel('Email').getAttribute('autocomplete')).toBe('username webauthn');
    expect(await page.getByLabel('Password').getAttribute('autocomplete')).toBe('current-password');
    await expect.poll(() => asked).toEqual(['/v1/auth/passkey/options']);
    await setPresence(person, true);
    // Not `click`, because headless Chromium paints nothing while autofill is pending, and `click` waits for a paint.
    await page.getByRole('button', { name: 'Use a passkey' }).dispatchEvent('click');
    await page.waitForURL('**/dev/welcome');
    expect(await sessionOf(page)).toBe(`${handle}@pid`);

    await setPresence(person, false);
    await signOut(person);
    await setPresence(person, true);
    await page.goto('/signin');
    await page.waitForURL('**/dev/welcome');
    expect(await sessionOf(page)).toBe(`${handle}@pid`);
    await context.close();
  });

  it('show only the prompt of the last click when the button is clicked twice', async () => {
    const person = await openPerson(browser, origin, { autofill: true });
    const { page, context } = person;
    const handle = await signUp(person);
    await setPresence(person, false);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/v1/auth/passkey/options')) asked.push(request.url());
    });
    await signOut(person);
    await expect.poll(() => asked.length).toBe(1);
    const press = () => page.getByRole('button', { name: 'Use a passkey' }).dispatchEvent('click');
    await press();
    await expect.poll(() => asked.length).toBe(2);
    await press();
    await expect.poll(() => asked.length).toBe(3);
    // Gives autofill time to return, which it must not do while the second press waits.
    await page.waitForTimeout(300);
    expect(asked).toHaveLength(3);
    expect(await said(page).textContent()).toBe('Follow the instructions on your device.');
    await setPresence(person, true);
    await page.reload();
    await page.waitForURL('**/dev/welcome');
    expect(await sessionOf(page)).toBe(`${handle}@pid`);
    await context.close();
  });

  it('are reported as unavailable in the reader’s language', async () => {
    const context = await browser.newContext({ baseURL: origin, locale: 'id-ID' });
    await context.addInitScript(() => {
      Object.defineProperty(globalThis, 'PublicKeyCredential', { value: undefined });
    });
    const page = await context.newPage();
    await page.goto('/signin');
    expect(await said(page).textContent()).toBe('Browser ini tidak dapat memakai passkey di sini.');
    expect(await page.getByRole('button', { name: 'Pakai passkey' }).count()).toBe(0);
    await context.close();
  });
});
