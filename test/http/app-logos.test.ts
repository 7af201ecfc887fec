import { describe, expect, inject, it } from 'vitest';
import type { App } from '../../src/features/app/schema.ts';
import { markChecked, newApp, shop } from '../support/apps.ts';
import { type Browser, json, openBrowser } from '../support/browser.ts';
import { authorizeUrl } from '../support/oauth.ts';
import { newMember } from '../support/people.ts';
import { startService, useService } from '../support/service.ts';

const target = useService();
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path fill="#b45309" d="M0 0h9v9z"/></svg>';
const rule =
  'logoUrl must answer within 5 seconds without a redirect: a PNG of at most 1,024 by 1,024 pixels and 64 kB';

/** The PNG with another size in its header. */
function sized(width: number, height: number): Buffer {
  const image = Buffer.from(png);
  image.writeUInt32BE(width, 16);
  image.writeUInt32BE(height, 20);
  return image;
}
let count = 0;

/** An address that serves these bytes. */
async function serve(body: Buffer | string, answer: object = {}): Promise<string> {
  const url = `${inject('hooks')}/.well-known/logo-${++count}`;
  const base64 = Buffer.from(body).toString('base64');
  await fetch(url, { method: 'PUT', body: JSON.stringify({ base64, ...answer }) });
  return url;
}

const change = (browser: Browser, id: string, fields: object) =>
  browser.fetch(`/v1/apps/${id}`, json('PATCH', fields));

/** The path of an app's logo. */
async function pathOf({ id }: App): Promise<string | null> {
  const [row] = await target.rows<{ hash: string }>('SELECT hash FROM app_logos WHERE app_id = ?', [id]);
  return row ? `/logos/${id}/${row.hash}` : null;
}

