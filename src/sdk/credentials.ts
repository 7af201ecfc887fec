import type { Core } from './context.ts';
import type { CredentialsApi } from './credentials-types.ts';
import { isApiError } from './errors.ts';
import { lazy } from './lazy.ts';
import type { OwnCredentials } from './own-credentials.ts';
import { notYet, openPopup } from './popup.ts';

/** `rename` is public as `passkeys.rename`. */
export function createCredentials(core: Core): CredentialsApi & Pick<OwnCredentials, 'rename'> {
  const { call, redirect } = core;
  const credentials: CredentialsApi & Pick<OwnCredentials, 'rename'> = lazy<
    OwnCredentials,
    Pick<CredentialsApi, 'linkWithPopup' | 'linkWithRedirect'>
  >(() => import('./own-credentials.ts').then((file) => file.createOwnCredentials(core)), {
    linkWithPopup: (provider, popupCall) =>
      openPopup(
        core,
        {
          kind: 'login',
          key: `link ${provider}`,
          body: { link: provider },
          send: call,
          async redeem() {
            const all = await credentials.list();
            if (isApiError(all)) return all;
            const linked = all.filter((one) => one.provider === provider).pop();
            if (linked) core.store.emit('credentials_changed', undefined);
            return linked ?? notYet;
          },
        },
        popupCall,
      ),
    linkWithRedirect: redirect.link,
  });
  return credentials;
}
