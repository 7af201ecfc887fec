import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { withOtherNonce } from '../support/client-program.ts';
import {
  allowApp,
  type ClientStage,
  dewi,
  dewiAddress,
  everyScope,
  shopCallback,
  startClientStage,
} from '../support/client-stage.ts';
import { freePort, runProcess } from '../support/processes.ts';
import { noGem, ruby } from '../support/ruby.ts';

const noClient = noGem('omniauth_openid_connect', 'ruby-omniauth-openid-connect');
const callbackPath = '/auth/openid_connect/callback';

let stage: ClientStage;

beforeAll(async () => {
  if (noClient === null) stage = await startClientStage();
}, 120_000);
afterAll(() => stage?.stop());
beforeEach(({ skip }) => {
  if (noClient !== null) skip(noClient);
});

interface Site {
  readonly address: string;
  readonly app: { readonly id: string; readonly name: string };
}

/** Calls `use` with a site that runs with an app; without `callback`, the app responds to the site itself. */
async function withSite(name: string, use: (site: Site) => Promise<void>, callback?: string): Promise<void> {
  const port = await freePort();
  const address = `http://localhost:${port}`;
  const redirectUri = callback ?? address + callbackPath;
  // The strategy sends no challenge.
  const fields = { name, pkce: 'nonce', scopes: everyScope, redirectUris: [redirectUri] };
  const app = await stage.newApp(fields);
  const script = join(import.meta.dirname, 'ruby/omniauth_site.rb');
  const args = [String(port), stage.issuer, app.id, app.secretValue, redirectUri, stage.caFile];
  const isUp = async () => (await fetch(address)).ok;
  const running = await runProcess([ruby, script, ...args], { cwd: stage.folder, env: {} }, isUp);
  try {
    await use({ address, app });
  } finally {
    await running.stop();
  }
}

describe('OmniAuth in Ruby, with the strategy that GitLab maintains', () => {
  it('signs in with a nonce, from the request phase to the callback [OP-01, OP-03, CP-01]', () =>
    withSite('Toko OmniAuth', async ({ address, app }) => {
      const page = await stage.newPage();
      await page.goto(address);
      await page.getByRole('button', { name: 'Sign in with PID' }).click();
      await allowApp(page, app.name, address + callbackPath);
      const auth = JSON.parse(await page.locator('body').innerText());
      await page.close();
      expect(auth).toMatchObject({
        uid: dewi.sub,
        info: { name: dewi.name, nickname: dewi.preferred_username, ...dewiAddress },
        extra: { raw_info: { ...dewi, ...dewiAddress, iss: stage.issuer, aud: app.id } },
        credentials: { token: expect.any(String), refresh_token: expect.any(String) },
      });
    }));

  it('rejects an ID token with the nonce of another request', () =>
    withSite(
      'Toko OmniAuth with another nonce',
      async ({ address, app }) => {
        const visitor = new Visitor(address);
        const request = await visitor.startSignIn();
        const { url } = await stage.allow(withOtherNonce(request), app.name, shopCallback);
        const failure = new URL(await visitor.redirectOf(callbackPath + url.search));
        expect(failure.pathname).toBe('/auth/failure');
        expect(failure.searchParams.get('message')).toBe('Invalid ID Token: Nonce does not match');
      },
      shopCallback,
    ));

  // The strategy sends neither a hint nor its client's id, so nobody is sent back to the site.
  it('leads to the page that signs the person out', () =>
    withSite('Toko OmniAuth for a while', async ({ address }) => {
      const page = await stage.newPage();
      await page.goto(`${address}/auth/openid_connect/logout`);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
      expect(await stage.isSignedIn()).toBe(false);
    }));
});

/** Visits the site without following redirects. */
class Visitor {
  readonly #address: string;
  #cookie = '';

  constructor(address: string) {
    this.#address = address;
  }

  /** Presses the button of the site, and returns the authorization request. */
  async startSignIn(): Promise<string> {
    const page = await (await this.#send('/')).text();
    const token = /name="authenticity_token" value="([^"]*)"/.exec(page)?.[1] ?? '';
    const body = new URLSearchParams({ authenticity_token: token });
    return locationOf(await this.#send('/auth/openid_connect', { method: 'POST', body }));
  }

  /** Opens a page of the site that redirects, and returns the address that it redirects to. */
  async redirectOf(path: string): Promise<string> {
    return locationOf(await this.#send(path));
  }

  async #send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { Cookie: this.#cookie };
    const response = await fetch(this.#address + path, { redirect: 'manual', headers, ...init });
    this.#cookie = response.headers.get('Set-Cookie')?.split(';')[0] ?? this.#cookie;
    return response;
  }
}

function locationOf(response: Response): string {
  return response.headers.get('Location') ?? `none, but ${response.status}`;
}
