import type { Core } from './context.ts';
import type { MeApi } from './me-types.ts';
import type { Me } from './types.ts';

const path = '/v1/me';

/** This file imports only types, so it loads in one request. */
export function createMe({ call, store }: Core): MeApi {
  return {
    get: (options) => call(path, options),
    async update(input) {
      const me = await call<Me>(path, { method: 'PATCH', body: input });
      if (!('statusCode' in me)) store.rename(me.profile);
      return me;
    },
    export: () => call(`${path}/export`),
    activity({ signal, ...query } = {}) {
      // JSON omits undefined values, such as the cursor of the first page.
      return call(`${path}/activity?${new URLSearchParams(JSON.parse(JSON.stringify(query)))}`, { signal });
    },
    async close(handle) {
      const done = await call<{ ok: true }>(path, { method: 'DELETE', body: { handle } });
      if ('ok' in done) store.end('logout');
      return done;
    },
  };
}
