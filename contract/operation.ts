import type * as z from 'zod/mini';
import { type ErrorCode, errors } from '../src/errors.ts';
import type { Endpoint, IdentifyingCookie } from '../src/http/endpoint.ts';
import type { Examples, SuccessStatus } from './examples/example.ts';

/** The name of one of the service's cookies; `pid_oauth_*` matches one per sign-in in progress, `pid_authorize_*` per request. */
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

/** One successful outcome of an operation. */
export interface Answer {
  readonly status: SuccessStatus;
  readonly description: string;
  /** The JSON body, which must be named in a feature's `schemas`. */
  readonly schema?: z.ZodMiniType;
  /** Files that the query can request instead of JSON, or one of which is always the body. */
  readonly fileTypes?: readonly ('text/csv' | 'application/jsonl')[];
  /** The body is a page rather than JSON. */
  readonly isPage?: boolean;
  readonly sets?: readonly CookieName[];
  readonly clears?: readonly CookieName[];
  /** The target of the Location header. */
  readonly location?: string;
  /** Cache-Control, if it is not `no-store`. */
  readonly cacheControl?: string;
}

/** A session's cookies, which are set and cleared together. */
export const sessionCookies = ['pid_access', 'pid_refresh', 'pid_refresh_key', 'pid_hint'] as const;

type Success = Omit<Answer, 'status' | 'description'>;

export function answer(status: SuccessStatus, description: string, success: Success = {}): Answer {
  return { status, description, ...success };
}

/** The errors among a decision's reasons; the others are not errors. */
export function errorsIn(requirements: object): ErrorCode[] {
  return Object.keys(requirements).filter((reason): reason is ErrorCode => reason in errors);
}

/** One described route. Responses that follow from these facts (401, 413, 429, …) are added by the document. */
export interface Operation {
  readonly endpoint: Endpoint;
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /**
   * Cookies that identify the caller, if the endpoint has no actor. Several are alternatives, and `optional` also
   * admits callers without a cookie.
   */
  readonly needs?: { readonly anyOf: readonly IdentifyingCookie[]; readonly optional?: boolean };
  /** Cookies that it reads in addition to the required ones. */
  readonly reads?: readonly CookieName[];
  readonly params?: Readonly<Record<string, { readonly description: string; readonly example: string }>>;
  /** The query that a page itself reads. */
  readonly query?: z.ZodMiniObject;
  /** The media type of the body, if the body is a file that the endpoint reads as it arrives. */
  readonly fileType?: 'text/csv';
  /** True if the body may be missing, which is treated as `{}`. */
  readonly bodyOptional?: boolean;
  readonly answers: readonly Answer[];
  readonly errors?: readonly ErrorCode[];
  /**
   * A hosted page or a part of one, which is tested like the rest but omitted from the document, because it is of no
   * use to programs.
   */
  readonly isHosted?: true;
  /** The status on success if a hosted page's form also posts to this path; 200 is a page. */
  readonly formStatus?: 200 | 303;
  /** Served from a file rather than by one of the service's routes. */
  readonly isAsset?: boolean;
}

/** A feature's part of the contract, in `contract/`. */
export interface FeatureApi {
  /** The heading in the document. */
  readonly tag: string;
  readonly description: string;
  /** The Zod objects for validation, by their names in the document. */
  readonly schemas: Readonly<Record<string, z.ZodMiniType>>;
  readonly operations: readonly Operation[];
  readonly examples: Examples;
}

/** Describes a feature's endpoints by their names in the feature, which are the operation ids. */
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