describe('the logo of an app', () => {
  it('is fetched at registration, and cached only by the service and browsers', async () => {
    const { browser } = await newMember(target);
    const logoUrl = await serve(png);
    const app = await newApp(browser, { logoUrl });
    expect(app).toMatchObject({ logoUrl });
    await serve('gone', { status: 404 });
    const path = (await pathOf(app)) ?? '';
    const shown = await openBrowser(target).fetch(path);
    expect(Buffer.from(await shown.arrayBuffer()).equals(png)).toBe(true);
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'private, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': 'attachment',
      'x-content-type-options': 'nosniff',
    });
    expect((await openBrowser(target).fetch(`${path}0`)).status).toBe(404);
  });

  it('is replaced, removed and deleted with its app, and a new logo resets the app’s review', async () => {
    const { browser } = await newMember(target);
    const app = await newApp(browser, { logoUrl: await serve(png) });
    const before = (await pathOf(app)) ?? '';
    await markChecked(target, app.id);
    const logoUrl = await serve(sized(1024, 1024));
    const changed = (await (await change(browser, app.id, { logoUrl })).json()) as App;
    expect(changed).toMatchObject({ logoUrl, checked: false });
    const after = (await pathOf(app)) ?? '';
    expect((await target.request(after)).status).toBe(200);
    expect((await target.request(before)).status).toBe(404);
    expect(await (await change(browser, app.id, { name: 'Shop' })).json()).toMatchObject({ logoUrl });
    expect(await (await change(browser, app.id, { logoUrl: null })).json()).toMatchObject({ logoUrl: null });
    expect(await pathOf(app)).toBeNull();
    await change(browser, app.id, { logoUrl });
    expect((await browser.fetch(`/v1/apps/${app.id}`, { method: 'DELETE' })).status).toBe(204);
    expect(await pathOf(app)).toBeNull();
  });

  it('is public only while its app is active', async () => {
    const { browser } = await newMember(target);
    const app = await newApp(browser, { logoUrl: await serve(png) });
    const path = (await pathOf(app)) ?? '';
    const statusAs = async (status: string) => {
      await target.rows('UPDATE apps SET status = ? WHERE id = ?', [status, app.id]);
      return (await target.request(path)).status;
    };
    expect(await statusAs('suspended')).toBe(404);
    expect(await statusAs('active')).toBe(200);
  });

  it('is shown with the app’s links after the app has been checked and is a week old [S-15]', async () => {
    const { browser } = await newMember(target);
    const privacyUrl = 'https://shop.example.com/privacy';
    const app = await newApp(browser, { logoUrl: await serve(png), privacyUrl });
    const link = (url: string) => `href="${url}" target="_blank" rel="noopener noreferrer"`;
    const expected = [
      `<img class="logo" src="${await pathOf(app)}"`,
      link(privacyUrl),
      link(shop.homepageUrl),
    ];
    const shown = async () => {
      const visitor = await newMember(target);
      const page = await visitor.browser.navigate(authorizeUrl(app, { scope: 'openid profile' }));
      const text = await page.text();
      return ['value="allow"', ...expected].map((part) => text.includes(part));
    };
    expect(await shown()).toEqual([true, false, false, false]);
    await markChecked(target, app.id);
    expect(await shown()).toEqual([true, false, false, false]);
    await target.advance(7 * 86_400);
    expect(await shown()).toEqual([true, true, true, true]);
    await target.rows('UPDATE apps SET checked_at = NULL WHERE id = ?', [app.id]);
    expect(await shown()).toEqual([true, false, false, false]);
  });

  it.each(
    Object.entries({
      'larger than 64 kB': [Buffer.concat([png, Buffer.alloc(64_000)])],
      'a redirect': [png, { status: 302, headers: { Location: '/.well-known/logo-1' } }],
      missing: ['', { status: 404 }],
      'an error': [png, { status: 503 }],
      'a page': ['<!doctype html><svg></svg>', { headers: { 'Content-Type': 'image/png' } }],
      empty: ['', { text: '' }],
      'an SVG': [svg],
      'too wide': [sized(1025, 1)],
      'too tall': [sized(1, 0xffffffff)],
      'without a size': [sized(0, 0)],
      'a GIF': ['GIF89a'.padEnd(100, '\0')],
      truncated: [png.subarray(0, 24)],
      'animated after a text chunk': [
        Buffer.concat([
          png.subarray(0, 33),
          Buffer.from('\0\0\0\x04tEXtIDAT0000\0\0\0\bacTL'),
          png.subarray(33),
        ]),
      ],
      animated: [Buffer.concat([png.subarray(0, 33), Buffer.from('\0\0\0\bacTL'), png.subarray(33)])],
    } as const),
  )('is rejected with the same text if it is %s', async (_, [body, answer]) => {
    const { browser } = await newMember(target);
    const logoUrl = await serve(body, answer);
    const refused = await browser.fetch('/v1/apps', json('POST', { name: 'Shop', type: 'spa', logoUrl }));
    expect([refused.status, ((await refused.json()) as { message: string[] }).message]).toEqual([
      400,
      [rule],
    ]);
    expect(await target.rows('SELECT 1 FROM apps WHERE logo_url = ?', [logoUrl])).toEqual([]);
  });

  it('is rejected with the same text if no server responds', async () => {
    const { browser } = await newMember(target);
    const logoUrl = 'https://127.0.0.1:1/logo.png';
    const refused = await browser.fetch('/v1/apps', json('POST', { name: 'Shop', type: 'spa', logoUrl }));
    expect(await refused.json()).toMatchObject({ message: [rule] });
  });

  it('is fetched only for the owner of the app', async () => {
    const [owner, stranger] = [await newMember(target), await newMember(target)];
    const app = await newApp(owner.browser);
    const missing = await serve('', { status: 404 });
    const refused = await change(stranger.browser, app.id, { logoUrl: missing });
    expect([refused.status, refused.headers.get('X-Error-Code')]).toEqual([404, 'app_not_found']);
    expect((await change(owner.browser, app.id, { logoUrl: missing })).status).toBe(400);
  });

  it('counts toward the registration limit each time it is fetched', async () => {
    const counted = await startService({ RATE_LIMITS: 'on' });
    const { browser } = await newMember(counted);
    const { id } = await newApp(browser);
    const logoUrl = await serve(png);
    const patch = async (fields: object) => (await change(browser, id, fields)).status;
    // Five may be in progress at once.
    const five = () => Promise.all(Array.from({ length: 5 }, () => patch({ logoUrl })));
    const statuses = [...(await five()), ...(await five()), ...(await five())];
    // Where the clock is real, the bucket gains a token every six seconds in the meantime.
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(9);
    expect(statuses).toContain(429);
    expect(await patch({ name: 'Shop' })).toBe(200);
    await counted.advance(6);
    expect(await patch({ logoUrl })).toBe(200);
  });

  it('is never fetched from a private address', async () => {
    const { browser } = await newMember(target);
    for (const logoUrl of ['https://10.0.0.1/logo.png', 'https://logo.internal/a.png', 'ftp://a.example/b']) {
      const refused = await browser.fetch('/v1/apps', json('POST', { name: 'Shop', type: 'spa', logoUrl }));
      expect(await refused.json()).toMatchObject({ message: ['logoUrl must be a public https URL'] });
    }
  });
});
