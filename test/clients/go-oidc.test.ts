import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
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

/** Where the packages of the distribution put the sources of Go libraries. */
const libraries = '/usr/share/gocode';
const noGo =
  existsSync(`${libraries}/src/github.com/coreos/go-oidc`) && spawnSync('go', ['version']).status === 0
    ? null
    : 'the packages golang-go and golang-github-coreos-go-oidc-dev are not installed';

let stage: ClientStage;
let program: string;

beforeAll(async () => {
  if (noGo !== null) return;
  stage = await startClientStage();
  program = join(stage.folder, 'client');
  const source = join(import.meta.dirname, 'go/main.go');
  const env = { GO111MODULE: 'off', GOPATH: libraries, GOFLAGS: '', CGO_ENABLED: '0' };
  await runToEnd(['go', 'build', '-o', program, source], env);
}, 300_000);
afterAll(() => stage?.stop());
beforeEach(({ skip }) => {
  if (noGo !== null) skip(noGo);
});

const newApp = (name: string) => stage.newApp({ name, scopes: everyScope });
type App = Awaited<ReturnType<typeof newApp>>;

const signIn = (app: App, change = (request: string) => new URL(request)) =>
  signInByProgram<LearnedMore>(
    [program, 'signin', stage.issuer, app.id, stage.caFile, app.secretValue, shopCallback],
    async (request) => (await stage.allow(change(request), app.name, shopCallback)).url,
  );
const verify = (app: App, idToken: string) =>
  runToEnd([program, 'verify', stage.issuer, app.id, stage.caFile, idToken]);

describe('go-oidc in Go', () => {
  it('signs in with PKCE, nonce and a signed ID token, and refreshes [OP-01, OP-03, OP-37, OP-38, CP-01]', async () => {
    const app = await newApp('Toko Go');
    const { claims, userinfo, refreshed, rotated } = await signIn(app);
    expect(claims).toMatchObject({ ...dewi, ...dewiAddress, iss: stage.issuer, aud: app.id });
    expect(userinfo).toMatchObject({ ...dewi, ...dewiAddress });
    expect(refreshed).toEqual(userinfo);
    expect(rotated).toBe(true);
  });

  it('rejects an ID token with the nonce of another request', async () => {
    await expect(signIn(await newApp('Toko Go with another nonce'), withOtherNonce)).rejects.toThrow(
      'the nonce of the ID token is not the one sent',
    );
  });

  it('rejects an ID token for another client', async () => {
    const [app, other] = [await newApp('Toko Go 1'), await newApp('Toko Go 2')];
    const { idToken } = await signIn(app);
    await verify(app, idToken);
    await expect(verify(other, idToken)).rejects.toThrow(`expected audience "${other.id}" got ["${app.id}"]`);
  });
});
