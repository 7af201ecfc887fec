import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Engine, type EngineWindow, type Person, startEngine, until } from '../support/engines.ts';
import { type SiblingHosts, startSiblingHosts } from '../support/sibling-hosts.ts';

let hosts: SiblingHosts;
beforeAll(async () => {
  hosts = await startSiblingHosts();
});
afterAll(() => hosts?.stop());

/** Chooses one of the sandbox's people in the popup, and goes on as somebody who has a PID or claims one. */
async function signInAs(popup: EngineWindow, email: string, knobs: string[] = []): Promise<void> {
  await until(popup, "document.querySelector('a[data-away=idp]')");
  await popup.click('a[data-away=idp]');
  await until(popup, "document.querySelector('input[name=email]')");
  for (const name of knobs) await popup.click(`input[name=${name}]`);
  await popup.evaluate(`(document.querySelector('input[name=name]').value = 'Rani Wijaya',
    document.querySelector('input[name=email]').value = '${email}')`);
  await popup.click('button.main:not(.unseen)');
}

async function claim(popup: EngineWindow, handle: string): Promise<void> {
  await until(popup, "document.querySelector('input[name=handle]')");
  await popup.evaluate(`(document.querySelector('input[name=handle]').value = '${handle}',
    document.querySelector('form input[type=checkbox]').checked = true)`);
  await popup.click('form:has(input[name=handle]) button[type=submit]:not(.unseen)');
}

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
    await claim(popup, handle);
    await until(app, status('authenticated'));
    expect(await app.evaluate("document.querySelector('#about').innerText")).toContain(`${handle}@pid`);
    await until(app, logged('popup settled'));
    await until(app, "document.querySelectorAll('#list li').length === 1");
    const shop = await person.open(hosts.app('shop'));
    await until(shop, status('authenticated'));
  });

  it.each(['same-origin', 'same-origin-allow-popups'])('works when the app sends COOP %s', async (coop) => {
    const { email, handle } = somebody(engine);
    const app = await person.open(hosts.app('app', `/?coop=${coop}`));
    await until(app, status('anonymous'));
    const popup = await openPopup(app);
    await signInAs(popup, email);
    await claim(popup, handle);
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

  it('opens only in the click itself: after an await it is blocked, a prepared one is not', async () => {
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
