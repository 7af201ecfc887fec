import { describe, expect, it } from 'vitest';
import type { App, SecretList } from '../../src/features/app/schema.ts';
import type { ListedEvent, Webhook } from '../../src/features/webhook/schema.ts';
import type { Page } from '../../src/lib/page.ts';
import { inTrips } from '../support/answers.ts';
import { newApp } from '../support/apps.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { newMember } from '../support/people.ts';
import { form } from '../support/sandbox.ts';
import { useSharedService } from '../support/service.ts';

const target = useSharedService();

type Fields = Record<string, string> | [string, string][];

/** Submits a page's form. */
function post(browser: Browser, path: string, fields: Fields = {}): Promise<Response> {
  return browser.navigate(path, form(fields, target.origin));
}

function led(answer: Response): [number, string | null] {
  return [answer.status, answer.headers.get('Location')];
}

async function refused(answer: Response): Promise<[number, string | null, string]> {
  return [answer.status, answer.headers.get('X-Error-Code'), await answer.text()];
}

async function open(browser: Browser, path: string): Promise<string> {
  const page = await browser.navigate(path);
  expect(page.status, path).toBe(200);
  return page.text();
}

async function read<Body>(browser: Browser, path: string): Promise<Body> {
  return (await (await browser.fetch(path)).json()) as Body;
}

/** The secret shown on a page. */
function shownIn(page: string): string {
  return /<textarea id="secret"[^>]*>([^<]*)</.exec(page)?.[1] ?? '';
}

const receiver = () => `${target.origin}/dev/webhooks`;

/** A person with an app whose webhook is the sandbox's receiver. */
async function withWebhook() {
  const { browser } = await newMember(target);
  const { id } = await newApp(browser);
  const set = await post(browser, `/developers/apps/${id}/webhook`, { url: receiver() });
  return { browser, id, path: `/developers/apps/${id}`, secret: shownIn(await set.text()) };
}

const webhookOf = (browser: Browser, id: string) => read<Webhook>(browser, `/v1/apps/${id}/webhook`);
const eventsOf = async (browser: Browser, id: string) =>
  (await read<Page<ListedEvent>>(browser, `/v1/apps/${id}/events`)).data;

const filled = {
  name: 'Corner Shop',
  type: 'web',
  redirectUris: 'https://shop.example.com/a\r\n\r\n https://shop.example.com/b \r\n',
  allowedOrigins: 'https://shop.example.com',
  homepageUrl: '',
  scopes: 'openid',
};

