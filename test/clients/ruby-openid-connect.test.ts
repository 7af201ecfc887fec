import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type LearnedMore, runToEnd, signInByProgram, withOtherNonce } from '../support/client-program.ts';
import {
  type ClientStage,
  dewi,
  dewiAddress,
  everyScope,
  shopCallback,
  startClientStage,
} from '../support/client-stage.ts';
import { noGem, ruby } from '../support/ruby.ts';

const noClient = noGem('openid_connect', 'ruby-openid-connect');
const program = [ruby, join(import.meta.dirname, 'ruby/openid_connect_client.rb')];
const signedOut = 'https://shop.example.com/signed-out';

let stage: ClientStage;

beforeAll(async () => {
  if (noClient === null) stage = await startClientStage();
}, 120_000);
afterAll(() => stage?.stop());
beforeEach(({ skip }) => {
  if (noClient !== null) skip(noClient);
});

const newApp = (name: string) =>
  stage.newApp({ name, scopes: everyScope, postLogoutRedirectUris: [signedOut] });
type App = Awaited<ReturnType<typeof newApp>>;

/** The report, and the address that signs out. */
const signIn = (app: App, change = (request: string) => new URL(request)) =>
  signInByProgram<LearnedMore & { logout: string }>(
    [...program, 'signin', stage.issuer, app.id, stage.caFile, app.secretValue, shopCallback, signedOut],
    async (request) => (await stage.allow(change(request), app.name, shopCallback)).url,
  );
const verify = (app: App, { idToken, claims }: LearnedMore) =>
  runToEnd([...program, 'verify', stage.issuer, app.id, stage.caFile, idToken, String(claims['nonce'])]);

describe('openid_connect in Ruby', () => {
  it('signs in with PKCE, nonce and a signed ID token, and refreshes [OP-01, OP-03, OP-37, OP-38, CP-01]', async () => {
    const app = await newApp('Toko Ruby');
    const { claims, userinfo, refreshed, rotated } = await signIn(app);
    expect(claims).toMatchObject({ ...dewi, ...dewiAddress, iss: stage.issuer, aud: app.id });
    expect(userinfo).toMatchObject({ ...dewi, ...dewiAddress });
    expect(refreshed).toEqual(userinfo);
    expect(rotated).toBe(true);
  });

  it('rejects an ID token with the nonce of another request', async () => {
    await expect(signIn(await newApp('Toko Ruby with another nonce'), withOtherNonce)).rejects.toThrow(
      'Invalid ID Token: Nonce does not match',
    );
  });

  it('rejects an ID token for another client', async () => {
    const [app, other] = [await newApp('Toko Ruby 1'), await newApp('Toko Ruby 2')];
    const learned = await signIn(app);
    await verify(app, learned);
    await expect(verify(other, learned)).rejects.toThrow('Invalid ID token: Audience does not match');
  });

  it('signs the person out at the end_session_endpoint that it discovered [RL-02]', async () => {
    const { logout } = await signIn(await newApp('Toko Ruby for a while'));
    const page = await stage.newPage();
    const back = page.waitForRequest(`${signedOut}?state=signed+out`);
    // No server listens at the site.
    await page.goto(logout).catch(() => null);
    await back;
    expect(await stage.isSignedIn()).toBe(false);
  });
});
