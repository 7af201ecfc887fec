import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Marionette, startMarionette } from '../support/marionette.ts';
import { runtimes } from '../support/passkey-pages.ts';
import { freePort, type RunningProcess, runScript } from '../support/processes.ts';

let folder: string;
let server: RunningProcess;
let origin: string;
let firefox: Marionette;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'peridot-passkey-'));
  const port = await freePort();
  origin = `http://localhost:${port}`;
  const { script, env } = runtimes['npm start (Bun, libSQL)'](port, folder);
  server = await runScript(script, env, async () => (await fetch(`${origin}/readyz`)).ok);
  firefox = await startMarionette();
});
afterAll(async () => {
  await firefox?.stop();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

const button = (name: string) => `//button[normalize-space()='${name}']`;
const pid = () =>
  firefox.evaluate(`const answer = await fetch('/v1/auth/session');
    return answer.ok ? (await answer.json()).pid : answer.status;`);

describe('passkeys in Firefox', () => {
  it('create a PID, sign in with one click, and are stored only once in an authenticator', async () => {
    await firefox.addAuthenticator();
    await firefox.goto(`${origin}/signin?returnTo=self:/account/credentials`);
    await firefox.click(button('Create a passkey'));
    await firefox.until(`location.pathname === '/v1/auth/claim'`);
    await firefox.fill('input[name=handle]', 'rubah.merah');
    await firefox.click("//div[@class='act']/button");
    await firefox.click("//dialog//button[@name='confirmed']");
    await firefox.until(`location.pathname === '/claim/done'`);
    await firefox.click(`//a[normalize-space()='Go to your account']`);
    await firefox.until(`location.pathname === '/account/credentials'`);
    expect(await pid()).toBe('rubah.merah@pid');

    await firefox.click(button('Add a passkey'));
    await firefox.until(
      `document.body.innerText.includes('This device already has a passkey for your PID.')`,
    );

    await firefox.click(button('Sign out'));
    await firefox.until(`location.pathname === '/signin'`);
    expect(await pid()).toBe(401);
    // It is marked as the last used method.
    await firefox.click(`//button[starts-with(normalize-space(), 'Use a passkey')]`);
    await firefox.until(`location.pathname === '/dev/welcome'`);
    expect(await pid()).toBe('rubah.merah@pid');
  });
});
