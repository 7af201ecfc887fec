import { describe, expect, it } from 'vitest';
import { endpoints } from '../../src/endpoints.ts';
import { inOneTrip, refusal, seen, settledLog } from '../support/answers.ts';
import { markFirstParty, newApp } from '../support/apps.ts';
import { type Browser, json } from '../support/browser.ts';
import { newMember } from '../support/people.ts';
import { makeChannel } from '../support/popup-channel.ts';
import { useService } from '../support/service.ts';

const target = useService();

const refused = refusal(403, 'Origin is not allowed');
let count = 0;

/** A first-party app with its own origin, and a signed-in person. */
async function newCaller() {
  const { browser, handle } = await newMember(target);
  count += 1;
  const origin = `https://app-${count}.example.com`;
  const { id } = await newApp(browser, { allowedOrigins: [origin] });
  await markFirstParty(target, id);
  return { browser, handle, id, origin, headers: { Origin: origin, 'X-App-Id': id } };
}

const session = (browser: Browser, headers: Record<string, string>) =>
  browser.fetch('/v1/auth/session', { headers });
const refresh = (browser: Browser, headers: Record<string, string>) =>
  browser.fetch('/v1/auth/refresh', { method: 'POST', headers });
const preflight = (browser: Browser, Origin: string) =>
  browser.fetch('/v1/auth/session', { method: 'OPTIONS', headers: { Origin } });
const corsOf = (answer: Response) => [
  answer.status,
  answer.headers.get('Access-Control-Allow-Origin'),
  answer.headers.get('Access-Control-Allow-Credentials'),
];

