import { describe, expect, it } from 'vitest';
import { type Browser, json, openBrowser } from '../support/browser.ts';
import { form, signInAtSandbox } from '../support/sandbox.ts';
import { sandboxProvider, startService, useSharedService } from '../support/service.ts';
import { setCookies } from '../support/set-cookie.ts';

const target = useSharedService(sandboxProvider);

let people = 0;

/** A person who has just signed in for the first time. */
async function newcomer(name = 'Rani Wulandari', at = target): Promise<Browser> {
  people += 1;
  const browser = openBrowser(at);
  await signInAtSandbox(browser, { name, email: `person${people}@example.com` });
  return browser;
}

function claim(browser: Browser, fields: Record<string, string> | [string, string][]): Promise<Response> {
  return browser.navigate('/v1/auth/claim', form(fields, target.origin));
}

async function pidOf(browser: Browser): Promise<string | null> {
  const answer = await browser.fetch('/v1/auth/session');
  return answer.status === 200 ? ((await answer.json()) as { pid: string }).pid : null;
}

describe('/claim', () => {
  it('redirects to the path of the ticket cookie and keeps only a local return path', async () => {
    const locations = [
      '/claim',
      '/claim?returnTo=/a%26b%3D1',
      '/claim?returnTo=https://evil.example',
      '/claim?returnTo=//evil.example',
    ];
    const answers = await Promise.all(locations.map((path) => target.request(path)));
    expect(answers.map((answer) => [answer.status, answer.headers.get('Location')])).toEqual([
      [302, '/v1/auth/claim'],
      [302, '/v1/auth/claim?returnTo=%2Fa%26b%3D1'],
      [302, '/v1/auth/claim'],
      [302, '/v1/auth/claim'],
    ]);
  });
});

