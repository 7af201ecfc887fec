import type { OwnEmailApi } from './email-types.ts';
import type { Result } from './errors.ts';
import type { PopupCall } from './popup-types.ts';
import type { Credential, ProviderId } from './types.ts';

/** The person's credentials. */
export interface CredentialsApi extends OwnEmailApi {
  /** All credentials, oldest first. */
  list(options?: { signal?: AbortSignal }): Promise<Result<Credential[]>>;
  /** Removes a credential. 400 for the last one, 403 without a recent sign-in. */
  unlink(id: string): Promise<Result<{ ok: true }>>;
  /**
   * Adds a credential in a popup. Call it in the click handler, like `loginWithPopup`. The popup itself reports a
   * credential that belongs to someone else.
   * @throws the same errors as `loginWithPopup`
   */
  linkWithPopup(provider: ProviderId, call?: PopupCall): Promise<Credential>;
  /** Adds a credential by a redirect, which returns to this page by default. Resolves only on failure. */
  linkWithRedirect(provider: ProviderId, options?: { returnTo?: string }): Promise<Result<never>>;
}
