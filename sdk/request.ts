import { type ApiError, isApiError, networkError, type Result } from './errors.ts';
import type { ClientOptions } from './types.ts';

/** One request to the service. */
export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly body?: unknown;
  /** The `Idempotency-Key`, for requests that create something. */
  readonly key?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
  /** The address in the request, if an error applies only to that address. */
  readonly about?: string;
  /** Lets the request outlive the page. */
  readonly keepalive?: boolean;
}

/** Sends a request. Never throws; a 204 becomes `{ ok: true }`. */
export type Send = <T>(path: string, call?: Call) => Promise<Result<T>>;

/**
 * @param explained the error that replaces a 401, if the browser withholds the cookies from every request
 * @param onSilence called if a request got no response although it was neither aborted nor late
 */
export function createSend(
  options: ClientOptions,
  baseUrl: string,
  explained: object | null,
  onSilence: () => void,
): Send {
  const doFetch: typeof fetch = options.fetch ?? ((input, init) => fetch(input, init));
  /** Errors with `Retry-After`, which are returned again without a request until that time. */
  const held = new Map<string, { readonly until: number; readonly error: ApiError }>();

  return async function send<T>(path: string, call: Call = {}): Promise<Result<T>> {
    const {
      method = 'GET',
      body,
      about,
      key: idempotencyKey,
      signal: outer,
      timeoutMs = options.timeoutMs ?? 10_000,
      ...rest
    } = call;
    const key = method + path + about;
    const last = held.get(key);
    if (last && Date.now() < last.until) return last.error;
    const timeout = AbortSignal.timeout(timeoutMs);
    // A browser without `AbortSignal.any` only honours the caller's signal.
    const signal = outer ? (AbortSignal.any?.([outer, timeout]) ?? outer) : timeout;
    const headers: Record<string, string> = {};
    if (body) headers['Content-Type'] = 'application/json';
    if (idempotencyKey) headers['Idempotency-Key'] = idempotencyKey;
    if (options.appId) headers['X-App-Id'] = options.appId;
    if (options.ssr?.cookie) headers['Cookie'] = options.ssr.cookie;
    const init = { method, headers, signal, ...rest, body: JSON.stringify(body) };
    try {
      const response = await doFetch(baseUrl + path, { credentials: 'include', ...init });
      if (response.status === 204) return { ok: true } as T;
      const value: Result<T> | null = await response.json().catch(() => null);
      if (response.ok) return value ?? networkError;
      const error = { ...toError(response, value), ...(response.status === 401 && explained) };
      if (error.retryAfter) held.set(key, { until: Date.now() + error.retryAfter * 1000, error });
      return error;
    } catch {
      if (!signal.aborted) onSilence();
      return networkError;
    }
  };
}

/** A 401 from elsewhere, such as a proxy, says nothing about the session and must not sign the person out. */
function toError({ status, headers }: Response, value: unknown): ApiError {
  const isOurs = isApiError(value);
  const { message, code = headers.get('X-Error-Code') } = isOurs ? value : networkError;
  const retryAfter = Number(headers.get('Retry-After'));
  return {
    statusCode: status === 401 && !isOurs ? 0 : status,
    message,
    ...(code && { code }),
    ...(retryAfter && { retryAfter }),
  };
}