describe('the claim page', () => {
  it('shows the newcomer’s name, a masked address and a suggested handle', async () => {
    const browser = await newcomer('Sari Dewi');
    const page = await browser.navigate('/v1/auth/claim?returnTo=/settings');
    expect(page.headers.get('Content-Type')).toBe('text/html; charset=UTF-8');
    const text = await page.text();
    for (const part of [
      '>SD<',
      'Sari Dewi',
      'p…@example.com',
      'Sandbox',
      'value="sari.dewi"',
      'sari.dewi@pid is free',
      'value="/settings"',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain(`person${people}@`);
  });

  it('is served only to browser navigations, and other clients get the API’s response', async () => {
    const browser = await newcomer('Sari Other');
    const answer = await browser.fetch('/v1/auth/claim', {
      headers: { Accept: 'text/html', 'Sec-Fetch-Mode': 'cors' },
    });
    expect(await answer.json()).toMatchObject({ displayName: 'Sari Other' });
    const claimed = await browser.fetch('/v1/auth/claim', json('POST', { handle: 'sari.other' }));
    expect(await claimed.json()).toMatchObject({ pid: 'sari.other@pid' });
  });

  it('is also served to browsers too old to send Sec-Fetch-Mode', async () => {
    const browser = await newcomer('Sari Old');
    const answer = await browser.fetch('/v1/auth/claim', { headers: { Accept: 'text/html,*/*;q=0.8' } });
    expect(answer.headers.get('Content-Type')).toContain('text/html');
  });

  it('claims the PID, signs in, shows the PID and leads to the client', async () => {
    const browser = await newcomer();
    const fields = {
      handle: 'Rani.One@pid',
      confirmed: ' rani.one ',
      displayName: 'Rani',
      returnTo: '/settings?tab=1',
    };
    const answer = await claim(browser, fields);
    const done = '/claim/done?returnTo=%2Fsettings%3Ftab%3D1';
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, done]);
    const moment = await (await browser.navigate(done)).text();
    for (const part of [
      '<h1 tabindex="-1">rani.one@pid is yours</h1>',
      '<b id="pid">rani.one@pid</b>',
      `href="${target.origin}/dev/welcome?returnTo=%2Fsettings%3Ftab%3D1">Continue to localhost:8787</a>`,
    ]) {
      expect(moment).toContain(part);
    }
    const session = await (await browser.fetch('/v1/auth/session')).json();
    expect(session).toMatchObject({ pid: 'rani.one@pid', profile: { displayName: 'Rani' } });
    expect(setCookies(answer).find(({ name }) => name === 'pid_claim')?.maxAge).toBe(0);
  });

  it('shows the PID only to its owner', async () => {
    const answer = await openBrowser(target).navigate('/claim/done?returnTo=https://evil.example');
    expect([answer.status, answer.headers.get('Location')]).toEqual([302, `${target.origin}/dev/welcome`]);
  });

  it('falls back to the handle, not to the provider’s name, if the name is cleared', async () => {
    const browser = await newcomer('Provider Name');
    await claim(browser, { handle: 'no.name', confirmed: 'no.name', displayName: '  ' });
    expect(await (await browser.fetch('/v1/auth/session')).json()).toMatchObject({
      profile: { displayName: 'no.name' },
    });
  });

  it('reports all problems together, each next to its field, and keeps the entries', async () => {
    const browser = await newcomer();
    const answer = await claim(browser, {
      handle: 'Rani__x!',
      displayName: 'n'.repeat(65),
      returnTo: '/kept',
    });
    expect([answer.status, answer.headers.get('X-Error-Code')]).toEqual([400, 'validation_failed']);
    const text = await answer.text();
    for (const part of [
      'Use only letters a-z, digits, dots, underscores and hyphens',
      'Do not put two dots, underscores or hyphens in a row',
      'Use at most 64 characters',
      'value="Rani__x!"',
      `value="${'n'.repeat(65)}"`,
      'value="/kept"',
    ]) {
      expect(text).toContain(part);
    }
    for (const field of ['handle', 'displayName']) {
      expect(text).toMatch(new RegExp(`<input[^>]* id="${field}"[^>]* aria-invalid="true"`));
      expect(text).toMatch(new RegExp(`aria-describedby="${field}-problem`));
      expect(text).toContain(`id="${field}-problem"`);
    }
    expect(await pidOf(browser)).toBeNull();
  });

  it('offers three available handles for a taken one, and fills in the chosen one without claiming it', async () => {
    await claim(await newcomer(), { handle: 'wanted', confirmed: 'wanted' });
    const browser = await newcomer();
    const taken = await claim(browser, { handle: 'wanted', confirmed: 'wanted', displayName: 'Kept Name' });
    expect([taken.status, taken.headers.get('X-Error-Code')]).toEqual([409, 'handle_taken']);
    const text = await taken.text();
    expect(text).toContain('PID already taken');
    expect(text).toContain('value="Kept Name"');
    const offers = [...text.matchAll(/<button type="submit" name="suggestion" value="([^"]+)"/g)].map(
      ([, offer = '']) => offer,
    );
    expect(offers).toHaveLength(3);
    const pressed = offers[1] ?? '';
    const put = await claim(browser, { handle: 'wanted', displayName: 'Kept Name', suggestion: pressed });
    const page = await put.text();
    expect([put.status, await pidOf(browser)]).toEqual([200, null]);
    for (const part of [`value="${pressed}"`, `${pressed}@pid is free`, 'value="Kept Name"']) {
      expect(page).toContain(part);
    }
    expect((await claim(browser, { handle: pressed, confirmed: pressed })).status).toBe(303);
    expect(await pidOf(browser)).toBe(`${pressed}@pid`);
  });

  it('claims nothing until the person confirms the same handle, on a page that shows it', async () => {
    const browser = await newcomer();
    for (const confirmed of ['', 'asked.twlce', 'asked.twice.']) {
      const answer = await claim(browser, { handle: 'Asked.Twice', displayName: 'Kept Name', confirmed });
      expect([answer.status, await pidOf(browser)], confirmed).toEqual([200, null]);
      const page = await answer.text();
      for (const part of [
        'Claim asked.twice@pid?',
        'value="Kept Name"',
        'name="confirmed" value="Asked.Twice"',
      ])
        expect(page).toContain(part);
    }
    expect((await claim(browser, { handle: 'Asked.Twice', confirmed: 'Asked.Twice' })).status).toBe(303);
    expect(await pidOf(browser)).toBe('asked.twice@pid');
  });

  it('is also available in Indonesian, with the API’s fixed texts unchanged', async () => {
    const browser = await newcomer();
    const Cookie = `${await browser.cookies('/v1/auth/claim')}; pid_lang=id`;
    const posted = form({ handle: 'admin', confirmed: 'admin' }, target.origin);
    const answer = await browser.navigate('/v1/auth/claim', {
      ...posted,
      headers: { ...posted.headers, Cookie },
    });
    const text = await answer.text();
    expect(answer.status).toBe(409);
    expect(text).toContain('<html lang="id"');
    expect(text).toContain('PID ini sudah dipakai');
    expect(text).not.toContain('already taken');
  });

  it('shows reserved names as taken', async () => {
    const answer = await claim(await newcomer(), { handle: 'admin', confirmed: 'admin' });
    expect(answer.status).toBe(409);
    expect(await answer.text()).toContain('PID already taken');
  });

  it('reports an address that now belongs to another person', async () => {
    const [first, second] = [openBrowser(target), openBrowser(target)];
    await signInAtSandbox(first, { name: 'One', email: 'twice@example.com' });
    await signInAtSandbox(second, { user: 'budi' });
    await target.rows(
      "UPDATE claim_tickets SET email = 'twice@example.com', shown_email = 'twice@example.com' WHERE provider_user_id = 'sandbox-budi'",
    );
    await claim(first, { handle: 'first.one', confirmed: 'first.one' });
    const answer = await claim(second, { handle: 'second.one', confirmed: 'second.one' });
    expect(answer.status).toBe(409);
    expect(await answer.text()).toContain('Email sudah terhubung dengan akun lain');
    expect(await pidOf(second)).toBeNull();
  });

  it('returns 410 after the ticket has expired, with a link to sign in again', async () => {
    const browser = await newcomer();
    const Cookie = await browser.cookies('/v1/auth/claim');
    await target.advance(601);
    const late = { handle: 'too.late', confirmed: 'too.late' };
    for (const answer of [
      await browser.navigate('/v1/auth/claim', { headers: { Cookie } }),
      await browser.navigate('/v1/auth/claim', {
        ...form(late, target.origin),
        headers: { ...form(late, target.origin).headers, Cookie },
      }),
    ]) {
      expect(answer.status).toBe(410);
      const text = await answer.text();
      expect(text).toContain('Claim ticket has expired');
      expect(text).toContain('href="/signin"');
    }
  });

  it('discards the ticket if the visitor is someone else', async () => {
    const browser = await newcomer();
    const Cookie = await browser.cookies('/v1/auth/claim');
    const left = await browser.navigate('/v1/auth/claim/leave', form({}, target.origin));
    expect([left.status, left.headers.get('Location')]).toEqual([303, '/signin']);
    expect(await browser.cookie('pid_claim')).toBeNull();
    expect((await target.request('/v1/auth/claim', { headers: { Cookie } })).status).toBe(410);
    expect((await browser.fetch('/v1/auth/claim/leave', { method: 'POST' })).status).toBe(404);
  });

  it('shares the API’s claim limit and counts each request once', async () => {
    const limited = await startService({
      ...sandboxProvider,
      RATE_LIMITS: '{"POST /v1/auth/claim":4,"*":1000000}',
    });
    const browser = await newcomer('Limited', limited);
    const statuses: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      statuses.push((await claim(browser, { handle: '!' })).status);
      statuses.push((await browser.fetch('/v1/auth/claim', json('POST', { handle: '!' }))).status);
    }
    expect(statuses).toEqual([400, 400, 400, 400, 429, 429]);
    const refused = await claim(browser, { handle: '!' });
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(await refused.text()).toContain('Too many requests');
  });

  it('rejects a form posted by another site', async () => {
    const browser = await newcomer();
    const posted = form({ handle: 'stolen', confirmed: 'stolen' }, 'https://evil.example');
    const answer = await browser.navigate('/v1/auth/claim', posted);
    expect(answer.status).toBe(403);
    expect(await pidOf(browser)).toBeNull();
  });

  it('shows a hostile name as plain text', async () => {
    const browser = await newcomer('<img src=x onerror=alert(1)>"\'');
    const text = await (await browser.navigate('/v1/auth/claim')).text();
    expect(text).toContain('&lt;img src=x');
    expect(text).not.toContain('<img');
  });
});
