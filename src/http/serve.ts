import type { Hono, MiddlewareHandler } from 'hono';
import type { Deps } from '../deps.ts';
import { memoize } from '../lib/memoize.ts';
import { sendJson } from './answer.ts';
import { jsonBody, validBody, validForm, validQuery } from './body.ts';
import type { AppContext, AppEnv } from './context.ts';
import { anyBody, type Endpoint, type Input, type LazySchema } from './endpoint.ts';
import { requireOwnPage } from './origin.ts';
import { endpointLimiter, rateLimit } from './rate-limit.ts';
import { Routes } from './routes.ts';
import { rejectSpeculation } from './speculation.ts';

type Endpoints = Readonly<Record<string, Endpoint>>;

/** The input of a handler: the parts declared by its endpoint, the request, and the service's dependencies. */
type Call<E extends Endpoint> = Input<E> & { readonly c: AppContext; readonly deps: Deps };

/** The result of a handler is sent as JSON, no result as 204, and a `Response` unchanged. */
type Handler<E extends Endpoint> = (call: Call<E>) => unknown;

/** A group of routes: one handler per endpoint, by name. */
export function routesOf<const E extends Endpoints>(
  endpoints: E,
  handlers: { readonly [Name in keyof E]: Handler<E[Name]> },
): (deps: Deps) => Hono<AppEnv> {
  return (deps) => {
    const routes = new Routes();
    for (const [name, endpoint] of Object.entries(endpoints) as [keyof E, E[keyof E]][]) {
      serve(routes, deps, endpoint, handlers[name]);
    }
    return routes;
  };
}

/**
 * Adds an endpoint to a group. Its guards run in the only correct order: origin, caller, limit, prefetch, query, body.
 * This order hides the accepted input from strangers, and counts every request before costly work. The caller is
 * identified before a token is taken, because limits are counted by caller.
 *
 * All guards run in one Hono step, because each step costs about as much as a whole guard.
 */
export function serve<const E extends Endpoint>(
  routes: Hono<AppEnv>,
  deps: Deps,
  endpoint: E,
  handler: Handler<E>,
): void {
  const identify = endpoint.actor?.guard(
    deps,
    endpoint.limit ? endpointLimiter(deps, endpoint) : null,
    endpoint.scope,
  );
  const guards = guardsOf(deps, endpoint);
  const route = `${endpoint.method} ${endpoint.path}`;
  routes.on(endpoint.method, [endpoint.path], async (c) => {
    c.env.route = route;
    if (endpoint.isOauth) c.set('oauth', true);
    if (endpoint.ownPagesOnly) requireOwnPage(c, deps);
    const actor = await identify?.(c);
    for (const guard of guards) {
      const answer = await guard(c, goOn);
      if (answer) return answer;
    }
    const result = await handler({
      c,
      deps,
      actor,
      query: endpoint.query && c.req.valid('query' as never),
      body: endpoint.body && c.req.valid('json' as never),
      form: endpoint.form && c.get('form'),
      params: c.req.param(),
    } as Call<E>);
    noteEffects(c, endpoint);
    if (result instanceof Response) return result;
    return result === undefined ? c.body(null, 204) : sendJson(c, result);
  });
}

/** Records the work that must follow a successful request. */
export function noteEffects(c: AppContext, { endsSessions, causesEvents }: Endpoint): void {
  if (endsSessions) c.set('endedSessions', true);
  if (causesEvents) c.set('causedEvents', true);
}

async function goOn(): Promise<void> {}

function guardsOf(deps: Deps, endpoint: Endpoint): MiddlewareHandler<AppEnv>[] {
  const { query, body, form, refusesPrefetch } = endpoint;
  const steps = [
    !endpoint.actor && endpoint.limit && rateLimit(deps, endpoint),
    refusesPrefetch && rejectSpeculation(),
    query && (typeof query === 'function' ? validLazy(query, validQuery) : validQuery(query)),
    form && validForm(form),
    body && jsonBody(),
    body && body !== anyBody && (typeof body === 'function' ? validLazy(body, validBody) : validBody(body)),
  ];
  // The validators' types accept any app; ours differ only in their bindings.
  return steps.filter(Boolean) as MiddlewareHandler<AppEnv>[];
}

function validLazy(load: LazySchema, valid: typeof validBody | typeof validQuery): MiddlewareHandler<AppEnv> {
  const ready = memoize(async () => valid(await load()) as unknown as MiddlewareHandler<AppEnv>);
  return async function validated(c, next) {
    return (await ready())(c, next);
  };
}
