import { afterEach, describe, expect, it, vi } from 'vitest';
import { errorMessage, isApiError, unwrap } from '../../sdk/index.ts';
import { anotherBrowser } from '../support/answers.ts';
import { openBrowser } from '../support/browser.ts';
import { freshHandle, newMember, signIn } from '../support/people.ts';
import { startService, useSharedService } from '../support/service.ts';
import { newRelation } from '../support/token.ts';
import { openPage, stubBrowser, type TestPage } from './page.ts';

const pages: TestPage[] = [];
const target = useSharedService();
afterEach(() => {
  for (const page of pages.splice(0)) page.close();
  vi.unstubAllGlobals();
});

function open(...[on, browser, options]: Parameters<typeof openPage>): TestPage {
  stubBrowser(browser.jar, 'http://localhost:5173/');
  const page = openPage(on, browser, options);
  pages.push(page);
  return page;
}

describe('the session', () => {
  it('is read once for the first subscriber and is then available without a request', async () => {
    const { browser, handle } = await newMember(target);
    const { client, sent } = open(target, browser);
    expect(client.getSnapshot()).toEqual({ status: 'loading', session: null });
    expect(sent).toEqual([]);
    const told: string[] = [];
    client.subscribe(({ status }) => void told.push(status));
    client.subscribe(() => {});
    await vi.waitFor(() => expect(client.getSnapshot().status).toBe('authenticated'), 20_000);
    expect(told).toEqual(['loading', 'authenticated']);
    const snapshot = client.getSnapshot();
    expect(unwrap(await client.auth.getSession()).pid).toBe(`${handle}@pid`);
    expect(sent).toEqual(['GET /v1/auth/session']);
    unwrap(await client.auth.getSession({ fresh: true }));
    expect(sent.length).toBe(2);
    expect(client.getSnapshot()).toBe(snapshot);
  });

  it('is anonymous when nobody is signed in, without a sign-out event', async () => {
    const { client, signedOut, sent } = open(target, openBrowser(target));
    const answer = await client.auth.getSession();
    expect(answer).toMatchObject({ statusCode: 401, message: 'Authentication is required' });
    expect(client.getSnapshot()).toEqual({ status: 'anonymous', session: null });
    expect(signedOut).toEqual([]);
    expect(sent).toEqual(['GET /v1/auth/session']);
    await client.credentials.list();
    expect(sent.slice(1)).toEqual(['GET /v1/credentials', 'POST /v1/auth/refresh']);
  });

  it('is anonymous on a page of an app that the visitor has not authorized, signed in or not', async () => {
    const { app, person } = await newRelation(target);
    for (const browser of [openBrowser(target), person.browser]) {
      const { client, sent } = open(target, browser, { appId: app.id, origin: app.allowedOrigins[0] ?? '' });
      expect(await client.auth.getSession()).toMatchObject({ code: 'origin_not_first_party' });
      expect(client.getSnapshot()).toEqual({ status: 'anonymous', session: null });
      expect(sent).toEqual(['GET /v1/auth/session']);
    }
  });

  it.each(['on', 'off'])(
    'takes one request for each of 100 signed-out visitors at one address, hint %s',
    async (hint) => {
      const service = hint === 'on' ? target : await startService({ HINT_COOKIE: hint });
      const loads = Array.from({ length: 100 }, async () => {
        const { client, sent, signedOut } = open(service, openBrowser(service));
        client.subscribe(() => {});
        await vi.waitFor(() => expect(client.getSnapshot().status).not.toBe('loading'), 20_000);
        return [client.getSnapshot().status, sent, signedOut];
      });
      expect(await Promise.all(loads)).toEqual(loads.map(() => ['anonymous', ['GET /v1/auth/session'], []]));
    },
  );

  it('ends in every tab on logout, which is safe to repeat', async () => {
    const { browser } = await newMember(target);
    const [here, there] = [open(target, browser), open(target, browser)];
    await Promise.all([here.client.auth.getSession(), there.client.auth.getSession()]);
    expect(await here.client.auth.logout()).toEqual({ ok: true });
    expect(here.client.getSnapshot().status).toBe('anonymous');
    expect(here.signedOut).toEqual(['logout']);
    await vi.waitFor(() => expect(there.signedOut).toEqual(['other_tab']), 20_000);
    expect(there.client.getSnapshot().status).toBe('anonymous');
    expect(await here.client.auth.logout()).toEqual({ ok: true });
  });

  it('ends in every browser on logout everywhere', async () => {
    const member = await newMember(target);
    const elsewhere = await anotherBrowser(target, member);
    const { client, signedOut } = open(target, member.browser);
    await client.auth.getSession();
    expect(await client.auth.logout({ everywhere: true })).toEqual({ ok: true });
    expect(signedOut).toEqual(['logout']);
    const renewed = await elsewhere.fetch('/v1/auth/refresh', { method: 'POST' });
    expect(renewed.status).toBe(401);
  });

  it('is still returned after the client is disposed of, without notifying anyone', async () => {
    const { browser, handle } = await newMember(target);
    const { client, seen } = open(target, browser);
    const answer = client.auth.getSession();
    client.dispose();
    expect(unwrap(await answer).pid).toBe(`${handle}@pid`);
    expect(await client.auth.logout()).toEqual({ ok: true });
    expect(seen).toEqual([]);
  });

  it('is read again in the other tabs after a sign-in', async () => {
    const browser = openBrowser(target);
    const [here, there] = [open(target, browser), open(target, browser)];
    await Promise.all([here.client.auth.getSession(), there.client.auth.getSession()]);
    await signIn(target, browser);
    const signedIn = vi.fn();
    there.client.on('signed_in', signedIn);
    unwrap(await here.client.auth.claim.submit({ handle: freshHandle() }));
    await vi.waitFor(() => expect(signedIn).toHaveBeenCalledOnce(), 20_000);
    expect(there.client.getSnapshot()).toEqual(here.client.getSnapshot());
  });

  it('stays unchanged when a read is aborted', async () => {
    const { browser } = await newMember(target);
    const { client } = open(target, browser, { fault: () => new Promise(() => {}) });
    const aborter = new AbortController();
    const reading = client.auth.getSession({ fresh: true, signal: aborter.signal });
    aborter.abort();
    expect(await reading).toEqual({ statusCode: 0, message: 'Network error', code: 'network_error' });
    expect(client.getSnapshot().status).toBe('loading');
  });
});

