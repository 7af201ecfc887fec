import { describe, expect, it } from 'vitest';
import { type Browser, json, openBrowser } from '../support/browser.ts';
import { ledTo } from '../support/oauth.ts';
import { newMember } from '../support/people.ts';
import { useService } from '../support/service.ts';

const host = 'http://id.pid.localhost:8787';
const shop = 'http://shop.pid.localhost:3000';
const target = useService({ BASE_URL: host, COOKIE_DOMAIN: 'pid.localhost', CLIENT_SUCCESS_URL: `${shop}/` });

const pathTo = (returnTo: string) => `/v1/auth/continue?${new URLSearchParams({ returnTo })}`;
const locationOf = (answer: Response) => answer.headers.get('Location');

/** Opens the renewal URL, and returns the redirect target. */
async function proceed(browser: Browser, returnTo: string): Promise<string | null> {
  return locationOf(await browser.navigate(pathTo(returnTo)));
}

describe('GET /v1/auth/continue', () => {
  it('sends two simultaneous tabs back signed in, and uses only one token', async () => {
    const { browser, handle } = await newMember(target);
    await target.advance(16 * 60);
    const pages = [`${shop}/a`, `${shop}/b`];
    expect(await Promise.all(pages.map((page) => proceed(browser, page)))).toEqual(pages);
    expect(await (await browser.fetch('/v1/auth/session')).json()).toMatchObject({ handle });
    const rows = await target.rows<{ revoked_at: number | null }>(
      'SELECT revoked_at FROM sessions WHERE handle = ?',
      [handle],
    );
    expect(rows).toEqual([{ revoked_at: null }]);
  });

  it('reports signed_out after a replay, and clears the cookies', async () => {
    const { browser } = await newMember(target);
    const kept = await browser.cookies('/v1/auth/continue');
    await browser.fetch('/v1/auth/refresh', { method: 'POST' });
    await target.advance(31);
    const headers = { Cookie: kept };
    const answer = await openBrowser(target).navigate(pathTo(`${shop}/`), { headers });
    expect(locationOf(answer)).toBe(`${shop}/?signed_out=1`);
    expect(answer.headers.getSetCookie().join()).toMatch(/pid_refresh=; Max-Age=0/);
    expect(await proceed(browser, `${shop}/`)).toBe(`${shop}/?signed_out=1`);
  });

  it('removes signed_out from the return address', async () => {
    const { browser } = await newMember(target);
    expect(await proceed(browser, `${shop}/cart?signed_out=1&item=7`)).toBe(`${shop}/cart?item=7`);
  });

  it('returns only to first-party origins [D-30]', async () => {
    const { browser } = await newMember(target);
    for (const returnTo of [
      'https://evil.example/',
      `${shop}@evil.example/`,
      '//evil.example',
      '/cart',
      '',
    ]) {
      const answer = await browser.navigate(pathTo(returnTo));
      expect([returnTo, answer.status, locationOf(answer)]).toEqual([returnTo, 400, null]);
    }
    expect((await browser.navigate('/v1/auth/continue')).status).toBe(400);
  });

  it('accepts addresses of the same length as a sign-in does', async () => {
    const { browser } = await newMember(target);
    const longest = `${shop}/`.padEnd(512, 'x');
    expect(await proceed(browser, longest)).toBe(longest);
    const answer = await browser.fetch(pathTo(`${longest}x`));
    expect(await answer.json()).toMatchObject({
      message: ['returnTo must be shorter than or equal to 512 characters'],
    });
    expect((await browser.fetch('/v1/auth/login', json('POST', { returnTo: longest }))).status).toBe(200);
    const refused = await browser.fetch('/v1/auth/login', json('POST', { returnTo: `${longest}x` }));
    expect(refused.status).toBe(400);
  });

  it('leads a browser that another site sent here on by a page, and uses no token yet [S-14]', async () => {
    const { browser, handle } = await newMember(target);
    const headers = { 'Sec-Fetch-Site': 'cross-site' };
    const answer = await browser.navigate(pathTo(`${shop}/cart`), { headers });
    expect([answer.status, await ledTo(answer)]).toEqual([200, `${host}${pathTo(`${shop}/cart`)}`]);
    const rotated = () => target.rows('SELECT rotated_at FROM sessions WHERE handle = ?', [handle]);
    expect(await rotated()).toEqual([{ rotated_at: null }]);
    const onward = { headers: { 'Sec-Fetch-Site': 'same-origin' } };
    expect(locationOf(await browser.navigate(pathTo(`${shop}/cart`), onward))).toBe(`${shop}/cart`);
    expect(await rotated()).not.toEqual([{ rotated_at: null }]);

    const nobody = await openBrowser(target).navigate(pathTo(`${shop}/cart`), { headers });
    expect(locationOf(nobody)).toBe(`${shop}/cart?signed_out=1`);
  });

  it('serves only browser navigations, and uses no token for other requests [S-14]', async () => {
    const { browser, handle } = await newMember(target);
    const path = pathTo(`${shop}/`);
    const others = [
      { 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' },
      { 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' },
      { 'Sec-Fetch-Dest': 'iframe' },
    ];
    for (const headers of others) expect((await browser.navigate(path, { headers })).status).toBe(404);
    expect((await browser.navigate(path, { headers: { 'Sec-Purpose': 'prefetch' } })).status).toBe(400);
    expect((await browser.navigate(path, { method: 'HEAD' })).status).toBe(204);
    const rows = await target.rows('SELECT rotated_at FROM sessions WHERE handle = ?', [handle]);
    expect(rows).toEqual([{ rotated_at: null }]);
  });
});
