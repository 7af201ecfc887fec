import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { limits, toPolicy } from '../src/http/rate-limit.ts';

const read = (path: string) => readFile(join(import.meta.dirname, '..', path), 'utf8');

it('docs/rate-limits.md names every limit that is not the common one, with its number', async () => {
  const rows = (await read('docs/rate-limits.md')).match(/^\| `[A-Z]+ \/.*$/gm) ?? [];
  const documented = rows.flatMap((row) => {
    const [, names = '', limit] = row.split('|');
    return [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => [name, Number(limit)]);
  });
  const own = Object.entries(limits)
    .map(([name, row]) => ({ name, ...toPolicy(row) }))
    .filter(({ name, limit, per }) => limit !== (name.startsWith('GET ') ? 60 : 20) || per?.includes('popup'))
    .map(({ name, limit }) => [name, limit]);
  const common = ['POST /v1/auth/logout', 'POST /v1/auth/login'].map((name) => [name, 20]);
  expect(documented.sort()).toEqual([...own, ...common].sort());
});
