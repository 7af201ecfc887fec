import { type LoginOutcome, redeem } from './auth.ts';
import type { ClaimApi } from './claim.ts';
import type { Core } from './core.ts';
import type { Result } from './errors.ts';
import { base64url } from './popup-window.ts';
import { networkError } from './request.ts';
import type { Credential } from './types.ts';

/**
 * A ceremony that ended without a passkey, which is no error: the person or a newer ceremony stopped it, this browser
 * has no passkeys, or this device has one of the person's already.
 */
export interface PasskeyStop {
  type: 'cancelled' | 'unsupported' | 'exists';
}

/** Passkeys. Only one ceremony runs at a time: a new one stops the last, such as an autofill that waits. */
export interface PasskeysApi {
  /** Whether this browser has passkeys at all. */
  isSupported(): boolean;
  /** Whether `login({ autofill: true })` can offer passkeys in a field with `autocomplete="username webauthn"`. */
  isAutofillAvailable(): Promise<boolean>;
  /** Signs in with a passkey, whosever it is. With `autofill` it waits, unseen, until the person picks one in a field. */
  login(options?: { autofill?: boolean; signal?: AbortSignal }): Promise<Result<LoginOutcome | PasskeyStop>>;
  /** Makes a passkey a newcomer's first credential, which leads to the claim. */
  signUp(options?: { signal?: AbortSignal }): Promise<Result<LoginOutcome | PasskeyStop>>;
  /** Adds one to who is signed in. 403 unless signed in lately. */
  register(options?: { name?: string; signal?: AbortSignal }): Promise<Result<Credential | PasskeyStop>>;
  /** Names one, in the person's list; authenticators show the person's own name. */
  rename(id: string, name: string): Promise<Result<Credential>>;
  /** Takes one away, and tells the authenticator so. 400 for the last credential, 403 unless signed in lately. */
  remove(id: string): Promise<Result<{ ok: true }>>;
}

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