describe('the app pages', () => {
  it('are linked from an account tab, and list the newest app first', async () => {
    const { browser } = await newMember(target);
    expect(await open(browser, '/account/credentials')).toContain('href="/account/apps"');
    expect(await open(browser, '/developers')).toContain('You have no apps');
    for (const name of ['First shop', 'Second <shop>']) await newApp(browser, { name });
    const page = await open(browser, '/developers');
    expect(page).toMatch(/>S<.*Second &lt;shop&gt;.*>FS<.*First shop/s);
    expect(await open(browser, '/developers?ui_locales=id')).toContain('Aplikasi Anda');
  });

  it('register an app and show its secret only once', async () => {
    const { browser } = await newMember(target);
    await open(browser, '/developers/register');
    const signedOut = { backchannelLogoutUri: 'https://shop.example.com/logout', idTokenAlg: 'ES256' };
    const made = await post(browser, '/developers/register', { ...filled, ...signedOut });
    const page = await made.text();
    expect([made.status, made.headers.get('Cache-Control')]).toEqual([200, 'no-store']);
    expect(page).toContain('App registered');
    const [app] = (await read<Page<App>>(browser, '/v1/apps')).data;
    expect(app).toMatchObject({
      name: 'Corner Shop',
      redirectUris: ['https://shop.example.com/a', 'https://shop.example.com/b'],
      scopes: ['openid'],
      homepageUrl: null,
      ...signedOut,
    });
    const secret = shownIn(page);
    expect(secret).toMatch(/^pids_[\w-]{43}$/);
    expect(page).toContain(`data-toast="/developers/apps/${app?.id}"`);
    const later = await open(browser, `/developers/apps/${app?.id}`);
    expect(later).not.toContain(secret);
    expect(await open(browser, `/developers/apps/${app?.id}/secrets`)).toContain(secret.slice(-4));
    expect(later).toContain('value="https://shop.example.com/logout"');
    expect(later).toMatch(/<option value="ES256" selected/);
  });

  it('describe each scope in words next to its code', async () => {
    const { browser } = await newMember(target);
    const { id } = await newApp(browser);
    const path = `/developers/apps/${id}`;
    expect(await open(browser, path)).toContain('see your PID <code>openid</code>');
    expect(await open(browser, `${path}?ui_locales=id`)).toContain('melihat PID Anda <code>openid</code>');
  });

  it('register an app without a secret, and redirect to its page', async () => {
    const { browser } = await newMember(target);
    const made = led(await post(browser, '/developers/register', { ...filled, type: 'spa' }));
    expect(made).toEqual([303, expect.stringMatching(/^\/developers\/apps\/app_\w{26}\?done=appCreated$/)]);
    const page = await open(browser, made[1] ?? '');
    expect(page).toContain('Save this as index.html');
    expect(page).toContain('code_challenge');
    expect(page).not.toContain('/secrets"');
  });

  it('register an app from its name, kind and address', async () => {
    const { browser } = await newMember(target);
    const fields = { name: 'Kopi', type: 'web', address: 'http://localhost:5600/callback', scopes: 'openid' };
    const page = await (await post(browser, '/developers/register', fields)).text();
    const [app] = (await read<Page<App>>(browser, '/v1/apps')).data;
    expect(app).toMatchObject({
      redirectUris: [fields.address],
      allowedOrigins: ['http://localhost:5600'],
      homepageUrl: 'http://localhost:5600/',
    });
    for (const shown of [app?.id, shownIn(page), 'createServer']) expect(page).toContain(shown);
    const bad = await refused(
      await post(browser, '/developers/register', { ...fields, address: 'http://a.b' }),
    );
    expect(bad[2]).toMatch(/id="address-problem".*http:\/\/a\.b is not an https address/s);
    const native = { ...fields, type: 'native', address: 'com.example.kopi:/callback' };
    expect((await post(browser, '/developers/register', native)).status).toBe(303);
  });

  it('redirect from their former addresses', async () => {
    const browser = openBrowser(target);
    const id = `app_${'0'.repeat(26)}`;
    for (const [from, to] of [
      ['/account/register', '/developers/register'],
      ['/account/apps/allowed', '/account/apps'],
      [`/account/apps/${id}?cursor=x`, `/developers/apps/${id}?cursor=x`],
      [`/account/apps/${id}/revoke?secret=x`, `/developers/apps/${id}/secrets/revoke?secret=x`],
      [`/account/apps/${id}/webhook/delete`, `/developers/apps/${id}/webhook/delete`],
      [`/account/apps/${id}/delete`, `/developers/apps/${id}/delete`],
    ])
      expect(led(await browser.navigate(from ?? ''))).toEqual([301, to]);
  });

  it('set a fee and pay out the app’s earnings', async () => {
    const { browser } = await newMember(target);
    const { id } = await newApp(browser);
    const path = `/developers/apps/${id}/fees`;
    expect(await open(browser, path)).toContain('The app charges no fees');
    const fee = { operation: 'transfer', fixed: '500', bps: '70', min: '', max: '25000', payer: 'payee' };
    expect(led(await post(browser, path, fee))).toEqual([303, `${path}?done=feeSaved`]);
    expect(await read(browser, `/v1/apps/${id}/fees`)).toMatchObject({
      data: [{ operation: 'transfer', fixed: 500, bps: 70, min: 0, max: 25_000, payer: 'payee' }],
    });
    expect(await open(browser, path)).toMatch(/IDR\s500 \+ 0\.7%/);
    const bad = await refused(await post(browser, path, { ...fee, fixed: 'much', min: '30000' }));
    expect(bad.slice(0, 2)).toEqual([400, 'validation_failed']);
    expect(bad[2]).toMatch(/id="fixed-problem".*Enter a whole number.*value="30000"/s);
    const nothing = await refused(await post(browser, `${path}/sweep`));
    expect(nothing[0]).toBeGreaterThanOrEqual(400);
  });

  it('keep rejected input and show an error for each field', async () => {
    const { browser } = await newMember(target);
    const bad = {
      ...filled,
      name: ' ',
      redirectUris: 'https://shop.example.com/a\nhttp://shop.example.com/b',
      allowedOrigins: 'https://shop.example.com/path',
      homepageUrl: 'shop',
      backchannelLogoutUri: 'nowhere',
    };
    const [status, code, page] = await refused(await post(browser, '/developers/register', bad));
    expect([status, code]).toEqual([400, 'validation_failed']);
    for (const text of [
      'Enter a name',
      'http://shop.example.com/b is not an https address',
      'https://shop.example.com/path is not an origin',
      'shop is not an https address',
      'value="shop"',
      'The address must be https on a public host',
      'value="nowhere"',
    ])
      expect(page).toContain(text);
    const eleven = Array.from({ length: 11 }, (_, n) => `https://shop.example.com/${n}`).join('\n');
    const indonesian = await browser.navigate('/developers/register?ui_locales=id', {
      ...form({ ...filled, redirectUris: eleven }, target.origin),
    });
    expect(await indonesian.text()).toContain('Masukkan maksimal 10');
    expect((await read<Page<App>>(browser, '/v1/apps')).data).toEqual([]);
  });

  it('change an app, but not its type', async () => {
    const { browser } = await newMember(target);
    const { id } = await newApp(browser);
    const changed: Fields = [
      ...Object.entries({ ...filled, name: 'Kedai', type: 'native' }),
      ['scopes', 'profile'],
    ];
    expect(led(await post(browser, `/developers/apps/${id}`, changed))).toEqual([
      303,
      `/developers/apps/${id}?done=appSaved`,
    ]);
    const app = await read<App>(browser, `/v1/apps/${id}`);
    expect(app).toMatchObject({
      name: 'Kedai',
      type: 'web',
      scopes: ['openid', 'profile'],
      homepageUrl: null,
    });
    const privateUri = { ...filled, redirectUris: 'com.example.app:/callback' };
    const [status, , page] = await refused(await post(browser, `/developers/apps/${id}`, privateUri));
    expect([status, page]).toEqual([
      400,
      expect.stringContaining('com.example.app:/callback is not an https'),
    ]);
  });

  it('replace and revoke secrets', async () => {
    const { browser } = await newMember(target);
    const { id, secret } = await newApp(browser);
    const path = `/developers/apps/${id}`;
    const only = await open(browser, `${path}/secrets/revoke?secret=${secret?.id}`);
    expect(only).toContain('This is the only secret');
    const rotated = await post(browser, `${path}/secrets`, { overlapSeconds: '3600' });
    const value = shownIn(await rotated.text());
    const secrets = async () => (await read<SecretList>(browser, `/v1/apps/${id}/secrets`)).data;
    const [current, former] = await secrets();
    expect([current?.hint, former?.id]).toEqual([value.slice(-4), secret?.id]);
    expect(Date.parse(former?.expiresAt ?? '') - target.now()).toBeLessThanOrEqual(3_600_000);
    const question = await open(browser, `${path}/secrets/revoke?secret=${former?.id}`);
    expect(question).not.toContain('This is the only secret');
    const done = led(await post(browser, `${path}/secrets/revoke`, { secret: former?.id ?? '' }));
    expect(done).toEqual([303, `${path}/secrets?done=secretRevoked`]);
    const last = { secret: current?.id ?? '' };
    const kept = await refused(await post(browser, `${path}/secrets/revoke`, last));
    expect(kept).toEqual([400, 'only_secret', expect.stringContaining('Cannot revoke the only secret')]);
    expect((await post(browser, `${path}/secrets/revoke`, { ...last, force: 'true' })).status).toBe(303);
    expect(await secrets()).toEqual([]);
    expect(led(await browser.navigate(`${path}/secrets/revoke?secret=${current?.id}`))).toEqual([
      303,
      `${path}/secrets`,
    ]);
  });

  it('delete an app after a confirmation', async () => {
    const { browser } = await newMember(target);
    const { id } = await newApp(browser);
    const path = `/developers/apps/${id}/delete`;
    expect(await open(browser, path)).toContain(`method="post" action="${path}"`);
    expect((await browser.fetch(`/v1/apps/${id}`)).status).toBe(200);
    expect(led(await post(browser, path))).toEqual([303, '/developers?done=appDeleted']);
    expect((await browser.fetch(`/v1/apps/${id}`)).status).toBe(404);
  });

  it('do not show other people’s apps', async () => {
    const owner = await newMember(target);
    const { id, secret } = await newApp(owner.browser);
    const { browser } = await newMember(target);
    const path = `/developers/apps/${id}`;
    const gets = [
      '',
      '/delete',
      '/secrets',
      `/secrets/revoke?secret=${secret?.id}`,
      '/webhook',
      '/webhook/delete',
      '/fees',
    ];
    const posts = [
      '',
      '/delete',
      '/secrets',
      '/secrets/revoke',
      '/webhook',
      '/webhook/test',
      '/webhook/delete',
      '/webhook/redeliver',
      '/fees',
      '/fees/sweep',
    ];
    const fields = { ...filled, url: receiver(), overlapSeconds: '0', secret: secret?.id ?? '' };
    for (const answer of [
      ...(await Promise.all(gets.map((end) => browser.navigate(`${path}${end}`)))),
      ...(await Promise.all(posts.map((end) => post(browser, `${path}${end}`, fields)))),
    ])
      expect([answer.url, answer.status, answer.headers.get('X-Error-Code')]).toEqual([
        answer.url,
        404,
        'app_not_found',
      ]);
    expect(await read<App>(owner.browser, `/v1/apps/${id}`)).toMatchObject({ name: 'Corner Shop' });
  });
});

