import type { AuthApi } from './auth-types.ts';
import type { Core } from './context.ts';
import { isApiError } from './errors.ts';
import { lazy } from './lazy.ts';
import { isSupported, notYet, openPopup } from './popup.ts';
import type { PopupJob } from './popup-run.ts';
import type { Session } from './types.ts';

export function createAuth(core: Core): AuthApi {
  const { send, store, claim, redirect, redeem } = core;
  return {
    loginWithPopup: (call) => openPopup(core, { kind: 'login', key: 'login', body: {}, send, redeem }, call),
    reauthenticate({ popup = isSupported(core), ...options } = {}) {
      if (!popup) return redirect.login({ ...options, prompt: 'login' });
      let before: Session | undefined;
      const job: PopupJob<Session> = {
        kind: 'login',
        key: 'reauthenticate',
        body: { prompt: 'login' },
        // The page may know no session, or an old one. The request is bound to the session that the service sees.
        async send(path, request) {
          const known = before ?? (await core.readSession());
          if (isApiError(known)) return known;
          before = known;
          return core.call(path, request);
        },
        async redeem() {
          const answer = await redeem();
          if (isApiError(answer)) return answer;
          return 'session' in answer && isAgain(before, answer.session) ? answer.session : notYet;
        },
      };
      return openPopup(core, job, options);
    },
    loginWithRedirect: redirect.login,
    handleReturn(url) {
      const given = new URL(url || location.href, location.href);
      const query = given.searchParams;
      const answer = {
        claim: query.get('claim') === '1',
        linked: query.get('linked'),
        returnTo: localPath(query.get('returnTo')),
        signedOut: query.get('signed_out') === '1',
      };
      for (const name of ['claim', 'linked', 'returnTo', 'signed_out'])
        if (query.has(name)) query.delete(name);
      if (!url && given.href !== location.href) history.replaceState(history.state, '', given);
      if (answer.claim) void claim.preview();
      // Anybody can write the address, so the service decides whether it is true.
      if (answer.signedOut) core.readFirst();
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
    email: lazy(() => import('./email.ts').then((file) => file.createEmail(core))),
    sessions: lazy(() => import('./sessions.ts').then((file) => file.createSessions(core))),
  };
}

/** Whether the same person has signed in again. Times have whole seconds, so a new session counts as well as a new time. */
function isAgain(before: Session | undefined, { pid, session: { id, authenticatedAt } }: Session): boolean {
  const old = before?.session;
  return pid === before?.pid && (id !== old?.id || authenticatedAt !== old.authenticatedAt);
}

/**
 * The text if it is a path of this app. It comes from the address bar, so anybody may have written it: no scheme, and
 * no other host, even after its dot segments are resolved.
 */
function localPath(text: string | null): string | null {
  if (!text || !/^\/(?!\/)[!-[\]-~]*$/.test(text)) return null;
  return new URL(text, 'http://a').pathname.startsWith('//') ? null : text;
}
