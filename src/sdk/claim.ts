import { isApiError, type Result } from './errors.ts';
import type { Send } from './request.ts';
import type { SessionStore } from './store.ts';
import type { ClaimPreview, HandleCheck, Session } from './types.ts';

/** The claim: a newcomer chooses a handle. */
export interface ClaimApi {
  /** Reads what is known of the newcomer and sets the snapshot to `claim`. 410 without a valid ticket. */
  preview(): Promise<Result<ClaimPreview>>;
  /** Checks whether a handle is free; fast enough to call while the person types. */
  check(handle: string, options?: { signal?: AbortSignal }): Promise<Result<HandleCheck>>;
  /**
   * Claims the handle permanently and signs in. 400 for an invalid handle, 409 if it is taken, 410 after the ticket
   * expired.
   */
  submit(input: { handle: string; displayName?: string }): Promise<Result<Session>>;
}

export function createClaim(send: Send, store: SessionStore): ClaimApi {
  return {
    async preview() {
      const preview = await send<ClaimPreview>('/v1/auth/claim');
      if (!isApiError(preview)) {
        store.claim(preview);
        store.emit('claim_required', preview);
      } else if (preview.statusCode === 410 && store.get().status === 'claim') store.claim(null);
      return preview;
    },
    check: (handle, options) => send(`/v1/auth/claim/handles/${encodeURIComponent(handle)}`, options),
    async submit(input) {
      const session = await send<Session>('/v1/auth/claim', { method: 'POST', body: input });
      if (!isApiError(session)) store.accept(session, true);
      return session;
    },
  };
}
