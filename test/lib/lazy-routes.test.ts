import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import type { AppEnv } from '../../src/http/context.ts';
import { lazyRoutes } from '../../src/http/lazy-routes.ts';

/** A group of three routes, like pages, with an API route that shares one of their paths. */
function group(): Hono<AppEnv> {
  const pages = new Hono<AppEnv>();
  pages.get('/open/:name', (c) => c.text(`page of ${c.req.param('name')}`));
  pages.get(
    '/shared',
    async (c, next) => {
      await next();
      c.header('Passed', 'first');
    },
    async (c, next) => (c.req.query('page') === undefined ? next() : c.text('the page')),
  );
  pages.post('/fails', () => {
    throw new Error('it failed');
  });
  return pages;
}

const open = { method: 'GET', path: '/open/:name' } as const;
const shared = { method: 'GET', path: '/shared' } as const;
const fails = { method: 'POST', path: '/fails' } as const;
const named = [open, shared, fails];

function service(load = async () => group(), routes: Parameters<typeof lazyRoutes>[0] = named) {
  let loads = 0;
  const app = new Hono<AppEnv>();
  app.onError((error, c) => c.text(error.message, 500));
  app.use(async (c, next) => {
    c.header('Before', 'kept');
    await next();
  });
  const counted = async () => {
    loads += 1;
    return load();
  };
  app.route('/', lazyRoutes(routes, counted));
  app.get('/shared', (c) => c.text('the API'));
  const ask = async (path: string, method = 'GET') => {
    const answer = await app.request(path, { method });
    return [answer.status, await answer.text(), answer.headers.get('Before'), answer.headers.get('Passed')];
  };
  return { app, ask, loads: () => loads };
}

describe('a lazily loaded group', () => {
  it('responds like an ordinary group and is loaded on the first request', async () => {
    const { ask, loads } = service();
    expect(loads()).toBe(0);
    expect(await ask('/elsewhere')).toEqual([404, '404 Not Found', 'kept', null]);
    expect(loads()).toBe(0);
    const [first, second] = await Promise.all([ask('/open/ada'), ask('/open/ben')]);
    expect([first, second]).toEqual([
      [200, 'page of ada', 'kept', null],
      [200, 'page of ben', 'kept', null],
    ]);
    expect(await ask('/shared?page')).toEqual([200, 'the page', 'kept', 'first']);
    expect(await ask('/shared')).toEqual([200, 'the API', 'kept', 'first']);
    expect(await ask('/fails', 'POST')).toEqual([500, 'it failed', 'kept', null]);
    // Both requests before the load loaded it.
    expect(loads()).toBe(2);
  });

  it('announces its routes to the app before loading', () => {
    const { app, loads } = service();
    const known = app.routes.map(({ method, path }) => `${method} ${path}`);
    expect(known).toEqual(expect.arrayContaining([...named.map(({ method, path }) => `${method} ${path}`)]));
    expect(loads()).toBe(0);
  });

  it('fails if it has an unnamed route or lacks a named one', async () => {
    const unnamed = service(undefined, [shared, fails]);
    expect((await unnamed.ask('/shared'))[1]).toBe(
      'GET /open/:name is not among the routes that its group is named by',
    );
    const lacking = service(undefined, [...named, { method: 'GET', path: '/gone' }]);
    expect((await lacking.ask('/shared'))[1]).toBe(
      'GET /gone is not a route of the group that is named by it',
    );
  });

  it('is loaded again after a failed load', async () => {
    let isBroken = true;
    const { ask, loads } = service(async () => {
      if (isBroken) throw new Error('no such module');
      return group();
    });
    const failed = [500, 'no such module', 'kept', null];
    expect(await ask('/open/ada')).toEqual(failed);
    isBroken = false;
    expect(await ask('/open/ada')).toEqual([200, 'page of ada', 'kept', null]);
    expect(await ask('/open/ben')).toEqual([200, 'page of ben', 'kept', null]);
    expect(loads()).toBe(2);
  });

  it('still answers other requests if the first load never finishes', async () => {
    let isFirst = true;
    const { ask } = service(async () => {
      if (isFirst) {
        isFirst = false;
        await new Promise(() => {});
      }
      return group();
    });
    void ask('/open/ada');
    expect(await ask('/open/ben')).toEqual([200, 'page of ben', 'kept', null]);
  });
});
