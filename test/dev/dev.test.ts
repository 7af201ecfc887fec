import { describe, expect, it } from 'vitest';
import { demoPeople, olu, shopkeeper } from '../../dev/people.ts';
import { type Browser, json, openBrowser } from '../support/browser.ts';
import { form, signInAtSandbox } from '../support/sandbox.ts';
import { sandboxProvider, startService, useSharedService } from '../support/service.ts';

const target = useSharedService(sandboxProvider);

interface Clock {
  now: string;
  offsetSeconds: number;
}

async function readClock(): Promise<Clock> {
  return (await target.request('/dev/clock')).json() as Promise<Clock>;
}

async function newcomer(name: string): Promise<Browser> {
  const browser = openBrowser(target);
  await signInAtSandbox(browser, { name, email: `${name}@example.com` });
  const claimed = await browser.fetch('/v1/auth/claim', json('POST', { handle: name }));
  expect(claimed.status).toBe(200);
  return browser;
}

describe('/dev', () => {
  it('redirects from the root to the index, and from other host names of this machine to BASE_URL', async () => {
    const root = await openBrowser(target).navigate('/');
    expect([root.status, root.headers.get('Location')]).toEqual([302, '/dev']);
    const headers = { Accept: 'text/html', 'Sec-Fetch-Mode': 'navigate' };
    const elsewhere = await target.request('http://127.0.0.1:8787/dev?x=1', { headers });
    expect(elsewhere.headers.get('Location')).toBe(`${target.origin}/dev?x=1`);
    const program = await target.request('http://127.0.0.1:8787/v1/auth/session');
    expect(program.status).toBe(401);
  });

  it('links only to pages that exist', async () => {
    const browser = openBrowser(target);
    const index = await browser.navigate('/dev');
    expect(index.status).toBe(200);
    const links = [...(await index.text()).matchAll(/<a href="([^"]+)"/g)].map(([, href = '']) => href);
    expect(links).toContain('/dev/welcome');
    for (const href of links.filter(
      (link) => !['/claim', '/account', '/admin', '#clock', '/docs'].includes(link),
    )) {
      expect((await browser.navigate(href)).status, href).toBe(200);
    }
  });

  it('registers an app for the requesting page, once for each origin', async () => {
    const appFor = async (Origin: string) =>
      (await target.request('/dev/app', { method: 'POST', headers: { Origin } })).json();
    const first = await appFor('http://localhost:5500');
    expect(first).toEqual({ appId: expect.stringMatching(/^app_/), payee: 'ayu@pid' });
    expect(await appFor('http://localhost:5500')).toEqual(first);
    expect(await appFor('http://localhost:5501')).not.toEqual(first);
  });

  it('funds anyone with sandbox money and opens a wallet if needed', async () => {
    const browser = await newcomer('money-receiver');
    const give = (to: string, amount: unknown) => target.request('/dev/money', json('POST', { to, amount }));
    for (const balance of [50_000, 100_000]) {
      const given = await give('money-receiver@pid', 50_000);
      expect([given.status, await given.json()]).toEqual([200, { pid: 'money-receiver@pid', balance }]);
    }
    const lines = await browser.fetch('/v1/wallet/transactions');
    expect(await lines.json()).toMatchObject({
      data: [
        { kind: 'correction', direction: 'in', amount: 50_000, balanceAfter: 100_000 },
        { amount: 50_000 },
      ],
    });
    expect((await give('nobody-at-all@pid', 5)).status).toBe(404);
    expect((await give('money-receiver@pid', '5')).status).toBe(400);
    const freeze = (table: string, column: string, state: string) =>
      target.rows(
        `UPDATE ${table} SET ${column} = ? WHERE ${table === 'ledger' ? '1' : `owner = 'money-receiver'`}`,
        [state],
      );
    await freeze('ledger', 'mode', 'frozen');
    expect((await give('money-receiver@pid', 5)).status).toBe(503);
    await freeze('ledger', 'mode', 'open');
    await freeze('accounts', 'status', 'frozen');
    expect((await give('money-receiver@pid', 5)).status).toBe(403);
  });

  it('adds play money only once, even for two concurrent requests', async () => {
    await newcomer('once.only');
    const give = () =>
      target.request('/dev/money', json('POST', { to: 'once.only@pid', amount: 250_000, once: true }));
    await Promise.all([give(), give()]);
    expect(await (await give()).json()).toEqual({ pid: 'once.only@pid', balance: 250_000 });
  });

  it('connects the shop to an owner outside the picker, each time npm run dev starts', async () => {
    const connect = async (origins: string[]) =>
      (
        await target.request(
          '/dev/shop',
          json('POST', { origins, webhook: 'http://localhost:3001/webhooks' }),
        )
      ).json();
    const shop = (await connect(['http://localhost:5173'])) as { appId: string };
    const secret = expect.stringMatching(/^pids_/);
    const webhookSecret = expect.stringMatching(/^whsec_/);
    expect(shop).toEqual({ appId: expect.any(String), secret, webhookSecret, payee: 'kedai-pagi@pid' });
    const again = await connect(['http://localhost:5180', 'http://localhost:5181']);
    expect(again).toMatchObject({ appId: shop.appId, payee: 'kedai-pagi@pid' });
    expect(again).not.toEqual(shop);
    const [row] = await target.rows('SELECT checked_at, homepage_url FROM apps WHERE id = ?', [shop.appId]);
    expect(row).toEqual({ checked_at: expect.any(Number), homepage_url: 'http://localhost:5180/' });
    expect(demoPeople).not.toContain(shopkeeper);
  });

  it('returns 404 for requests through a proxy, which may send any Host', async () => {
    for (const name of [
      'Forwarded',
      'Via',
      'X-Forwarded-For',
      'X-Forwarded-Host',
      'X-Forwarded-Proto',
      'X-Real-IP',
    ]) {
      const headers = { [name]: 'for=127.0.0.1' };
      for (const path of ['/dev', '/dev/mail.json', '/dev/clock', '/dev/idp/authorize'])
        expect([name, path, (await target.request(path, { headers })).status]).toEqual([name, path, 404]);
    }
  });

  it('serves only requests from this machine, under any of its host names', async () => {
    const paths = ['/dev', '/dev/mail.json', '/dev/clock', '/dev/idp/authorize'];
    for (const address of [
      '192.168.1.7',
      '203.0.113.9',
      '2001:db8::7',
      '0.0.0.0',
      'unknown',
      '127.0.0.1.evil',
    ]) {
      for (const path of paths)
        expect([path, (await target.request(path, { address })).status]).toEqual([path, 404]);
    }
    for (const address of ['127.0.0.1', '127.9.9.9', '::1'])
      expect([address, (await target.request('/dev', { address })).status]).toEqual([address, 200]);
  });

  it('returns a JSON 404 to programs for every path below it in production', async () => {
    const production = await startService({
      ...sandboxProvider,
      ENVIRONMENT: 'production',
      MAIL_TRANSPORT: 'outbox',
      BASE_URL: 'https://id.example.com',
      CLIENT_SUCCESS_URL: 'https://app.example.com/',
    });
    const paths = [
      '',
      '/welcome',
      '/clock',
      '/seed',
      '/credentials',
      '/webhooks',
      '/idp/jwks',
      '/idp/token',
      '/idp/authorize',
    ];
    for (const path of paths) {
      for (const method of ['GET', 'POST']) {
        const answer = await production.request(`/dev${path}`, { method });
        expect(answer.status, `${method} /dev${path}`).toBe(404);
        expect(await answer.json()).toEqual({ statusCode: 404, message: 'Not found', code: 'not_found' });
      }
    }
  });
});

