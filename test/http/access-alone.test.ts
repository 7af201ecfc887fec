import { beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../../src/endpoints.ts';
import { seen } from '../support/answers.ts';
import { newApp } from '../support/apps.ts';
import { json, openBrowser } from '../support/browser.ts';
import { dumpDatabase } from '../support/database-dump.ts';
import { type Member, newMember } from '../support/people.ts';
import { useService } from '../support/service.ts';
import { setCookies, valueSet } from '../support/set-cookie.ts';

const target = useService({ ALLOWED_ORIGINS: 'https://allowed.example.com' });
const appOrigin = 'https://app.example.net';
const foreign = 'https://foreign.example.net';

let victim: Member;
let access = '';
let app = '';
let sessionId = '';
beforeAll(async () => {
  victim = await newMember(target);
  access = (await victim.browser.cookie('pid_access')) ?? '';
  app = (await newApp(victim.browser, { allowedOrigins: [appOrigin] })).id;
  const [own] = await target.rows<{ id: string }>('SELECT id FROM sessions WHERE handle = ?', [
    victim.handle,
  ]);
  sessionId = own?.id ?? '';
});

/** Headers with which a thief of `pid_access` may forge an origin. */
const senders = (): Record<string, Record<string, string>> => ({
  'no origin': {},
  'the own origin': { Origin: target.origin },
  'the own site': { 'Sec-Fetch-Site': 'same-origin' },
  'an allowed origin': { Origin: 'https://allowed.example.com' },
  'the origin of an app': { Origin: appOrigin, 'X-App-Id': app },
  'a foreign origin': { Origin: foreign },
  'the origin null': { Origin: 'null' },
});

const known: Record<string, () => string> = { id: () => sessionId, pid: () => `pid:${victim.handle}` };
const pathOf = (path: string) =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(known[name]?.() ?? app));

/** Every row as text, with the name of its table. */
async function allRows(): Promise<Set<string>> {
  const tables: [string, unknown[]][] = JSON.parse(await dumpDatabase(target));
  return new Set(tables.flatMap(([name, rows]) => rows.map((row) => `${name} ${JSON.stringify(row)}`)));
}

const missing = (rows: Set<string>, from: Set<string>) => [...rows].filter((row) => !from.has(row));
/** A program may read the export, which then appears in the owner's activity. */
const isExport = (row: string) => row.startsWith('activity') && row.includes('"data.exported"');

