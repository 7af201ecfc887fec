import type { ClaimApi } from './claim.ts';
import type { Core } from './core.ts';
import type { EmailApi } from './email-types.ts';
import { isApiError, type Result } from './errors.ts';
import { lazy } from './lazy.ts';
import { localPath, navigate } from './navigate.ts';
import { openPopup, type PopupCall } from './popup.ts';
import type { SessionsApi } from './sessions.ts';
import type { LoginOutcome, LoginProvider, Session } from './types.ts';

/** Where a redirect goes, and where it comes back to. A popup shows every way to sign in, and comes back by itself. */
export interface LoginOptions {
  /** `idp` unless given. */
  provider?: LoginProvider;
  /** A path of the app, such as `/settings`; `handleReturn` answers it. */
  returnTo?: string;
}

/** Signing in and out. */
export interface AuthApi {
  /**
   * Opens the sign-in in a popup. Call it in the click handler, before anything is awaited. The snapshot is new
   * before the promise resolves.
   * @throws PopupBlockedError, PopupClosedError, PopupRejectedError or PopupUnavailableError, and nothing else
   */
  loginWithPopup(options?: LoginOptions & PopupCall): Promise<LoginOutcome>;
  /** Leaves the page for the sign-in; answers only when that failed. */
  loginWithRedirect(options?: LoginOptions): Promise<Result<never>>;
  /**
   * Reads what a redirect brought back, and takes it out of the address. A newcomer's claim is then previewed by
   * itself, so that the snapshot becomes `claim`. `linked` is the provider of a new credential, `returnTo` a path of
   * the app.
   */
  handleReturn(url?: string | URL): { claim: boolean; linked: string | null; returnTo: string | null };
  /** Who is signed in; what is known is answered at once unless `fresh`. 401 when nobody is. */
  getSession(options?: { fresh?: boolean; signal?: AbortSignal }): Promise<Result<Session>>;
  /** Renews the cookies now. `refreshed` is false when another tab or app was faster. */
  refresh(): Promise<Result<{ refreshed: boolean }>>;
  /** Ends the session, here and in every tab. Safe to repeat. */
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
