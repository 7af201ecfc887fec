import type { Core } from './context.ts';
import { isApiError, isRefused, type Result } from './errors.ts';
import { isBrowser, readHint, siteOf } from './hint.ts';
import { lazy } from './lazy.ts';
import { createRefresher, type Refreshed } from './refresh.ts';
import { type Call, createSend } from './request.ts';
import { createSessionReader } from './session.ts';
import { createStore } from './store.ts';
import type { ClientOptions } from './types.ts';

/** @throws TypeError if an address is not a URL */
export function createCore(options: ClientOptions): Core {
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const address = new URL(baseUrl);
  const isPage = isBrowser() && !options.ssr;
  const isCrossSite = isPage && siteOf(address) !== siteOf(location);
  const sharedName = options.refresh?.crossTab === false ? null : `pid:${address.origin}`;
  const store = createStore(isPage ? sharedName : null, options.initialSession);
  const message = `Browsers withhold cookies of ${address.origin}: use one site`;
  const code = 'not_same_site';
  let isExplained: unknown = options.fetch || !isPage || address.origin === location.origin;

  /** Finds out once why a request got no response. */
  function explainSilence(): void {
    if (!isExplained)
      import('./diagnose.ts').then(
        (file) => file.diagnose(core),
        () => {},
      );
    isExplained = true;
  }

  const send = createSend(options, baseUrl, isCrossSite ? { message, code } : null, explainSilence);
  const { renew, isStale } = createRefresher(options, send, store, sharedName);
  let renewsItself = !options.ssr && options.refresh?.auto !== false;
  const ender = new AbortController();

  /** A third-party app's page cannot renew cookies; a sign-in popup renews them. */
  async function renewOrStop(before: string | null): Promise<Refreshed> {
    const refreshed = await renew(before);
    if (isApiError(refreshed) && refreshed.code === 'origin_not_first_party') renewsItself = false;
    return refreshed;
  }

  const recover: Core['recover'] = async (attempt, isRefusal) => {
    if (!renewsItself) return [await attempt()];
    if (isStale()) await renewOrStop(readHint());
    const before = readHint();
    const answer = await attempt();
    if (!renewsItself || !isRefusal(answer)) return [answer];
    const refreshed = await renewOrStop(before);
    if (!renewsItself) return [answer];
    return isApiError(refreshed) ? [answer, refreshed] : [await attempt(), refreshed];
  };
  async function call<T>(path: string, request?: Call): Promise<Result<T>> {
    const [answer, refreshed] = await recover(() => send<T>(path, request), isRefused);
    return isApiError(refreshed) ? refreshed : answer;
  }

  const core: Core = {
    ...createSessionReader(options, { send, call }, store, ender),
    options,
    baseUrl,
    popupOrigin: new URL(options.popupBaseUrl || baseUrl).origin,
    isCrossSite,
    store,
    send,
    call,
    recover,
    refresh: () => renew(readHint()),
    claim: lazy(() => import('./claim.ts').then((file) => file.createClaim(core))),
    redirect: lazy(() => import('./redirect.ts').then((file) => file.createRedirect(core))),
    warn(...[warning, text]) {
      if (options.logger) options.logger({ level: 'warn', code: warning, message: text });
      else console.warn(`[pid] ${text}`);
    },
    popup: null,
    dispose() {
      ender.abort();
      core.popup?.cancel();
      store.dispose();
    },
  };
  if (isCrossSite) core.warn(code, message);
  return core;
}
