import { RegExpRouter } from 'hono/router/reg-exp-router';
import { expect, it } from 'vitest';
import { routesOf } from './support/routes.ts';

/** Hono falls back to a slower router for all routes when one is ambiguous, such as `/a/new` next to `/a/:id`. */
it('every route works with the fast router', () => {
  const router = new RegExpRouter<null>();
  for (const { method, route } of routesOf()) router.add(method, route, null);
  expect(() => router.match('GET', '/healthz')).not.toThrow();
});
