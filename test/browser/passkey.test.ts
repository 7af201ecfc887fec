import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort, type RunningProcess, runScript } from '../support/processes.ts';

const limits = '{"*":1000000}';
const runtimes = {
  'npm run dev (workerd, D1)': (port: number, folder: string) => ({
    script: [
      ...['dev', '--', '--port', String(port), '--inspector-port', '0', '--persist-to', folder],
      ...['--var', `RATE_LIMITS:${limits}`],
    ],
    env: {},
  }),
  'npm start (Bun, libSQL)': (port: number, folder: string) => ({
    script: ['start'],
    env: {
      PORT: String(port),
      BASE_URL: `http://localhost:${port}`,
      DATABASE_URL: `file:${join(folder, 'peridot.db')}`,
      KV_URL: `file:${join(folder, 'kv.db')}`,
      RATE_LIMITS: limits,
    },
  }),
};

let browser: Browser;
beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  });
});
afterAll(() => browser?.close());

/** A page whose authenticator is Chromium's virtual one (WebAuthn level 3, section 11). */
interface Person {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly cdp: CDPSession;
  readonly authenticatorId: string;
}

async function openPerson(origin: string, options: { readonly unattended?: boolean } = {}): Promise<Person> {
  const context = await browser.newContext({ baseURL: origin, locale: 'en-GB' });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('WebAuthn.enable', { enableUI: false });
  return { context, page, cdp, authenticatorId: await addAuthenticator(cdp, options) };
}

async function addAuthenticator(cdp: CDPSession, { unattended = false } = {}): Promise<string> {
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: !unattended,
  } as const;
  return (await cdp.send('WebAuthn.addVirtualAuthenticator', { options })).authenticatorId;
}

let people = 0;

/** Starts with a new passkey and claims a PID; ends on the account page. */
async function signUp({ page }: Person): Promise<string> {
  people += 1;
  const handle = `pk${people}x${Date.now().toString(36)}`;
  await page.goto('/signin?returnTo=self:/account/credentials');
  await page.getByRole('button', { name: 'Start with a new passkey' }).click();
  await page.waitForURL('**/v1/auth/claim?**');
  await page.getByLabel('Handle', { exact: true }).fill(handle);
  await page.getByLabel('Type your handle once more to confirm').fill(handle);
  await page
    .getByRole('button', { name: /^Claim/ })
    .last()
    .click();
  await page.waitForURL('**/account/credentials');
  return handle;
}

async function signOut({ page }: Person): Promise<void> {
  await page.goto('/account/credentials');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('**/signin?**');
}

const sessionOf = (page: Page) =>
  page.evaluate(async () => {
    const answer = await fetch('/v1/auth/session');
    return answer.ok ? ((await answer.json()) as { pid: string }).pid : answer.status;
  });

