import type { Core } from './core.ts';
import { lazy } from './lazy.ts';
import type { PasskeysApi } from './passkey-types.ts';
import { base64url } from './popup-window.ts';

export function createPasskeys(core: Core): PasskeysApi {
  const ceremonies = lazy(
    () => import('./ceremonies.ts').then((file) => file.createCeremonies(core, base64url)),
    { isAutofillAvailable: 1, login: 1, signUp: 1, register: 1, remove: 1 },
  );
  return {
    ...ceremonies,
    isSupported: () => typeof PublicKeyCredential !== 'undefined',
    isAutofillAvailable: async () => (await ceremonies.isAutofillAvailable()) === true,
    rename: (id, name) =>
      core.call(`/v1/credentials/${encodeURIComponent(id)}`, { method: 'PATCH', body: { name } }),
  };
}
