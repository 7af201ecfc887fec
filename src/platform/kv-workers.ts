import type { KVNamespace } from '@cloudflare/workers-types';
import type { KeyValueStore } from '../lib/key-value.ts';

/** The maximum number of keys that Workers KV reads in one call. */
const pageSize = 100;

export function openWorkersKv(kv: KVNamespace): KeyValueStore {
  return {
    get: (key) => kv.get(key),
    put: (key, value) => kv.put(key, value),
    async list(prefix, cursor) {
      const page = await kv.list({ prefix, cursor, limit: pageSize });
      const names = page.keys.map(({ name }) => name);
      const values = names.length === 0 ? new Map<string, string | null>() : await kv.get(names);
      return {
        // Omits names whose values have not arrived yet.
        entries: names.flatMap((key) => {
          const value = values.get(key);
          return typeof value === 'string' ? [{ key, value }] : [];
        }),
        next: page.list_complete ? null : page.cursor,
      };
    },
  };
}
