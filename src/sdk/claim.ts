import { isApiError, type Result } from './errors.ts';
import type { Send } from './request.ts';
import type { SessionStore } from './store.ts';
import type { ClaimPreview, HandleCheck, Session } from './types.ts';

/** A newcomer picks a handle. */
export interface ClaimApi {
  /** Who continues; the snapshot becomes `claim`. 410 when there is no ticket, or no longer one. */
  preview(): Promise<Result<ClaimPreview>>;
  /** Whether a handle is free, for instance while it is typed. */
  check(handle: string, options?: { signal?: AbortSignal }): Promise<Result<HandleCheck>>;
  /** Claims the handle for good and signs in. 400 not valid, 409 taken, 410 too late. */
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
