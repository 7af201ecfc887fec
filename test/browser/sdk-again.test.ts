import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Engine, type EngineWindow, type Person, startEngine, until } from '../support/engines.ts';
import { chooseAtProvider, claimHandle, signInAs } from '../support/popup-person.ts';
import { type SiblingHosts, startSiblingHosts } from '../support/sibling-hosts.ts';

let hosts: SiblingHosts;
let engine: Engine;
let person: Person;
beforeAll(async () => {
  hosts = await startSiblingHosts();
  engine = await startEngine.Chromium();
  person = await engine.person();
});
afterAll(async () => {
  await engine?.stop();
  await hosts?.stop();
});

const shows = (popup: EngineWindow, text: string) =>
  until(popup, `document.querySelector('main').innerText.includes('${text}')`);
const sessionOf = (app: EngineWindow) =>
  app.evaluate<{ pid: string; session: { id: string; authenticatedAt: string } }>(
    `fetch('${hosts.service}/v1/auth/session', { credentials: 'include' }).then((answer) => answer.json())`,
  );

describe('a signed-in person', () => {
  it('signs in again in a popup that accepts only the same account', async () => {
    const app = await person.open(hosts.app('app', '/raw'));
    await app.evaluate("document.querySelector('#act').onclick = () => keep(pid.auth.loginWithPopup())");
    const first = await person.popupOf(() => app.click('#act'));
    await signInAs(first, 'again@example.com');
    await claimHandle(first, 'again');
    await until(app, 'outcomes.length === 1');
    const before = await sessionOf(app);

    await app.evaluate("document.querySelector('#act').onclick = () => keep(pid.auth.reauthenticate())");
    const popup = await person.popupOf(() => app.click('#act'));
    await shows(popup, 'Sign in as again@pid again');
    expect(await popup.evaluate("document.querySelector('button[value=approved]')")).toBe(null);
    await signInAs(popup, 'somebody-else@example.com');
    await claimHandle(popup, 'somebody-else');
    await shows(popup, 'Sign in as again@pid again');
    expect(await app.evaluate('outcomes.length')).toBe(1);
    await signInAs(popup, 'again@example.com');
    await until(app, 'outcomes.length === 2');
    const after = await app.evaluate<typeof before>('outcomes[1].value');
    expect(after.pid).toBe('again@pid');
    expect(Date.parse(after.session.authenticatedAt)).toBeGreaterThan(
      Date.parse(before.session.authenticatedAt),
    );
    expect(await app.evaluate('pid.getSnapshot().session.session.authenticatedAt')).toBe(
      after.session.authenticatedAt,
    );
  });

  it('signs in again by redirect and returns to the same page', async () => {
    const app = await person.open(hosts.app('app', '/raw'));
    const before = await sessionOf(app);
    await app.evaluate("void pid.auth.loginWithRedirect({ prompt: 'login' })");
    await signInAs(app, 'again@example.com');
    await until(app, 'window.pid');
    const after = await sessionOf(app);
    // The time has whole seconds, and this may take less than a second.
    expect(after.session.id).not.toBe(before.session.id);
    expect(Date.parse(after.session.authenticatedAt)).toBeGreaterThanOrEqual(
      Date.parse(before.session.authenticatedAt),
    );
  });
});

describe('two tabs that sign in concurrently', () => {
  it('each return to the page they started from', async () => {
    const somebody = await engine.person();
    const [app, shop] = [hosts.app('app', '/raw'), hosts.app('shop', '/raw?now=no#here')];
    const tabs = [await somebody.open(app), await somebody.open(shop)];
    for (const tab of tabs) await tab.evaluate('void pid.auth.loginWithRedirect()');
    for (const tab of tabs) await until(tab, 'document.querySelector(\'a[href^="/v1/auth/idp"]\')');
    for (const tab of tabs) await tab.click('a[href^="/v1/auth/idp"]');
    for (const tab of tabs) {
      await chooseAtProvider(tab, 'again@example.com');
      await until(tab, 'window.pid');
    }
    expect([await tabs[0]?.evaluate('location.href'), await tabs[1]?.evaluate('location.href')]).toEqual([
      app,
      shop,
    ]);
  });
});

describe('a page on another site', () => {
  it('learns why sign-in is unavailable there, and opens no window', async () => {
    const app = await person.open(hosts.app('elsewhere.example', '/raw'));
    await app.evaluate("document.querySelector('#act').onclick = () => keep(pid.auth.loginWithPopup())");
    await app.click('#act');
    await until(app, 'outcomes.length === 1');
    expect(await app.evaluate('outcomes[0].error')).toMatchObject({
      code: 'popup_unavailable',
      reason: 'not_same_site',
    });
    expect(await app.evaluate('pid.popup.isSupported()')).toBe(false);
  });
});
