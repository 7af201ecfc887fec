import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { CustomFetch } from 'openid-client';
import { expect } from 'vitest';
import type { BrowserContext, Page } from '../../checks/playwright.ts';
import type { NewApp } from '../../src/features/app/schema.ts';
import { launchChromium } from './chromium.ts';
import { claimHandle } from './claim-page.ts';
import { freePort, runScript } from './processes.ts';
import { forwardTo, startTlsProxy } from './tls-proxy.ts';

/**
 * The stage's apps receive their responses at this address, unless they listen themselves. No server listens there; the
 * test itself responds to Chromium.
 */
export const shopCallback = 'https://shop.example.com/callback';

/** The claims of the signed-in person with the scope `profile`, and those with `email`. */
export const dewi = {
  sub: 'dewi.anggraini@pid',
  name: 'Dewi Anggraini',
  preferred_username: 'dewi.anggraini',
};
export const dewiAddress = { email: 'dewi@example.com', email_verified: true };

/** Every scope that an app may have before an administrator has checked it. */
export const everyScope = ['openid', 'profile', 'email', 'offline_access', 'fiat:read'];

/** The service as third-party clients see it: over TLS, with a certificate that they trust and verify. */
export interface ClientStage {
  readonly issuer: string;
  /** A file with the certificate. */
  readonly caFile: string;
  /** A folder for files that a test needs, removed with the stage. */
  readonly folder: string;
  /** Like `fetch`, but trusts the certificate. */
  readonly fetch: CustomFetch;
  /** Registers an app for the person signed in in Chromium. */
  newApp(fields: { name: string } & Record<string, unknown>): Promise<NewApp & { secretValue: string }>;
  /**
   * Opens an address in Chromium that leads to the consent page of an app new to the person, allows the app, and waits
   * until the app has its response.
   * @returns the final page's address and text
   */
  allow(address: string | URL, app: string, back: string): Promise<{ url: URL; text: string }>;
  /** Opens an empty page in Chromium. */
  newPage(): Promise<Page>;
  /** Whether Dewi is still signed in to the service. */
  isSignedIn(): Promise<boolean>;
  stop(): Promise<void>;
}

/** Starts the service by `npm start` behind a TLS proxy, and Chromium with a signed-in person. */
export async function startClientStage(): Promise<ClientStage> {
  const folder = await mkdtemp(join(tmpdir(), 'peridot-clients-'));
  const port = await freePort();
  const proxy = await startTlsProxy({ localhost: forwardTo(`http://127.0.0.1:${port}`, true) });
  const issuer = `https://localhost:${proxy.port}`;
  const caFile = join(folder, 'ca.pem');
  await writeFile(caFile, proxy.cert);
  const env = {
    PORT: String(port),
    BASE_URL: issuer,
    DATABASE_URL: `file:${join(folder, 'peridot.db')}`,
    KV_URL: `file:${join(folder, 'kv.db')}`,
  };
  const isReady = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
  const service = await runScript(['start'], env, isReady);
  const browser = await launchChromium();
  const context = await browser.newContext({ baseURL: issuer, ignoreHTTPSErrors: true });
  await context.route(`${shopCallback}**`, (route) => route.fulfill({ body: 'Back in the shop' }));
  await joinAsDewi(context);
  return {
    issuer,
    caFile,
    folder,
    fetch: fetchTrusting(proxy.cert),
    async newApp(fields) {
      const data = { type: 'web', redirectUris: [shopCallback], ...fields };
      const answer = await context.request.post('/v1/apps', { headers: { Origin: issuer }, data });
      const app = (await answer.json()) as NewApp;
      if (!answer.ok()) throw new Error(`no app: ${JSON.stringify(app)}`);
      return { ...app, secretValue: app.secret?.value ?? '' };
    },
    async allow(address, app, back) {
      const page = await context.newPage();
      await page.goto(String(address));
      await allowApp(page, app, back);
      const text = await page.locator('body').innerText();
      const url = new URL(page.url());
      await page.close();
      return { url, text };
    },
    newPage: () => context.newPage(),
    isSignedIn: async () => (await context.request.get('/v1/me')).ok(),
    async stop() {
      await browser.close();
      await service.stop();
      await proxy.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Allows an app on the consent page in `page`, and waits until the app has its response. */
export async function allowApp(page: Page, app: string, back: string): Promise<void> {
  await page.getByText(app).first().waitFor();
  const button = page.locator('[value=allow]');
  // The page ignores decisions in its first 800 ms.
  await expect
    .poll(async () => {
      if (await button.isVisible())
        await button.click({ noWaitAfter: true, timeout: 1_000 }).catch(() => null);
      return page.url();
    })
    .toContain(back);
  await page.waitForLoadState();
}

/** Signs Dewi in at the sandbox provider, and claims her handle. */
async function joinAsDewi(context: BrowserContext): Promise<void> {
  const page = await context.newPage();
  await page.goto('/signin?returnTo=self:/account/apps');
  await page.getByRole('link', { name: 'Continue with Sandbox' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Dewi Anggraini');
  await page.getByLabel('Email', { exact: true }).fill('dewi@example.com');
  await page.getByRole('button', { name: 'Continue as this person' }).click();
  await claimHandle(page, 'dewi.anggraini');
  await page.locator('a.button.main').click();
  await page.waitForURL('**/account/apps');
  await page.close();
}

/** `fetch` over node:https, which can trust a certificate unknown to the system. */
function fetchTrusting(ca: string): CustomFetch {
  return (url, { method, headers, body }) =>
    new Promise((resolve, reject) => {
      const sent = request(url, { ca, method, headers }, (answer) => {
        const { statusCode: status = 0, headersDistinct } = answer;
        const pairs = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
          values.map((value): [string, string] => [name, value]),
        );
        const isEmpty = status === 204 || status === 304;
        resolve(
          new Response(isEmpty ? null : (Readable.toWeb(answer) as ReadableStream), {
            status,
            headers: pairs,
          }),
        );
      });
      sent.on('error', reject).end(String(body ?? ''));
    });
}
