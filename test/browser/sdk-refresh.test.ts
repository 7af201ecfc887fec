import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Engine,
  type EngineWindow,
  type Person,
  pageOf,
  startEngine,
  until,
} from '../support/engines.ts';
import { claimHandle, signInAs } from '../support/popup-person.ts';
import { type SiblingHosts, startSiblingHosts } from '../support/sibling-hosts.ts';

const rounds = 100;

let hosts: SiblingHosts;
let engine: Engine;
let person: Person;
let tabs: EngineWindow[];
/** The status of every refresh sent by any tab. */
const statuses: number[] = [];

beforeAll(async () => {
  hosts = await startSiblingHosts();
  engine = await startEngine.Chromium();
  person = await engine.person();
  const app = await person.open(hosts.app('app', '/raw'));
  await app.evaluate('(act.onclick = () => keep(pid.auth.loginWithPopup()), 0)');
  const popup = await person.popupOf(() => app.click('#act'));
  await signInAs(popup, 'rounds@example.com');
  await claimHandle(popup, 'rounds');
  await until(app, 'outcomes.length === 1');
  expect(await app.evaluate('outcomes[0].value.type')).toBe('signed_in');
  const [second, shop, otherShop] = await Promise.all(
    ['app', 'shop', 'shop'].map((name) => person.open(hosts.app(name, '/raw'))),
  );
  if (!second || !shop || !otherShop) throw new Error('no tabs');
  tabs = [app, second, shop, otherShop];
  for (const tab of tabs) {
    pageOf(tab).on('response', (answer) => {
      if (answer.url().endsWith('/v1/auth/refresh')) statuses.push(answer.status());
    });
    await tab.evaluate(`(window.ended = [], pid.on('signed_out', (event) => ended.push(event)),
      pid.auth.getSession().then(() => 0))`);
  }
});
afterAll(async () => {
  await engine?.stop();
  await hosts?.stop();
});

/** Returns the state of each tab. */
const states = () =>
  Promise.all(tabs.map((tab) => tab.evaluate<unknown>('[pid.getSnapshot().status, ended.length]')));

describe('two tabs in each of two sibling apps', () => {
  it(`refresh concurrently, ${rounds} times over, without signing anyone out`, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const answers = await Promise.all(tabs.map((tab) => tab.evaluate<object>('pid.auth.refresh()')));
      for (const answer of answers) expect(answer).toHaveProperty('refreshed');
    }
    expect(await states()).toEqual(tabs.map(() => ['authenticated', 0]));
    const reads = await Promise.all(
      tabs.map((tab) => tab.evaluate<unknown>('pid.auth.getSession({ fresh: true }).then(({ pid }) => pid)')),
    );
    expect(reads).toEqual(tabs.map(() => 'rounds@pid'));
    // The race is real, because the two apps share no lock.
    expect(new Set(statuses)).toEqual(new Set([204, 401]));
  }, 120_000);

  it('keep working while a tab that holds the lock is frozen', async () => {
    const [first, second] = tabs;
    if (!first || !second) throw new Error('no tabs');
    await first.evaluate(
      `(navigator.locks.request('pid:${hosts.service}', () => new Promise((done) => { window.thaw = done; })), 0)`,
    );
    await until(first, "typeof thaw === 'function'");
    const startedAt = performance.now();
    expect(await second.evaluate('pid.auth.refresh()')).toEqual({ refreshed: true });
    expect(performance.now() - startedAt).toBeGreaterThan(3_500);
    expect(performance.now() - startedAt).toBeLessThan(8_000);
    await first.evaluate('thaw()');
    expect(await states()).toEqual(tabs.map(() => ['authenticated', 0]));
  });

  it('stay signed in while offline and recover without help', async () => {
    for (const tab of tabs) await pageOf(tab).context().setOffline(true);
    const answers = await Promise.all(
      tabs.map((tab) => tab.evaluate<unknown>('pid.auth.getSession({ fresh: true })')),
    );
    expect(answers).toEqual(
      tabs.map(() => ({ statusCode: 0, message: 'Network error', code: 'network_error' })),
    );
    expect(await states()).toEqual(tabs.map(() => ['unreachable', 0]));
    for (const tab of tabs) await pageOf(tab).context().setOffline(false);
    await expect.poll(states, { timeout: 10_000 }).toEqual(tabs.map(() => ['authenticated', 0]));
  });

  it('follow sign-outs and sign-ins in the other tab', async () => {
    const [app] = tabs;
    if (!app) throw new Error('no tab');
    await app.evaluate('pid.auth.logout()');
    await expect.poll(() => app.evaluate('pid.getSnapshot().status')).toBe('anonymous');
    await expect.poll(() => tabs[1]?.evaluate('ended[0]?.reason')).toBe('other_tab');
    // Siblings on another origin detect it from the cookie when they get the focus.
    await tabs[2]?.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await expect.poll(() => tabs[2]?.evaluate('ended[0]?.reason'), { timeout: 5_000 }).toBe('expired');
  });
});
