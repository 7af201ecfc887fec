import type { Core } from './context.ts';
import type { CredentialsApi } from './credentials-types.ts';
import { lazy } from './lazy.ts';
import type { OwnCredentials } from './own-credentials.ts';
import { openPopup } from './popup.ts';

/** `rename` is public as `passkeys.rename`. */
export function createCredentials(core: Core): CredentialsApi & Pick<OwnCredentials, 'rename'> {
  const { redirect } = core;
  const credentials: CredentialsApi & Pick<OwnCredentials, 'rename'> = lazy<
    OwnCredentials,
    Pick<CredentialsApi, 'linkWithPopup' | 'linkWithRedirect'>
  >(() => import('./own-credentials.ts').then((file) => file.createOwnCredentials(core)), {
    linkWithPopup(provider, popupCall) {
      const steps = () =>
        import('./popup-steps.ts').then((file) => file.linkSteps(core, provider, credentials.list));
      return openPopup(core, { kind: 'login', key: `link ${provider}`, steps }, popupCall);
    },
    linkWithRedirect: redirect.link,
  });
  return credentials;
}
