import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Engine,
  type EngineWindow,
  type Person,
  pageOf,
  startEngine,
  until,
} from '../support/engines.ts';
import { type IntegrationStage, startIntegrationStage } from '../support/integration-stage.ts';
import { claimHandle } from '../support/popup-person.ts';

const app = 'https://app.example.com/';
const site = 'https://site.example.com/notes';

let stage: IntegrationStage;
let engine: Engine;
let person: Person;

beforeAll(async () => {
  stage = await startIntegrationStage();
  engine = await startEngine.Chromium(stage.browserArgs);
  person = await engine.person();
}, 240_000);
afterAll(async () => {
  await engine?.stop();
  await stage?.stop();
});

const shows = (window: EngineWindow, id: string, text: string) =>
  until(window, `document.querySelector('#${id}')?.textContent === ${JSON.stringify(text)}`);
const heading = (window: EngineWindow, text: string) =>
  until(window, `document.querySelector('h1')?.textContent === ${JSON.stringify(text)}`);

/** Signs in at the provider and consents. */
async function signInAtProvider(window: EngineWindow, login: string): Promise<void> {
  await until(window, "document.querySelector('input[name=login]')");
  await window.evaluate(`(document.querySelector('input[name=login]').value = '${login}',
    document.querySelector('input[name=password]').value = 'any')`);
  await window.click('button[type=submit]');
  await until(window, "document.querySelector('input[name=prompt][value=consent]')");
  await window.click('button[type=submit]');
}

// One person visits several sites, and clocks only move forward, so each test continues where the last one stopped.
describe('with the package from the service, on sibling hosts in production', () => {
  it('apps compile under the strictest settings, with a client generated from the contract', async () => {
    const generator = 'test/fixtures/generated-client';
    const contract = `${stage.local}/openapi.json`;
    await stage.tool(generator, 'openapi-typescript', 'bin/cli.js', contract, '-o', 'app/schema.d.ts');
    expect(await stage.tool('.', 'typescript', 'bin/tsc', '-p', '.')).toBe('');
  });

  it('a production build of the React app signs a newcomer in by popup and shows the session', async () => {
    await stage.tool('.', 'vite', 'bin/vite.js', 'build', 'app', '--logLevel', 'error');
    const window = await person.open(app);
    const problems: string[] = [];
    pageOf(window).on('pageerror', (error) => problems.push(String(error)));
    await shows(window, 'status', 'anonymous');
    const popup = await person.popupOf(() => window.click('#login'));
    await popup.click('a[data-away=idp]');
    await signInAtProvider(popup, 'citra');
    await claimHandle(popup, 'citra.next-door');
    await shows(window, 'status', 'authenticated citra.next-door@pid');
    await shows(window, 'credentials', '1');
    await window.click('#api');
    await shows(window, 'answer', 'idp');
    expect(problems).toEqual([]);
    await window.close();
  });

  it('a page with pid.js shares the session of its sibling apps', async () => {
    const window = await person.open('https://page.example.com/');
    await shows(window, 'status', 'citra.next-door@pid');
    // The same version as a module.
    const module = "document.querySelector('script[src]').src.replace('pid.js', 'index.js')";
    expect(await window.evaluate(`import(${module}).then(({ createClient }) => typeof createClient)`)).toBe(
      'function',
    );
    await window.close();
  });

  it('Hono and Express back ends identify the caller and reject other origins', async () => {
    const window = await person.open(app);
    await shows(window, 'status', 'authenticated citra.next-door@pid');
    for (const name of ['hono', 'express']) {
      await window.click(`#${name}`);
      await shows(window, 'answer', savedBy(name));
    }
    // Its requests contain the cookies too, so it must not see the responses or change anything.
    const sibling = await person.open('https://blog.example.com/');
    const statusOf = async (url: string, method: string) => {
      const answer = pageOf(sibling).waitForResponse(url);
      const init = `{ method: '${method}', credentials: 'include', mode: 'no-cors' }`;
      await sibling.evaluate(`fetch('${url}', ${init}).then(() => null)`);
      return (await answer).status();
    };
    for (const name of ['hono', 'express']) {
      const url = `https://${name}.example.com/notes`;
      expect([name, await statusOf(url, 'GET'), await statusOf(url, 'POST')]).toEqual([name, 200, 403]);
    }
    await sibling.close();
    await window.close();
  });

  it('a server-rendered site signs a newcomer in through the hosted pages', async () => {
    const newcomer = await engine.person();
    const window = await newcomer.open(site);
    await heading(window, 'Notes');
    await window.click('a');
    await window.click('a[href*="/v1/auth/idp"]');
    await signInAtProvider(window, 'dian');
    await claimHandle(window, 'dian.elsewhere');
    await until(window, "location.pathname === '/claim/done'");
    await window.click('main a.main');
    await heading(window, 'Notes of dian.elsewhere@pid');
    expect(await window.evaluate('location.href')).toBe(site);
    await newcomer.leave();
  });

  it('a server-rendered site keeps people signed in after their access token expires', async () => {
    const window = await person.open(site);
    await heading(window, 'Notes of citra.next-door@pid');
    await window.click('form button');
    await heading(window, 'Saved for citra.next-door@pid');
    for (let round = 0; round < 2; round += 1) {
      const token = await accessOf(window);
      await stage.passSixteenMinutes();
      await window.goto(site);
      await heading(window, 'Notes of citra.next-door@pid');
      expect(await window.evaluate('location.href')).toBe(site);
      expect(await accessOf(window)).not.toBe(token);
    }
    await window.close();
  });

  it('an open page renews the session itself, and no back-end call fails', async () => {
    const window = await person.open(app);
    await shows(window, 'status', 'authenticated citra.next-door@pid');
    const token = await accessOf(window);
    await stage.passSixteenMinutes();
    for (const name of ['hono', 'express']) {
      await window.click(`#${name}`);
      await shows(window, 'answer', savedBy(name));
    }
    expect(await accessOf(window)).not.toBe(token);
    await window.close();
  });

  it('signing out on one page signs the person out of every site without a redirect loop', async () => {
    const page = await person.open('https://page.example.com/');
    await shows(page, 'status', 'citra.next-door@pid');
    await page.click('#logout');
    await shows(page, 'status', 'anonymous');
    const window = await person.open(site);
    await heading(window, 'Notes');
    expect(await window.evaluate('location.search')).toBe('?signed_out=1');
    await window.goto(app);
    await shows(window, 'status', 'anonymous');
    await window.close();
    await page.close();
  });
});

const savedBy = (name: string) => `${name}.example.com 200 {"owner":"citra.next-door@pid","text":"milk"}`;

async function accessOf(window: EngineWindow): Promise<string | undefined> {
  const cookies = await pageOf(window).context().cookies(app);
  return cookies.find(({ name }) => name === 'pid_access')?.value;
}
