import { describe, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { makeOpener, type Opener, openPopup, signInInPopup } from '../support/popup.ts';
import { ask, lastPage, press, redeem } from '../support/popup-tokens.ts';
import { useService } from '../support/service.ts';
import { decodeJwt } from '../support/signing.ts';
import { appSignIn, newRelation, type Relation, tokensOf } from '../support/token.ts';

const target = useService({ RATE_LIMITS: 'off' });

let count = 0;

/** An app that the person has used with all its scopes. */
async function newUsedApp(fields: Record<string, unknown> = {}): Promise<Relation> {
  // The apps of an origin are cached for a minute, so each app has its own origin.
  count += 1;
  const origin = `https://app-${count}.example.com`;
  // A URL with a query may belong to a page that redirects to a URL in the query.
  const out = `${origin}/out?to=elsewhere`;
  const redirectUris = ['https://elsewhere.example.com/callback', out, `${origin}/callback`];
  const relation = await newRelation(target, {
    type: 'spa',
    allowedOrigins: [origin],
    redirectUris,
    ...fields,
  });
  await appSignIn(relation, { scope: 'openid profile email offline_access' });
  await target.advance(1);
  return relation;
}

const errorOf = async (answer: Response) => [
  answer.status,
  ((await answer.json()) as { error?: string }).error,
];
const refused = [400, 'invalid_grant'];

describe.each(['spa', 'web'])('a popup result for an app of type %s', (type) => {
  it('cannot be redeemed by a program that registers the request and sends the person a link [D-86]', async () => {
    const relation = await newUsedApp({ type });
    const opener = await ask(relation);
    await press(relation, opener);
    expect(await errorOf(await redeem(relation, opener))).toEqual(refused);
    // The last page is shown to the browser that decided; the program receives nothing from it.
    const { result } = await lastPage(relation.person.browser, opener);
    expect(result).toMatch(/^[\w-]{43}\.[\w-]{22}$/);
    const attacker = openBrowser(target);
    expect((await lastPage(attacker, opener)).text).not.toContain('data-result');
    const stranger = await newRelation(target);
    expect((await lastPage(stranger.person.browser, opener)).text).not.toContain('data-result');
    for (const guess of ['', 'x', opener.verifier, `${result}`.slice(1)]) {
      expect(await errorOf(await redeem(relation, opener, guess))).toEqual(refused);
    }
    const sessions = 'SELECT count(*) AS n FROM app_sessions WHERE app_id = ?';
    expect(await target.rows(sessions, [relation.app.id])).toEqual([{ n: 1 }]);
  });

  it('is redeemed only once, with the newest value from the last page, for the requested scopes', async () => {
    const relation = await newUsedApp({ type });
    const opener = await ask(relation, 'openid email wallet:read');
    await press(relation, opener);
    const first = await lastPage(relation.person.browser, opener);
    const last = await lastPage(relation.person.browser, opener);
    expect(await errorOf(await redeem(relation, opener, first.result))).toEqual(refused);
    const answers = await Promise.all([1, 2, 3].map(() => redeem(relation, opener, last.result)));
    const [won, ...others] = answers.filter(({ status }) => status === 200);
    expect(others).toEqual([]);
    // `wallet:read` was never granted, and no refresh token was requested.
    const tokens = await tokensOf(won as Response);
    expect([tokens.scope, tokens.refresh_token]).toEqual(['email openid', undefined]);
    expect(decodeJwt(tokens.access_token).payload).toMatchObject({
      sub: `${relation.person.handle}@pid`,
      scope: 'email openid',
    });
    expect((await lastPage(relation.person.browser, opener)).result).toBeUndefined();
  });

  it('returns only to a redirect URI on the registered origin without a query', async () => {
    const relation = await newUsedApp({ type });
    const [origin] = relation.app.allowedOrigins;
    const opener = await ask(relation);
    const browser = openBrowser(target);
    await openPopup(browser, opener);
    await signInInPopup(target, browser, opener.id, relation.person.claims);
    await press({ ...relation, person: { ...relation.person, browser } }, opener);
    const { result, returnUrl, text } = await lastPage(browser, opener);
    expect(returnUrl).toBe(`${origin}/callback#pid_popup=${opener.id}.${result}`);
    expect(text).toContain(`<noscript><meta http-equiv="refresh" content="0; url=${returnUrl}"></noscript>`);

    const bare = await newUsedApp({ type, redirectUris: ['https://elsewhere.example.com/callback'] });
    const other = await ask(bare);
    await press(bare, other);
    const page = await lastPage(bare.person.browser, other);
    expect(page.result).toMatch(/^[\w-]{43}\.[\w-]{22}$/);
    expect(page.returnUrl).toBeUndefined();
    expect(page.text).toContain('data-not-taken');
  });

  it('yields no tokens if the request had no scopes', async () => {
    const relation = await newUsedApp({ type });
    const opener = await ask(relation, null);
    await press(relation, opener);
    const { text } = await lastPage(relation.person.browser, opener);
    expect(text).not.toContain('data-result');
    expect(await errorOf(await redeem(relation, opener))).toEqual(refused);
    expect(await errorOf(await redeem(relation, opener, ''))).toEqual(refused);
  });

  it('expires thirty seconds after the approval', async () => {
    const relation = await newUsedApp({ type });
    const opener = await ask(relation);
    await press(relation, opener);
    const { result } = await lastPage(relation.person.browser, opener);
    await target.advance(31);
    expect((await lastPage(relation.person.browser, opener)).result).toBeUndefined();
    expect(await errorOf(await redeem(relation, opener, result))).toEqual(refused);
  });

  it('is also protected by the database', async () => {
    const relation = await newUsedApp({ type });
    const opener = await ask(relation);
    await press(relation, opener);
    const change = "UPDATE popup_requests SET status = 'redeemed', redeemed_op = 'x' WHERE id = ?";
    await expect(target.rows(change, [opener.id])).rejects.toThrow(/guard:popup_handed_over/);
  });
});

describe('the popup of an app on a host that the person has not allowed', () => {
  const statusOf = ({ id }: Opener) => target.rows('SELECT status FROM popup_requests WHERE id = ?', [id]);

  /** A stranger opens the popup, and the person follows a link to its request's sign-in. */
  async function followLink(relation: Relation) {
    const opener = await ask(relation, 'openid email offline_access');
    await openPopup(openBrowser(target), opener);
    const browser = openBrowser(target);
    await signInInPopup(target, browser, opener.id, relation.person.claims);
    return { opener, browser };
  }

  it('is not approved by a sign-in unless the person has seen its page [S-15]', async () => {
    const relation = await newUsedApp();
    const { opener, browser } = await followLink(relation);
    const stolen = await lastPage(browser, opener);
    expect(await errorOf(await redeem(relation, opener, stolen.result))).toEqual(refused);
    const [origin = ''] = relation.app.allowedOrigins;
    expect(await statusOf(opener)).toEqual([{ status: 'opened' }]);
    const led = await browser.navigate(`/popup/done?c=${opener.id}`);
    expect(led.headers.get('Location')).toBe(`/popup/login?c=${opener.id}`);
    expect(await (await openPopup(browser, opener)).text()).toContain(
      `<strong>${new URL(origin).host}</strong>`,
    );
    await press({ ...relation, person: { ...relation.person, browser } }, opener);
    const { result } = await lastPage(browser, opener);
    expect((await tokensOf(await redeem(relation, opener, result))).scope).toBe(
      'email offline_access openid',
    );
  });

  it('is approved by a sign-in after an administrator has checked the app', async () => {
    const relation = await newUsedApp();
    await target.rows('UPDATE apps SET checked_at = 1 WHERE id = ?', [relation.app.id]);
    const { opener } = await followLink(relation);
    expect(await statusOf(opener)).toEqual([{ status: 'approved' }]);
  });
});

describe('a popup that requests scopes', () => {
  it('lists them before the person decides, signed in or not', async () => {
    const relation = await newUsedApp();
    const opener = await ask(relation, 'openid wallet:read');
    for (const browser of [relation.person.browser, openBrowser(target)]) {
      const text = await (await openPopup(browser, opener)).text();
      expect(text).toContain('see your PID');
      expect(text).toContain('see your wallet, its balance and its transactions');
      expect(text).not.toContain('see your email address');
    }
  });

  it('is rejected without an app, and for scopes that the app may not request', async () => {
    const relation = await newUsedApp();
    const [origin = ''] = relation.app.allowedOrigins;
    const message = ['scope must name scopes that the app may ask for'];
    for (const scope of ['openid fiat:transfer', 'openid nonsense', '', ' ']) {
      const opener = makeOpener(target, origin);
      const answer = await opener.register({ scope }, { 'X-App-Id': relation.app.id });
      expect([answer.status, await answer.json()]).toMatchObject([400, { message }]);
      expect(await target.rows('SELECT id FROM popup_requests WHERE id = ?', [opener.id])).toEqual([]);
    }
    const answer = await makeOpener(target).register({ scope: 'openid' });
    expect([answer.status, await answer.json()]).toMatchObject([400, { message }]);
  });
});