describe('a page of a first-party app', () => {
  it('reads and refreshes the session from an origin listed by its app', async () => {
    const { browser, origin, headers } = await newCaller();
    expect(corsOf(await preflight(browser, origin))).toEqual([204, origin, 'true']);
    expect(corsOf(await session(browser, headers))).toEqual([200, origin, 'true']);
    expect(corsOf(await refresh(browser, headers))).toEqual([204, origin, 'true']);
  });

  it('is rejected if it passes another app’s id or comes from another origin', async () => {
    const [one, two] = [await newCaller(), await newCaller()];
    const foreign = [
      { Origin: one.origin, 'X-App-Id': two.id },
      { Origin: two.origin, 'X-App-Id': one.id },
      { Origin: 'https://evil.example', 'X-App-Id': one.id },
      { Origin: one.origin, 'X-App-Id': 'app_none' },
      { Origin: 'null', 'X-App-Id': one.id },
    ];
    for (const headers of foreign) {
      for (const ask of [session, refresh]) {
        const answer = await ask(one.browser, headers);
        expect(corsOf(answer).slice(1)).toEqual([null, null]);
        expect(await seen(answer)).toEqual(refused);
      }
    }
    expect(corsOf(await preflight(one.browser, 'https://evil.example'))).toEqual([204, null, null]);
    // Without its app's id, a page on that origin is treated as a stranger's.
    expect((await refresh(one.browser, { Origin: one.origin })).status).toBe(403);
    expect(corsOf(await session(one.browser, { Origin: one.origin })).slice(1)).toEqual([null, null]);
  });

  it('may call only the endpoints that are open to apps', () => {
    const open = endpoints
      .filter(({ openToApps }) => openToApps !== undefined)
      .map(({ method, path }) => `${method} ${path}`);
    expect(open.sort()).toEqual([
      'DELETE /v1/auth/claim',
      'GET /v1/auth/claim',
      'GET /v1/auth/claim/handles/:handle',
      'GET /v1/auth/providers',
      'GET /v1/auth/session',
      'GET /v1/fiat/transfers/inquiry/:id',
      'POST /v1/auth/claim',
      'POST /v1/auth/login',
      'POST /v1/auth/logout',
      'POST /v1/auth/refresh',
      'POST /v1/fiat/transfers/:id/hold',
      'POST /v1/fiat/transfers/confirm',
      'POST /v1/fiat/transfers/inquiry',
      'POST /v1/fiat/transfers/inquiry/:id/cancel',
      'POST /v1/popup/requests',
      'POST /v1/popup/requests/:id/cancel',
      'POST /v1/popup/requests/:id/poll',
    ]);
  });

  it('loses write access immediately, and read access within a minute, after its app is suspended', async () => {
    const { browser, id, origin, headers } = await newCaller();
    expect((await session(browser, headers)).status).toBe(200);
    await target.rows("UPDATE apps SET status = 'suspended' WHERE id = ?", [id]);
    expect(await seen(await refresh(browser, headers))).toEqual(refused);
    await target.advance(61);
    expect(await seen(await session(browser, headers))).toEqual(refused);
    expect(corsOf(await preflight(browser, origin))[1]).toBeNull();
    await target.rows("UPDATE apps SET status = 'active' WHERE id = ?", [id]);
    await target.advance(61);
    expect((await session(browser, headers)).status).toBe(200);
  });

  it('can register a popup for its app, but not one that links an account', async () => {
    const { browser, id: app, origin, headers } = await newCaller();
    const { id, challenge } = makeChannel();
    const register = (fields: Record<string, unknown>) =>
      browser.fetch('/v1/popup/requests', {
        ...json('POST', { id, kind: 'login', challenge, ...fields }),
        headers: { 'Content-Type': 'application/json', ...headers },
      });
    expect(await seen(await register({ link: 'google' }))).toEqual(refused);
    expect((await register({})).status).toBe(200);
    expect(await target.rows('SELECT app_id, origin FROM popup_requests WHERE id = ?', [id])).toEqual([
      { app_id: app, origin },
    ]);
    const page = await (await browser.navigate(`/popup/login?c=${id}`)).text();
    expect(page).toContain(`Corner Shop · ${origin}`);
  });

  it('causes a database read only on its first request, and a flood of invented origins causes only a few', async () => {
    const { browser, headers } = await newCaller();
    await session(browser, headers);
    const before = target.trips();
    await session(browser, headers);
    expect(target.trips()).toEqual(before);
    await inOneTrip(target, () =>
      session(browser, { ...headers, Origin: 'https://unknown.example' }).then(() => {}),
    );
    await target.advance(2);
    const start = target.trips()?.database;
    const startedAt = target.now();
    await Promise.all(
      Array.from({ length: 60 }, (_, index) => preflight(browser, `https://invented-${index}.example`)),
    );
    if (start === undefined) return;
    const read = (target.trips()?.database ?? 0) - start;
    expect(read).toBeGreaterThan(0);
    const seconds = Math.floor(target.now() / 1000) - Math.floor(startedAt / 1000) + 1;
    expect(read).toBeLessThanOrEqual(10 * seconds);
  });

  it('is still served during such a flood if its origin is cached', async () => {
    await target.advance(2);
    const { browser, headers } = await newCaller();
    expect((await session(browser, headers)).status).toBe(200);
    await target.advance(61);
    const flood = Array.from({ length: 60 }, (_, index) =>
      preflight(browser, `https://other-${index}.example`),
    );
    expect((await session(browser, headers)).status).toBe(200);
    await Promise.all(flood);
  });

  it('stays cached while one address floods the service with invented origins [D-93]', async () => {
    await target.advance(2);
    const { browser, headers } = await newCaller();
    const { browser: other, headers: unread } = await newCaller();
    expect((await session(browser, headers)).status).toBe(200);
    const lines = async () =>
      (await settledLog(target)).filter(
        (line) => line.includes('invented') && !line.includes('"level":"debug"'),
      ).length;
    const before = await lines();
    for (let second = 0; second < 110; second += 1) {
      await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          target.request('/v1/auth/session', {
            method: index < 11 ? 'OPTIONS' : 'POST',
            headers: { Origin: `https://invented-${second}-${index}.example` },
            address: '192.0.2.93',
          }),
        ),
      );
      await target.advance(1);
    }
    await target.advance(2);
    const flood = Array.from({ length: 30 }, (_, index) =>
      target.request('/v1/auth/session', {
        method: 'OPTIONS',
        headers: { Origin: `https://invented-${index}.example` },
        address: '192.0.2.93',
      }),
    );
    expect((await session(browser, headers)).status).toBe(200);
    // A service in a separate process sees only one address.
    if (target.trips()) expect((await session(other, unread)).status).toBe(200);
    await Promise.all(flood);
    expect((await lines()) - before).toBeLessThan(8);
  });
});
