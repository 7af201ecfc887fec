import type { Result } from './errors.ts';
import type { Credential, LoginOutcome } from './types.ts';

/**
 * A ceremony that ended without a passkey, which is not an error: the person or a newer ceremony cancelled it, the
 * browser does not support passkeys, or the device already has one of this person's passkeys.
 */
export interface PasskeyStop {
  type: 'cancelled' | 'unsupported' | 'exists';
}

/** Passkeys. Only one ceremony runs at a time: a new one cancels the previous one, such as a pending autofill. */
export interface PasskeysApi {
  /** Returns whether this browser supports passkeys. */
  isSupported(): boolean;
  /** Returns whether `login({ autofill: true })` can offer passkeys in a field with `username webauthn`. */
  isAutofillAvailable(): Promise<boolean>;
  /**
   * Signs in with any passkey. With `autofill` it waits in the background until the person picks a passkey in a field.
   */
  login(options?: { autofill?: boolean; signal?: AbortSignal }): Promise<Result<LoginOutcome | PasskeyStop>>;
  /** Registers a passkey as a newcomer's first credential, which leads to the claim. */
  signUp(options?: { signal?: AbortSignal }): Promise<Result<LoginOutcome | PasskeyStop>>;
  /** Adds a passkey for the signed-in person. 403 without a recent sign-in. */
  register(options?: { name?: string; signal?: AbortSignal }): Promise<Result<Credential | PasskeyStop>>;
  /** Renames a passkey in the person's list. Authenticators show the person's name instead. */
  rename(id: string, name: string): Promise<Result<Credential>>;
  /** Removes a passkey and informs the authenticator. 400 for the last credential, 403 without a recent sign-in. */
  remove(id: string): Promise<Result<{ ok: true }>>;
}
