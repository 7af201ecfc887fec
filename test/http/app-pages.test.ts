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
  const set = await post(browser, `/account/apps/${id}/webhook`, { url: receiver() });
  return { browser, id, path: `/account/apps/${id}`, secret: shownIn(await set.text()) };
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
    expect(await open(browser, '/account/apps')).toContain('You have no apps');
    for (const name of ['First shop', 'Second <shop>']) await newApp(browser, { name });
    const page = await open(browser, '/account/apps');
    expect(page).toMatch(/>S<.*Second &lt;shop&gt;.*>FS<.*First shop/s);
    expect(await open(browser, '/account/apps?ui_locales=id')).toContain('Aplikasi Anda');
  });

  it('register an app and show its secret only once', async () => {
    const { browser } = await newMember(target);
    await open(browser, '/account/register');
    const signedOut = { backchannelLogoutUri: 'https://shop.example.com/logout', idTokenAlg: 'ES256' };
    const made = await post(browser, '/account/register', { ...filled, ...signedOut });
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
    expect(page).toContain(`data-toast="/account/apps/${app?.id}"`);
    const later = await open(browser, `/account/apps/${app?.id}`);
    expect(later).not.toContain(secret);
    expect(later).toContain(secret.slice(-4));
    expect(later).toContain('value="https://shop.example.com/logout"');
    expect(later).toMatch(/<option value="ES256" selected/);
  });

  it('register an app without a secret, and redirect to its page', async () => {
    const { browser } = await newMember(target);
    const made = led(await post(browser, '/account/register', { ...filled, type: 'spa' }));
    expect(made).toEqual([303, expect.stringMatching(/^\/account\/apps\/app_\w{26}\?done=appCreated$/)]);
    expect(await open(browser, made[1] ?? '')).not.toContain('id="secrets"');
  });

  it('keep rejected input, and show what is wrong with each entry', async () => {
    const { browser } = await newMember(target);
    const bad = {
      ...filled,
      name: ' ',
      redirectUris: 'https://shop.example.com/a\nhttp://shop.example.com/b',
      allowedOrigins: 'https://shop.example.com/path',
      homepageUrl: 'shop',
      backchannelLogoutUri: 'nowhere',
    };
    const [status, code, page] = await refused(await post(browser, '/account/register', bad));
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
    const indonesian = await browser.navigate('/account/register?ui_locales=id', {
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
    expect(led(await post(browser, `/account/apps/${id}`, changed))).toEqual([
      303,
      `/account/apps/${id}?done=appSaved`,
    ]);
    const app = await read<App>(browser, `/v1/apps/${id}`);
    expect(app).toMatchObject({
      name: 'Kedai',
      type: 'web',
      scopes: ['openid', 'profile'],
      homepageUrl: null,
    });
    const privateUri = { ...filled, redirectUris: 'com.example.app:/callback' };
    const [status, , page] = await refused(await post(browser, `/account/apps/${id}`, privateUri));
    expect([status, page]).toEqual([
      400,
      expect.stringContaining('com.example.app:/callback is not an https'),
    ]);
  });

  it('replace and revoke secrets', async () => {
    const { browser } = await newMember(target);
    const { id, secret } = await newApp(browser);
    const path = `/account/apps/${id}`;
    const only = await open(browser, `${path}/revoke?secret=${secret?.id}`);
    expect(only).toContain('This is the only secret');
    const rotated = await post(browser, `${path}/secret`, { overlapSeconds: '3600' });
    const value = shownIn(await rotated.text());
    const secrets = async () => (await read<SecretList>(browser, `/v1/apps/${id}/secrets`)).data;
    const [current, former] = await secrets();
    expect([current?.hint, former?.id]).toEqual([value.slice(-4), secret?.id]);
    expect(Date.parse(former?.expiresAt ?? '') - target.now()).toBeLessThanOrEqual(3_600_000);
    const question = await open(browser, `${path}/revoke?secret=${former?.id}`);
    expect(question).not.toContain('This is the only secret');
    const done = led(await post(browser, `${path}/revoke`, { secret: former?.id ?? '' }));
    expect(done).toEqual([303, `${path}?done=secretRevoked`]);
    const last = { secret: current?.id ?? '' };
    const kept = await refused(await post(browser, `${path}/revoke`, last));
    expect(kept).toEqual([400, 'only_secret', expect.stringContaining('Cannot revoke the only secret')]);
    expect((await post(browser, `${path}/revoke`, { ...last, force: 'true' })).status).toBe(303);
    expect(await secrets()).toEqual([]);
    expect(led(await browser.navigate(`${path}/revoke?secret=${current?.id}`))).toEqual([303, path]);
  });

  it('delete an app after a confirmation', async () => {
    const { browser } = await newMember(target);
    const { id } = await newApp(browser);
    const path = `/account/apps/${id}/delete`;
    expect(await open(browser, path)).toContain(`method="post" action="${path}"`);
    expect((await browser.fetch(`/v1/apps/${id}`)).status).toBe(200);
    expect(led(await post(browser, path))).toEqual([303, '/account/apps?done=appDeleted']);
    expect((await browser.fetch(`/v1/apps/${id}`)).status).toBe(404);
  });

  it('do not show other people’s apps', async () => {
    const owner = await newMember(target);
    const { id, secret } = await newApp(owner.browser);
    const { browser } = await newMember(target);
    const path = `/account/apps/${id}`;
    const gets = ['', '/delete', `/revoke?secret=${secret?.id}`, '/webhook/delete'];
    const posts = [
      '',
      '/delete',
      '/secret',
      '/revoke',
      '/webhook',
      '/webhook/test',
      '/webhook/delete',
      '/redeliver',
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

describe('an app’s webhook', () => {
  it('is set, disabled, enabled, given a new secret, and deleted', async () => {
    const { browser, id, path, secret } = await withWebhook();
    expect(secret).toMatch(/^whsec_/);
    expect(await webhookOf(browser, id)).toMatchObject({ url: receiver(), status: 'active' });
    const change = async (fields: Fields) => led(await post(browser, `${path}/webhook`, fields));
    const url = receiver();
    expect(await change({ url, enabled: 'false' })).toEqual([303, `${path}?done=webhookDisabled`]);
    expect((await webhookOf(browser, id)).status).toBe('disabled');
    expect(await open(browser, path)).toContain('No events are sent');
    expect(await change({ url, enabled: 'true' })).toEqual([303, `${path}?done=webhookEnabled`]);
    expect(await change({ url: 'https://hooks.example.com/' })).toEqual([303, `${path}?done=webhookSaved`]);
    const rotation = { url, rotateSecret: 'true', overlapSeconds: '3600' };
    const rotated = shownIn(await (await post(browser, `${path}/webhook`, rotation)).text());
    expect([rotated.slice(0, 6), rotated === secret]).toEqual(['whsec_', false]);
    expect(await open(browser, `${path}/webhook/delete`)).toContain('Delete the webhook?');
    expect(led(await post(browser, `${path}/webhook/delete`))).toEqual([303, `${path}?done=webhookDeleted`]);
    expect((await browser.fetch(`/v1/apps/${id}/webhook`)).status).toBe(404);
  });

  it('keeps a rejected address in its field', async () => {
    const { browser } = await newMember(target);
    const { id } = await newApp(browser);
    const url = 'https://169.254.169.254/hooks';
    const [status, code, page] = await refused(await post(browser, `/account/apps/${id}/webhook`, { url }));
    expect([status, code]).toEqual([400, 'validation_failed']);
    expect(page).toContain('The address must be https on a public host');
    expect(page).toContain(`value="${url}"`);
    expect(page).toContain('value="Corner Shop"');
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

  it('is loaded with the rest of the app’s page in one round trip after the suspension check', async () => {
    const { browser, path } = await withWebhook();
    const page = await inTrips(target, 2, () => open(browser, path));
    for (const part of ['id="settings"', 'id="secrets"', 'id="webhook"', 'id="events"'])
      expect(page).toContain(part);
  });

  it('lists its events, and redelivers one', async () => {
    const { browser, id, path } = await withWebhook();
    await post(browser, `${path}/secret`, { overlapSeconds: '0' });
    const [event] = await eventsOf(browser, id);
    const page = await open(browser, path);
    expect(page).toContain(event?.id);
    expect(page).toContain('app.secret_rotated');
    const again = await post(browser, `${path}/redeliver`, { event: event?.id ?? '' });
    expect(led(again)).toEqual([303, `${path}?done=redelivered`]);
    await expect
      .poll(async () => (await eventsOf(browser, id))[0]?.state, { timeout: 30_000 })
      .toBe('delivered');
    expect(await open(browser, path)).toContain('status 204');
    const unknown = await refused(await post(browser, `${path}/redeliver`, { event: 'evt_x' }));
    expect(unknown.slice(0, 2)).toEqual([404, 'event_not_found']);
  });
});

describe('reaching an app’s page', () => {
  it('asks for a new sign-in when the last one is too old, and returns to the app', async () => {
    const { browser, id, path } = await withWebhook();
    await target.advance(901);
    const back = `/signin?returnTo=${encodeURIComponent(`self:${path}`)}&amp;prompt=login`;
    expect(await open(browser, path)).toContain(`value="self:${path}"`);
    const renewed = await post(browser, '/v1/auth/refresh/continue', { returnTo: `self:${path}` });
    expect(led(renewed)).toEqual([303, path]);
    for (const [end, fields] of [
      ['/secret', { overlapSeconds: '0' }],
      ['/revoke', { secret: 'x' }],
      ['/delete', {}],
      ['/webhook', { url: receiver(), enabled: 'false' }],
      ['', { name: 'Corner Shop', redirectUris: 'https://evil.example.net/callback' }],
    ] as const) {
      const [status, code, page] = await refused(await post(browser, `${path}${end}`, fields));
      expect([end, status, code]).toEqual([end, 403, 'not_fresh']);
      expect(page).toContain(`href="${back}"`);
    }
    expect((await webhookOf(browser, id)).status).toBe('active');
    expect(await open(openBrowser(target), back)).toContain('to continue to your Peridot account');
  });

  it('sends anonymous visitors to the sign-in and back, and nowhere else', async () => {
    const { browser } = await newMember(target);
    const { id } = await newApp(browser);
    for (const [path, returnTo] of [
      [`/account/apps/${id}`, `self:/account/apps/${id}`],
      [`/account/apps/${id}/delete`, `self:/account/apps/${id}`],
      ['/account/register', 'self:/account/register'],
      ['/account/apps/app_x', 'self:/account/apps'],
      ['/account/apps/%2e%2e%2f%2e%2e%2f%2fevil.example', 'self:/account/apps'],
    ])
      expect(led(await openBrowser(target).navigate(path ?? ''))).toEqual([
        302,
        `/signin?returnTo=${encodeURIComponent(returnTo ?? '')}`,
      ]);
  });
});
