import { type AuthApi, createAuth } from './auth.ts';
import { createCore } from './core.ts';
import { type CredentialsApi, createCredentials } from './credentials.ts';
import type { PasskeysApi } from './passkey-types.ts';
import { createPasskeys } from './passkeys.ts';
import { createPopup, type PopupApi } from './popup.ts';
import type { ClientOptions, PidEvents, SessionSnapshot } from './types.ts';

export type { AuthApi, LoginOptions } from './auth.ts';
export type { ClaimApi } from './claim.ts';
export type { CredentialsApi } from './credentials.ts';
export type { EmailApi, OwnEmailApi } from './email-types.ts';
export {
  type ApiError,
  errorMessage,
  isApiError,
  isPopupError,
  PopupBlockedError,
  PopupClosedError,
  type PopupError,
  type PopupErrorCode,
  PopupRejectedError,
  type PopupRejection,
  PopupUnavailableError,
  type Result,
  unwrap,
} from './errors.ts';
export type { PasskeyStop, PasskeysApi } from './passkey-types.ts';
export type { PopupApi, PopupCall, PreparedPopup } from './popup.ts';
export type { SessionsApi } from './sessions.ts';
export type {
  ClaimPreview,
  ClientOptions,
  Credential,
  HandleCheck,
  LogEvent,
  LoginOutcome,
  LoginProvider,
  Page,
  PidEvents,
  PopupKind,
  PopupPhase,
  ProviderId,
  Session,
  SessionInfo,
  SessionSnapshot,
} from './types.ts';

/** A client of one service. Make one for a page and keep it. */
export interface PidClient {
  readonly auth: AuthApi;
  readonly credentials: CredentialsApi;
  readonly passkeys: PasskeysApi;
  readonly popup: PopupApi;
  /**
   * `fetch` for the app's own API: with cookies, renewed beforehand when they are about to end, and repeated once
   * after a 401. A body that is a stream cannot be repeated. A 401 that stays after a renewal is the API's own, and for
   * a minute no more of them lead to one.
   */
  fetch(input: string | URL, init?: RequestInit): Promise<Response>;
  /** What is known of the session, without asking anybody. */
  getSnapshot(): SessionSnapshot;
  /** Calls back with the snapshot, now and after every change; the first call reads the session. */
  subscribe(listener: (snapshot: SessionSnapshot) => void): () => void;
  /** Calls back with an event. Both answer a function that ends it. */
  on<E extends keyof PidEvents>(event: E, listener: (value: PidEvents[E]) => void): () => void;
  /** Removes every listener, and cancels a popup on its way. */
  dispose(): void;
}

/**
 * Makes a client. Nothing is sent before a method is called or somebody subscribes, and nothing runs while idle.
 * @throws TypeError when `baseUrl` or `popupBaseUrl` is no address
 */
export function createClient(options: ClientOptions): PidClient {
  const core = createCore(options);
  const { store } = core;
  /** An API that refuses whoever was just renewed has reasons of its own: renewals are few, and not spent on it. */
  let vainUntil = 0;
  return {
    auth: createAuth(core),
    credentials: createCredentials(core),
    passkeys: createPasskeys(core),
    popup: createPopup(core),
    async fetch(input, init) {
      const isOnce = init?.body instanceof ReadableStream;
      const [answer, refreshed] = await core.recover(
        () => fetch(input, { credentials: 'include', ...init }),
        ({ status }) => status === 401 && !isOnce && Date.now() > vainUntil,
      );
      if (answer.status === 401 && typeof refreshed === 'string') vainUntil = Date.now() + 60_000;
      return answer;
    },
    getSnapshot: store.get,
    subscribe(listener) {
      const end = store.on('session', listener);
      listener(store.get());
      if (store.get().status === 'loading') store.reread();
      return end;
    },
    on: store.on,
    dispose: core.dispose,
  };
}