describe('/dev/clock', () => {
  it('moves the service’s time forward, so that an access token expires and a refresh renews it', async () => {
    const browser = await newcomer('clock.watcher');
    const before = await readClock();
    const moved = await browser.fetch('/dev/clock', json('POST', { advanceSeconds: 901 }));
    const after = (await moved.json()) as Clock;
    expect(after.offsetSeconds).toBe(before.offsetSeconds + 901);
    expect(Date.parse(after.now) - Date.parse(before.now)).toBeGreaterThanOrEqual(901_000);
    expect((await browser.fetch('/v1/auth/session')).status).toBe(401);
    expect((await browser.fetch('/v1/auth/refresh', { method: 'POST' })).status).toBe(204);
    expect((await browser.fetch('/v1/auth/session')).status).toBe(200);
  });

  it('accepts the index page’s form and redirects back to it', async () => {
    const before = await readClock();
    const moved = await openBrowser(target).navigate(
      '/dev/clock',
      form({ advanceSeconds: '5' }, target.origin),
    );
    expect([moved.status, moved.headers.get('Location')]).toEqual([303, '/dev']);
    expect((await readClock()).offsetSeconds).toBe(before.offsetSeconds + 5);
  });

  it('never goes backwards and accepts only numbers', async () => {
    for (const advanceSeconds of [-1, 'soon', 1e12]) {
      const answer = await target.request('/dev/clock', json('POST', { advanceSeconds }));
      expect(answer.status, String(advanceSeconds)).toBe(400);
    }
  });
});

