import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { askRegistration } from '../support/passkeys.ts';
import { sandboxProvider, useService } from '../support/service.ts';

const brand = {
  BRAND_NAME: 'Lontar & Co',
  BRAND_LOGO: '/brand/logo.svg',
  BRAND_LOGO_DARK: '/brand/logo-dark.svg',
  BRAND_ACCENT: '#1d4ed8',
  BRAND_RADIUS: '3',
  BRAND_FONT: 'serif',
  SUPPORT_URL: 'mailto:help@lontar.example',
  PRIVACY_URL: 'https://lontar.example/privacy',
  ORIGIN_NAMES: '{"http://app.localhost:5173":"Toko Lontar"}',
  SIGNIN_ORDER: 'passkey,github',
  IDP_LOGO: '/brand/idp.png',
  CLIENT_SUCCESS_URL: 'http://app.localhost:5173/welcome',
};
const target = useService({ ...sandboxProvider, ...brand });

async function read(path: string): Promise<string> {
  return await (await openBrowser(target).navigate(path)).text();
}

describe('a brand', () => {
  it('appears on every page: name, picture, colours, corners, font and links', async () => {
    for (const path of ['/signin', '/v1/auth/email/register', '/popup/login', '/nowhere']) {
      const text = await read(path);
      expect(text, path).not.toMatch(/peridot/i);
      expect(text, path).toMatch(/<title>[^<]+ · Lontar &amp; Co<\/title>/);
      expect(text, path).toContain('<img src="/brand/logo.svg" alt="Lontar &amp; Co" height="32"/>');
      expect(text, path).toContain('srcset="/brand/logo-dark.svg"');
      expect(text, path).toContain('<link rel="icon" href="/brand/logo.svg"/>');
      expect(text, path).toContain(
        ':root{--r1:2px;--r2:3px;--r3:5px;--font:Charter,"Bitstream Charter","Sitka Text",Cambria,Georgia,serif;--accent:#1d4ed8;',
      );
      expect(text, path).toContain('<a href="mailto:help@lontar.example">Help</a>');
      expect(text, path).toContain('<a href="https://lontar.example/privacy">Privacy</a>');
      expect(text, path).not.toContain('>Terms<');
    }
  });

  it('shows the picture of the requested theme', async () => {
    expect(await read('/signin?theme=dark')).toContain('<img src="/brand/logo-dark.svg"');
    expect(await read('/signin?theme=light')).not.toContain('logo-dark');
  });

  it('shows the configured names of the account and the origins', async () => {
    expect(await read('/signin?returnTo=self:/account')).toContain(
      'to continue to your Lontar &amp; Co account',
    );
    expect(await read('/signin')).toContain('Toko Lontar · app.localhost:5173');
  });

  it('orders the sign-in buttons and shows the provider’s picture', async () => {
    const text = await read('/signin');
    const order = ['Use a passkey', 'Continue with GitHub', 'Continue with Sandbox', 'Continue with Google'];
    const places = order.map((label) => text.indexOf(label));
    expect(places).toEqual([...places].sort((one, other) => one - other));
    expect(places).not.toContain(-1);
    expect(text).toContain('<img src="/brand/idp.png" alt="" width="20" height="20"/>');
  });

  it('is named in the passkey prompt', async () => {
    expect((await askRegistration(openBrowser(target), 'newcomer')).rp.name).toBe('Lontar & Co');
  });
});

describe('the second brand in the gallery', () => {
  it('leaves no trace of the first brand on any page, each at most 12 kB compressed', async () => {
    const gallery = await read('/dev/pages');
    const states = [...gallery.matchAll(/data-state="([\w-]+)"/g)].map(([, name = '']) => name);
    expect(states.length).toBeGreaterThan(40);
    for (const state of states) {
      for (const locale of ['en', 'id']) {
        const page = await read(`/dev/pages/${state}?brand=second&ui_locales=${locale}`);
        const text = page.replace(/<style.*?<\/style>/s, '');
        expect([state, text.match(/.{40}peridot.{40}/i)?.[0]]).toEqual([state, undefined]);
        expect([state, text.match(/#(3b7214|2c570d|ebf4df|6a9f2b)/)?.[0]]).toEqual([state, undefined]);
        expect([state, locale, gzipSync(page).length <= 12_000]).toEqual([state, locale, true]);
      }
    }
  });
});