describe('the webhook of an app', () => {
  it('is set, disabled, enabled, given a new secret, and deleted', async () => {
    const { browser, id, path, secret } = await withWebhook();
    expect(secret).toMatch(/^whsec_/);
    expect(await webhookOf(browser, id)).toMatchObject({ url: receiver(), status: 'active' });
    const change = async (fields: Fields) => led(await post(browser, `${path}/webhook`, fields));
    const url = receiver();
    expect(await change({ url, enabled: 'false' })).toEqual([303, `${path}/webhook?done=webhookDisabled`]);
    expect((await webhookOf(browser, id)).status).toBe('disabled');
    expect(await open(browser, `${path}/webhook`)).toContain('No events are sent');
    expect(await change({ url, enabled: 'true' })).toEqual([303, `${path}/webhook?done=webhookEnabled`]);
    expect(await change({ url: 'https://hooks.example.com/' })).toEqual([
      303,
      `${path}/webhook?done=webhookSaved`,
    ]);
    const rotation = { url, rotateSecret: 'true', overlapSeconds: '3600' };
    const rotated = shownIn(await (await post(browser, `${path}/webhook`, rotation)).text());
    expect([rotated.slice(0, 6), rotated === secret]).toEqual(['whsec_', false]);
    expect(await open(browser, `${path}/webhook/delete`)).toContain('Delete the webhook?');
    expect(led(await post(browser, `${path}/webhook/delete`))).toEqual([
      303,
      `${path}/webhook?done=webhookDeleted`,
    ]);
    expect((await browser.fetch(`/v1/apps/${id}/webhook`)).status).toBe(404);
  });

  it('keeps a rejected address in its field', async () => {
    const { browser } = await newMember(target);
    const { id } = await newApp(browser);
    const url = 'https://169.254.169.254/hooks';
    const [status, code, page] = await refused(
      await post(browser, `/developers/apps/${id}/webhook`, { url }),
    );
    expect([status, code]).toEqual([400, 'validation_failed']);
    expect(page).toContain('The address must be https on a public host');
    expect(page).toContain(`value="${url}"`);
  });

  it('is tested immediately, and the page shows the result', async () => {
    const { browser, path } = await withWebhook();
    expect(await (await post(browser, `${path}/webhook/test`)).text()).toContain(
      'The receiver accepted the test with status 204',
    );
    await target.advance(1);
    await post(browser, `${path}/webhook`, { url: 'http://127.0.0.1:9/hooks' });
    expect(await (await post(browser, `${path}/webhook/test`)).text()).toContain('No answer to the test');
  });

  it('is loaded with its deliveries in one round trip after the suspension check', async () => {
    const { browser, path } = await withWebhook();
    const page = await inTrips(target, 2, () => open(browser, `${path}/webhook`));
    for (const part of ['id="webhook"', 'id="events"']) expect(page).toContain(part);
  });

  it('lists its events, and redelivers one', async () => {
    const { browser, id, path } = await withWebhook();
    await post(browser, `${path}/secrets`, { overlapSeconds: '0' });
    const [event] = await eventsOf(browser, id);
    const page = await open(browser, `${path}/webhook`);
    expect(page).toContain(event?.id);
    expect(page).toContain('app.secret_rotated');
    const again = await post(browser, `${path}/webhook/redeliver`, { event: event?.id ?? '' });
    expect(led(again)).toEqual([303, `${path}/webhook?done=redelivered`]);
    await expect
      .poll(async () => (await eventsOf(browser, id))[0]?.state, { timeout: 30_000 })
      .toBe('delivered');
    expect(await open(browser, `${path}/webhook`)).toContain('status 204');
    const unknown = await refused(await post(browser, `${path}/webhook/redeliver`, { event: 'evt_x' }));
    expect(unknown.slice(0, 2)).toEqual([404, 'event_not_found']);
  });
});

