import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Engine, pageOf, startEngine, until } from '../support/engines.ts';
import { claimHandle, signInAs } from '../support/popup-person.ts';
import { type SiblingHosts, startSiblingHosts } from '../support/sibling-hosts.ts';

let hosts: SiblingHosts;
let engine: Engine;
beforeAll(async () => {
  hosts = await startSiblingHosts();
  engine = await startEngine.Chromium();
});
afterAll(async () => {
  await engine?.stop();
  await hosts?.stop();
});

/** A person signed in at an app, and the access token that sibling hosts receive. */
async function signedIn(handle: string) {
  const person = await engine.person();
  const app = await person.open(hosts.app('app', '/raw'));
  const popup = await person.popupOf(() => app.click('#act'));
  await signInAs(popup, `${handle}@example.com`);
  await claimHandle(popup, handle);
  await until(app, 'outcomes.length === 1');
  const kept = await pageOf(app).context().cookies(hosts.app('shop'));
  return { person, app, access: kept.find(({ name }) => name === 'pid_access')?.value ?? '' };
}

const plant = (token: string, path = '/') =>
  `document.cookie = 'pid_access=${token}; Domain=pid.localhost; Path=${path}'`;
const statusOf = () =>
  `fetch('${hosts.service}/v1/auth/session', { credentials: 'include' }).then(({ status }) => status)`;

describe('a pid_access cookie planted by a sibling host', () => {
  it('does not sign the visitor in, either on our pages or in apps [D-90]', async () => {
    const attacker = await signedIn('planter');
    expect(attacker.access).toMatch(/^eyJ/);
    const visitor = await engine.person();
    const sibling = await visitor.open(hosts.app('shop', '/raw'));
    await sibling.evaluate(plant(attacker.access));
    const app = await visitor.open(hosts.app('app', '/raw'));
    const sent = await pageOf(app).context().cookies(hosts.service);
    expect(sent.map(({ name }) => name)).toContain('pid_access');
    expect(await app.evaluate(statusOf())).toBe(401);
    const page = await visitor.open(`${hosts.service}/account/credentials`);
    await until(page, "location.pathname === '/signin'");
    expect(await page.evaluate('document.documentElement.outerHTML')).not.toContain('planter');
  });

  it('does not replace the visitor’s own session [D-90]', async () => {
    const attacker = await signedIn('planter-two');
    const member = await signedIn('planted-upon');
    const sibling = await member.person.open(hosts.app('shop', '/raw'));
    // A cookie on a longer path is sent first.
    await sibling.evaluate(plant(attacker.access, '/v1'));
    expect(await member.app.evaluate(statusOf())).toBe(401);
    // The SDK recovers automatically, because a duplicate cookie is cleared.
    const named = await member.app.evaluate<string>(
      'pid.auth.getSession({ fresh: true }).then(JSON.stringify)',
    );
    expect(named).toContain('planted-upon@pid');
    expect(await member.app.evaluate(statusOf())).toBe(200);
  });
});
