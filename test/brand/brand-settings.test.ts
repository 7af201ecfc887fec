import { describe, expect, it } from 'vitest';
import { type BrandVariables, brandOf, brandProblems } from '../../src/brand/brand-settings.ts';
import { brandVariables } from '../../src/brand/brand-variables.ts';

describe('a brand', () => {
  it('uses only settings that the entry passes on at startup', () => {
    const known = Object.keys(brandVariables);
    expect(Object.keys(brandOf({ BRAND_NAME: 'Lontar' })).filter((name) => !known.includes(name))).toEqual(
      [],
    );
  });

  const withThese = (variables: BrandVariables) => brandProblems(variables);
  const svg = 'data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22/%3E';

  it('can set its name, pictures, colour, shape and links', () => {
    const brand = brandOf({
      BRAND_NAME: 'Lontar',
      BRAND_LOGO: '/brand/logo.svg',
      BRAND_LOGO_DARK: svg,
      IDP_LOGO: 'data:image/png;base64,iVBORw0KGgo=',
      BRAND_ACCENT: '#1D4ED8',
      BRAND_RADIUS: '0',
      SUPPORT_URL: 'mailto:help@lontar.example',
      TEXTS: '{"id":{"signIn.title":"Masuk dulu"}}',
      ORIGIN_NAMES: '{"https://shop.example.com":"Toko"}',
      SIGNIN_ORDER: 'passkey, google',
      TIME_ZONE: 'Asia/Jakarta',
    });
    expect(brand).toMatchObject({
      BRAND_ACCENT: '#1d4ed8',
      BRAND_RADIUS: 0,
      BRAND_FONT: 'system',
      TEXTS: { id: { 'signIn.title': 'Masuk dulu' } },
      ORIGIN_NAMES: { 'https://shop.example.com': 'Toko' },
      SIGNIN_ORDER: ['passkey', 'google'],
    });
    expect(brandOf({})).toMatchObject({ BRAND_FONT: 'system', SIGNIN_ORDER: [], TIME_ZONE: 'Asia/Jakarta' });
  });

  it('is rejected if the contrast of its accent is too low, with an error that suggests the nearest valid colour', () => {
    const [problem = '', ...others] = withThese({ BRAND_ACCENT: '#ff8a00' });
    expect(others).toEqual([]);
    const [, nearest = ''] =
      /^BRAND_ACCENT must have a contrast of 4\.5:1 in the light theme; the nearest valid colour is (#\w{6})$/.exec(
        problem,
      ) ?? [];
    expect(withThese({ BRAND_ACCENT: nearest })).toEqual([]);
    expect(withThese({ BRAND_ACCENT: '#1d4ed8', BRAND_ACCENT_DARK: '#1d4ed8' })).toEqual([
      expect.stringMatching(/^BRAND_ACCENT_DARK must have .* in the dark theme; .* is #\w{6}$/),
    ]);
  });

  it.each([
    ['BRAND_NAME', 'a\u202eb'],
    ['BRAND_NAME', 'n'.repeat(41)],
    ['BRAND_LOGO', 'https://cdn.example/logo.svg'],
    ['BRAND_LOGO', '/brand/../openapi.json'],
    ['BRAND_LOGO', '/sdk/v1/pid.js'],
    ['BRAND_LOGO', 'data:text/html,<script>'],
    ['BRAND_LOGO', `${svg}"onload="x`],
    ['IDP_LOGO', `data:image/png;base64,${'A'.repeat(8_000)}`],
    ['BRAND_ACCENT', 'red'],
    ['BRAND_RADIUS', '21'],
    ['BRAND_FONT', 'Comic Sans'],
    ['SUPPORT_URL', 'javascript:alert(1)'],
    ['PRIVACY_URL', 'mailto:a@b.example'],
    ['TERMS_URL', 'http://lontar.example'],
    ['TEXTS', '{"fr":{}}'],
    ['TEXTS', '{"en":{"signIn.title":""}}'],
    ['ORIGIN_NAMES', '{"shop.example.com":"Toko"}'],
    ['SIGNIN_ORDER', 'passkey,sms'],
    ['SIGNIN_ORDER', 'passkey,passkey'],
    ['TIME_ZONE', 'Jakarta'],
  ])('is rejected for %s %s', (name, value) => {
    const [problem, ...others] = withThese({ [name ?? '']: value });
    expect([problem?.split(' ', 2).join(' '), others]).toEqual([`${name} must`, []]);
    expect(problem).not.toContain('Invalid input');
  });

  it('is rejected if it has a dark picture or accent but no light one', () => {
    expect(withThese({ BRAND_LOGO_DARK: svg, BRAND_ACCENT_DARK: '#a4d958' })).toEqual(
      [
        'BRAND_ACCENT_DARK must not be set without BRAND_ACCENT',
        'BRAND_LOGO_DARK must not be set without BRAND_LOGO',
      ].reverse(),
    );
  });
});
