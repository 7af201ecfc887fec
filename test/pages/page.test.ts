import { describe, expect, it } from 'vitest';
import { linkOf, openBrowser } from '../support/browser.ts';
import { production } from '../support/production.ts';
import { form, openPicker, signInAtSandbox } from '../support/sandbox.ts';
import { sandboxProvider, startService, useService } from '../support/service.ts';

const client = 'http://app.localhost:5173';
const target = useService({ ...sandboxProvider, CLIENT_SUCCESS_URL: `${client}/welcome` });

describe('every page', () => {
  it('has the headers of a page rather than of the API [S-13]', async () => {
    const browser = openBrowser(target);
    await signInAtSandbox(browser, { user: 'budi' });
    const pages = [
      await browser.navigate('/signin'),
      await browser.navigate('/v1/auth/claim'),
      await browser.navigate('/v1/auth/idp/callback'),
      await browser.navigate('/nowhere'),
      await browser.navigate('/dev'),
      await browser.navigate('/dev/welcome'),
      await browser.navigate(await openPicker(browser)),
    ];
    for (const page of pages) {
      expect(page.headers.get('Content-Type')).toBe('text/html; charset=UTF-8');
      expect(page.headers.get('Cache-Control')).toBe('no-store');
      expect(page.headers.get('Referrer-Policy')).toBe('same-origin');
      expect(page.headers.get('X-Frame-Options')).toBe('DENY');
      expect(page.headers.get('Cross-Origin-Opener-Policy')).toBeNull();
      const policy = page.headers.get('Content-Security-Policy') ?? '';
      expect(policy).toMatch(/^default-src 'none';.*base-uri 'none'; frame-ancestors 'none'$/);
      expect(policy).toContain("require-trusted-types-for 'script'");
      expect(policy).not.toContain('unsafe');
      const scripts = (await page.text()).match(/<script[^>]*>/g) ?? [];
      const [, nonce] = /script-src 'nonce-([\w-]{22})'/.exec(policy) ?? [];
      for (const script of scripts) expect(script).toBe(`<script nonce="${nonce}">`);
    }
  });

  it('describes the service in its language for search results and previews', async () => {
    for (const [locale, words] of Object.entries({ en: 'permanent identity', id: 'identitas tetap' })) {
      for (const path of ['/signin', '/nowhere', '/v1/auth/email/register']) {
        const page = await openBrowser(target).navigate(`${path}?ui_locales=${locale}`);
        expect(await page.text(), path).toMatch(
          new RegExp(`<meta name="description" content="[^"]*${words}`),
        );
      }
    }
  });

  it('allows its style with a nonce unique to the response [S-13]', async () => {
    const nonces = new Set<string>();
    for (let round = 0; round < 3; round += 1) {
      const page = await target.request('/signin');
      const [, nonce = ''] =
        /style-src 'nonce-([\w-]{22})'/.exec(page.headers.get('Content-Security-Policy') ?? '') ?? [];
      expect(await page.text()).toContain(`<style nonce="${nonce}">`);
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(3);
  });

  it('allows external form targets only for forms that lead to the client', async () => {
    const browser = openBrowser(target);
    await signInAtSandbox(browser, { user: 'budi' });
    const actions = async (path: string) =>
      /form-action ([^;]+)/.exec(
        (await browser.navigate(path)).headers.get('Content-Security-Policy') ?? '',
      )?.[1];
    expect(await actions('/v1/auth/claim')).toBe("'self'");
    // The sandbox redirects to whichever page on this machine started the sign-in.
    expect(await actions(await openPicker(browser))).toMatch(`'self' ${client} http://localhost:*`);
    expect(await actions('/signin')).toBe(`'self' ${client}`);
    expect(await actions('/v1/auth/email/verify')).toBe(`'self' ${client}`);
    expect(await actions('/nowhere')).toBe("'self'");
  });
});

describe('/signin', () => {
  it('links to the configured provider', async () => {
    const page = await target.request('/signin');
    expect(page.status).toBe(200);
    expect(await page.text()).toMatch(/<a [^>]*href="\/v1\/auth\/idp"[^>]*>.*?Continue with Sandbox<\/a>/);
  });

  it('passes a return path, and only a path, through the sign-in', async () => {
    const browser = openBrowser(target);
    const start = await linkOf(await browser.navigate('/signin?returnTo=/settings'), '/v1/auth/idp');
    const answer = await signInAtSandbox(browser, { user: 'siti' }, start);
    expect(answer.headers.get('Location')).toBe(`${client}/welcome?claim=1&returnTo=%2Fsettings`);
    for (const returnTo of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      `/${'x'.repeat(512)}`,
    ]) {
      const page = await target.request(`/signin?${new URLSearchParams({ returnTo })}`);
      expect(await linkOf(page, '/v1/auth/idp'), returnTo).toBe('/v1/auth/idp');
    }
  });

  it('offers only email, password and passkeys if no provider is configured', async () => {
    const bare = await startService(production);
    const page = await bare.request('/signin');
    expect(page.status).toBe(200);
    const text = await page.text();
    expect([text.includes('href="/v1/auth/idp"'), text.includes('action="/v1/auth/email/login"')]).toEqual([
      false,
      true,
    ]);
    expect(text).toContain('Use a passkey');
  });
});

describe('an error', () => {
  it('is a page for a browser navigation, and JSON for other clients', async () => {
    const path = '/v1/auth/idp/callback?state=<b>bold&code=x';
    const message = 'This sign-in was not started in this browser, or it has expired or was already used';
    const page = await openBrowser(target).navigate(path);
    expect([page.status, page.headers.get('X-Error-Code')]).toEqual([400, 'state_invalid']);
    const text = await page.text();
    expect(text).toContain(message);
    expect(text).toContain(page.headers.get('X-Request-Id'));
    expect(text).toContain('href="/signin"');
    expect(text).not.toContain('bold');
    expect(await (await target.request(path)).json()).toEqual({
      statusCode: 400,
      message,
      code: 'state_invalid',
    });
  });

  it('keeps the API’s text and its language on the conflict page', async () => {
    await target.request('/dev/seed', { method: 'POST' });
    const answer = await signInAtSandbox(openBrowser(target), { user: 'budi', conflict: '1' });
    expect(answer.status).toBe(409);
    expect(await answer.text()).toContain('lang="id">Email sudah terhubung dengan akun lain<');
  });

  it('lists every problem of an invalid request', async () => {
    const answer = await openBrowser(target).navigate('/dev/idp/authorize', form({}, target.origin));
    expect(answer.status).toBe(400);
    const text = await answer.text();
    for (const problem of ['response_type must be code', 'scope must include openid'])
      expect(text).toContain(problem);
  });
});
