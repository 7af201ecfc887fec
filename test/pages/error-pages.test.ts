import { describe, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { appAndPerson, authorizeUrl, decideOn } from '../support/oauth.ts';
import { freshEmail, goodPassword, newPasswordMember } from '../support/passwords.ts';
import { form } from '../support/sandbox.ts';
import { sandboxProvider, startService, useService } from '../support/service.ts';

const target = useService(sandboxProvider);

/** The page's main button: its link and its text. */
function wayOn(page: string): [string, string] | null {
  const found = /<a class="button main[^"]*" href="([^"]*)">([^<]*)<\/a>/.exec(page);
  return found && [(found[1] ?? '').replaceAll('&amp;', '&'), found[2] ?? ''];
}

describe('an error page', () => {
  it('links to the account if no other link would help', async () => {
    const browser = openBrowser(target);
    const foreign = {
      ...form({}, 'https://evil.example'),
      headers: { Origin: 'https://evil.example', 'Content-Type': 'application/x-www-form-urlencoded' },
    };
    for (const [status, answer] of [
      [404, await browser.navigate('/nowhere')],
      [403, await browser.navigate('/v1/auth/logout/leave', foreign)],
    ] as const) {
      expect([answer.status, wayOn(await answer.text())]).toEqual([
        status,
        ['/account', 'Go to your account'],
      ]);
    }
  });

  it('links back to the form that was submitted too often, with its target and the address', async () => {
    const strict = await startService({ ...sandboxProvider, RATE_LIMITS: 'on' });
    const { email } = await newPasswordMember(strict);
    const browser = openBrowser(strict);
    const entry = { email, password: 'salah tetapi panjang', returnTo: '/settings' };
    let answer = await browser.navigate('/v1/auth/email/login', form(entry, strict.origin));
    for (let tries = 0; answer.status !== 429 && tries < 20; tries += 1)
      answer = await browser.navigate('/v1/auth/email/login', form(entry, strict.origin));
    const way = wayOn(await answer.text());
    expect([answer.status, way]).toEqual([
      429,
      [`/v1/auth/email/login?${new URLSearchParams({ returnTo: '/settings', email })}`, 'Try again'],
    ]);
    const again = await (await browser.navigate(way?.[0] ?? '')).text();
    for (const kept of [`value="${email}"`, 'name="returnTo" value="/settings"'])
      expect(again).toContain(kept);
  });

  it('says after too many mailed codes that the newest one works', async () => {
    const browser = openBrowser(target);
    const ask = form({ email: freshEmail() }, target.origin);
    let answer = await browser.navigate('/v1/auth/email/forgot', ask);
    for (let tries = 0; answer.status !== 429 && tries < 6; tries += 1)
      answer = await browser.navigate('/v1/auth/email/forgot', ask);
    const text = await answer.text();
    expect([answer.status, /Try again in \d+ minutes\./.exec(text)?.[0]]).toEqual([
      429,
      'Try again in 60 minutes.',
    ]);
    expect(text).toContain('use the newest one');
  });

  it('links back to the account page with the failed form', async () => {
    const strict = await startService({ ...sandboxProvider, RATE_LIMITS: 'on' });
    const { browser } = await newPasswordMember(strict);
    const end = () => browser.navigate('/account/sessions/end', form({ id: 'x' }, strict.origin));
    let answer = await end();
    for (let tries = 0; answer.status !== 429 && tries < 70; tries += 1) answer = await end();
    expect([answer.status, wayOn(await answer.text())]).toEqual([429, ['/account/sessions', 'Try again']]);
  });

  it('uses the reader’s language and shows the API’s text in small print next to the request id', async () => {
    const page = await openBrowser(target).navigate('/nowhere?ui_locales=id');
    const text = await page.text();
    expect(text).toContain('Alamatnya mungkin salah ketik');
    expect(text).toMatch(/<p class="hint"><span lang="en">Not found<.*?<code>[\w-]+<\/code>/);
    expect(wayOn(text)).toEqual(['/account', 'Buka akun Anda']);
  });

  it('links a decision sent too often back to the app’s request', async () => {
    const strict = await startService({ RATE_LIMITS: '{"POST /v1/auth/authorize":1,"*":1000000}' });
    const { app, person } = await appAndPerson(strict);
    const asked = await person.browser.navigate(authorizeUrl(app));
    const decide = () => decideOn(strict, person.browser, asked, 'neither');
    expect((await decide()).status).toBe(400);
    const refused = await decide();
    const way = wayOn(await refused.text());
    const continues = expect.stringMatching(/^\/v1\/auth\/authorize\?continue=[\w-]{8}$/);
    expect([refused.status, way]).toEqual([429, [continues, 'Try again']]);
    expect(await (await person.browser.navigate(way?.[0] ?? '')).text()).toContain('name="proof"');
  });

  it('links an expired claim to a sign-in that returns to the same page', async () => {
    const page = await openBrowser(target).navigate('/v1/auth/claim?returnTo=/settings');
    expect([page.status, wayOn(await page.text())]).toEqual([
      410,
      ['/signin?returnTo=%2Fsettings', 'Sign in'],
    ]);
  });

  it('keeps its links when its language changes', async () => {
    const strict = await startService({ ...sandboxProvider, RATE_LIMITS: 'on' });
    const browser = openBrowser(strict);
    const ask = () =>
      browser.navigate(
        '/v1/auth/email/register',
        form({ email: freshEmail(), password: goodPassword }, strict.origin),
      );
    let answer = await ask();
    for (let tries = 0; answer.status !== 429 && tries < 20; tries += 1) answer = await ask();
    expect(answer.status).toBe(429);
    expect(await answer.text()).toMatch(/href="\/v1\/auth\/email\/register\?[^"]*ui_locales=id"/);
  });
});
