import type { ClaimApi } from './claim.ts';
import type { Core } from './core.ts';
import type { EmailApi } from './email-types.ts';
import { isApiError, type Result } from './errors.ts';
import { lazy } from './lazy.ts';
import { localPath, navigate } from './navigate.ts';
import { openPopup, type PopupCall } from './popup.ts';
import type { SessionsApi } from './sessions.ts';
import type { LoginOutcome, LoginProvider, Session } from './types.ts';

/** Options of a redirect. A popup offers every way to sign in and returns by itself, so it ignores them. */
export interface LoginOptions {
  /** Defaults to `idp`. */
  provider?: LoginProvider;
  /** A path of the app, such as `/settings`, which `handleReturn` gives back. */
  returnTo?: string;
}

/** Signing in and out. */
export interface AuthApi {
  /**
   * Opens the sign-in in a popup. Call it in the click handler, before any `await`. The snapshot is updated before
   * the promise resolves.
   * @throws only PopupBlockedError, PopupClosedError, PopupRejectedError or PopupUnavailableError
   */
  loginWithPopup(options?: LoginOptions & PopupCall): Promise<LoginOutcome>;
  /** Leaves the page for the sign-in. Resolves only on failure. */
  loginWithRedirect(options?: LoginOptions): Promise<Result<never>>;
  /**
   * Reads the result of a redirect and removes it from the page's address. For a newcomer it also calls
   * `claim.preview`, which sets the snapshot to `claim`. `linked` is the provider of a new credential, `returnTo` a
   * path of the app.
   */
  handleReturn(url?: string | URL): { claim: boolean; linked: string | null; returnTo: string | null };
  /** The session, from memory if it is still valid; `fresh` always asks the service. 401 when nobody is signed in. */
  getSession(options?: { fresh?: boolean; signal?: AbortSignal }): Promise<Result<Session>>;
  /** Renews the cookies now. `refreshed` is false if another tab or app has just done so. */
  refresh(): Promise<Result<{ refreshed: boolean }>>;
  /** Ends the session in every tab. Safe to repeat. */
  logout(): Promise<Result<{ ok: true }>>;
  readonly claim: ClaimApi;
  readonly email: EmailApi;
  readonly sessions: SessionsApi;
}

export function createAuth(core: Core): AuthApi {
  const { send, store, claim, redeem } = core;
  return {
    loginWithPopup: (call) => openPopup(core, { kind: 'login', key: 'login', body: {}, send, redeem }, call),
    loginWithRedirect: (options = {}) =>
      navigate(core, send('/v1/auth/login', { method: 'POST', body: options })),
    handleReturn(url) {
      const given = new URL(url || location.href, location.href);
      const query = given.searchParams;
      const answer = {
        claim: query.get('claim') === '1',
        linked: query.get('linked'),
        returnTo: localPath(query.get('returnTo')),
      };
      for (const name in answer) if (query.has(name)) query.delete(name);
      if (!url && given.href !== location.href) history.replaceState(history.state, '', given);
      if (answer.claim) void claim.preview();
      return answer;
    },
    async getSession({ fresh, signal } = {}) {
      return (!fresh && core.knownSession()) || core.readSession(signal);
    },
    async refresh() {
      const refreshed = await core.refresh();
      return isApiError(refreshed) ? refreshed : { refreshed: refreshed === 'this_tab' };
    },
    async logout() {
      const done = await send<{ ok: true }>('/v1/auth/logout', { method: 'POST' });
      if (!isApiError(done)) store.end('logout');
      return done;
    },
    claim,
    email: lazy(() => import('./email.ts').then((file) => file.createEmail(core)), {
      register: 1,
      resend: 1,
      verify: 1,
      login: 1,
      forgot: 1,
      reset: 1,
    }),
    sessions: lazy(() => import('./sessions.ts').then((file) => file.createSessions(core)), {
      list: 1,
      revoke: 1,
      revokeOthers: 1,
    }),
  };
}
