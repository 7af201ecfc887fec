import { createAuth } from './auth.ts';
import type { AuthApi } from './auth-types.ts';
import { createCore } from './core.ts';
import { createCredentials } from './credentials.ts';
import type { CredentialsApi } from './credentials-types.ts';
import { unwrap } from './errors.ts';
import { lazy } from './lazy.ts';
import type { MeApi, ProvidersApi } from './me-types.ts';
import type { FiatApi, Transfer, TransferInput, WalletApi } from './money-types.ts';
import type { PasskeysApi } from './passkey-types.ts';
import { createPasskeys } from './passkeys.ts';
import { askApproval, createPopup } from './popup.ts';
import type { PopupApi, PopupCall } from './popup-types.ts';
import type { ClientOptions, PidEvents, SessionSnapshot } from './types.ts';

export type {
  AppTokens,
  AuthApi,
  ClaimApi,
  LoginOptions,
  ReauthenticateOptions,
  SessionsApi,
  TokenPopupOptions,
} from './auth-types.ts';
export type { CredentialsApi } from './credentials-types.ts';
export type { EmailApi, OwnEmailApi } from './email-types.ts';
export {
  type ApiError,
  errorMessage,
  isApiError,
  isPopupError,
  PopupBlockedError,
  PopupClosedError,
  type PopupClosing,
  type PopupError,
  type PopupErrorCode,
  type PopupObstacle,
  PopupRejectedError,
  type PopupRejection,
  PopupUnavailableError,
  type Result,
  unwrap,
} from './errors.ts';
export type { MeApi, ProvidersApi } from './me-types.ts';
export type {
  Deposit,
  FiatApi,
  Inquiry,
  SyncedDeposit,
  Transaction,
  Transfer,
  TransferFees,
  TransferInput,
  Wallet,
  WalletApi,
  WalletBalance,
  WalletStatement,
} from './money-types.ts';
export type { PasskeyStop, PasskeysApi } from './passkey-types.ts';
export type { ApprovalGrant, ApprovalRequest, PopupApi, PopupCall, PreparedPopup } from './popup-types.ts';
export type {
  AccountExport,
  ActivityEntry,
  Balance,
  ClaimPreview,
  ClientOptions,
  Credential,
  HandleCheck,
  LogEvent,
  LoginOutcome,
  LoginProvider,
  Me,
  Page,
  PidEvents,
  PopupKind,
  PopupPhase,
  Provider,
  ProviderId,
  Session,
  SessionInfo,
  SessionSnapshot,
  WalletLimits,
  WalletSummary,
} from './types.ts';

/** The client of one service. Create one per page and keep it. */
export interface PidClient {
  readonly auth: AuthApi;
  readonly credentials: CredentialsApi;
  readonly passkeys: PasskeysApi;
  readonly me: MeApi;
  readonly providers: ProvidersApi;
  readonly wallet: WalletApi;
  readonly fiat: FiatApi;
  readonly popup: PopupApi;
  /**
   * `fetch` for the app's own API. Sends cookies, renews them first if they are about to expire, and retries once after
   * a 401, unless the body is a stream. If the retry is also a 401, no 401 causes a renewal for the next minute.
   */
  fetch(input: string | URL, init?: RequestInit): Promise<Response>;
  /** The session as this page knows it, without a request. */
  getSnapshot(): SessionSnapshot;
  /** The first snapshot: the one rendered by the server and shown until the page is hydrated. */
  getServerSnapshot(): SessionSnapshot;
  /**
   * Calls the listener with the current snapshot and after every change. Returns a function that unsubscribes. The first
   * subscriber triggers a session read.
   */
  subscribe(listener: (snapshot: SessionSnapshot) => void): () => void;
  /** Calls the listener on every such event. Returns a function that unsubscribes. */
  on<E extends keyof PidEvents>(event: E, listener: (value: PidEvents[E]) => void): () => void;
  /** Removes all listeners and cancels an open popup. */
  dispose(): void;
}

/**
 * Creates a client. It sends no request until a method is called or someone subscribes, and runs no timers while idle.
 * @throws TypeError if `baseUrl` or `popupBaseUrl` is not a URL
 */
export function createClient(options: ClientOptions): PidClient {
  const core = createCore(options);
  const { store } = core;
  const credentials = createCredentials(core);
  /** An API that still rejects a call after a renewal has its own reasons, and renewals are rate-limited. */
  let noRenewalUntil = 0;
  return {
    auth: createAuth(core),
    credentials,
    passkeys: createPasskeys(core, credentials),
    me: lazy(() => import('./me.ts').then((file) => file.createMe(core))),
    providers: lazy(() => import('./providers.ts').then((file) => file.createProviders(core))),
    wallet: lazy(() => import('./money.ts').then((file) => file.createWallet(core))),
    fiat: lazy(
      () => import('./money.ts').then((file) => file.createFiat(core)),
      {
        transferWithPopup: (input: TransferInput, call?: PopupCall) =>
          askApproval<Transfer>(core, input, call),
      },
      unwrap,
    ),
    popup: createPopup(core),
    async fetch(input, init) {
      const isOnce = init?.body instanceof ReadableStream;
      const [answer, refreshed] = await core.recover(
        () => fetch(input, { credentials: 'include', ...init }),
        ({ status }) => status === 401 && !isOnce && Date.now() > noRenewalUntil,
      );
      if (answer.status === 401 && typeof refreshed === 'string') noRenewalUntil = Date.now() + 60_000;
      return answer;
    },
    getSnapshot: store.get,
    getServerSnapshot: store.first,
    subscribe(listener) {
      const end = store.on('session', listener);
      listener(store.get());
      core.readFirst();
      return end;
    },
    on: store.on,
    dispose: core.dispose,
  };
}
