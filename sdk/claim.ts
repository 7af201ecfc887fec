import type { ClaimApi } from './auth-types.ts';
import type { Core } from './context.ts';
import type { ClaimPreview, Session } from './types.ts';

/** This file imports only types, so it loads in one request. */
export function createClaim({ send, store }: Core): ClaimApi {
  return {
    async preview() {
      const preview = await send<ClaimPreview>('/v1/auth/claim');
      if (!('statusCode' in preview)) {
        store.claim(preview);
        store.emit('claim_required', preview);
      } else if (preview.statusCode === 410 && store.get().status === 'claim') store.claim(null);
      return preview;
    },
    check: (handle, options) => send(`/v1/auth/claim/handles/${encodeURIComponent(handle)}`, options),
    async submit(input) {
      const session = await send<Session>('/v1/auth/claim', { method: 'POST', body: input });
      if (!('statusCode' in session)) store.accept(session, true);
      return session;
    },
  };
}
