import type * as z from 'zod/mini';
import { type ErrorCode, errors } from '../src/errors.ts';
import type { Endpoint, IdentifyingCookie } from '../src/http/endpoint.ts';
import type { Examples, SuccessStatus } from './examples/example.ts';

/** The name of a cookie of the service; `pid_oauth_*` matches one per sign-in in progress, `pid_authorize_*` per request. */
export type CookieName =
  | 'pid_access'
  | 'pid_authorize_*'
  | 'pid_refresh'
  | 'pid_refresh_key'
  | 'pid_claim'
  | 'pid_continue'
  | 'pid_way'
  | 'pid_claim_key'
  | 'pid_device'
  | 'pid_email'
  | 'pid_hint'
  | 'pid_oauth'
  | 'pid_oauth_*'
  | 'pid_passkey';

/** One way in which an operation succeeds. */
export interface Answer {
  readonly status: SuccessStatus;
  readonly description: string;
  /** The JSON body; it needs a name in the `schemas` of a feature. */
  readonly schema?: z.ZodMiniType;
  /** Files, which the query can ask for in place of JSON, or one of which the body always is. */
  readonly fileTypes?: readonly ('text/csv' | 'application/jsonl')[];
  /** The body is a page rather than JSON. */
  readonly isPage?: boolean;
  readonly sets?: readonly CookieName[];
  readonly clears?: readonly CookieName[];
  /** The target of the Location header. */
  readonly location?: string;
  /** Cache-Control, where it is not `no-store`. */
  readonly cacheControl?: string;
}

/** The cookies of a session, which are set and cleared together. */
export const sessionCookies = ['pid_access', 'pid_refresh', 'pid_refresh_key', 'pid_hint'] as const;

type Success = Omit<Answer, 'status' | 'description'>;

export function answer(status: SuccessStatus, description: string, success: Success = {}): Answer {
  return { status, description, ...success };
}

/** The errors among the reasons of a decision; the others are no refusals. */
export function errorsIn(requirements: object): ErrorCode[] {
  return Object.keys(requirements).filter((reason): reason is ErrorCode => reason in errors);
}

/** One route, described. Whatever follows from these facts (401, 413, 429, …) is added by the document. */
export interface Operation {
  readonly endpoint: Endpoint;
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /**
   * Cookies that identify the caller, where the endpoint has no actor. Several are alternatives, and `optional` lets
   * others in too.
   */
  readonly needs?: { readonly anyOf: readonly IdentifyingCookie[]; readonly optional?: boolean };
  /** Cookies it reads besides those it needs. */
  readonly reads?: readonly CookieName[];
  readonly params?: Readonly<Record<string, { readonly description: string; readonly example: string }>>;
  /** The query that a page reads by itself. */
  readonly query?: z.ZodMiniObject;
  /** The type of the body, where it is a file that the endpoint reads as it comes. */
  readonly fileType?: 'text/csv';
  /** True if the body may be absent, which counts as `{}`. */
  readonly bodyOptional?: boolean;
  readonly answers: readonly Answer[];
  readonly errors?: readonly ErrorCode[];
  /** A hosted page or a part of one: tested like the rest, but programs have no use for it, so the document leaves it out. */
  readonly isHosted?: true;
  /** A form of a hosted page posts to the same address too. This is the status when it succeeds; 200 is a page. */
  readonly formStatus?: 200 | 303;
  /** Answered by a file rather than by a route of the service. */
  readonly isAsset?: boolean;
}

/** A feature's part of the contract, in `contract/`. */
export interface FeatureApi {
  /** The heading in the document. */
  readonly tag: string;
  readonly description: string;
  /** The Zod objects that validate, by the names they have in the document. */
  readonly schemas: Readonly<Record<string, z.ZodMiniType>>;
  readonly operations: readonly Operation[];
  readonly examples: Examples;
}

/** Describes endpoints of a feature by their names there, which are the ids of the operations. */
export function operationsOf<Id extends string>(
  endpoints: Readonly<Record<NoInfer<Id>, Endpoint>>,
  descriptions: Readonly<Record<Id, Omit<Operation, 'endpoint' | 'id'>>>,
): Operation[] {
  return (Object.keys(descriptions) as Id[]).map((id) => ({
    endpoint: endpoints[id],
    id,
    ...descriptions[id],
  }));
}
