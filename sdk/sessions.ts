import type { SessionsApi } from './auth-types.ts';
import type { Core } from './context.ts';

const path = '/v1/sessions';

/** This file imports only types, so it loads in one request. */
export function createSessions({ call, store }: Core): SessionsApi {
  return {
    list({ signal, ...query } = {}) {
      // JSON omits undefined values, such as the cursor of the first page.
      return call(`${path}?${new URLSearchParams(JSON.parse(JSON.stringify(query)))}`, { signal });
    },
    async revoke(id) {
      const done = await call<{ ok: true }>(`${path}/${encodeURIComponent(id)}`, { method: 'DELETE' });
      if ('ok' in done && store.get().session?.session.id === id) store.end('logout');
      return done;
    },
    revokeOthers: () => call(path, { method: 'DELETE' }),
  };
}
