import { describe, expect, it } from 'vitest';
import { type Browser, json, openBrowser } from '../support/browser.ts';
import { newPasswordMember } from '../support/passwords.ts';
import { newMember, signIn } from '../support/people.ts';
import { useService } from '../support/service.ts';

const shop = 'https://shop.example.com';
const target = useService({
  CLIENT_SUCCESS_URL: 'https://app.example.com/welcome?x=1',
  ALLOWED_ORIGINS: `${shop}, https://other.example.com:8443`,
});

/** Every address here is in an allowed origin, or looks as if it were. */
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

const landing = (answer: Response) => answer.headers.get('Location');

describe('a sign-in that returns to an address', () => {
  it('ends there, on every first-party origin', async () => {
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
      expect((await begin(browser, address)).status, address).toBe(200);
      expect(landing(await signIn(target, browser, claims))).toBe(address);
    }
  });

  it('tells the address of a newcomer, before its fragment', async () => {
    const browser = openBrowser(target);
    await begin(browser, `${shop}/cart?item=7#top`);
    expect(landing(await signIn(target, browser))).toBe(`${shop}/cart?item=7&claim=1#top`);
  });

  it('is refused for any other address, however it is written [D-30]', async () => {
    const message = ['returnTo must be a path such as /settings, or an address on an allowed origin'];
    for (const returnTo of foreign) {
      const answer = await begin(openBrowser(target), returnTo);
      expect([returnTo, answer.status]).toEqual([returnTo, 400]);
      expect(await answer.json()).toMatchObject({ message });
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  });

  it('may begin on the hosted page, with every kind of credential', async () => {
    const { browser, claims } = await newMember(target);
    const page = await browser.navigate(`/signin?${new URLSearchParams({ returnTo: `${shop}/cart` })}`);
    expect(await page.clone().text()).toContain('shop.example.com');
    expect(page.headers.get('Content-Security-Policy')).toContain(`form-action 'self' ${shop};`);
    expect(landing(await signIn(target, browser, claims))).toBe(`${shop}/cart`);

    const { email, password } = await newPasswordMember(target);
    const form = new URLSearchParams({ email, password, returnTo: `${shop}/cart` });
    const posted = await openBrowser(target).navigate('/v1/auth/email/login', {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: target.origin },
      body: form.toString(),
    });
    expect([posted.status, landing(posted)]).toEqual([303, `${shop}/cart`]);
  });

  it('leads a hosted page nowhere else [D-30]', async () => {
    for (const returnTo of foreign) {
      const { browser, claims } = await newMember(target);
      const page = await browser.navigate(`/signin?${new URLSearchParams({ returnTo })}`);
      expect(await page.text()).toContain('app.example.com');
      expect(page.headers.get('Content-Security-Policy')).toContain(
        "form-action 'self' https://app.example.com;",
      );
      const ended = new URL(landing(await signIn(target, browser, claims)) ?? '');
      expect(ended.origin, returnTo).toBe('https://app.example.com');
    }
  });
});
