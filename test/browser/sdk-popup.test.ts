import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Engine, type EngineWindow, type Person, startEngine, until } from '../support/engines.ts';
import { chooseAtProvider, claimHandle, signInAs } from '../support/popup-person.ts';
import { type SiblingHosts, startSiblingHosts } from '../support/sibling-hosts.ts';

let hosts: SiblingHosts;
beforeAll(async () => {
  hosts = await startSiblingHosts();
  // Ayu is there, whose address the sandbox shows under another account.
  expect((await fetch(`${hosts.local}/dev/seed`, { method: 'POST' })).status).toBe(200);
});
afterAll(() => hosts?.stop());

let counter = 0;
function somebody(engine: Engine): { email: string; handle: string } {
  counter += 1;
  const name = `${engine.name.toLowerCase()}-${'abcdefghijk'[counter % 11]}${'mnpqrstuvw'[Math.floor(counter / 11)]}`;
  return { email: `${name}@example.com`, handle: name };
}

const status = (expected: string) => `document.querySelector('#who').dataset.status === '${expected}'`;
const logged = (text: string) => `document.querySelector('#log').innerText.includes('${text}')`;
const banner = (text: string) => `document.querySelector('#banner').innerText.includes('${text}')`;

describe.each(['Chromium', 'Firefox', 'WebKit'] as const)('the login popup, in %s', (name) => {
  let engine: Engine;
  let person: Person;
  beforeAll(async () => {
    engine = await startEngine[name]();
  });
  afterAll(() => engine?.stop());
  beforeEach(async () => {
    person = await engine.person();
  });
  afterEach(() => person.leave());

  const openPopup = (app: EngineWindow) => person.popupOf(() => app.click('#popup'));

  it('signs a newcomer in, and a second tab of a sibling app with them', async () => {
    const { email, handle } = somebody(engine);
    const app = await person.open(hosts.app('app'));
    await until(app, status('anonymous'));
    const popup = await openPopup(app);
    await signInAs(popup, email);
    await claimHandle(popup, handle);
    await until(app, status('authenticated'));
    expect(await app.evaluate("document.querySelector('#about').innerText")).toContain(`${handle}@pid`);
    await until(app, logged('popup settled'));
    await until(app, "document.querySelectorAll('#list li').length === 1");
    const shop = await person.open(hosts.app('shop'));
    await until(shop, status('authenticated'));
  });

  it('links an account of another provider, and shows a conflict without ending', async () => {
    const { email, handle } = somebody(engine);
    const app = await person.open(hosts.app('app'));
    await until(app, status('anonymous'));
    const popup = await openPopup(app);
    await signInAs(popup, email);
    await claimHandle(popup, handle);
    await until(app, "document.querySelectorAll('#list li').length === 1");
    const conflicting = await person.popupOf(() => app.click('[data-link=google]'));
    await chooseAtProvider(conflicting, email, ['conflict']);
    await until(conflicting, "document.body.innerText.includes('Email sudah terhubung dengan akun lain')");
    await conflicting.close();
    await until(app, banner('closed before you were done'));
    const linking = await person.popupOf(() => app.click('[data-link=google]'));
    await chooseAtProvider(linking, `google-${email}`);
    await until(app, "document.querySelectorAll('#list li').length === 2");
    expect(await app.evaluate("document.querySelector('#list').innerText")).toContain(
      `google · google-${email}`,
    );
  });

  it.each(['same-origin', 'same-origin-allow-popups'])('works when the app sends COOP %s', async (coop) => {
    const { email, handle } = somebody(engine);
    const app = await person.open(hosts.app('app', `/?coop=${coop}`));
    await until(app, status('anonymous'));
    const popup = await openPopup(app);
    await signInAs(popup, email);
    await claimHandle(popup, handle);
    await until(app, status('authenticated'));
    expect(await app.evaluate<boolean>(logged('popup detached'))).toBe(coop === 'same-origin');
    await expect.poll(() => person.count()).toBe(1);
  });

  it('that the person closes rejects within two seconds', async () => {
    const app = await person.open(hosts.app('app'));
    await until(app, status('anonymous'));
    const popup = await openPopup(app);
    await until(app, logged('popup ready'));
    await popup.close();
    const closedAt = performance.now();
    await until(app, banner('closed before you were done'));
    expect(performance.now() - closedAt).toBeLessThan(2_500);
    expect(await app.evaluate(status('anonymous'))).toBe(true);
  });

  it('that the person declines says so', async () => {
    const app = await person.open(hosts.app('app'));
    await until(app, status('anonymous'));
    const popup = await openPopup(app);
    await until(popup, "document.querySelector('button[value=denied]')");
    await popup.click('button[value=denied]');
    await until(app, banner('You declined'));
    await until(app, logged('PopupRejectedError: denied'));
  });

  it('that nobody clicked for is blocked, and opens once somebody clicks', async () => {
    const app = await person.open(hosts.app('app', '/raw?now'));
    await until(app, 'outcomes.length === 1');
    expect(await app.evaluate('outcomes[0].error')).toMatchObject({
      code: 'popup_blocked',
      reason: 'browser',
    });
    await app.goto(hosts.app('app', '/raw?now&ask'));
    await until(app, "typeof act.onclick === 'function'");
    expect(await app.evaluate('outcomes.length')).toBe(0);
    const popup = await person.popupOf(() => app.click('#act'));
    await until(popup, "document.querySelector('a[data-away=idp]')");
    await app.evaluate('pid.popup.active.cancel()');
    await until(app, 'outcomes.length === 1');
    expect(await app.evaluate('outcomes[0].error')).toMatchObject({
      code: 'popup_closed',
      reason: 'aborted',
    });
    await expect.poll(() => person.count()).toBe(1);
  });

  it('opens in the click before something is awaited, and is used afterwards', async () => {
    const app = await person.open(hosts.app('app', '/raw'));
    await app.evaluate(`document.querySelector('#act').onclick = () => {
      const prepared = pid.popup.prepare();
      setTimeout(() => keep(pid.auth.loginWithPopup({ window: prepared })), 3000);
    }`);
    const popup = await person.popupOf(() => app.click('#act'));
    await until(popup, "document.querySelector('a[data-away=idp]')");
    await popup.close();
    await until(app, 'outcomes.length === 1');
    expect(await app.evaluate('outcomes[0].error')).toMatchObject({ code: 'popup_closed', reason: 'user' });
  });
});
