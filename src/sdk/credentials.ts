import type { Core } from './core.ts';
import type { OwnEmailApi } from './email-types.ts';
import { isApiError, type Result } from './errors.ts';
import { lazy } from './lazy.ts';
import { navigate } from './navigate.ts';
import { openPopup, type PopupCall } from './popup.ts';
import type { Credential, ProviderId } from './types.ts';

/** The person's credentials. */
export interface CredentialsApi extends OwnEmailApi {
  /** All credentials, oldest first. */
  list(options?: { signal?: AbortSignal }): Promise<Result<Credential[]>>;
  /** Removes a credential. 400 for the last one, 403 without a recent sign-in. */
  unlink(id: string): Promise<Result<{ ok: true }>>;
  /**
   * Adds a credential in a popup. Call it in the click handler, like `loginWithPopup`. The popup itself reports a
   * credential that belongs to somebody else.
   * @throws the same errors as `loginWithPopup`
   */
  linkWithPopup(provider: ProviderId, call?: PopupCall): Promise<Credential>;
  /** Adds a credential by a redirect. Resolves only on failure. */
  linkWithRedirect(provider: ProviderId, options?: { returnTo?: string }): Promise<Result<never>>;
}

export function createCredentials(core: Core): CredentialsApi {
  const { call } = core;
  const list = (options?: { signal?: AbortSignal }) => call<Credential[]>('/v1/credentials', options);

  return {
    ...lazy(() => import('./email.ts').then((file) => file.createOwnEmail(core)), {
      linkEmail: 1,
      verifyEmail: 1,
      changePassword: 1,
    }),
    list,
    unlink: (id) => call(`/v1/credentials/${encodeURIComponent(id)}`, { method: 'DELETE' }),
    linkWithPopup: (provider, popupCall) =>
      openPopup(
        core,
        {
          kind: 'login',
          key: `link ${provider}`,
          body: { link: provider },
          send: call,
          async redeem() {
            const all = await list();
            if (isApiError(all)) return all;
            return all.filter((one) => one.provider === provider).pop() ?? { statusCode: 401, message: '' };
          },
        },
        popupCall,
      ),
    linkWithRedirect: (provider, options) =>
      navigate(core, call('/v1/credentials/link', { method: 'POST', body: { provider, ...options } })),
  };
}
