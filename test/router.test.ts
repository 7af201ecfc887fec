import { expect, it } from 'vitest';
import { createRouter } from '../src/http/router.ts';
import { routesOf } from './support/routes.ts';

/** The fast router refuses ambiguous routes, such as `/a/new` next to `/a/:id`. */
it('every route works with the fast router, whatever the method', () => {
  const router = createRouter<string>();
  router.add('ALL', '*', 'guard');
  const routes = routesOf();
  for (const { method, pattern, route } of routes) router.add(method, route, pattern);
  for (const { method, pattern, path } of routes)
    expect(router.match(method, path)[0].map(([handler]) => handler)).toEqual(
      expect.arrayContaining(['guard', pattern]),
    );
  // Only what is for all methods, whatever a client calls its own.
  expect(router.match('BREW', '/healthz')[0].map(([handler]) => handler)).toEqual(['guard']);
});
