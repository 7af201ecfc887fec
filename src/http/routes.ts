import { HonoBase } from 'hono/hono-base';
import type { Result, Router } from 'hono/router';
import { METHOD_NAME_ALL } from 'hono/router';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { getOrInsert } from '../lib/memoize.ts';
import type { AppEnv } from './context.ts';

/** Hono's routes, without the routers that it falls back to. */
export class Routes extends HonoBase<AppEnv> {
  constructor() {
    super({ router: createRouter() });
  }
}

/**
 * Hono's fast router, built for each method on its first request. Building it for all methods would take longer than
 * the rest of the first request.
 */
export function createRouter<T>(): Router<T> {
  const routes: [method: string, path: string, handler: T][] = [];
  const routers = new Map<string, RegExpRouter<T>>();
  const build = (method: string) => {
    const router = new RegExpRouter<T>();
    for (const [of, path, handler] of routes)
      if (of === method || of === METHOD_NAME_ALL) router.add(of, path, handler);
    return router;
  };
  const methods = new Set<string>();
  return {
    name: 'RegExpRouter for each method',
    add(method, path, handler) {
      methods.add(method);
      routes.push([method, path, handler]);
    },
    match(method, path): Result<T> {
      // Clients may name any method.
      const name = methods.has(method) ? method : METHOD_NAME_ALL;
      return getOrInsert(routers, name, () => build(name)).match(name, path);
    },
  };
}
