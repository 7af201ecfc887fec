import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Engine, startEngine, until } from '../support/engines.ts';
import { armed, claimHandle, signInAs } from '../support/popup-person.ts';
import { freePort, type RunningProcess, runScript } from '../support/processes.ts';

let folder: string;
let server: RunningProcess;
let engine: Engine;
let app: string;
let shop: string;
let service: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'peridot-example-'));
  const [port, shopPort] = [await freePort(), await freePort()];
  shop = `http://localhost:${shopPort}`;
  service = `http://localhost:${port}`;
  const script = ['dev', '--', '--port', `${port}`, '--inspector-port', '0', '--persist-to', folder];
  const isReady = async () => (await fetch(`${service}/readyz`)).ok;
  server = await runScript(script, { SPA_PORT: `${shopPort}` }, isReady);
  engine = await startEngine.Chromium();
}, 180_000);
afterAll(async () => {
  await engine?.stop();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

it('npm run dev prints only its steps and the addresses, and /dev links to them', async () => {
  await expect.poll(() => server.lines.join('')).toContain('Example app');
  const printed = server.lines.join('').trim().split('\n').filter(Boolean);
  app = /Example app +(http:\S+)/.exec(printed.at(-1) ?? '')?.[1] ?? '';
  expect(printed.map((line) => line.trim().split(/ {2,}/))).toEqual([
    ...['Migrations', 'Worker', 'Demo data'].map((name) => [name, expect.stringMatching(/^\d+\.\d s$/)]),
    ['Start here', shop],
    ['Development', `${service}/dev`],
    ['Example app', expect.stringMatching(/^http:\/\/localhost:\d+$/)],
  ]);
  const index = await (await fetch(`${service}/dev`)).text();
  for (const href of [shop, app, '/account', '/admin', '/dev/mail', '#clock', '/docs'])
    expect(index).toContain(`href="${href}"`);
});

const status = (expected: string) => `document.querySelector('#who').dataset.status === '${expected}'`;

describe('the example app alongside npm run dev', () => {
  it('signs in from another localhost port without configuration, in two tabs', async () => {
    const person = await engine.person();
    const [window, other] = [await person.open(app), await person.open(app)];
    await until(window, status('anonymous'));
    await until(other, status('anonymous'));
    const popup = await person.popupOf(() => window.click('#popup'));
    await signInAs(popup, 'example@example.com');
    await claimHandle(popup, 'example-person');
    await until(window, status('authenticated'));
    await until(other, status('authenticated'));
    // The page shows the signed-in person before the sign-in call returns.
    await until(window, "document.querySelector('#log').innerText.includes('popup settled')");
    await window.click('#renew');
    await until(other, "document.querySelector('#log').innerText.includes('cookies renewed by another one')");
    await other.click('#logout');
    await until(window, status('anonymous'));
    expect(await window.evaluate("document.querySelector('#log').innerText")).toContain(
      'signed out: other_tab',
    );
    await person.leave();
  });

  it('signs in by redirect, and lets a newcomer claim a handle in the app’s own form', async () => {
    const person = await engine.person();
    const window = await person.open(`${app}/?coop=same-origin`);
    await until(window, status('anonymous'));
    await window.click('#redirect');
    await signInAs(window, 'redirected@example.com');
    await until(window, status('claim'));
    expect(await window.evaluate('location.href')).toBe(`${app}/?coop=same-origin`);
    await window.evaluate(`(document.querySelector('[name=handle]').value = 'redirected',
      document.querySelector('[name=handle]').dispatchEvent(new Event('input')))`);
    await until(window, "document.querySelector('#check').innerText === 'redirected@pid is free.'");
    await window.click('#claim button');
    await until(window, status('authenticated'));
    await person.leave();
  });
});

it('the example app opens a wallet, tops it up and pays the shop', async () => {
  const person = await engine.person();
  const window = await person.open(app);
  await until(window, status('anonymous'));
  const popup = await person.popupOf(() => window.click('#popup'));
  await signInAs(popup, 'shopper@example.com');
  await claimHandle(popup, 'example-shopper');
  await until(window, "!document.querySelector('#open-wallet').hidden");
  await window.click('#open-wallet');
  await until(window, "!document.querySelector('#top-up').hidden");
  await window.click('#top-up');
  await until(window, "document.querySelector('button[value=pay]')");
  await window.click('button[value=pay]');
  await until(window, "document.querySelector('#balance')?.innerText.includes('50.000')");
  await until(window, "!document.querySelector('#pay').hidden");
  const approval = await person.popupOf(() => window.click('#pay'));
  await until(approval, `document.querySelector('${armed}')`);
  await approval.click(armed);
  await until(window, "document.querySelector('#log').innerText.includes('paid Rp')");
  await until(window, "document.querySelector('#balance').innerText.includes('35.000')");
  await person.leave();
});
