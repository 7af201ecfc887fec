import { describe, expect, inject, it } from 'vitest';
import type { App } from '../../src/features/app/schema.ts';
import { newApp } from '../support/apps.ts';
import { type Browser, json, openBrowser } from '../support/browser.ts';
import { authorizeUrl } from '../support/oauth.ts';
import { newMember } from '../support/people.ts';
import { useService } from '../support/service.ts';

const target = useService();
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path fill="#b45309" d="M0 0h9v9z"/></svg>';
let count = 0;

/** An address that answers with these bytes. */
async function serve(body: Buffer | string, answer: object = {}): Promise<string> {
  const url = `${inject('hooks')}/.well-known/logo-${++count}`;
  const base64 = Buffer.from(body).toString('base64');
  await fetch(url, { method: 'PUT', body: JSON.stringify({ base64, ...answer }) });
  return url;
}

const change = (browser: Browser, id: string, fields: object) =>
  browser.fetch(`/v1/apps/${id}`, json('PATCH', fields));

/** The consent page of an app. */
async function consent(app: App): Promise<string> {
  const { browser } = await newMember(target);
  return (await browser.navigate(authorizeUrl(app, { scope: 'openid profile' }))).text();
}

const logoIn = (page: string) => /<img class="logo" src="(\/logos\/[^"]+)"/.exec(page)?.[1] ?? null;

describe('an app’s logo', () => {
  it('is fetched when it is registered, and shown from the service', async () => {
    const { browser } = await newMember(target);
    const logoUrl = await serve(png);
    const privacyUrl = 'https://shop.example.com/privacy';
    const app = await newApp(browser, { logoUrl, privacyUrl });
    expect(app).toMatchObject({ logoUrl, privacyUrl });
    await serve('gone', { status: 404 });
    const page = await consent(app);
    for (const url of [privacyUrl, 'https://shop.example.com/'])
      expect(page).toContain(`href="${url}" target="_blank" rel="noopener noreferrer"`);
    const path = logoIn(page) ?? '';
    const shown = await openBrowser(target).fetch(path);
    expect(Buffer.from(await shown.arrayBuffer()).equals(png)).toBe(true);
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': 'attachment',
      'x-content-type-options': 'nosniff',
    });
    expect((await openBrowser(target).fetch(`${path}0`)).status).toBe(404);
  });

  it('is replaced, removed and deleted with its app, and a new one ends what the desk checked', async () => {
    const { browser } = await newMember(target);
    const app = await newApp(browser, { logoUrl: await serve(png) });
    const before = logoIn(await consent(app)) ?? '';
    await target.rows('UPDATE apps SET checked_at = 1 WHERE id = ?', [app.id]);
    const logoUrl = await serve(svg);
    const changed = (await (await change(browser, app.id, { logoUrl })).json()) as App;
    expect(changed).toMatchObject({ logoUrl, checked: false });
    const after = logoIn(await consent(app)) ?? '';
    expect((await target.request(after)).headers.get('Content-Type')).toBe('image/svg+xml; charset=utf-8');
    expect((await target.request(before)).status).toBe(404);
    expect(await (await change(browser, app.id, { name: 'Shop' })).json()).toMatchObject({ logoUrl });
    expect(await (await change(browser, app.id, { logoUrl: null })).json()).toMatchObject({ logoUrl: null });
    expect(logoIn(await consent(app))).toBeNull();
    await change(browser, app.id, { logoUrl });
    expect((await browser.fetch(`/v1/apps/${app.id}`, { method: 'DELETE' })).status).toBe(204);
    expect(await target.rows('SELECT * FROM app_logos WHERE app_id = ?', [app.id])).toEqual([]);
  });

  it.each([
    ['larger than 64 kB', Buffer.concat([png, Buffer.alloc(64_000)]), {}, 'must answer in time'],
    [
      'a redirect',
      png,
      { status: 302, headers: { Location: '/.well-known/logo-1' } },
      'must answer 200 without a redirect',
    ],
    ['missing', '', { status: 404 }, 'must answer 200'],
    ['a page', '<!doctype html><svg></svg>', { headers: { 'Content-Type': 'image/png' } }, 'must be a PNG'],
    ['empty', '', { text: '' }, 'must be a PNG'],
    ...Object.entries({
      'a script': '<svg><script>alert(1)</script></svg>',
      'a script in a namespace':
        '<svg xmlns:s="http://www.w3.org/2000/svg"><s:script>alert(1)</s:script></svg>',
      'a handler': '<svg onload="alert(1)"></svg>',
      'a handler after a slash': '<svg/onload="alert(1)"></svg>',
      'a link': '<svg><a href="javascript:alert(1)"><path/></a></svg>',
      'another document': '<svg><image href="https://evil.example/x.png"/></svg>',
      'a foreign object': '<svg><foreignObject><p>Hi</p></foreignObject></svg>',
      'a style': '<svg><style>@import "https://evil.example/x.css"</style></svg>',
      'an address to load': '<svg><path fill="url(https://evil.example/x)"/></svg>',
      'an entity': '<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>',
    }).map(([what, text]) => [`an SVG with ${what}`, text, {}, 'must be a PNG'] as const),
  ] as const)('is refused when it is %s', async (_, body, answer, reason) => {
    const { browser } = await newMember(target);
    const logoUrl = await serve(body, answer);
    const refused = await browser.fetch('/v1/apps', json('POST', { name: 'Shop', type: 'spa', logoUrl }));
    const { message } = (await refused.json()) as { message: string[] };
    expect([refused.status, message]).toEqual([400, [expect.stringContaining(`logoUrl ${reason}`)]]);
    expect(await target.rows('SELECT 1 FROM apps WHERE logo_url = ?', [logoUrl])).toEqual([]);
  });

  it('is refused at once, however many comments of an SVG have no end [D-92]', async () => {
    const { browser } = await newMember(target);
    const logoUrl = await serve(`<svg>${'<!--'.repeat(15_000)}`);
    const began = performance.now();
    const refused = await browser.fetch('/v1/apps', json('POST', { name: 'Shop', type: 'spa', logoUrl }));
    expect(refused.status).toBe(400);
    expect(performance.now() - began).toBeLessThan(1000);
  });

  it('may have comments', async () => {
    const { browser } = await newMember(target);
    const logoUrl = await serve(
      `<!-- made by hand -->${svg.replace('<path', '<!-- a > b --><path')}<!-- end -->`,
    );
    expect(await newApp(browser, { logoUrl })).toMatchObject({ logoUrl });
  });

  it('is never fetched from a private address', async () => {
    const { browser } = await newMember(target);
    for (const logoUrl of ['https://10.0.0.1/logo.png', 'https://logo.internal/a.png', 'ftp://a.example/b']) {
      const refused = await browser.fetch('/v1/apps', json('POST', { name: 'Shop', type: 'spa', logoUrl }));
      expect(await refused.json()).toMatchObject({ message: ['logoUrl must be a public https URL'] });
    }
  });
});
