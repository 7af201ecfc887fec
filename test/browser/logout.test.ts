import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, BrowserContext, Page } from '../../checks/playwright.ts';
import type { NewApp } from '../../src/features/app/schema.ts';
import { launchChromium } from '../support/chromium.ts';
import { claimHandle } from '../support/claim-page.ts';
import { authorizeUrl, codeVerifier } from '../support/oauth.ts';
import { freePort, type RunningProcess, runScript } from '../support/processes.ts';

let browser: Browser;
let service: RunningProcess;
let client: Server;
let folder: string;
let origin: string;
/** The app's own origin, on another site than the service. */
let site: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'peridot-logout-'));
  const [port, clientPort] = [await freePort(), await freePort()];
  origin = `http://localhost:${port}`;
  site = `http://127.0.0.1:${clientPort}`;
  client = createServer((request, answer) => {
    answer.setHeader('Content-Type', 'text/html');
    const query = new URL(request.url ?? '', site).searchParams;
    const fields = [...query].map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`);
    const form = `<form method="post" action="${origin}/v1/auth/end-session">${fields.join('')}<button>Leave</button></form>`;
    answer.end(`<!doctype html><title>The app</title><h1>In the app</h1>${form}`);
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
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  client?.close();
  await rm(folder, { recursive: true, force: true });
});

interface SignedIn {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly idToken: string;
  readonly refused: string[];
}

/** A newcomer who is signed in to their own app. */
async function signIn(handle: string): Promise<SignedIn> {
  const context = await browser.newContext({ baseURL: origin });
  const page = await context.newPage();
  const refused: string[] = [];
  page.on('console', (message) => {
    if (/Content Security Policy|TrustedHTML|Uncaught/.test(message.text())) refused.push(message.text());
  });
  await page.goto('/signin?returnTo=self:/account/apps');
  await page.getByRole('link', { name: /Continue with Sandbox/ }).click();
  await page.getByLabel('Name', { exact: true }).fill('Rani Wijaya');
  await page.getByLabel('Email', { exact: true }).fill(`${handle}@example.com`);
  await page.getByRole('button', { name: 'Continue as this person' }).click();
  await claimHandle(page, handle);
  await page.locator('a.button.main').click();
  await page.waitForURL('**/account/apps');
  const [callback, after] = [`${site}/callback`, `${site}/signed-out`];
  const data = {
    name: 'Warung Kopi',
    type: 'native',
    redirectUris: [callback],
    postLogoutRedirectUris: [after],
  };
  const made = await context.request.post('/v1/apps', { headers: { Origin: origin }, data });
  const app = (await made.json()) as NewApp;
  await page.goto(authorizeUrl(app));
  await page.waitForTimeout(900);
  await page.locator('[value=allow]').click();
  await page.waitForURL(`${callback}?**`);
  const answer = await fetch(`${origin}/v1/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: app.id,
      code: new URL(page.url()).searchParams.get('code') ?? '',
      redirect_uri: callback,
      code_verifier: codeVerifier,
    }),
  });
  const { id_token: idToken } = (await answer.json()) as { id_token: string };
  return { context, page, idToken, refused };
}

const logoutUrl = (fields: Record<string, string>) => `/v1/auth/end-session?${new URLSearchParams(fields)}`;
const isSignedIn = async (context: BrowserContext) =>
  (await context.request.post('/v1/auth/refresh', { headers: { Origin: origin } })).ok();

describe('a logout requested by an app, in Chromium', () => {
  it('asks for confirmation if there is no hint, keeps the person signed in until they press Sign out, and then redirects back', async () => {
    const { context, page, idToken, refused } = await signIn('budi.santoso');
    await page.goto(logoutUrl({ post_logout_redirect_uri: `${site}/signed-out` }));
    await page.getByRole('heading', { name: 'Sign out?' }).waitFor();
    expect(await page.getByText('because the address to return to is not one of the app').isVisible()).toBe(
      true,
    );
    expect(await isSignedIn(context)).toBe(true);
    const clientId = JSON.parse(
      atob(idToken.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? ''),
    ).aud;
    await page.goto(
      logoutUrl({ client_id: clientId, post_logout_redirect_uri: `${site}/signed-out`, state: 'a b' }),
    );
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${site}/signed-out?state=a+b`);
    expect(await isSignedIn(context)).toBe(false);
    await page.goto(`${origin}/v1/auth/end-session`);
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    expect(refused).toEqual([]);
    await context.close();
  });

  it('ends the session at once with an ID token that the app’s form sends from another site', async () => {
    const { context, page, idToken, refused } = await signIn('sari.dewi');
    const after = `${site}/signed-out`;
    await page.goto(
      `${site}/?${new URLSearchParams({ id_token_hint: idToken, post_logout_redirect_uri: after })}`,
    );
    await page.getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL(after);
    expect(await isSignedIn(context)).toBe(false);
    expect(refused).toEqual([]);
    await context.close();
  });
});
