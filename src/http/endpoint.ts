import type * as z from 'zod/mini';
import type { Deps } from '../deps.ts';
import type { AppContext } from './context.ts';
import type { CountedBy, Limit, Limiter } from './rate-limit.ts';

/**
 * A single description of an endpoint. `serve` installs the guards from this object, and the limiter, lazy groups, page
 * forms and the contract read the same object.
 */
export interface Endpoint {
  readonly method: Method;
  /** The path as Hono matches it, such as `/v1/sessions/:id`. */
  readonly path: `/${string}`;
  /**
   * The router pattern, if `path` does not fit the fast router alongside its siblings (such as `/a/b` with `/a/:id`):
   * it has parameters in place of fixed segments, which its group, always lazy, compares.
   */
  readonly route?: `/${string}`;
  /** The callers; anyone by default. */
  readonly actor?: Actor<unknown>;
  /** Requests per minute. An endpoint without a limit is not limited. */
  readonly limit?: number | Limit;
  readonly query?: z.ZodMiniType | LazySchema;
  /** The JSON body; `anyBody` if one is read within its bounds and ignored. */
  readonly body?: z.ZodMiniType | LazySchema | typeof anyBody;
  /** OAuth parameters, in a form or as JSON; duplicates and query parameters are rejected (RFC 6749 section 3.2). */
  readonly form?: LazySchema;
  /** True if only our own pages may call it, not those of other first-party origins. */
  readonly ownPagesOnly?: true;
  /**
   * Also opens the endpoint, with cookies, to pages of registered apps on an origin that the app lists (`X-App-Id`):
   * only first-party apps, or any. An endpoint with a `scope` is open to first-party apps, within their grant.
   */
  readonly openToApps?: 'first_party' | 'any';
  /** Pages of apps may call it without cookies, from an origin listed by any app. */
  readonly openToClients?: true;
  /** Pages of any site may post a form here. The handler must not act on it unless `requireOwnPage` allows it. */
  readonly takesForms?: true;
  /** Errors use both formats: ours, and `error` and `error_description` (RFC 6749 section 5.2). */
  readonly isOauth?: true;
  /**
   * The scope that an app needs to call it, such as `wallet:read`. Apps may then call it, if the actor accepts them.
   */
  readonly scope?: string;
  /** For a GET that consumes something: HEAD responds without running it, and prefetches are rejected. */
  readonly refusesPrefetch?: true;
  /** Revokes sessions or grants, so apps may have to sign people out. */
  readonly endsSessions?: true;
  /** Causes events for webhooks, which are delivered after the response. */
  readonly causesEvents?: true;
}

/**
 * A schema in a group that is loaded on first use. The endpoints of the group are known at startup, its schemas are
 * not.
 */
export type LazySchema = () => Promise<z.ZodMiniType>;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The fields of an endpoint besides its method and path; any other key is a type error. */
type Rest<Given> = Given & Record<Exclude<keyof Given, keyof Endpoint>, never>;

function endpointBy<const M extends Method>(method: M) {
  return <const Path extends `/${string}`, const Given extends Omit<Endpoint, 'method' | 'path'>>(
    path: Path,
    rest: Rest<Given> = {} as Rest<Given>,
  ) => ({ method, path, ...rest });
}

export const get = endpointBy('GET');
export const post = endpointBy('POST');
export const put = endpointBy('PUT');
export const patch = endpointBy('PATCH');
export const del = endpointBy('DELETE');

/** Refers to schemas in a module that is loaded on first use. */
export function lazySchema<Module>(load: () => Promise<Module>) {
  return <const Name extends keyof Module>(name: Name) =>
    async (): Promise<Module[Name]> =>
      (await load())[name];
}

/** A body that is read within its bounds, so that an invalid one is rejected, and then ignored. */
export const anyBody = 'any';

/** A kind of caller, defined by the feature that can identify it. */
export interface Actor<Caller> {
  /** Cookies that identify the caller. The first one present is used. */
  readonly cookies: readonly IdentifyingCookie[];
  readonly countedBy: CountedBy;
  /** Apps may call with an access token (`Authorization: Bearer`). */
  readonly takesTokens?: true;
  /**
   * Creates the guard of an endpoint, which identifies the caller, rejects everyone else, and takes a token from the
   * caller's bucket.
   * @param scope the scope that an app needs, if apps may call
   */
  guard(deps: Deps, limit: Limiter | null, scope?: string): (c: AppContext) => Promise<Caller>;
}

export type IdentifyingCookie = 'pid_access' | 'pid_refresh' | 'pid_claim';

/** The input of a handler besides the context: only the parts declared by its endpoint. */
export interface Input<E extends Endpoint> {
  readonly actor: E['actor'] extends Actor<infer Caller> ? Caller : undefined;
  readonly body: Parsed<E['body']>;
  readonly form: Parsed<E['form']>;
  readonly query: Parsed<E['query']>;
  readonly params: { readonly [Name in ParamNames<E['path']>]: string };
}

type Parsed<Schema> = Schema extends z.ZodMiniType
  ? z.output<Schema>
  : Schema extends () => Promise<infer Loaded extends z.ZodMiniType>
    ? z.output<Loaded>
    : undefined;

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;