describe('navigating to an app’s page', () => {
  it('requires a new sign-in if the last one is too old, and returns to the app', async () => {
    const { browser, id, path } = await withWebhook();
    await target.advance(901);
    const backTo = (page: string) =>
      `/signin?returnTo=${encodeURIComponent(`self:${page}`)}&amp;prompt=login`;
    expect(await open(browser, path)).toContain(`value="self:${path}"`);
    const renewed = await post(browser, '/v1/auth/refresh/continue', { returnTo: `self:${path}` });
    expect(led(renewed)).toEqual([303, path]);
    for (const [end, fields] of [
      ['/secrets', { overlapSeconds: '0' }],
      ['/secrets/revoke', { secret: 'x' }],
      ['/delete', {}],
      ['/webhook', { url: receiver(), enabled: 'false' }],
      ['', { name: 'Corner Shop', redirectUris: 'https://evil.example.net/callback' }],
    ] as const) {
      const [status, code, page] = await refused(await post(browser, `${path}${end}`, fields));
      expect([end, status, code]).toEqual([end, 403, 'not_fresh']);
      expect(page).toContain(`href="${backTo(path + end.replace('/revoke', ''))}"`);
    }
    expect((await webhookOf(browser, id)).status).toBe('active');
    expect(await open(openBrowser(target), backTo(path))).toContain('to continue to your Peridot account');
  });

  it('sends anonymous visitors to sign-in and back, and nowhere else', async () => {
    const { browser } = await newMember(target);
    const { id } = await newApp(browser);
    for (const [path, returnTo] of [
      [`/developers/apps/${id}`, `self:/developers/apps/${id}`],
      [`/developers/apps/${id}/delete`, `self:/developers/apps/${id}/delete`],
      ['/developers/register', 'self:/developers/register'],
      ['/developers/apps/app_x', 'self:/developers'],
      ['/developers/apps/%2e%2e%2f%2e%2e%2f%2fevil.example', 'self:/developers'],
    ])
      expect(led(await openBrowser(target).navigate(path ?? ''))).toEqual([
        302,
        `/signin?returnTo=${encodeURIComponent(returnTo ?? '')}`,
      ]);
  });
});