describe('/dev/seed', () => {
  it('creates Ayu only once, even if requested repeatedly, and leaves no session behind', async () => {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const answer = await target.request('/dev/seed', { method: 'POST' });
      expect([answer.status, await answer.json()]).toEqual([200, { data: [{ pid: 'ayu@pid' }] }]);
    }
    const live = await target.rows("SELECT id FROM sessions WHERE handle = 'ayu' AND revoked_at IS NULL");
    expect(live).toEqual([]);
    const browser = openBrowser(target);
    await signInAtSandbox(browser, { user: 'ayu' });
    expect(await (await browser.fetch('/v1/auth/session')).json()).toMatchObject({ pid: 'ayu@pid' });
  });

  it('assigns Olu the PID in ADMIN_PIDS, which gives him access to the admin desk', async () => {
    const other = await startService({ ...sandboxProvider, ADMIN_PIDS: 'olu@pid' });
    for (let attempt = 0; attempt < 2; attempt += 1) await other.request('/dev/seed', { method: 'POST' });
    const browser = openBrowser(other);
    await signInAtSandbox(browser, { user: 'olu' });
    expect((await browser.navigate('/admin')).status).toBe(200);
    expect(await (await browser.fetch('/v1/auth/session')).json()).toMatchObject({
      pid: 'olu@pid',
      profile: { displayName: olu.name },
    });
  });

  it('gives Ayu another handle if hers is taken', async () => {
    const other = await startService({ ...sandboxProvider, RATE_LIMITS: 'on' });
    const browser = openBrowser(other);
    await signInAtSandbox(browser, { user: 'budi' });
    await browser.fetch('/v1/auth/claim', json('POST', { handle: 'ayu' }));
    const seeded = await (await other.request('/dev/seed', { method: 'POST' })).json();
    expect(seeded).toEqual({ data: [{ pid: 'ayu.lestari@pid' }] });
  });
});

describe('/dev/credentials', () => {
  it('adds a credential that can be unlinked, and keeps the last credential', async () => {
    const browser = await newcomer('collector');
    const added = await browser.fetch('/dev/credentials', { method: 'POST' });
    const { id } = (await added.json()) as { id: string };
    const list = (await (await browser.fetch('/v1/credentials')).json()) as { id: string }[];
    expect(list.map((credential) => credential.id)).toContain(id);
    expect((await browser.fetch(`/v1/credentials/${id}`, { method: 'DELETE' })).status).toBe(204);
    const first = list.find((credential) => credential.id !== id);
    expect((await browser.fetch(`/v1/credentials/${first?.id}`, { method: 'DELETE' })).status).toBe(400);
  });

  it('requires a live session', async () => {
    expect((await target.request('/dev/credentials', { method: 'POST' })).status).toBe(401);
    const browser = await newcomer('leaver');
    const Cookie = `pid_access=${await browser.cookie('pid_access')}`;
    await browser.fetch('/v1/auth/logout', { method: 'POST' });
    const late = await target.request('/dev/credentials', {
      method: 'POST',
      headers: { Cookie, Origin: target.origin },
    });
    expect(late.status).toBe(401);
    expect(await target.rows("SELECT id FROM credentials WHERE handle = 'leaver'")).toHaveLength(1);
  });
});

describe('/dev/welcome', () => {
  it('shows different pages to a stranger, a newcomer and a member', async () => {
    const stranger = await openBrowser(target).navigate('/dev/welcome?returnTo=/a%3Fb');
    expect(await stranger.text()).toContain('href="/signin?returnTo=%2Fa%3Fb"');
    const fresh = await openBrowser(target).navigate('/dev/welcome?claim=1&returnTo=/settings');
    expect(await fresh.text()).toContain('href="/claim?returnTo=%2Fsettings"');
    const browser = await newcomer('member.of');
    const member = await (await browser.navigate('/dev/welcome?returnTo=/settings')).text();
    for (const text of [
      'member.of@pid',
      'member.of@example.com',
      '<code>/settings</code>',
      'data-method="DELETE"',
    ]) {
      expect(member).toContain(text);
    }
  });

  it('has a single script, which its own policy allows by nonce', async () => {
    const page = await openBrowser(target).navigate('/dev/welcome');
    const policy = page.headers.get('Content-Security-Policy') ?? '';
    const [, nonce = 'none'] = /script-src 'nonce-([\w-]+)'/.exec(policy) ?? [];
    const scripts = [...(await page.text()).matchAll(/<script[^>]*>/g)].map(([tag]) => tag);
    expect(scripts).toEqual([`<script nonce="${nonce}">`]);
  });
});
