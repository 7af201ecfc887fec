import { join } from 'node:path';
import type { Page } from '../../checks/playwright.ts';
import { allowApp, type ClientStage } from './client-stage.ts';
import { freePort, runProcess } from './processes.ts';

const folder = join(import.meta.dirname, '../clients/sites');

/** A website, in its own process, that signs people in with a third-party client. */
export interface ClientSite {
  readonly origin: string;
  /** The id of its app. */
  readonly clientId: string;
  /** Signs Dewi in, starting at a path of the site; returns what the site then shows. @param start acts on that page */
  signIn(path: string, start?: (page: Page) => Promise<void>): Promise<unknown>;
  /** Opens a path of the site in Dewi's browser. @returns the final page's address and text */
  open(path: string): Promise<{ url: string; text: string }>;
  stop(): Promise<void>;
}

/**
 * Starts `test/clients/sites/NAME.js` at http://localhost, registered as an app.
 * @param callback the path of its redirect URI
 */
export async function startClientSite(
  stage: ClientStage,
  name: string,
  callback: string,
  fields: Record<string, unknown> = {},
): Promise<ClientSite> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const app = await stage.newApp({
    name: `Toko ${name}`,
    redirectUris: [`${origin}${callback}`],
    postLogoutRedirectUris: [`${origin}/signed-out`],
    scopes: ['openid', 'profile', 'email', 'offline_access'],
    ...fields,
  });
  const env = {
    PORT: `${port}`,
    ISSUER: stage.issuer,
    CLIENT_ID: app.id,
    CLIENT_SECRET: app.secretValue,
    NODE_EXTRA_CA_CERTS: stage.caFile,
  };
  const isUp = async () => (await fetch(origin)).ok;
  const running = await runProcess(
    [process.execPath, join(folder, `${name}.js`)],
    { cwd: folder, env },
    isUp,
  );
  return {
    origin,
    clientId: app.id,
    async signIn(path, start) {
      const page = await stage.newPage();
      await page.goto(`${origin}${path}`);
      await start?.(page);
      await allowApp(page, app.name, `${origin}/`);
      const text = await page.locator('body').innerText();
      await page.close();
      return JSON.parse(text);
    },
    async open(path) {
      const page = await stage.newPage();
      await page.goto(`${origin}${path}`);
      const text = await page.locator('body').innerText();
      const url = page.url();
      await page.close();
      return { url, text };
    },
    stop: () => running.stop(),
  };
}
