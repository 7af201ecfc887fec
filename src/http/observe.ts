import { matchedRoutes } from 'hono/route';
import type { Deps, Metrics } from '../deps.ts';
import { getOrInsert } from '../lib/memoize.ts';
import { parseTraceparent } from '../lib/traceparent.ts';
import type { AppContext } from './context.ts';

/** Records a response. @param startedAt by `deps.metrics.now` */
export type Observe = (c: AppContext, startedAt: number, status: number) => void;

/** Counts and times responses, and writes the access log if enabled; null if metrics and log are both disabled. */
export function createObserver({ metrics, config, log }: Deps): Observe | null {
  if (!metrics) return null;
  const isLogged = config.ACCESS_LOG === 'on';
  const routeOf = createRoutes(metrics);
  return (c, startedAt, status) => {
    const { name, count } = routeOf(c);
    const ms = metrics.now() - startedAt;
    count(status, ms);
    if (!isLogged) return;
    log.info('access', {
      route: name,
      status,
      micros: Math.round(ms * 1000),
      requestId: c.get('requestId'),
      traceparent: parseTraceparent(c.req.header('traceparent')),
    });
  };
}

interface Route {
  /** The pattern, such as `GET /v1/sessions/:id`, without any part of the request. */
  readonly name: string;
  readonly count: ReturnType<Metrics['route']>;
}

/** Finds the route of a request: its endpoint, or the matching pattern if the request did not reach one. */
function createRoutes(metrics: Metrics): (c: AppContext) => Route {
  const known = new Map<string, Route>();
  return (c) => {
    const name = c.env.route ?? patternOf(c);
    return getOrInsert(known, name, () => ({ name, count: metrics.route(name) }));
  };
}

function patternOf(c: AppContext): string {
  const routes = matchedRoutes(c);
  const last = routes.at(-1);
  // The first entry is the middleware for every path.
  return last === undefined || routes.length < 2 ? 'unknown' : `${last.method} ${last.path}`;
}
