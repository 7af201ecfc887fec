import type { EmailApi } from './email-types.ts';
import type { Result } from './errors.ts';
import type { PopupCall } from './popup-types.ts';
import type {
  ClaimPreview,
  HandleCheck,
  LoginOutcome,
  LoginProvider,
  Page,
  Session,
  SessionInfo,
} from './types.ts';

/** Options for a redirect. A popup ignores them, because it offers every sign-in method and returns automatically. */
export interface LoginOptions {
  /** By default the service's sign-in page offers every sign-in method. */
  provider?: LoginProvider;
  /** A path in this app, such as `/settings`, or an address on another allowed origin. Defaults to this page. */
  returnTo?: string;
  /** `login` makes the provider require a new sign-in, even if the person has a session there. */
  prompt?: 'login';
}

/** Options for signing in again. */
export interface ReauthenticateOptions extends PopupCall, Pick<LoginOptions, 'provider' | 'returnTo'> {
  /** False uses a redirect instead. Defaults to a popup wherever popups are supported. */
  popup?: boolean;
}

/** The claim: a newcomer chooses a handle. */
export interface ClaimApi {
  /** Reads the newcomer's preview and sets the snapshot to `claim`. 410 without a valid ticket. */
  preview(): Promise<Result<ClaimPreview>>;
  /** Checks whether a handle is available; fast enough to call while the person types. */
  check(handle: string, options?: { signal?: AbortSignal }): Promise<Result<HandleCheck>>;
  /**
   * Claims the handle permanently and signs in. 400 for an invalid handle, 409 if it is taken, 410 after the ticket has
   * expired.
   */
  submit(input: { handle: string; displayName?: string }): Promise<Result<Session>>;
}

/** The app's tokens for the person, as sent by the service (RFC 6749 section 5.1). */
export interface AppTokens {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  /** The access token's lifetime, in seconds. */
  readonly expires_in: number;
  /** The granted scopes, separated by spaces. */
  readonly scope: string;
  /** Present only with the scope `offline_access`. */
  readonly refresh_token?: string;
}

/** Options for `auth.tokensWithPopup`. */
export interface TokenPopupOptions extends PopupCall {
  /** The scopes that the app requests, separated by spaces. The popup lists them. */
  scope: string;
  /** False leaves the token exchange to the app's back end. */
  redeem?: boolean;
}

/** Signing in and out. */
export interface AuthApi {
  /**
   * Opens the sign-in in a popup. Call it in the click handler, before any `await`. The snapshot is updated before
   * the promise resolves.
   * @throws only PopupBlockedError, PopupClosedError, PopupRejectedError or PopupUnavailableError
   */
  loginWithPopup(options?: LoginOptions & PopupCall): Promise<LoginOutcome>;
  /**
   * Makes the signed-in person sign in again, for a call that failed with the code `not_fresh`. Resolves when the
   * session's `authenticatedAt` is new. In a popup, call it in the click handler like `loginWithPopup`: the window does
   * not offer to continue without signing in. By redirect it resolves only on failure; compare `authenticatedAt` on the
   * return page.
   * @throws the same errors as `loginWithPopup`; PopupRejectedError `denied` also if nobody is signed in, or if another
   *   person has since signed in, whom the snapshot then shows PopupRejectedError `origin`, whose `cause` has the code
   *   `origin_not_first_party`, on the page of an app that is not first-party
   */
  reauthenticate(options?: ReauthenticateOptions): Promise<Result<Session>>;
  /**
   * Opens the sign-in in a popup and resolves with tokens for the app (`appId`), limited to the scopes that the person
   * has granted to the app. With `redeem: false` it resolves with a code instead, which the back end of an app with a
   * secret sends to `POST /v1/auth/exchange` as `subject_token`, once and within 30 seconds of the approval. The app
   * needs a redirect URI on this page's origin, where `handleReturn` is called: the popup returns there if the browser
   * has severed it from this page. Call it in the click handler, before any `await`.
   * @throws the same errors as `loginWithPopup`; an Error whose `cause` has the code `popup_not_returned` if the popup
   *   could not return to this page, or whose `cause` is the service's error
   */
  tokensWithPopup(options: TokenPopupOptions & { redeem: false }): Promise<{ readonly code: string }>;
  tokensWithPopup(options: TokenPopupOptions): Promise<AppTokens>;
  /** Leaves the page for the sign-in. Resolves only on failure. */
  loginWithRedirect(options?: LoginOptions): Promise<Result<never>>;
  /**
   * Reads a redirect's result and removes it from the page's address. Call it on every page that a redirect may return
   * to. For a newcomer it also calls `claim.preview`, which sets the snapshot to `claim`. `linked` is a new
   * credential's provider. In a popup of `tokensWithPopup` it passes the result on to the opener, and closes the
   * window. `returnTo` is the path in the app that was passed to the sign-in, if any. `signedOut` means that `GET
   * /v1/auth/continue` found no session; the snapshot is then read unless it was read before.
   */
  handleReturn(url?: string | URL): {
    claim: boolean;
    linked: string | null;
    returnTo: string | null;
    signedOut: boolean;
  };
  /** The session, from memory if it is still valid; `fresh` always sends a request. 401 if nobody is signed in. */
  getSession(options?: { fresh?: boolean; signal?: AbortSignal }): Promise<Result<Session>>;
  /** Renews the cookies now. `refreshed` is false if another tab or app has just renewed them. */
  refresh(): Promise<Result<{ refreshed: boolean }>>;
  /**
   * Revokes the session in every tab; with `everywhere`, the person's sessions in all browsers. Apps that the person
   * signed in to from them get a logout token. Safe to repeat.
   */
  logout(options?: { everywhere?: boolean }): Promise<Result<{ ok: true }>>;
  readonly claim: ClaimApi;
  readonly email: EmailApi;
  readonly sessions: SessionsApi;
}

/** The person's sessions. */
export interface SessionsApi {
  /** Lists sessions, most recent sign-in first. */
  list(options?: {
    limit?: number;
    cursor?: string;
    signal?: AbortSignal;
  }): Promise<Result<Page<SessionInfo>>>;
  /** Revokes a session. Revoking the current one signs out here. */
  revoke(id: string): Promise<Result<{ ok: true }>>;
  /** Revokes all sessions except the current one. */
  revokeOthers(): Promise<Result<{ ok: true }>>;
}