describe('a newcomer', () => {
  it('gets a preview after a redirect, checks a handle and claims it', async () => {
    const browser = openBrowser(target);
    await signIn(target, browser);
    const { client, signedOut } = open(target, browser);
    const required = vi.fn();
    const signedIn = vi.fn();
    client.on('claim_required', required);
    client.on('signed_in', signedIn);
    expect(client.auth.handleReturn('http://localhost:5173/?claim=1&returnTo=%2Fsettings')).toEqual({
      claim: true,
      linked: null,
      returnTo: '/settings',
      signedOut: false,
    });
    await client.auth.getSession();
    await vi.waitFor(() => expect(client.getSnapshot().status).toBe('claim'), 20_000);
    expect(required).toHaveBeenCalledOnce();

    const handle = freshHandle();
    expect(unwrap(await client.auth.claim.check('admin'))).toMatchObject({
      available: false,
      reason: 'reserved',
    });
    expect(unwrap(await client.auth.claim.check(handle))).toMatchObject({ available: true });
    const refused = await client.auth.claim.submit({ handle, displayName: 'x'.repeat(65) });
    expect(isApiError(refused) && errorMessage(refused)).toBe(
      'displayName must be shorter than or equal to 64 characters',
    );
    expect(client.getSnapshot().status).toBe('claim');
    const session = unwrap(await client.auth.claim.submit({ handle }));
    expect(client.getSnapshot()).toEqual({ status: 'authenticated', session });
    expect(signedIn).toHaveBeenCalledWith(session);
    expect(signedOut).toEqual([]);
    expect(await client.auth.claim.preview()).toEqual({
      statusCode: 410,
      code: 'ticket_gone',
      message: 'Claim ticket has expired',
    });
  });

  it('is recognised by a path as well as by a full address', () => {
    const { client } = open(target, openBrowser(target));
    expect(client.auth.handleReturn('/settings?linked=google')).toMatchObject({ linked: 'google' });
    expect(client.auth.handleReturn('')).toMatchObject({ claim: false, linked: null });
  });

  it("is recognised in the page's own address, and the rest of the address stays unchanged", () => {
    const { client } = open(target, openBrowser(target));
    const replaceState = vi.fn();
    vi.stubGlobal('history', { state: { of: 'a router' }, replaceState });
    vi.stubGlobal('location', new URL('http://localhost:5173/a?b=%20c&linked=google#/deep'));
    expect(client.auth.handleReturn()).toMatchObject({ linked: 'google' });
    const [state, , address] = replaceState.mock.calls[0] ?? [];
    expect([state, String(address)]).toEqual([{ of: 'a router' }, 'http://localhost:5173/a?b=+c#/deep']);
    vi.stubGlobal('location', new URL('http://localhost:5173/a?b=%20c#/deep'));
    client.auth.handleReturn();
    expect(replaceState).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['no request if nobody is signed in, on a server-rendered page', null, false, 'anonymous', 0],
    ['one request if nobody is signed in, on any other page', undefined, false, 'anonymous', 1],
    ['one request for a member, who stays signed in', undefined, true, 'authenticated', 1],
  ] as const)(
    'checks whether signed_out=1 is true: %s',
    async (_, initialSession, isMember, status, requests) => {
      const { browser } = isMember ? await newMember(target) : { browser: openBrowser(target) };
      const { client, sent, signedOut } = open(
        target,
        browser,
        initialSession === undefined ? {} : { initialSession },
      );
      const replaceState = vi.fn();
      vi.stubGlobal('history', { state: null, replaceState });
      vi.stubGlobal('location', new URL('http://localhost:5173/cart?item=7&signed_out=1#top'));
      expect(client.auth.handleReturn()).toEqual({
        claim: false,
        linked: null,
        returnTo: null,
        signedOut: true,
      });
      expect(String(replaceState.mock.calls[0]?.[2])).toBe('http://localhost:5173/cart?item=7#top');
      await vi.waitFor(() => expect(client.getSnapshot().status).toBe(status), 20_000);
      expect([sent.length, signedOut]).toEqual([requests, []]);
    },
  );

  it('is never redirected to another origin by the query', () => {
    const { client } = open(target, openBrowser(target));
    const foreign = [
      '//evil.example',
      '//a/path',
      '/\\evil.example',
      'https://evil.example',
      'javascript:alert(1)',
    ];
    for (const returnTo of [...foreign, '/\t/evil.example', '/.//evil.example', 'settings', '']) {
      const url = `http://localhost:5173/?${new URLSearchParams({ returnTo })}`;
      expect([returnTo, client.auth.handleReturn(url).returnTo]).toEqual([returnTo, null]);
    }
  });
});