/** What the page says beside the button. */
const said = (page: Page) => page.locator('[data-passkey] [role=status]').first();

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

  it('make a PID, sign in by one press, and are named, added, renamed and removed', async () => {
    const person = await openPerson(origin);
    const { page, cdp, authenticatorId, context } = person;
    const handle = await signUp(person);
    // The authenticator learnt after whom the passkey is named, which nobody knew when it was made.
    await page.waitForSelector('body[data-passkeys=signalled]', { state: 'attached' });
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
    expect(credentials).toEqual([expect.objectContaining({ rpId: 'localhost', userName: `${handle}@pid` })]);
    expect(await page.getByText('Linux', { exact: true }).first().isVisible()).toBe(true);
    expect(await page.getByText('On one device only').isVisible()).toBe(true);

    await signOut(person);
    expect(await sessionOf(page)).toBe(401);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL('**/dev/welcome');
    expect(await sessionOf(page)).toBe(`${handle}@pid`);

    // The same authenticator holds none twice; another one does.
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
    await item.getByLabel('New name of Spare key').fill('Key in the drawer');
    await item.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The passkey has a new name').waitFor();

    // Removing it here removes it there: the authenticator is told which passkeys are still good.
    const kept = (await cdp.send('WebAuthn.getCredentials', { authenticatorId: second })).credentials;
    expect(kept).toHaveLength(1);
    const renamed = page.locator('li.item', { hasText: 'Key in the drawer' });
    await renamed.getByRole('link', { name: 'Unlink Passkey' }).click();
    await page.locator('dialog[open]').getByRole('button', { name: 'Unlink' }).click();
    await page.getByText('The credential is unlinked').waitFor();
    await page.waitForSelector('body[data-passkeys=signalled]', { state: 'attached' });
    const left = (await cdp.send('WebAuthn.getCredentials', { authenticatorId: second })).credentials;
    expect(left).toEqual([]);
    expect(await page.locator('li.item').count()).toBe(1);
    await context.close();
  });

  it('make a sign-in fresh again, where that is asked for', async () => {
    const person = await openPerson(origin);
    const { page, cdp, authenticatorId, context } = person;
    const handle = await signUp(person);
    const session = () =>
      page.evaluate(async () => {
        const { session } = (await (await fetch('/v1/auth/session')).json()) as { session: { id: string } };
        return session.id;
      });
    const before = await session();
    // Past FRESH_SECONDS, and past the access token: the page renews that one by itself.
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
    await context.close();
  });

  it('are refused with a bogus signature, without user verification and without presence [D-68]', async () => {
    const person = await openPerson(origin);
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

  it('sign in once, however often one assertion is posted [D-67, D-69]', async () => {
    const person = await openPerson(origin);
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
    // The replay that the page itself sent last is refused too.
    await expect.poll(() => said(page).textContent()).toContain('was not accepted');
    await context.close();
  });

  it('may be declined, which is no error, and asked for again', async () => {
    const person = await openPerson(origin);
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

  it('are unknown to the authenticator once the service has said that it does not know them', async () => {
    const person = await openPerson(origin);
    const { page, cdp, authenticatorId, context } = person;
    await signUp(person);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/signin?**');
    // A passkey that was removed while its authenticator was away.
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
    const [passkey] = credentials;
    if (!passkey) throw new Error('the authenticator has no passkey');
    await cdp.send('WebAuthn.clearCredentials', { authenticatorId });
    const forgotten = { ...passkey, credentialId: Buffer.from('removed long ago').toString('base64') };
    await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: forgotten });
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await expect.poll(() => said(page).textContent()).toContain('not linked to a PID any more');
    expect((await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials).toEqual([]);
    await context.close();
  });

  it('are offered by autofill, and the button takes over from it', async () => {
    const person = await openPerson(origin);
    const { page, cdp, authenticatorId, context } = person;
    const handle = await signUp(person);
    await signOut(person);
    // The field that a browser offers passkeys in.
    await page.route('**/signin', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.text()).replace(
        '<div data-passkey',
        '<input autocomplete="username webauthn"><div data-passkey',
      );
      await route.fulfill({ response: answer, body });
    });
    // Nobody is at the authenticator, so autofill stays pending until the button is pressed.
    await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: false });
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/v1/auth/passkey/')) asked.push(new URL(request.url()).pathname);
    });
    await page.goto('/signin');
    await expect.poll(() => asked).toEqual(['/v1/auth/passkey/options']);
    await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: true });
    // Not `click`: while autofill is pending, headless Chromium paints nothing for it to wait for.
    await page.getByRole('button', { name: 'Use a passkey' }).dispatchEvent('click');
    await page.waitForURL('**/dev/welcome');
    expect(await sessionOf(page)).toBe(`${handle}@pid`);

    await signOut(person);
    await page.goto('/signin');
    await page.waitForURL('**/dev/welcome');
    expect(await sessionOf(page)).toBe(`${handle}@pid`);
    await context.close();
  });

  it('say so, in the reader’s language, where there are none', async () => {
    const context = await browser.newContext({ baseURL: origin, locale: 'id-ID' });
    await context.addInitScript(() => {
      Object.defineProperty(globalThis, 'PublicKeyCredential', { value: undefined });
    });
    const page = await context.newPage();
    await page.goto('/signin');
    expect(await said(page).textContent()).toBe('Peramban ini tidak dapat memakai passkey di sini.');
    expect(await page.getByRole('button', { name: 'Pakai passkey' }).count()).toBe(0);
    await context.close();
  });
});
