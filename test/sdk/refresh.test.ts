import { afterEach, describe, expect, it, vi } from 'vitest';
import { unwrap } from '../../sdk/index.ts';
import type { Browser } from '../support/browser.ts';
import { newMember } from '../support/people.ts';
import { startService, useService } from '../support/service.ts';
import { openPage, stubBrowser, type TestPage } from './page.ts';

/** The service on its own host, under the parent domain of two apps. */
const variables = { BASE_URL: 'http://id.pid.localhost:8787', COOKIE_DOMAIN: 'pid.localhost' };
const shop = { origin: 'http://shop.pid.localhost:5173' };
const refreshPath = '/v1/auth/refresh';

const pages: TestPage[] = [];
const target = useService(variables);
afterEach(() => {
  for (const page of pages.splice(0)) page.close();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function open(...[on, browser, options]: Parameters<typeof openPage>): TestPage {
  stubBrowser(browser.jar, 'http://app.pid.localhost:5173/');
  const page = openPage(on, browser, { origin: 'http://app.pid.localhost:5173', ...options });
  pages.push(page);
  return page;
}

/** A signed-in person whose access token has expired since the page read the session. */
async function returning(
  options: Parameters<typeof openPage>[2] = {},
): Promise<TestPage & { browser: Browser }> {
  const { browser } = await newMember(target);
  const page = open(target, browser, options);
  unwrap(await page.client.auth.getSession());
  await target.advance(901);
  return { ...page, browser };
}

const refreshes = (page: TestPage) => page.sent.filter((line) => line === `POST ${refreshPath}`).length;
const hidden =
  (status = 503) =>
  async () =>
    new Response('<h1>Bad gateway</h1>', { status });

describe('a call with an expired access token', () => {
  it('renews the cookies once, is repeated once, and emits the event', async () => {
    const page = open(target, (await newMember(target)).browser);
    // The file is loaded now, because the call would otherwise be sent after the renewal, and never be rejected.
    unwrap(await page.client.credentials.list());
    await target.advance(901);
    const refreshed = vi.fn();
    page.client.on('refreshed', refreshed);
    const answers = await Promise.all([
      page.client.credentials.list(),
      page.client.credentials.list(),
      page.client.auth.getSession({ fresh: true }),
    ]);
    for (const answer of answers) unwrap<unknown>(answer);
    expect(refreshes(page)).toBe(1);
    expect(page.sent.length).toBe(1 + 3 + 1 + 3);
    expect(refreshed).toHaveBeenCalledExactlyOnceWith({ by: 'this_tab' });
  });

  it('ignores an older rejection if someone has since signed in', async () => {
    const { browser } = await newMember(target);
    const cookies = await browser.jar.serialize();
    await browser.jar.removeAllCookies();
    const page = open(target, browser);
    expect(await page.client.auth.getSession()).toMatchObject({ statusCode: 401 });
    // Another call's popup has since signed them in.
    for (const { key, value, domain, path } of cookies.cookies) {
      await browser.jar.setCookie(`${key}=${value}; Path=${path}; Domain=${domain}`, variables.BASE_URL);
    }
    expect(await page.client.auth.refresh()).toEqual({ refreshed: true });
    unwrap(await page.client.auth.getSession());
  });

  it('avoids the 401 if the hint shows that the token is about to expire', async () => {
    const short = await startService({ ...variables, ACCESS_TTL_SECONDS: '20' });
    const { browser } = await newMember(short);
    const page = open(short, browser);
    unwrap(await page.client.auth.getSession());
    expect(page.sent).toEqual([`POST ${refreshPath}`, 'GET /v1/auth/session']);
    // Even the new token looks stale, so from now on only a 401 triggers a renewal, which prevents endless renewals.
    unwrap(await page.client.auth.getSession({ fresh: true }));
    expect(refreshes(page)).toBe(1);
  });

  it('works the same for the app’s own API unless its body can be sent only once', async () => {
    const page = await returning();
    const calls: (RequestInit | undefined)[] = [];
    vi.stubGlobal('fetch', async (_: string, init?: RequestInit) => {
      calls.push(init);
      return new Response(null, { status: refreshes(page) > 0 ? 200 : 401 });
    });
    const streamed = await page.client.fetch('https://api.example.com/', {
      method: 'POST',
      body: new ReadableStream(),
    });
    expect([streamed.status, calls.length, refreshes(page)]).toEqual([401, 1, 0]);
    const answer = await page.client.fetch('https://api.example.com/', { headers: { 'X-Own': '1' } });
    expect([answer.status, calls.length, refreshes(page)]).toEqual([200, 3, 1]);
    expect(calls[2]).toEqual({ credentials: 'include', headers: { 'X-Own': '1' } });
  });

  it('stops renewing for an API that still rejects the call after a renewal', async () => {
    const page = await returning();
    const refuse = vi.fn(async () => new Response(null, { status: 401 }));
    vi.stubGlobal('fetch', refuse);
    for (let round = 0; round < 12; round += 1) {
      expect((await page.client.fetch('https://api.example.com/')).status).toBe(401);
    }
    expect([refuse.mock.calls.length, refreshes(page)]).toEqual([13, 1]);
    expect(page.client.getSnapshot().status).toBe('authenticated');
    await target.advance(901);
    unwrap(await page.client.credentials.list());
    expect(refreshes(page)).toBe(2);
  });

  it('renews for an API even soon after a renewal without a response', async () => {
    let isDown = false;
    const page = await returning({ fault: (_, send) => (isDown ? hidden()() : send()) });
    vi.stubGlobal('fetch', async () => new Response(null, { status: refreshes(page) > 1 ? 200 : 401 }));
    isDown = true;
    expect((await page.client.fetch('https://api.example.com/')).status).toBe(401);
    isDown = false;
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 2_001);
    expect((await page.client.fetch('https://api.example.com/')).status).toBe(200);
    expect(refreshes(page)).toBe(2);
  });

  it('does not renew automatically if that is disabled', async () => {
    const page = await returning({ refresh: { auto: false } });
    expect(await page.client.credentials.list()).toMatchObject({ statusCode: 401 });
    expect(refreshes(page)).toBe(0);
    expect(await page.client.auth.refresh()).toEqual({ refreshed: true });
    unwrap(await page.client.credentials.list());
  });
});

describe('a refresh that loses the race', () => {
  it('is not sent after waiting for the lock: two tabs of an app send only one', async () => {
    const { browser } = await newMember(target);
    const tabs = [open(target, browser), open(target, browser)];
    for (let round = 0; round < 5; round += 1) {
      await target.advance(901);
      for (const tab of tabs) tab.sent.length = 0;
      const answers = await Promise.all(tabs.map(({ client }) => client.auth.getSession({ fresh: true })));
      for (const answer of answers) unwrap(answer);
      expect(tabs.map(refreshes).sort()).toEqual([0, 1]);
    }
  });

  it('does not sign anyone out: two tabs with and without locks, and a sibling app, repeatedly', async () => {
    const { browser } = await newMember(target);
    const tabs = [
      open(target, browser),
      open(target, browser),
      open(target, browser, { refresh: { crossTab: false } }),
      open(target, browser, { refresh: { crossTab: false }, ...shop }),
    ];
    for (let round = 0; round < 5; round += 1) {
      await target.advance(901);
      for (const tab of tabs) tab.sent.length = 0;
      const answers = await Promise.all(tabs.map(({ client }) => client.auth.getSession({ fresh: true })));
      for (const answer of answers) unwrap(answer);
      // Timing determines how many are sent: if the lock's holder lost, the next one tries too.
      expect(Math.max(...tabs.map(refreshes))).toBe(1);
    }
    for (const { client, signedOut } of tabs) {
      expect([client.getSnapshot().status, signedOut]).toEqual(['authenticated', []]);
    }
  });

  it('does not sign anyone out without the hint', async () => {
    const hintless = await startService({ ...variables, HINT_COOKIE: 'off' });
    const { browser } = await newMember(hintless);
    const tabs = [0, 1].map(() => open(hintless, browser, { refresh: { crossTab: false } }));
    for (let round = 0; round < 3; round += 1) {
      await hintless.advance(901);
      const answers = await Promise.all(tabs.map(({ client }) => client.auth.getSession({ fresh: true })));
      for (const answer of answers) unwrap(answer);
    }
    expect(tabs.flatMap(({ signedOut }) => signedOut)).toEqual([]);
    expect(tabs.map(refreshes).reduce((a, b) => a + b)).toBeGreaterThan(3);
  });

  it('waits for a slow winner', async () => {
    const { browser } = await newMember(target);
    // The cookies arrive with the response, although the service rotated the token long before.
    const slowly = {
      ...browser,
      fetch: async (path: string, init: object) => {
        const cookie = await browser.cookies(path);
        const answer = await target.request(path, {
          ...init,
          headers: { ...(init as { headers: object }).headers, Cookie: cookie },
        });
        if (path === refreshPath) await new Promise((resolve) => setTimeout(resolve, 1_500));
        for (const line of answer.headers.getSetCookie()) {
          await browser.jar.setCookie(line, `${target.origin}${path}`);
        }
        return answer;
      },
    };
    const winner = open(target, slowly);
    const loser = open(target, browser, { refresh: { crossTab: false }, ...shop });
    unwrap(await loser.client.auth.getSession());
    await target.advance(901);
    const won = winner.client.auth.getSession({ fresh: true });
    await vi.waitFor(() => expect(refreshes(winner)).toBe(1), 20_000);
    unwrap(await loser.client.auth.getSession({ fresh: true }));
    unwrap(await won);
    expect(loser.signedOut).toEqual([]);
    expect(refreshes(loser)).toBe(1);
  });

  it('continues without the lock if its holder is frozen', async () => {
    const page = await returning();
    let thaw = () => {};
    const frozen = navigator.locks.request(
      `pid:${target.origin}`,
      () =>
        new Promise<void>((resolve) => {
          thaw = resolve;
        }),
    );
    const startedAt = performance.now();
    unwrap(await page.client.credentials.list());
    expect(performance.now() - startedAt).toBeGreaterThan(3_900);
    expect(refreshes(page)).toBe(1);
    thaw();
    await frozen;
  });
});

describe('a missing response', () => {
  it.each([
    ['offline', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['a service that fails', hidden()],
    ['a proxy that requires its own password', hidden(401)],
    ['a captive portal', hidden(200)],
  ])('is not a sign-out: %s [S-17]', async (_, answer) => {
    let isDown = false;
    const page = await returning({ fault: (__, send) => (isDown ? answer() : send()) });
    isDown = true;
    const { session } = page.client.getSnapshot();
    const read = await page.client.auth.getSession({ fresh: true });
    expect(read).toHaveProperty('statusCode');
    expect(page.client.getSnapshot()).toMatchObject({ status: 'unreachable', session });
    expect(page.signedOut).toEqual([]);
    isDown = false;
    unwrap(await page.client.auth.getSession());
    expect(page.client.getSnapshot().status).toBe('authenticated');
  });

  it('to a refresh keeps the session, and the same result is returned for two seconds', async () => {
    let isDown = true;
    const fault = (path: string, send: () => Promise<Response>) =>
      isDown && path === refreshPath ? Promise.reject(new TypeError('Failed to fetch')) : send();
    const page = await returning({ fault });
    const networkError = { statusCode: 0, message: 'Network error', code: 'network_error' };
    expect(await page.client.credentials.list()).toEqual(networkError);
    expect(await page.client.credentials.list()).toEqual(networkError);
    expect(refreshes(page)).toBe(1);
    expect(page.client.getSnapshot()).toMatchObject({ status: 'unreachable', error: networkError });
    isDown = false;
    await new Promise((resolve) => setTimeout(resolve, 2_050));
    unwrap(await page.client.credentials.list());
    await vi.waitFor(() => expect(page.client.getSnapshot().status).toBe('authenticated'), 20_000);
    expect(page.signedOut).toEqual([]);
  });

  it('does not hide cookies that arrived: the response was lost, not the renewal', async () => {
    const fault = async (path: string, send: () => Promise<Response>) => {
      const answer = await send();
      if (path === refreshPath) throw new TypeError('Failed to fetch');
      return answer;
    };
    const page = await returning({ fault });
    unwrap(await page.client.credentials.list());
    expect(refreshes(page)).toBe(1);
    expect(page.client.getSnapshot().status).toBe('authenticated');
  });

  it('is treated differently from a permanently lost renewal, which ends the session', async () => {
    const { browser } = await newMember(target);
    const losing = {
      ...browser,
      fetch: async (path: string, init: object) => {
        if (path !== refreshPath || page.sent.length > 4) return browser.fetch(path, init);
        const headers = { ...(init as { headers: object }).headers, Cookie: await browser.cookies(path) };
        await target.request(path, { ...init, headers });
        throw new TypeError('Failed to fetch');
      },
    };
    const page = open(target, losing);
    unwrap(await page.client.auth.getSession());
    await target.advance(901);
    expect(await page.client.credentials.list()).toMatchObject({ statusCode: 0 });
    expect([page.client.getSnapshot().status, page.signedOut]).toEqual(['unreachable', []]);
    // The service revokes the session if an old token is presented after the grace period.
    await target.advance(60);
    await new Promise((resolve) => setTimeout(resolve, 2_050));
    expect(await page.client.auth.getSession({ fresh: true })).toMatchObject({ statusCode: 401 });
    expect([page.client.getSnapshot().status, page.signedOut]).toEqual(['anonymous', ['expired']]);
  });
});

describe('a rate limit', () => {
  it('does not sign the person out on a refresh, and is respected until it expires', async () => {
    const limited = await startService({
      ...variables,
      RATE_LIMITS: JSON.stringify({ '*': 1_000_000, [`POST ${refreshPath}`]: 60 }),
    });
    const { browser } = await newMember(limited);
    const page = open(limited, browser);
    unwrap(await page.client.auth.getSession());
    for (let round = 0; round < 60; round += 1) await page.client.auth.refresh();
    await limited.advance(901);
    for (let round = 0; round < 65; round += 1) {
      const answer = await page.client.auth.refresh();
      if ('statusCode' in answer) break;
    }
    const before = refreshes(page);
    expect(page.client.getSnapshot()).toMatchObject({
      status: 'unreachable',
      session: { pid: expect.any(String) },
      error: { statusCode: 429, retryAfter: expect.any(Number) },
    });
    for (let round = 0; round < 5; round += 1) {
      expect(await page.client.auth.refresh()).toMatchObject({ statusCode: 429 });
    }
    expect(refreshes(page)).toBe(before);
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    expect(await page.client.auth.refresh()).toEqual({ refreshed: true });
    await vi.waitFor(() => expect(page.client.getSnapshot().status).toBe('authenticated'), 20_000);
    expect(page.signedOut).toEqual([]);
  });
});

describe('a revoked session', () => {
  it('is reported once in each tab and promptly', async () => {
    const page = await returning();
    const other = open(target, page.browser);
    unwrap(await other.client.auth.getSession());
    await target.rows('UPDATE sessions SET revoked_at = created_at, revoked_reason = ? WHERE id = ?', [
      'logout',
      page.client.getSnapshot().session?.session.id ?? '',
    ]);
    await target.advance(901);
    const startedAt = performance.now();
    await Promise.all([page.client.credentials.list(), page.client.auth.sessions.list()]);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    await vi.waitFor(() => expect(other.signedOut.length).toBe(1), 20_000);
    expect([page.signedOut, other.signedOut]).toEqual([['expired'], ['expired']]);
  });

  it('is not inferred merely from another tab’s report', async () => {
    const { browser } = await newMember(target);
    const page = open(target, browser);
    unwrap(await page.client.auth.getSession());
    const channel = new BroadcastChannel(`pid:${target.origin}`);
    channel.postMessage('expired');
    await vi.waitFor(() => expect(page.sent.length).toBe(2), 20_000);
    channel.close();
    expect([page.client.getSnapshot().status, page.signedOut]).toEqual(['authenticated', []]);
  });
});
