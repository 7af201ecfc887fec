import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createClient, type LogEvent, unwrap } from '../../sdk/index.ts';
import { createHooks } from '../../sdk/react.ts';
import { openBrowser } from '../support/browser.ts';
import { newMember } from '../support/people.ts';
import { useSharedService } from '../support/service.ts';
import { openPage, stubBrowser, type TestPage } from './page.ts';

const pages: TestPage[] = [];
const target = useSharedService();
afterEach(() => {
  for (const page of pages.splice(0)) page.close();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function open(...[on, browser, options]: Parameters<typeof openPage>): TestPage {
  const page = openPage(on, browser, options);
  pages.push(page);
  return page;
}

describe('a page rendered with a session', () => {
  it('shows the session from the start, without a request, and uses it until the access token changes', async () => {
    const { browser, handle } = await newMember(target);
    stubBrowser(browser.jar, 'http://localhost:5173/');
    const rendered = unwrap(await open(target, browser).client.auth.getSession());
    const { client, sent, seen } = open(target, browser, { initialSession: rendered });
    const shown: string[] = [];
    client.subscribe(({ status }) => void shown.push(status));
    expect(client.getServerSnapshot()).toEqual({ status: 'authenticated', session: rendered });
    expect(client.getSnapshot()).toBe(client.getServerSnapshot());
    expect(unwrap(await client.auth.getSession()).handle).toBe(handle);
    expect([shown, seen, sent]).toEqual([['authenticated'], [], []]);
    await client.auth.logout();
    expect(client.getSnapshot().status).toBe('anonymous');
    expect(client.getServerSnapshot().status).toBe('authenticated');
  });

  it('is rendered identically on the server by the hooks', async () => {
    const { browser, handle } = await newMember(target);
    const ssr = { cookie: await browser.cookies() };
    const initialSession = unwrap(await open(target, browser, { ssr }).client.auth.getSession());
    const { useSession } = createHooks(open(target, browser, { ssr, initialSession }).client);
    expect(renderToString(createElement(() => useSession().session?.pid ?? 'nobody'))).toBe(`${handle}@pid`);
  });

  it('requests a session it was rendered without only if the browser may still renew one', async () => {
    const { browser } = await newMember(target);
    stubBrowser(browser.jar, 'http://localhost:5173/');
    const late = open(target, browser, { initialSession: null });
    expect(late.client.getSnapshot().status).toBe('anonymous');
    late.client.subscribe(() => {});
    await vi.waitFor(() => expect(late.client.getSnapshot().status).toBe('authenticated'), 20_000);
    const stranger = openBrowser(target);
    stubBrowser(stranger.jar, 'http://localhost:5173/');
    const page = open(target, stranger, { initialSession: null });
    page.client.subscribe(() => {});
    expect([page.client.getSnapshot().status, page.sent]).toEqual(['anonymous', []]);
  });
});

describe('a page on another site', () => {
  it.each([
    ['http://127.0.0.1:5173/', 'http://localhost:8787'],
    ['http://localhost:5173/', 'http://[::1]:8787'],
    ['http://192.168.0.1/', 'http://10.1.0.1'],
    ['https://app.example.org/', 'https://id.example.com'],
    ['http://app.example.com/', 'https://id.example.com'],
    ['http://app.localhost/', 'http://localhost'],
  ])('is reported as such: %s and %s', async (page, baseUrl) => {
    const browser = openBrowser(target);
    stubBrowser(browser.jar, page);
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const client = createClient({
      baseUrl,
      popupBaseUrl: baseUrl,
      fetch: async () =>
        Response.json({ statusCode: 401, message: 'Authentication is required' }, { status: 401 }),
    });
    expect(warned).toHaveBeenCalledExactlyOnceWith(expect.stringContaining(new URL(baseUrl).origin));
    expect(await client.auth.getSession()).toEqual({
      statusCode: 401,
      code: 'not_same_site',
      message: expect.stringContaining('withhold cookies of'),
    });
    expect([client.getSnapshot().status, client.popup.isSupported()]).toEqual(['anonymous', false]);
    await expect(client.auth.loginWithPopup()).rejects.toMatchObject({
      name: 'PopupUnavailableError',
      reason: 'not_same_site',
    });
    client.dispose();
  });

  it.each([
    ['http://localhost:5173/', 'http://localhost:8787'],
    ['http://app.pid.localhost/', 'http://id.pid.localhost:8787'],
    ['https://shop.example.com/', 'https://example.com'],
    ['https://a.b.example.co.uk/', 'https://id.example.co.uk'],
    ['http://127.0.0.1:5173/', 'http://127.0.0.1:8787'],
  ])('is not reported on the same site: %s and %s', (page, baseUrl) => {
    stubBrowser(openBrowser(target).jar, page);
    const logger = vi.fn();
    createClient({ baseUrl, logger }).dispose();
    expect(logger).not.toHaveBeenCalled();
  });
});

describe('a request without a response', () => {
  const baseUrl = 'https://id.example.com';
  function openWith(fetchStub: typeof fetch): {
    logged: LogEvent[];
    client: ReturnType<typeof createClient>;
  } {
    stubBrowser(openBrowser(target).jar, 'https://app.example.com/');
    vi.stubGlobal('fetch', fetchStub);
    const logged: LogEvent[] = [];
    const client = createClient({
      baseUrl,
      logger: (event) => void logged.push(event),
      refresh: { crossTab: false },
    });
    return { logged, client };
  }

  it('is logged once with the setting to change if the service is reachable', async () => {
    const hide = vi.fn(async (_: unknown, init?: RequestInit) => {
      if (init?.mode !== 'no-cors') throw new TypeError('Failed to fetch');
      return new Response();
    });
    const { logged, client } = openWith(hide);
    const silence = { statusCode: 0, message: 'Network error', code: 'network_error' };
    expect([await client.auth.claim.preview(), await client.auth.claim.preview()]).toEqual([
      silence,
      silence,
    ]);
    await vi.waitFor(() => expect(logged).toHaveLength(1), 20_000);
    expect(logged[0]).toMatchObject({ level: 'warn', code: 'origin_not_allowed' });
    expect(logged[0]?.message).toContain('Add https://app.example.com to its ALLOWED_ORIGINS');
    client.dispose();
  });

  it('is not logged if the service is unreachable', async () => {
    const fail = vi.fn(async () => Promise.reject(new TypeError('Failed to fetch')));
    const { logged, client } = openWith(fail);
    await client.auth.claim.preview();
    await vi.waitFor(() => expect(fail).toHaveBeenCalledWith(baseUrl, { mode: 'no-cors' }), 20_000);
    expect(logged).toEqual([]);
    client.dispose();
  });
});
