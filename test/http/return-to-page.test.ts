import { describe, expect, it } from 'vitest';
import { json, openBrowser } from '../support/browser.ts';
import { newMember, startSignIn } from '../support/people.ts';
import { useService } from '../support/service.ts';
import type { Target } from '../support/target.ts';

const page = 'http://localhost:5173';
const known = 'http://known.localhost:5173';

/** The final address of a sign-in started by a page on `origin`. */
async function landing(target: Target, origin: string, returnTo?: string): Promise<string | null> {
  const { claims } = await newMember(target);
  const browser = openBrowser(target);
  const { headers, ...body } = json('POST', returnTo === undefined ? {} : { returnTo });
  const started = await browser.fetch('/v1/auth/login', { ...body, headers: { ...headers, Origin: origin } });
  if (started.status !== 200) return `${started.status}`;
  const { url } = (await started.json()) as { url: string };
  const { callback } = await startSignIn(target, browser, { claims }, url);
  return (await browser.navigate(callback)).headers.get('Location');
}

describe('a redirect sign-in started by a page on this machine', () => {
  const target = useService({ ALLOWED_ORIGINS: known });

  it('returns to that page in development, unless a setting specifies its origin', async () => {
    expect(await landing(target, page)).toBe(`${page}/`);
    expect(await landing(target, page, '/settings?tab=1')).toBe(
      `${page}/?returnTo=${encodeURIComponent('/settings?tab=1')}`,
    );
    const welcome = `${target.origin}/dev/welcome`;
    expect(await landing(target, known, '/settings')).toBe(`${welcome}?returnTo=%2Fsettings`);
    expect(await landing(target, target.origin)).toBe(welcome);
    expect(await landing(target, 'http://evil.example')).toBe('403');
  });

  it('returns with a claim for a newcomer', async () => {
    const browser = openBrowser(target);
    const { headers, ...body } = json('POST', {});
    const asked = { ...body, headers: { ...headers, Origin: page } };
    const { url } = (await (await browser.fetch('/v1/auth/login', asked)).json()) as { url: string };
    const { callback } = await startSignIn(target, browser, {}, url);
    expect((await browser.navigate(callback)).headers.get('Location')).toBe(`${page}/?claim=1`);
  });
});
