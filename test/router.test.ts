import { expect, it } from 'vitest';
import { createRouter } from '../src/http/routes.ts';
import { routesOf } from './support/routes.ts';

/** The fast router rejects ambiguous routes, such as `/a/new` next to `/a/:id`. */
it('every route works with the fast router, with any method', () => {
  const router = createRouter<string>();
  router.add('ALL', '*', 'guard');
  const routes = routesOf();
  for (const { method, pattern, route } of routes) router.add(method, route, pattern);
  for (const { method, pattern, path } of routes)
    expect(router.match(method, path)[0].map(([handler]) => handler)).toEqual(
      expect.arrayContaining(['guard', pattern]),
    );
  // Only routes for all methods match, whatever method a client sends.
  expect(router.match('BREW', '/healthz')[0].map(([handler]) => handler)).toEqual(['guard']);
});
