import { beforeAll, expect, inject, it } from 'vitest';
import { beginLink } from '../support/accounts.ts';
import { json, openBrowser } from '../support/browser.ts';
import { expectNoSession } from '../support/outcomes.ts';
import { freshHandle } from '../support/people.ts';
import { driveLogin, registerRedirectUri } from '../support/provider-driver.ts';
import { useService } from '../support/service.ts';

const welcome = 'http://localhost:8787/dev/welcome';
const { issuer, clientId, clientSecret } = inject('panva');

const target = useService({
  IDP_ISSUER: issuer,
  IDP_CLIENT_ID: clientId,
  IDP_CLIENT_SECRET: clientSecret,
  GOOGLE_ISSUER: issuer,
  GOOGLE_CLIENT_ID: clientId,
  GOOGLE_CLIENT_SECRET: clientSecret,
});
beforeAll(async () => {
  for (const id of ['idp', 'google'])
    await registerRedirectUri(issuer, `http://localhost:8787/v1/auth/${id}/callback`);
});

/** Signs in like a person: from our start page, through the provider's forms, back to our callback. */
async function signInAs(
  browser: ReturnType<typeof openBrowser>,
  login: string,
  start = '/v1/auth/idp',
): Promise<string | null> {
  const started = await browser.navigate(start);
  const callback = await driveLogin(started.headers.get('Location') ?? '', login);
  const finished = await browser.navigate(callback.slice(target.origin.length));
  expect(finished.status).toBe(302);
  return finished.headers.get('Location');
}

it('an independent provider signs people in and recognises them when they return', async () => {
  for (const login of ['sari', 'budi']) {
    const browser = openBrowser(target);
    expect(await signInAs(browser, login)).toBe(`${welcome}?claim=1`);
    const preview = await (await browser.fetch('/v1/auth/claim')).json();
    expect(preview).toMatchObject({ provider: 'idp', email: `${login}@example.com` });
    const handle = freshHandle();
    const claimed = await browser.fetch('/v1/auth/claim', json('POST', { handle }));
    expect([claimed.status, await claimed.json()]).toMatchObject([200, { pid: `${handle}@pid` }]);

    const elsewhere = openBrowser(target);
    expect(await signInAs(elsewhere, login)).toBe(welcome);
    const session = await (await elsewhere.fetch('/v1/auth/session')).json();
    expect(session).toMatchObject({ pid: `${handle}@pid` });
    const credentials = await (await elsewhere.fetch('/v1/credentials')).json();
    expect(credentials).toMatchObject([{ provider: 'idp', email: `${login}@example.com` }]);
  }
});

it('an independent provider also works as Google, and is linked alongside the other provider’s account', async () => {
  const browser = openBrowser(target);
  await signInAs(browser, 'dewi', '/v1/auth/google');
  expect(await (await browser.fetch('/v1/auth/claim')).json()).toMatchObject({ provider: 'google' });
  await browser.fetch('/v1/auth/claim', json('POST', { handle: freshHandle() }));
  const start = await beginLink(browser, 'idp');
  // The same person at the same provider, which has a second name here: one address, two credentials.
  expect(await signInAs(browser, 'dewi', start)).toBe(`${welcome}?linked=idp`);
  const credentials = await (await browser.fetch('/v1/credentials')).json();
  const email = 'dewi@example.com';
  expect(credentials).toMatchObject([
    { provider: 'google', email },
    { provider: 'idp', email },
  ]);
});

it('an independent provider rejects a person’s code with another browser’s state [D-22]', async () => {
  const [mine, theirs] = [openBrowser(target), openBrowser(target)];
  const [start, other] = [await mine.navigate('/v1/auth/idp'), await theirs.navigate('/v1/auth/idp')];
  const callback = new URL(await driveLogin(start.headers.get('Location') ?? '', 'wati'));
  const state = new URL(other.headers.get('Location') ?? '').searchParams.get('state');
  callback.searchParams.set('state', state ?? '');
  await expectNoSession(target, 'provider_failed', () => theirs.fetch(callback.pathname + callback.search));
});
