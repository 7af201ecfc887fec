import type { AuthApi, TokenPopupOptions } from './auth-types.ts';
import type { Core } from './context.ts';
import { isApiError } from './errors.ts';
import { lazy } from './lazy.ts';
import { isSupported, openPopup } from './popup.ts';

export function createAuth(core: Core): AuthApi {
  const { send, store, claim, redirect, redeem } = core;
  return {
    loginWithPopup: (call) =>
      openPopup(core, { kind: 'login', key: 'login', steps: () => ({ body: {}, send, redeem }) }, call),
    reauthenticate({ popup = isSupported(core), ...options } = {}) {
      if (!popup) return redirect.login({ ...options, prompt: 'login' });
      const steps = () => import('./popup-steps.ts').then((file) => file.againSteps(core));
      return openPopup(core, { kind: 'login', key: 'reauthenticate', steps }, options);
    },
    tokensWithPopup(options: TokenPopupOptions) {
      const steps = () => import('./popup-tokens.ts').then((file) => file.tokenSteps(core, options));
      return openPopup<never>(core, { kind: 'login', key: options.scope + options.redeem, steps }, options);
    },
    loginWithRedirect: redirect.login,
    handleReturn(url) {
      const given = new URL(url || location.href, location.href);
      const query = given.searchParams;
      const take = (name: string) => {
        const text = query.get(name);
        if (text !== null) query.delete(name);
        return text;
      };
      const answer = {
        claim: take('claim') === '1',
        linked: take('linked'),
        returnTo: localPath(take('returnTo')),
        signedOut: take('signed_out') === '1',
      };
      if (!url && given.hash.startsWith('#pid_popup='))
        void import('./popup-tokens.ts').then((file) => file.passOn());
      if (!url && given.href !== location.href) history.replaceState(history.state, '', given);
      if (answer.claim) void claim.preview();
      // Anyone can write the address, so only the service's answer is trusted.
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
    async logout(options) {
      const done = await send<{ ok: true }>('/v1/auth/logout', {
        method: 'POST',
        body: options?.everywhere && options,
      });
      if (!isApiError(done)) store.end('logout');
      return done;
    },
    claim,
    email: lazy(() => import('./email.ts').then((file) => file.createEmail(core))),
    sessions: lazy(() => import('./sessions.ts').then((file) => file.createSessions(core))),
  };
}

/**
 * Returns the text if it is a path in this app. It comes from the address bar, so it is untrusted: it must have no
 * scheme and no other host, even after its dot segments are resolved.
 */
function localPath(text: string | null): string | null {
  if (!text || !/^\/(?!\/)[!-[\]-~]*$/.test(text)) return null;
  return new URL(text, 'http://a').pathname.startsWith('//') ? null : text;
}
