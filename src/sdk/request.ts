import { type ApiError, isApiError, type Result } from './errors.ts';
import type { ClientOptions } from './types.ts';

/** One request to the service. */
export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
  /** The address that the request is about, when a refusal holds for that address only. */
  readonly about?: string;
  /** Lets the request outlive the page. */
  readonly keepalive?: boolean;
}

/** Sends a request. Never throws; a 204 becomes `{ ok: true }`. */
export type Send = <T>(path: string, call?: Call) => Promise<Result<T>>;

/** There was no response, or it was not from the service. */
export const networkError: ApiError = { statusCode: 0, message: 'Network error' };

export function createSend(options: ClientOptions, baseUrl: string): Send {
  const doFetch: typeof fetch = options.fetch ?? ((input, init) => fetch(input, init));
  /** Refusals with `Retry-After`, which are returned again without a request until that time. */
  const held = new Map<string, { readonly until: number; readonly error: ApiError }>();

  return async function send<T>(path: string, call: Call = {}): Promise<Result<T>> {
    const { method = 'GET', body, about, signal, timeoutMs = options.timeoutMs ?? 10_000, ...rest } = call;
    const key = method + path + about;
    const last = held.get(key);
    if (last && Date.now() < last.until) return last.error;
    const timeout = AbortSignal.timeout(timeoutMs);
    const headers: Record<string, string> = {};
    if (body) headers['Content-Type'] = 'application/json';
    if (options.appId) headers['X-App-Id'] = options.appId;
    if (options.ssr?.cookie) headers['Cookie'] = options.ssr.cookie;
    try {
      const response = await doFetch(baseUrl + path, {
        method,
        headers,
        credentials: 'include',
        // A browser without `AbortSignal.any` only honors the caller's signal.
        signal: signal ? (AbortSignal.any?.([signal, timeout]) ?? signal) : timeout,
        ...rest,
        body: JSON.stringify(body),
      });
      if (response.status === 204) return { ok: true } as T;
      const value: Result<T> | null = await response.json().catch(() => null);
      if (response.ok) return value ?? networkError;
      const error = toError(response, value);
      if (error.retryAfter) held.set(key, { until: Date.now() + error.retryAfter * 1000, error });
      return error;
    } catch {
      return networkError;
    }
  };
}

/** A 401 that is not from the service, such as a proxy's, says nothing about the session and must not sign out. */
function toError({ status, headers }: Response, value: unknown): ApiError {
  const isOurs = isApiError(value);
  const error: ApiError = {
    statusCode: status === 401 && !isOurs ? 0 : status,
    message: (isOurs ? value : networkError).message,
  };
  const retryAfter = Number(headers.get('Retry-After'));
  return retryAfter ? { ...error, retryAfter } : error;
}
