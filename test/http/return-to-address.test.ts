import { describe, expect, it } from 'vitest';
import { type Browser, json, linkOf, openBrowser } from '../support/browser.ts';
import { newPasswordMember } from '../support/passwords.ts';
import { newMember, signIn, somebody, startSignIn } from '../support/people.ts';
import { useService } from '../support/service.ts';

const shop = 'https://shop.example.com';
const target = useService({
  CLIENT_SUCCESS_URL: 'https://app.example.com/welcome?x=1',
  ALLOWED_ORIGINS: `${shop}, https://other.example.com:8443`,
});

/** Every address here is on an allowed origin, or looks as if it were. */
const foreign = [
  'https://evil.example/',
  'https://shop.example.com.evil.example/',
  'https://shop.example.com@evil.example/',
  'https://shop.example.com:443@evil.example/',
  'https://user@shop.example.com/',
  'https://shop.example.com:8443/',
  'https://shop.example.com:443/',
  'https://SHOP.example.com/',
  'http://shop.example.com/',
  'https:/shop.example.com/',
  'https:shop.example.com/',
  'https:///shop.example.com/',
  'https://shop.example.com\\@evil.example/',
  'https://evil.example\\.shop.example.com/',
  'https://shop.example.com/\\evil.example',
  'https://shop.example.com/a b',
  'https://shop.example.com/\n',
  'https://shop.example.com/\u0000',
  '\thttps://shop.example.com/',
  'https://shop.example.com\u3002evil.example/',
  '//shop.example.com/',
  '/\\shop.example.com/',
  'javascript:alert(1)//https://shop.example.com/',
  'data:text/html,https://shop.example.com/',
  'blob:https://shop.example.com/x',
  'shop.example.com',
];

async function begin(browser: Browser, returnTo: string): Promise<Response> {
  return browser.fetch('/v1/auth/login', json('POST', { returnTo }));
}

/** The final address of a provider sign-in started at `start`. */
async function end(browser: Browser, start: string, claims = somebody()): Promise<string | null> {
  const verified = { email_verified: true, ...claims };
  const { callback } = await startSignIn(target, browser, { claims: verified }, start);
  return landing(await browser.navigate(callback));
}

const signInPage = (returnTo: string, more = {}) => `/signin?${new URLSearchParams({ returnTo, ...more })}`;

/** The URLs in one attribute of a page, as a browser reads them. */
function valuesOf(html: string, attribute: string): string[] {
  const found = html.matchAll(new RegExp(`\\b${attribute}="([^"]*)"`, 'g'));
  return [...found].map(([, value = '']) => value.replaceAll('&amp;', '&'));
}

function postForm(browser: Browser, path: string, fields: Record<string, string>): Promise<Response> {
  return browser.navigate(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: target.origin },
    body: new URLSearchParams(fields).toString(),
  });
}

const landing = (answer: Response) => answer.headers.get('Location');

