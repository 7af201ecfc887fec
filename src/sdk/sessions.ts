import type { Core } from './core.ts';
import type { Result } from './errors.ts';
import type { Page, SessionInfo } from './types.ts';

/** The person's sessions. */
export interface SessionsApi {
  /** Lists sessions, most recent sign-in first. */
  list(options?: {
    limit?: number;
    cursor?: string;
    signal?: AbortSignal;
  }): Promise<Result<Page<SessionInfo>>>;
  /** Ends a session. Ending the current one signs out here. */
  revoke(id: string): Promise<Result<{ ok: true }>>;
  /** Ends all sessions except the current one. */
  revokeOthers(): Promise<Result<{ ok: true }>>;
}

const path = '/v1/sessions';

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
