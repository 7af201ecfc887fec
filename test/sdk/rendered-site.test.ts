import { describe, expect, it } from 'vitest';
import { verifySession } from '../../sdk/server.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { newMember } from '../support/people.ts';
import { useService } from '../support/service.ts';

const host = 'http://id.pid.localhost:8787';
const shop = 'http://shop.pid.localhost:3000';
const target = useService({ BASE_URL: host, COOKIE_DOMAIN: 'pid.localhost', CLIENT_SUCCESS_URL: `${shop}/` });

const pathTo = (returnTo: string) => `/v1/auth/continue?${new URLSearchParams({ returnTo })}`;
const locationOf = (answer: Response) => answer.headers.get('Location');

/** The recipe in docs/back-ends.md: a server that renders pages for the signed-in person. */
async function renderShop(url: URL, cookie: string): Promise<{ redirect: string } | { html: string }> {
  const session = await verifySession(
    { headers: { cookie } },
    { baseUrl: host, now: target.now, maxAgeSeconds: 0, fetch: (at) => target.request(new URL(at).pathname) },
  );
  if (session) return { html: `Hello ${session.handle}` };
  if (url.searchParams.get('signed_out') === '1') return { html: 'Hello stranger' };
  return { redirect: `${host}${pathTo(url.href)}` };
}

/** A server that ignores the rules and sends every stranger to the same address. */
async function forgetful(url: URL, cookie: string): ReturnType<typeof renderShop> {
  return renderShop(new URL(url.pathname, url), cookie);
}

/** Opens a page of the shop like a browser; `redirects` are the visited addresses. */
async function visit(browser: Browser, address: string, render = renderShop) {
  const redirects: string[] = [];
  let at = address;
  while (redirects.length < 20) {
    const url = new URL(at);
    if (url.origin === shop) {
      const shown = await render(url, await browser.jar.getCookieString(at));
      if ('html' in shown) return { html: shown.html, at, redirects };
      at = shown.redirect;
    } else {
      const answer = await browser.navigate(`${url.pathname}${url.search}`);
      const location = locationOf(answer);
      if (location === null) return { html: await answer.text(), at, redirects };
      at = new URL(location, host).href;
    }
    redirects.push(at);
  }
  throw new Error(`the browser gives up: ${redirects.join(' ')}`);
}

describe('a site whose server renders its pages', () => {
  it('keeps its visitor signed in for 16 minutes and for days', async () => {
    const { browser, handle } = await newMember(target);
    const page = `${shop}/cart?item=7`;
    expect(await visit(browser, page)).toEqual({ html: `Hello ${handle}`, at: page, redirects: [] });
    for (const seconds of [16 * 60, 16 * 60, 20 * 86_400]) {
      await target.advance(seconds);
      const back = [`${host}${pathTo(page)}`, page];
      expect(await visit(browser, page)).toEqual({ html: `Hello ${handle}`, at: page, redirects: back });
      expect((await visit(browser, page)).redirects).toEqual([]);
    }
  });

  it('greets an anonymous visitor after one detour, and likewise a person who has signed out', async () => {
    const { browser } = await newMember(target);
    await browser.fetch('/v1/auth/logout', { method: 'POST' });
    for (const stranger of [openBrowser(target), browser]) {
      const { html, at, redirects } = await visit(stranger, `${shop}/cart#top`);
      expect([html, at, redirects.length]).toEqual(['Hello stranger', `${shop}/cart?signed_out=1#top`, 2]);
    }
  });

  it('never causes a redirect loop, even if it ignores the rules or gets no cookies', async () => {
    const { browser } = await newMember(target);
    const withoutCookies: typeof renderShop = (url) => renderShop(url, '');
    const stuck: [Browser, typeof renderShop][] = [
      [openBrowser(target), forgetful],
      [browser, async (url) => forgetful(url, '')],
      [(await newMember(target)).browser, async (url) => ({ redirect: `${host}${pathTo(url.href)}` })],
    ];
    for (const [visitor, render] of stuck) {
      const { at, html } = await visit(visitor, `${shop}/cart`, render);
      expect(new URL(at).pathname).toBe('/signin');
      expect(html).toContain('shop.pid.localhost');
    }
    const { html } = await visit((await newMember(target)).browser, `${shop}/cart`, withoutCookies);
    expect(html).toBe('Hello stranger');
  });
});
