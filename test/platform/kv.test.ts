import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KVNamespace } from '@cloudflare/workers-types';
import { afterAll, describe, expect, it } from 'vitest';
import { getPlatformProxy } from 'wrangler';
import type { KeyValueStore } from '../../src/lib/key-value.ts';
import { openLibsql } from '../../src/platform/database/libsql-node.ts';
import { openLibsqlKv } from '../../src/platform/kv-libsql.ts';
import { createMemoryKv } from '../../src/platform/kv-memory.ts';
import { openWorkersKv } from '../../src/platform/kv-workers.ts';

const ends: (() => Promise<unknown>)[] = [];
afterAll(() => Promise.all(ends.map((end) => end())));

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'peridot-kv-'));
  ends.push(() => rm(made, { recursive: true, force: true }));
  return made;
}

const stores: Record<string, () => Promise<KeyValueStore>> = {
  'in memory': async () => createMemoryKv(),
  'in a libSQL file': async () => {
    const { db, close } = await openLibsql(`file:${join(await folder(), 'kv.db')}`);
    ends.push(async () => close());
    return openLibsqlKv(db);
  },
  'in Workers KV': async () => {
    const configPath = join(await folder(), 'wrangler.json');
    const config = {
      name: 'kv',
      compatibility_date: '2026-10-01',
      kv_namespaces: [{ binding: 'KV', id: 'kv' }],
    };
    await writeFile(configPath, JSON.stringify(config));
    const proxy = await getPlatformProxy<{ KV: KVNamespace }>({ configPath, persist: false });
    ends.push(() => proxy.dispose());
    return openWorkersKv(proxy.env.KV);
  },
};

async function listAll(kv: KeyValueStore, prefix: string): Promise<{ key: string; value: string }[][]> {
  const pages: { key: string; value: string }[][] = [];
  for (let cursor: string | null = null, last = false; !last; last = cursor === null) {
    const page = await kv.list(prefix, cursor);
    pages.push([...page.entries]);
    cursor = page.next;
  }
  return pages;
}

describe.each(Object.entries(stores))('a key-value store %s', (_, open) => {
  it('keeps the last value and lists a prefix in order, a hundred entries at a time', async () => {
    const kv = await open();
    expect(await kv.get('pid:issued:nobody')).toBeNull();
    expect(await kv.list('pid:', null)).toEqual({ entries: [], next: null });
    await kv.put('pid:issued:ada', 'first');
    await kv.put('pid:issued:ada', 'second');
    expect(await kv.get('pid:issued:ada')).toBe('second');

    const handles = Array.from({ length: 205 }, (_, index) => `h${String(index).padStart(3, '0')}`);
    await Promise.all(
      handles.toReversed().map((handle) => kv.put(`pid:closed:${handle}`, `{"at":"${handle}"}`)),
    );
    await Promise.all(
      ['pid:closee', 'pid:close_:x', 'pid:closed'].map((key) => kv.put(key, 'beside the prefix')),
    );
    const pages = await listAll(kv, 'pid:closed:');
    expect(pages.map((page) => page.length)).toEqual([100, 100, 5]);
    expect(pages.flat()).toEqual(
      handles.map((handle) => ({ key: `pid:closed:${handle}`, value: `{"at":"${handle}"}` })),
    );
    expect(await listAll(kv, 'pid:issued:')).toEqual([[{ key: 'pid:issued:ada', value: 'second' }]]);
  });
});