describe('a sign-in that returns to an address', () => {
  it('ends at that address, on every first-party origin', async () => {
    const { browser, claims } = await newMember(target);
    const addresses = [
      `${shop}/cart?item=7#top`,
      `${shop}/search?q=C:\\x`,
      `${shop}/#/x#y`,
      shop,
      `${shop}/`,
      'https://other.example.com:8443/x',
      'https://app.example.com/settings',
      `${target.origin}/account`,
    ];
    for (const address of addresses) {
      const { url } = (await (await begin(browser, address)).json()) as { url: string };
      expect(await end(browser, url, claims)).toBe(address);
    }
  });

  it('adds claim=1 for a newcomer, before the fragment', async () => {
    const browser = openBrowser(target);
    const { url } = (await (await begin(browser, `${shop}/cart?item=7#top`)).json()) as { url: string };
    expect(await end(browser, url)).toBe(`${shop}/cart?item=7&claim=1#top`);
  });

  it('is rejected for any other address, in any spelling [D-30]', async () => {
    const message = ['returnTo must be a path such as /settings, or an address on an allowed origin'];
    for (const returnTo of foreign) {
      const answer = await begin(openBrowser(target), returnTo);
      expect([returnTo, answer.status]).toEqual([returnTo, 400]);
      expect(await answer.json()).toMatchObject({ message });
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  });

  it('may start on the hosted page, with a provider or a password', async () => {
    const { browser, claims } = await newMember(target);
    const page = await browser.navigate(signInPage(`${shop}/cart`, { other: '1' }));
    expect(await page.clone().text()).toContain('shop.example.com');
    expect(page.headers.get('Content-Security-Policy')).toContain(`form-action 'self' ${shop};`);
    expect(await end(browser, await linkOf(page, '/v1/auth/idp'), claims)).toBe(`${shop}/cart`);

    const { email, password } = await newPasswordMember(target);
    const fields = { email, password, returnTo: `${shop}/cart` };
    const posted = await postForm(openBrowser(target), '/v1/auth/email/login', fields);
    expect([posted.status, landing(posted)]).toEqual([303, `${shop}/cart`]);
  });

  it('leads nowhere else from the hosted page [D-30]', async () => {
    for (const returnTo of foreign) {
      const { browser, claims } = await newMember(target);
      const page = await browser.navigate(signInPage(returnTo, { other: '1' }));
      expect(await page.clone().text()).toContain('app.example.com');
      expect(page.headers.get('Content-Security-Policy')).toContain(
        "form-action 'self' https://app.example.com;",
      );
      const planted = `/v1/auth/idp?${new URLSearchParams({ returnTo })}`;
      for (const start of [await linkOf(page, '/v1/auth/idp'), planted]) {
        const ended = new URL((await end(browser, start, claims)) ?? '');
        expect(ended.origin, returnTo).toBe('https://app.example.com');
      }
    }
  });
});

describe('two tabs of one browser that sign in concurrently', () => {
  const other = 'https://other.example.com:8443';

  /** Opens the sign-in page in two tabs, for two apps. */
  async function openTabs(browser: Browser): Promise<[Response, Response]> {
    return [
      await browser.navigate(signInPage(`${shop}/cart`, { other: '1' })),
      await browser.navigate(signInPage(`${other}/x`, { other: '1' })),
    ];
  }

  it('each return to their own app from a provider, in any order', async () => {
    const { browser, claims } = await newMember(target);
    const tabs = await openTabs(browser);
    // A third tab without an address does not affect them.
    const third = await browser.navigate('/signin?other=1');
    const [first, second, without] = await Promise.all(
      [...tabs, third].map((tab) => linkOf(tab, '/v1/auth/idp')),
    );
    const starts = [without, first, second].map((start = '') =>
      startSignIn(target, browser, { claims }, start),
    );
    const [bare, one, two] = (await Promise.all(starts)).map(({ callback }) => callback);
    const ends = [];
    for (const callback of [two, one, bare]) ends.push(landing(await browser.navigate(callback ?? '')));
    expect(ends).toEqual([`${other}/x`, `${shop}/cart`, 'https://app.example.com/welcome?x=1']);
  });

  it('each return to their own app when the SDK starts the sign-in at a provider', async () => {
    const { browser, claims } = await newMember(target);
    const urls = [];
    for (const returnTo of [`${shop}/cart`, `${other}/x`]) {
      const answer = await begin(browser, returnTo);
      expect(answer.headers.getSetCookie()).toEqual([]);
      urls.push(((await answer.json()) as { url: string }).url);
    }
    const [first = '', second = ''] = urls;
    expect(await end(browser, second, claims)).toBe(`${other}/x`);
    expect(await end(browser, first, claims)).toBe(`${shop}/cart`);
  });

  it('each name their own app in the email forms and the passkey sign-in', async () => {
    const { email, password } = await newPasswordMember(target);
    const browser = openBrowser(target);
    const pages = await Promise.all((await openTabs(browser)).map((tab) => tab.text()));
    const ends = [];
    for (const html of pages) {
      const returnTo = /name="returnTo" value="([^"]*)"/.exec(html)?.[1] ?? '';
      ends.push([
        landing(await postForm(browser, '/v1/auth/email/login', { email, password, returnTo })),
        valuesOf(html, 'data-next')[0],
      ]);
    }
    expect(ends).toEqual([
      [`${shop}/cart`, `${shop}/cart`],
      [`${other}/x`, `${other}/x`],
    ]);
  });

  it('each return to their own app after a claim, and after switching to another method', async () => {
    const browser = openBrowser(target);
    await signIn(target, browser);
    const claim = await browser.navigate(`/claim?${new URLSearchParams({ returnTo: `${shop}/cart` })}`);
    const tab = await browser.navigate(landing(claim) ?? '');
    await browser.navigate(signInPage(`${other}/x`, { other: '1' }));
    const html = await tab.clone().text();
    expect(valuesOf(html, 'value')).toContain(`${shop}/cart`);

    // "I already have a PID" signs in and links the waiting account, then continues to the app.
    const { claims } = await newMember(target);
    const question = await browser.navigate(await linkOf(tab, '/v1/auth/claim/link'));
    const page = await browser.navigate(landing(question) ?? '');
    const asked = (await end(browser, await linkOf(page, '/v1/auth/idp'), claims)) ?? '';
    const form = await (await browser.navigate(asked)).text();
    const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(form)?.[1] ?? '';
    const fields = {
      ticket: field('ticket'),
      handle: field('handle'),
      returnTo: field('returnTo'),
      mine: 'yes',
    };
    const linked = await postForm(browser, '/v1/auth/claim/link', fields);
    expect([linked.status, landing(linked)]).toEqual([303, `${shop}/cart?linked=idp`]);

    // "This is not me" returns to the sign-in for the same app.
    const left = await postForm(browser, '/v1/auth/claim/leave', { returnTo: `${shop}/cart` });
    expect([left.status, landing(left)]).toEqual([303, signInPage(`${shop}/cart`)]);
  });
});
