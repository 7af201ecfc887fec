import type { KeyValueStore } from '../lib/key-value.ts';
import { present } from '../lib/present.ts';

const pageSize = 100;

/** A key-value store for tests, and for commands that store nothing. */
export function createMemoryKv(): KeyValueStore {
  const values = new Map<string, string>();
  return {
    get: async (key) => values.get(key) ?? null,
    put: async (key, value) => void values.set(key, value),
    async list(prefix, cursor) {
      const keys = [...values.keys()].filter((key) => key.startsWith(prefix) && key > (cursor ?? '')).sort();
      const page = keys.slice(0, pageSize);
      return {
        entries: page.map((key) => ({ key, value: present(values.get(key), key) })),
        next: keys.length > pageSize ? (page.at(-1) ?? null) : null,
      };
    },
  };
}
