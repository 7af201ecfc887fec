import type { KVNamespace } from '@cloudflare/workers-types';
import type { KeyValueStore } from '../lib/key-value.ts';

/** As many keys as Workers KV reads at once. */
const pageSize = 100;

/** Workers KV as the service's key-value store. */
export function openWorkersKv(kv: KVNamespace): KeyValueStore {
  return {
    get: (key) => kv.get(key),
    put: (key, value) => kv.put(key, value),
    async list(prefix, cursor) {
      const page = await kv.list({ prefix, cursor, limit: pageSize });
      const names = page.keys.map(({ name }) => name);
      const values = names.length === 0 ? new Map<string, string | null>() : await kv.get(names);
      return {
        // A name whose value is not there yet is left out rather than told as an empty one.
        entries: names.flatMap((key) => {
          const value = values.get(key);
          return typeof value === 'string' ? [{ key, value }] : [];
        }),
        next: page.list_complete ? null : page.cursor,
      };
    },
  };
}
