import type { Handler, Hono, MiddlewareHandler, Next } from 'hono';
import type { Deps } from '../deps.ts';
import { memoize } from '../lib/memoize.ts';
import type { AppContext, AppEnv } from './context.ts';
import type { Endpoint } from './endpoint.ts';
import { Routes } from './routes.ts';

/** Method and path, as declared in the app. */
export type Route = Pick<Endpoint, 'method' | 'path' | 'route'>;

/** A feature's endpoints, and the module with their handlers, unless another group or page contains them. */
export type RouteGroup = readonly [
  endpoints: Readonly<Record<string, Endpoint>>,
  load?: () => Promise<(deps: Deps) => Hono<AppEnv>>,
];

type Step = Handler<AppEnv> | MiddlewareHandler<AppEnv>;

/**
 * A group of routes whose module is loaded on the first request for one of them, rather than at startup. Its routes are
 * listed because the app must mount them first; loading fails if the group has other routes.
 */
export function lazyRoutes(named: readonly Route[], load: () => Promise<Hono<AppEnv>>): Hono<AppEnv> {
  const group = new Routes();
  const names = named.map(({ method, path }) => `${method} ${path}`);
  const steps = memoize(async () => stepsOf(await load(), names));
  const byRoute = Map.groupBy(named, ({ method, path, route = path }) => `${method} ${route}`);
  for (const [first, ...others] of byRoute.values()) {
    if (!first) continue;
    const { method, path, route = path } = first;
    group.on(method, route, async (c, next) => {
      const found = route === path ? first : [first, ...others].find((one) => isAt(one.path, c.req.path));
      if (!found) return next();
      await run((await steps()).get(`${method} ${found.path}`) ?? [], 0, c, next);
    });
  }
  return group;
}

/** Returns whether a path's fixed segments match a URL. */
function isAt(path: string, address: string): boolean {
  const segments = address.split('/');
  return path.split('/').every((segment, at) => segment.startsWith(':') || segment === segments[at]);
}

/** The handlers of each of the group's routes, in order. */
function stepsOf({ routes }: Hono<AppEnv>, names: readonly string[]): Map<string, Step[]> {
  const steps = new Map<string, Step[]>(names.map((name) => [name, []]));
  for (const { method, path, handler } of routes) {
    const own = steps.get(`${method} ${path}`);
    if (!own) throw new Error(`${method} ${path} is not among the routes that its group is named by`);
    own.push(handler);
  }
  for (const [name, own] of steps) {
    if (own.length === 0) throw new Error(`${name} is not a route of the group that is named by it`);
  }
  return steps;
}

/** Runs steps as Hono does: the result of a step becomes the response, unless an earlier step has set it. */
async function run(steps: readonly Step[], at: number, c: AppContext, last: Next): Promise<void> {
  const step = steps[at];
  if (!step) return last();
  const answer = await step(c, () => run(steps, at + 1, c, last));
  if (answer && !c.finalized) c.res = answer;
}
