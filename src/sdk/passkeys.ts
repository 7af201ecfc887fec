import { redeem } from './auth.ts';
import type { ClaimApi } from './claim.ts';
import type { Core } from './core.ts';
import type { Result } from './errors.ts';
import type { PasskeysApi } from './passkey-types.ts';
import { base64url } from './popup-window.ts';
import { networkError } from './request.ts';

type Ceremonies = Omit<PasskeysApi, 'isSupported' | 'rename'>;

/**
 * The ceremonies are a file of their own, loaded once by the first call that needs them; what that file takes from the
 * rest is handed to it, so that the rest stays one file.
 */
export function createPasskeys(core: Core, claim: ClaimApi): PasskeysApi {
  let loading: Promise<Ceremonies> | undefined;

  function use<T>(call: (ceremonies: Ceremonies) => Promise<T>): Promise<Result<T>> {
    loading ??= import('./ceremonies.ts').then((file) =>
      file.createCeremonies(core, claim, redeem, base64url),
    );
    return loading.then(call, () => {
      // What could not be loaded is tried again by the next call.
      loading = undefined;
      return networkError;
    });
  }

  return {
    isSupported: () => typeof PublicKeyCredential !== 'undefined',
    isAutofillAvailable: async () => (await use((one) => one.isAutofillAvailable())) === true,
    login: (options) => use((one) => one.login(options)),
    signUp: (options) => use((one) => one.signUp(options)),
    register: (options) => use((one) => one.register(options)),
    rename: (id, name) =>
      core.call(`/v1/credentials/${encodeURIComponent(id)}`, { method: 'PATCH', body: { name } }),
    remove: (id) => use((one) => one.remove(id)),
  };
}
