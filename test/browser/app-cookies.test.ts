import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Engine, type EngineWindow, type Person, startEngine, until } from '../support/engines.ts';
import { claimHandle, signInAs } from '../support/popup-person.ts';
import { type SiblingHosts, startSiblingHosts } from '../support/sibling-hosts.ts';

let hosts: SiblingHosts;
let engine: Engine;
let person: Person;
let own: EngineWindow;
let appId: string;

beforeAll(async () => {
  hosts = await startSiblingHosts();
  engine = await startEngine.Chromium();
  person = await engine.person();
  own = await person.open(hosts.app('app', '/raw'));
  await own.evaluate('(act.onclick = () => keep(pid.auth.loginWithPopup()), 0)');
  const popup = await person.popupOf(() => own.click('#act'));
  await signInAs(popup, 'visitor@example.com');
  await claimHandle(popup, 'visitor');
  await until(own, 'outcomes.length === 1');
  const app = {
    name: 'Corner Shop',
    type: 'spa',
    redirectUris: [hosts.app('shop', '/callback')],
    allowedOrigins: [new URL(hosts.app('shop')).origin],
  };
  appId =
    await own.evaluate<string>(`fetch('${hosts.service}/v1/apps', { method: 'POST', credentials: 'include',
    headers: { 'Content-Type': 'application/json' }, body: '${JSON.stringify(app)}' })
    .then((answer) => answer.json()).then(({ id }) => id)`);
});
afterAll(async () => {
  await engine?.stop();
  await hosts?.stop();
});

/** Returns what a page learns from a call with its visitor's cookies: the error code, or the status. */
const call = (page: EngineWindow, method: string, path: string) =>
  page.evaluate<
    string | number
  >(`fetch('${hosts.service}${path}', { method: '${method}', credentials: 'include',
    headers: { 'X-App-Id': '${appId}', 'Content-Type': 'application/json' }, body: ${method === 'POST' ? "'{}'" : 'undefined'} })
    .then((answer) => answer.headers.get('X-Error-Code') ?? answer.status, () => 'hidden')`);

it('a page on a sibling host cannot use the visitor’s cookies or sign the visitor out [D-89]', async () => {
  const shop = await person.open(hosts.app('shop', '/raw'));
  const seen: Record<string, unknown> = {};
  for (const [method, path] of [
    ['GET', '/v1/auth/session'],
    ['POST', '/v1/auth/refresh'],
    ['POST', '/v1/auth/logout'],
    ['GET', '/v1/auth/claim'],
    ['POST', '/v1/auth/claim'],
    ['GET', '/v1/wallet'],
    ['GET', '/v1/me'],
    ['POST', '/v1/popup/requests'],
  ] as const)
    seen[`${method} ${path}`] = await call(shop, method, path);
  expect(seen).toEqual({
    'GET /v1/auth/session': 'origin_not_first_party',
    'POST /v1/auth/refresh': 'origin_not_first_party',
    'POST /v1/auth/logout': 'origin_not_first_party',
    'GET /v1/auth/claim': 'origin_not_first_party',
    'POST /v1/auth/claim': 'origin_not_first_party',
    'GET /v1/wallet': 'origin_not_first_party',
    'GET /v1/me': 'hidden',
    'POST /v1/popup/requests': 'validation_failed',
  });
  expect(await call(own, 'GET', '/v1/auth/session')).toBe(200);
});
