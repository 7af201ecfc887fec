import type { Core } from './context.ts';
import { lazy } from './lazy.ts';
import type { OwnCredentials } from './own-credentials.ts';
import type { PasskeysApi } from './passkey-types.ts';
import { base64url } from './popup-window.ts';

export function createPasskeys(
  core: Core,
  { unlink, rename }: Pick<OwnCredentials, 'unlink' | 'rename'>,
): PasskeysApi {
  const ceremonies = lazy(
    () => import('./ceremonies.ts').then((file) => file.createCeremonies(core, base64url, unlink)),
    {
      isSupported: () => typeof PublicKeyCredential !== 'undefined',
      isAutofillAvailable: async () => (await ceremonies.hasAutofill()) === true,
      rename,
    },
  );
  return ceremonies;
}