describe('a pid_access cookie without its session’s key', () => {
  it.each(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    'changes no row at %s, whatever the Origin header [D-90]',
    async (_, { method, path, actor }) => {
      const send = async (headers: Record<string, string>) => {
        const cookie = { Cookie: `pid_access=${access}` };
        await target.request(pathOf(path), { method, headers: { ...cookie, ...headers } });
        if (method === 'GET') return;
        const type = { 'Content-Type': 'application/json' };
        await target.request(pathOf(path), {
          method,
          headers: { ...cookie, ...type, ...headers },
          body: '{}',
        });
      };
      // A stranger may add a row at a public endpoint, but none about this person.
      const isAbout = (row: string) => row.includes(victim.handle) || row.includes(sessionId);
      const { 'no origin': program, ...browsers } = senders();
      const before = await allRows();
      await send(program ?? {});
      const between = await allRows();
      for (const headers of Object.values(browsers)) await send(headers);
      const after = await allRows();
      const added = [
        ...missing(between, before).filter((row) => !isExport(row)),
        ...missing(after, between),
      ].filter((row) => actor !== undefined || isAbout(row));
      expect({ added, removed: [...missing(before, between), ...missing(between, after)] }).toEqual({
        added: [],
        removed: [],
      });
    },
  );

  it('does not sign a browser in, but lets a program read [D-90]', async () => {
    const read = (headers: Record<string, string>) =>
      target.request('/v1/auth/session', { headers: { Cookie: `pid_access=${access}`, ...headers } });
    expect((await read({})).status).toBe(200);
    for (const headers of Object.values(senders()).slice(1, 4)) {
      expect(await read(headers).then(seen)).toMatchObject([401, { code: 'unauthenticated' }]);
    }
  });

  it('is not accepted with another session’s key [D-90]', async () => {
    const other = await newMember(target);
    const key = await other.browser.cookie('pid_refresh_key');
    const ask = (cookie: string, method = 'GET', path = '/v1/me') =>
      target.request(path, { method, headers: { Cookie: cookie, Origin: target.origin } });
    expect((await ask(`pid_access=${access}; pid_refresh_key=${key}`)).status).toBe(401);
    expect((await ask(`pid_access=${access}; pid_refresh_key=x`)).status).toBe(401);
    const own = await victim.browser.cookie('pid_refresh_key');
    // Twice, because an accepted key is cached.
    for (const _ of [1, 2]) {
      expect((await ask(`pid_access=${access}; pid_refresh_key=${own}`)).status).toBe(200);
      expect((await ask(`pid_access=${access}; pid_refresh_key=${key}`)).status).toBe(401);
    }
  });

  it('never shows its owner on a page, and account pages redirect to sign-in [D-90]', async () => {
    const visitor = openBrowser(target);
    await visitor.jar.setCookie(`pid_access=${access}; Path=/`, `${target.origin}/`);
    for (const path of ['/signin', '/account/credentials', '/account/wallet', '/account/apps', '/claim']) {
      const sites = ['none', 'same-origin', 'same-site', 'cross-site'];
      const older = { Accept: 'text/html,application/xhtml+xml' };
      const pages = sites.map((site) => visitor.navigate(path, { headers: { 'Sec-Fetch-Site': site } }));
      for (const page of await Promise.all([...pages, visitor.fetch(path, { headers: older })])) {
        const text = await page.text();
        expect(text, path).not.toContain(victim.handle);
        expect(text, path).not.toContain(victim.claims.name);
        if (path.startsWith('/account')) expect(page.headers.get('Location')).toMatch(/^\/signin/);
      }
    }
  });
});

const onHost = { COOKIE_DOMAIN: '' };
const onDomain = {
  BASE_URL: 'http://id.pid.localhost:8787',
  COOKIE_DOMAIN: 'pid.localhost',
  REFRESH_COOKIE_SCOPE: 'domain',
};

describe('a session whose key is limited to /v1/auth', () => {
  it('continues after one refresh, which sets the key for all paths, even with REFRESH_COOKIE_SCOPE=domain', async () => {
    for (const variables of [onHost, onDomain]) {
      const domain = variables.COOKIE_DOMAIN;
      await target.restart(variables);
      const { browser } = await newMember(target);
      const refresh = await browser.cookie('pid_refresh');
      const older = openBrowser(target);
      const at = `${target.origin}/v1/auth`;
      for (const name of ['pid_access', 'pid_refresh']) {
        const path = name === 'pid_refresh' ? '/v1/auth' : '/';
        const value = `${name}=${await browser.cookie(name)}`;
        await older.jar.setCookie(`${value}; Path=${path}${domain && `; Domain=${domain}`}`, at);
      }
      const key = await browser.cookie('pid_refresh_key');
      await older.jar.setCookie(`pid_refresh_key=${key}; Path=/v1/auth`, at);
      expect((await older.fetch('/v1/me', { headers: { Origin: target.origin } })).status).toBe(401);
      const refreshed = await older.fetch('/v1/auth/refresh', json('POST', {}));
      expect([refreshed.status, valueSet(refreshed, 'pid_refresh_key')]).toEqual([204, key]);
      expect(setCookies(refreshed).find(({ name }) => name === 'pid_refresh_key')?.path).toBe('/');
      expect(await older.cookie('pid_refresh')).not.toBe(refresh);
      expect((await older.fetch('/v1/me', { headers: { Origin: target.origin } })).status).toBe(200);
    }
  });
});
