import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Page } from '../../checks/playwright.ts';
import { allowApp, type ClientStage, dewi, dewiAddress, startClientStage } from '../support/client-stage.ts';
import { listen } from '../support/mail-servers.ts';

const missing = inject('noClientPackages');
const library = join(import.meta.dirname, 'node_modules/oidc-client-ts/dist/browser/oidc-client-ts.min.js');
const scopes = ['openid', 'profile', 'email', 'offline_access'];

let stage: ClientStage;
let server: Server;
/** The app's origin, on another site than the service, which is at localhost. */
let site: string;
/** The UserManager of the app's pages. */
let settings: Record<string, unknown>;
let app: { id: string; name: string };

beforeAll(async () => {
  if (missing !== null) return;
  stage = await startClientStage();
  server = createServer(({ url }, response) => {
    const isLibrary = url === '/oidc-client-ts.js';
    response.setHeader('Content-Type', isLibrary ? 'text/javascript' : 'text/html');
    response.end(isLibrary ? readFileSync(library) : appPage());
  });
  site = `http://127.0.0.1:${await listen(server)}`;
}, 120_000);
afterAll(async () => {
  server?.close();
  await stage?.stop();
});

const appPage = () => `<!doctype html><title>Toko</title><h1>Toko</h1>
  <script src="/oidc-client-ts.js"></script>
  <script>
    const settings = ${JSON.stringify(settings)};
    if (settings.dpop) settings.dpop.store = new oidc.IndexedDbDPoPStore();
    const manager = new oidc.UserManager(settings);
  </script>`;

/** Opens a page of an app new to Dewi. @param more settings of its UserManager */
async function openApp(name: string, more: Record<string, unknown> = {}): Promise<Page> {
  app = await stage.newApp({
    name,
    type: 'spa',
    redirectUris: [`${site}/callback`, `${site}/popup`],
    postLogoutRedirectUris: [`${site}/signed-out`],
    allowedOrigins: [site],
    scopes,
  });
  settings = {
    authority: stage.issuer,
    client_id: app.id,
    redirect_uri: `${site}/callback`,
    popup_redirect_uri: `${site}/popup`,
    post_logout_redirect_uri: `${site}/signed-out`,
    scope: scopes.join(' '),
    loadUserInfo: true,
    ...more,
  };
  const page = await stage.newPage();
  await page.goto(site);
  return page;
}

interface User {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly profile: Record<string, unknown>;
}

/** Calls a method of the page's UserManager. */
const call = (page: Page, method: string) => page.evaluate(`manager.${method}`) as Promise<User>;
/** Calls one that leaves the page. */
const leave = (page: Page, method: string) => page.evaluate(`void manager.${method}`);

async function signIn(page: Page): Promise<User> {
  await leave(page, 'signinRedirect()');
  await allowApp(page, app.name, `${site}/callback`);
  return call(page, 'signinRedirectCallback()');
}

describe('oidc-client-ts', () => {
  it('signs in on the page of an app without a secret, refreshes, and revokes [OP-01, OP-03, OP-37, OP-38, CP-01]', async ({
    skip,
  }) => {
    if (missing !== null) skip(missing);
    const page = await openApp('Toko di browser');
    const user = await signIn(page);
    expect(user).toMatchObject({
      token_type: 'Bearer',
      scope: scopes.join(' '),
      profile: { ...dewi, ...dewiAddress, iss: stage.issuer, aud: app.id },
    });
    const next = await call(page, 'signinSilent()');
    expect(next.profile).toEqual(user.profile);
    expect(next.refresh_token).not.toBe(user.refresh_token);
    const userinfo = `${stage.issuer}/v1/auth/userinfo`;
    const headers = { Authorization: `Bearer ${next.access_token}` };
    const readUserinfo = () =>
      stage.fetch(userinfo, { method: 'GET', headers, body: null, redirect: 'manual' });
    expect((await readUserinfo()).status).toBe(200);
    await call(page, 'revokeTokens()');
    expect((await readUserinfo()).status).toBe(401);
  });

  it('signs in with DPoP, and refreshes', async ({ skip }) => {
    if (missing !== null) skip(missing);
    // The library requests userinfo without a proof, even with DPoP.
    const dpop = { dpop: { bind_authorization_code: true }, loadUserInfo: false };
    const page = await openApp('Toko dengan DPoP', dpop);
    expect(await signIn(page)).toMatchObject({ token_type: 'DPoP', profile: dewi });
    expect(await call(page, 'signinSilent()')).toMatchObject({ token_type: 'DPoP', profile: dewi });
  });

  it('signs in in a popup', async ({ skip }) => {
    if (missing !== null) skip(missing);
    const page = await openApp('Toko dengan popup');
    const opened = page.waitForEvent('popup');
    const user = call(page, 'signinPopup()');
    const popup = await opened;
    await allowApp(popup, app.name, `${site}/popup`);
    const closed = popup.waitForEvent('close');
    await leave(popup, 'signinPopupCallback()');
    expect(await user).toMatchObject({ profile: { ...dewi, aud: app.id } });
    await closed;
  });

  it('signs out at the service, and returns to the app [RL-02]', async ({ skip }) => {
    if (missing !== null) skip(missing);
    const page = await openApp('Toko tutup');
    await signIn(page);
    await leave(page, 'signoutRedirect({ state: "bye" })');
    await page.waitForURL(`${site}/signed-out?*`);
    expect(await call(page, 'signoutRedirectCallback()')).toMatchObject({ userState: 'bye' });
    expect(await stage.isSignedIn()).toBe(false);
  });
});
