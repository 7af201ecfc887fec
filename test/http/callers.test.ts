import { beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../../src/endpoints.ts';
import { newApp } from '../support/apps.ts';
import { newMember } from '../support/people.ts';
import { type Route, routesOf } from '../support/routes.ts';
import { useService } from '../support/service.ts';

const target = useService();

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
const endpointByName = new Map(endpoints.map((endpoint) => [nameOf(endpoint), endpoint]));
const routes = routesOf().map((route) => ({
  ...route,
  name: nameOf({ method: route.method, path: route.pattern }),
}));
const api = routes.filter(({ pattern }) => pattern.startsWith('/v1/'));

interface Caller {
  readonly cookie?: string;
  readonly origin: string;
  readonly app?: string;
}

/** A member's cookies as a browser would send them to any address, and an app with its own origin. */
async function newCaller(): Promise<{ own: Caller; app: Caller & { app: string } }> {
  const { browser } = await newMember(target);
  count += 1;
  const origin = `https://caller-${count}.example.com`;
  const { id } = await newApp(browser, { allowedOrigins: [origin] });
  const cookie = `${await browser.cookies('/v1/auth/refresh')}`;
  return { own: { cookie, origin: target.origin }, app: { cookie, origin, app: id } };
}
let count = 0;

/** The response's status, the error code, and the origin that may read it. */
async function ask({ method, path }: Route, { cookie, origin, app }: Caller) {
  const headers = {
    Origin: origin,
    ...(cookie === undefined ? {} : { Cookie: cookie }),
    ...(app === undefined ? {} : { 'X-App-Id': app }),
  };
  const answer = await target.request(path, { method, headers });
  return {
    status: answer.status,
    code: answer.headers.get('X-Error-Code'),
    readableBy: answer.headers.get('Access-Control-Allow-Origin'),
  };
}

async function table(of: typeof routes, caller: () => Promise<Caller>) {
  const rows: (Awaited<ReturnType<typeof ask>> & { name: string })[] = [];
  for (const route of of) rows.push({ name: route.name, ...(await ask(route, await caller())) });
  return rows;
}

const refused = { status: 403, code: 'origin_not_allowed', readableBy: null };
const everything = (of: typeof routes) => of.map(({ name }) => ({ name, ...refused }));
/** OAuth clients send no cookies, and authenticate with their request. */
const isForClients = ({ name }: { name: string }) => endpointByName.get(name)?.openToClients === true;
const ofClients = routes.filter(isForClients);
const ofOthers = routes.filter((route) => !isForClients(route));

describe('every route', () => {
  let one: Awaited<ReturnType<typeof newCaller>>;
  let two: Awaited<ReturnType<typeof newCaller>>;
  beforeAll(async () => {
    [one, two] = [await newCaller(), await newCaller()];
  });

  it('has a row in this test', () => {
    const names = new Set(routes.map(({ name }) => name));
    expect([...endpointByName.keys()].filter((name) => !names.has(name))).toEqual([]);
    expect(api.length).toBeGreaterThan(50);
  });

  it('returns 401 to anonymous callers if it requires a known caller', async () => {
    const rows = await table(api, async () => ({ origin: target.origin }));
    // This endpoint redirects strangers to the sign-in page.
    const known = rows.filter(({ name }) => endpointByName.get(name)?.actor && !name.endsWith('/continue'));
    expect(known.filter(({ status }) => ![401, 410].includes(status))).toEqual([]);
    const open = rows.filter(
      ({ name }) => !endpointByName.get(name)?.actor && !endpointByName.get(name)?.isOauth,
    );
    expect(open.filter(({ status }) => status === 401)).toEqual([]);
  });

  it('accepts the origin of our own pages', async () => {
    const rows = await table(api, async () => one.own);
    expect(rows.filter(({ code, readableBy }) => code === refused.code || readableBy === null)).toEqual([]);
  });

  it('accepts an app’s page only if it is open to apps', async () => {
    const rows = await table(routes, async () => two.app);
    const { origin } = two.app;
    const wrong = rows.filter(({ name, status, code, readableBy }) => {
      const endpoint = endpointByName.get(name);
      if (endpoint?.openToClients) return code === refused.code || readableBy !== origin;
      // An endpoint with a scope is also open to pages of first-party apps.
      if (endpoint?.openToApps === undefined && endpoint?.scope === undefined)
        return code !== refused.code || readableBy !== null;
      if (readableBy !== origin) return true;
      if (endpoint.openToApps !== 'any') return code !== 'origin_not_first_party' || status !== 403;
      // The session can be read only under a grant.
      return code === refused.code || (code === 'origin_not_first_party') !== name.endsWith('/auth/session');
    });
    expect(wrong).toEqual([]);
  });

  it('rejects a page that sends another app’s id', async () => {
    const [first, other] = [await newCaller(), await newCaller()];
    const caller = { ...first.app, app: other.app.app };
    expect(await table(ofOthers, async () => caller)).toEqual(everything(ofOthers));
  });

  it('rejects a page of a suspended app', async () => {
    const { app } = await newCaller();
    await target.rows(`UPDATE apps SET status = 'suspended' WHERE id = ?`, [app.app]);
    expect(await table(ofOthers, async () => app)).toEqual(everything(ofOthers));
    const rows = await table(ofClients, async () => app);
    expect(rows.filter(({ readableBy }) => readableBy !== null)).toEqual([]);
  });

  it('never lets an app’s page send cookies to the OAuth client endpoints', async () => {
    expect(ofClients.length).toBeGreaterThan(5);
    const { app } = await newCaller();
    for (const { method, path } of ofClients) {
      const answer = await target.request(path, { method, headers: { Origin: app.origin } });
      expect(answer.headers.get('Access-Control-Allow-Origin'), path).toBe(app.origin);
      expect(answer.headers.get('Access-Control-Allow-Credentials'), path).toBeNull();
    }
  });
});
