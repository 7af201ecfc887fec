import type { ClaimApi, LoginOptions } from './auth-types.ts';
import type { Result } from './errors.ts';
import type { PopupRun } from './popup-run.ts';
import type { Refreshed } from './refresh.ts';
import type { Send } from './request.ts';
import type { SessionReader } from './session.ts';
import type { SessionStore } from './store.ts';
import type { ClientOptions, ProviderId } from './types.ts';

/** Calls that leave the page. They resolve only on failure, or when the browser's back button restores the page. */
export interface RedirectApi {
  login(options?: LoginOptions): Promise<Result<never>>;
  link(provider: ProviderId, options?: { returnTo?: string }): Promise<Result<never>>;
}

/** State and functions that the client's areas share. */
export interface Core extends SessionReader {
  readonly options: ClientOptions;
  readonly baseUrl: string;
  /** The origin of a popup's messages. */
  readonly popupOrigin: string;
  /** True if the page and the service are on different sites, so that the browser withholds the cookies. */
  readonly isCrossSite: boolean;
  readonly store: SessionStore;
  /** Sends a request without renewing anything. */
  readonly send: Send;
  /**
   * Sends a signed-in person's request. Renews the cookies first if they are stale; after a 401, renews them and
   * repeats the request once.
   */
  readonly call: Send;
  /** `call` for any kind of response. Also returns the result of the refresh after a 401, if there was one. */
  recover<T>(attempt: () => Promise<T>, isRefusal: (answer: T) => boolean): Promise<[T, Refreshed?]>;
  /** Renews the cookies now. */
  refresh(): Promise<Refreshed>;
  /** Part of the context because every way to sign in can lead to a claim. */
  readonly claim: ClaimApi;
  readonly redirect: RedirectApi;
  /** Warns the app's developer. */
  warn(code: string, message: string): void;
  /** The open popup. A client has at most one. */
  popup: PopupRun | null;
  dispose(): void;
}
