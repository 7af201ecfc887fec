import type { Result } from './errors.ts';
import type { AccountExport, ActivityEntry, Me, Page, Provider } from './types.ts';

/** The signed-in person's own identity. */
export interface MeApi {
  /** Reads the identity and its profile. */
  get(options?: { signal?: AbortSignal }): Promise<Result<Me>>;
  /**
   * Changes the profile. Omitted fields keep their values; `locale: null` clears the language. The snapshot shows the
   * change before the promise resolves; other tabs show it soon after.
   * @param input `stepUpAmount` is in whole rupiah: a payment or withdrawal above it needs a new sign-in; null disables
   *   this
   * @returns 400 for a display name of more than 64 characters, 403 for `stepUpAmount` without a recent sign-in
   */
  update(input: {
    displayName?: string;
    locale?: string | null;
    stepUpAmount?: number | null;
  }): Promise<Result<Me>>;
  /** Reads all data that the service stores about the person. */
  export(): Promise<Result<AccountExport>>;
  /** Lists sign-ins, revoked sessions and credential changes, newest first. */
  activity(options?: {
    limit?: number;
    cursor?: string;
    signal?: AbortSignal;
  }): Promise<Result<Page<ActivityEntry>>>;
  /**
   * Closes the identity permanently and signs out everywhere.
   * @param handle the person's own handle, typed by them as a confirmation
   * @returns 400 for another handle, 403 without a recent sign-in, 409 while the identity holds something of value
   */
  close(handle: string): Promise<Result<{ ok: true }>>;
}

/** The service's external identity providers. */
export interface ProvidersApi {
  /** Lists all of them, including those that are not configured. */
  list(options?: { signal?: AbortSignal }): Promise<Result<Provider[]>>;
}
