import { describe, expect, it } from 'vitest';
import { brandOf } from '../../src/brand/brand-settings.ts';
import { messageByCode } from '../../src/errors.ts';
import { findProblems } from '../../src/pages/claim/claim-form.ts';
import { knownProblems, problemIn } from '../../src/pages/shared/form.ts';
import { formatAgo, formatCountry, formatMoment } from '../../src/ui/format.ts';
import { styleFor } from '../../src/ui/style.ts';
import { openBrowser } from '../support/browser.ts';
import { sandboxProvider, useSharedService } from '../support/service.ts';

const target = useSharedService(sandboxProvider);

async function statesOf(): Promise<string[]> {
  const page = await (await target.request('/dev/pages')).text();
  return [...page.matchAll(/data-state="([\w-]+)"/g)].map(([, name = '']) => name);
}

describe('a path that starts with two slashes', () => {
  it.each(['/.//', '/.//other.example/%2e%2e', '/.//:x'])('is not found: %s', async (path) => {
    const headers = { Accept: 'text/html', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
    const answer = await target.request(path, { headers });
    expect(answer.status).toBe(404);
    const page = await answer.text();
    expect(page).toContain('Page not found');
    for (const [, address = ''] of page.matchAll(/ href="([^"]*)"/g)) {
      if (!address.startsWith('data:')) expect(address).toMatch(/^\/(?!\/)/);
    }
  });
});

describe('the page style', () => {
  it('is at most 11.3 kB in any theme', () => {
    for (const theme of [null, 'light', 'dark'] as const)
      for (const isWide of [false, true])
        expect(styleFor(theme, { isWide }).length).toBeLessThanOrEqual(11_300);
  });

  it('follows the requested theme until another or none is requested', async () => {
    const browser = openBrowser(target);
    const schemeOf = async (path: string) =>
      /name="color-scheme" content="([^"]+)"/.exec(await (await browser.navigate(path)).text())?.[1];
    expect(await schemeOf('/signin')).toBe('light dark');
    expect(await schemeOf('/signin?theme=dark')).toBe('dark');
    expect(await schemeOf('/nowhere')).toBe('dark');
    expect(await schemeOf('/signin?theme=light')).toBe('light');
    expect(await schemeOf('/signin?theme=<b>')).toBe('light dark');
    expect(await schemeOf('/signin')).toBe('light dark');
  });
});

describe('every state of the gallery', () => {
  it('is a complete page in both languages, with a link to the other language', async () => {
    const states = await statesOf();
    expect(states.length).toBeGreaterThan(40);
    for (const state of states) {
      for (const [locale, other] of [
        ['en', 'id'],
        ['id', 'en'],
      ]) {
        const page = await target.request(`/dev/pages/${state}?ui_locales=${locale}&theme=dark`);
        const text = await page.text();
        expect([state, page.status]).toEqual([state, 200]);
        expect(text, state).toContain(`<html lang="${locale}"`);
        expect(text, state).toContain(`href="/dev/pages/${state}?ui_locales=${other}&amp;theme=dark"`);
        expect(text.match(/<h1/g), state).toHaveLength(1);
        expect(text.replace(/<script.*?<\/script>|data-\w+="[^"]*"/gs, ''), state).not.toMatch(
          /\{\w+\}(?!})|undefined|\[object|\bNaN\b/,
        );
      }
    }
  });

  it('returns 404 for an unknown name', async () => {
    for (const state of ['nothing', 'toString', '__proto__'])
      expect((await target.request(`/dev/pages/${state}`)).status).toBe(404);
  });
});

describe('an error page that cannot be opened again', () => {
  it('links to a page for the same error in the other language', async () => {
    const browser = openBrowser(target);
    const page = await (await browser.navigate('/v1/auth/idp/callback?state=x&code=secret')).text();
    expect(page).toContain('href="/error/state_invalid?ui_locales=id"');
    expect(page).not.toContain('secret');
    const translated = await browser.navigate('/error/state_invalid?ui_locales=id');
    expect([translated.status, (await translated.text()).includes('Mulai lagi proses masuk')]).toEqual([
      200,
      true,
    ]);
    expect((await browser.navigate('/error/constructor')).status).toBe(404);
  });

  it('is not counted as an error, so nobody can forge an outage', async () => {
    for (const code of ['internal', 'gateway_unavailable']) {
      const answer = await openBrowser(target).navigate(`/error/${code}`);
      expect([answer.status, answer.headers.get('X-Error-Code')]).toEqual([200, null]);
    }
    expect((await target.request('/error/internal')).status).toBe(404);
  });
});

describe('page wordings that replace API texts', () => {
  it('cover every problem of a claim', () => {
    const entries = [
      { handle: 'a', displayName: 'n'.repeat(65), confirmed: '' },
      { handle: '_a..b!_', displayName: 'a\u0007', confirmed: 'x' },
    ];
    const texts = entries.flatMap((entry) =>
      Object.values(findProblems({ ...entry, returnTo: null, popup: null }) ?? {}).flat(),
    );
    expect(texts.length).toBeGreaterThan(5);
    for (const text of texts) {
      expect(knownProblems).toContain(text);
      expect(problemIn('id', text)).not.toBe(text);
    }
    expect(problemIn('id', 'anything else')).toBe('anything else');
  });

  it('stay unchanged where the contract fixes them', async () => {
    const page = await (await target.request('/dev/pages/error-409?ui_locales=en')).text();
    expect(page).toContain(`lang="id">${messageByCode.email_conflict}<`);
  });
});

describe('times and places', () => {
  it('are formatted according to each language', () => {
    const now = Date.parse('2027-03-04T10:00:00Z');
    expect(formatAgo('en', '2027-03-01T10:00:00Z', now)).toBe('3 days ago');
    expect(formatAgo('id', '2027-03-01T10:00:00Z', now)).toBe('3 hari yang lalu');
    expect(formatAgo('en', '2027-03-04T09:59:50Z', now)).toBe('now');
    const at = (TIME_ZONE: string) => ({ locale: 'id', brand: brandOf({ TIME_ZONE }) }) as const;
    expect(formatMoment(at('UTC'), '1970-01-01T00:00:00Z')).toBe('1 Januari 1970 pukul 00.00 UTC');
    expect(formatMoment(at('Asia/Jakarta'), '1970-01-01T20:00:00Z')).toBe('2 Januari 1970 pukul 03.00 WIB');
    expect(formatCountry('id', 'SG')).toBe('Singapura');
    expect(formatCountry('en', '??')).toBe('??');
  });
});
