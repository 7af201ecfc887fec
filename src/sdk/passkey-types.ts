import type { Result } from './errors.ts';
import type { Credential, LoginOutcome } from './types.ts';

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