describe('a redirect', () => {
  it('is treated as abandoned when the page is restored, but not while it is loading', async () => {
    const { client } = open(target, openBrowser(target));
    const assign = vi.fn();
    vi.stubGlobal('location', Object.assign(new URL('http://localhost:5173/a?b=c#d'), { assign }));
    const answered = vi.fn();
    void client.auth.loginWithRedirect().then(answered);
    await vi.waitFor(() => expect(String(assign.mock.calls[0]?.[0])).toMatch(/signin/), 20_000);
    const { pathname, searchParams } = new URL(assign.mock.calls[0]?.[0]);
    expect([pathname, ...searchParams]).toEqual(['/signin', ['returnTo', 'http://localhost:5173/a?b=c#d']]);
    const show = async (persisted: boolean) => {
      window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }));
      await new Promise((done) => setTimeout(done));
    };
    await show(false);
    expect(answered).not.toHaveBeenCalled();
    await show(true);
    expect(answered).toHaveBeenCalledExactlyOnceWith({
      statusCode: 0,
      message: 'The sign-in was left',
      code: 'left',
    });
  });
});

describe('calls', () => {
  it('return errors as data, with the time to wait, and send nothing until then', async () => {
    const { browser } = await newMember(target);
    const limited = await startService({ RATE_LIMITS: '{"GET /v1/credentials":1}' });
    const { client, sent } = open(limited, browser);
    const member = await newMember(limited);
    const page = open(limited, member.browser);
    expect(Array.isArray(await page.client.credentials.list())).toBe(true);
    const refused = await page.client.credentials.list();
    expect(refused).toEqual({
      statusCode: 429,
      code: 'rate_limited',
      message: 'Too many requests',
      retryAfter: expect.any(Number),
    });
    expect(await page.client.credentials.list()).toBe(refused);
    expect(page.sent.length).toBe(2);
    expect([client.getSnapshot().status, sent]).toEqual(['loading', []]);
  });

  it('list credentials, and unlink all but the last one', async () => {
    const { browser } = await newMember(target);
    const { client } = open(target, browser);
    const changed = vi.fn();
    client.on('credentials_changed', changed);
    const [credential, ...others] = unwrap(await client.credentials.list());
    expect(others).toEqual([]);
    expect(await client.credentials.unlink(credential?.id ?? '')).toEqual({
      statusCode: 400,
      code: 'last_credential',
      message: 'Cannot unlink the last credential',
    });
    const answer = client.credentials.unlink('nobody’s');
    expect(() => unwrap({ statusCode: 404, message: ['one', 'two'] })).toThrow('one; two');
    expect(await answer).toMatchObject({ statusCode: 404 });
    expect(changed).not.toHaveBeenCalled();
  });

  it('list sessions page by page and revoke them', async () => {
    const { browser, claims } = await newMember(target);
    const other = openBrowser(target);
    await signIn(target, other, claims);
    const { client, signedOut } = open(target, browser);
    await client.auth.getSession();
    const first = unwrap(await client.auth.sessions.list({ limit: 1 }));
    const second = unwrap(await client.auth.sessions.list({ limit: 1, cursor: first.nextCursor ?? '' }));
    const from = (cursor?: string) => client.auth.sessions.list({ cursor } as { cursor: string });
    expect(unwrap(await from()).data.length).toBe(2);
    expect([first.data.length, second.data.length, second.nextCursor]).toEqual([1, 1, null]);
    expect(await client.auth.sessions.revokeOthers()).toEqual({ ok: true });
    const [left] = unwrap(await client.auth.sessions.list()).data;
    expect(left?.current).toBe(true);
    expect(await client.auth.sessions.revoke(left?.id ?? '')).toEqual({ ok: true });
    expect(signedOut).toEqual(['logout']);
  });

  it('send the id of the app, if there is one', async () => {
    const browser = openBrowser(target);
    const named: (string | undefined)[] = [];
    const spy = {
      ...browser,
      fetch: (path: string, init: { headers?: Record<string, string> } = {}) => {
        named.push(init.headers?.['X-App-Id']);
        return browser.fetch(path, init);
      },
    };
    await open(target, spy, { appId: 'app_1' }).client.auth.claim.preview();
    expect(named).toEqual(['app_1']);
  });
});

describe('a client on a server', () => {
  it('reads a session with the cookies of the request and never renews it', async () => {
    const { browser, handle } = await newMember(target);
    const cookie = await browser.cookies();
    const bare = openBrowser(target);
    const page = openPage(target, bare, { ssr: { cookie } });
    expect(unwrap(await page.client.auth.getSession()).handle).toBe(handle);
    const stranger = openPage(target, bare, { ssr: {} });
    expect(await stranger.client.auth.getSession()).toMatchObject({ statusCode: 401 });
    expect(stranger.client.getSnapshot().status).toBe('loading');
    expect([...page.sent, ...stranger.sent]).toEqual(['GET /v1/auth/session', 'GET /v1/auth/session']);
    await expect(page.client.auth.loginWithPopup()).rejects.toMatchObject({
      code: 'popup_unavailable',
      reason: 'no_window',
    });
    expect(page.client.popup.isSupported()).toBe(false);
  });
});
