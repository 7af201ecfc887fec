import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { endpoints } from '../../../src/endpoints.ts';
import { appAt, appOrigins } from '../../../src/features/app/origins.ts';
import { markFirstParty } from '../../support/apps.ts';
import { makeServiceFiles, openFileService, type ServiceFiles } from '../../support/file-service.ts';
import type { InProcessTarget } from '../../support/in-process.ts';
import { newMember } from '../../support/people.ts';

let files: ServiceFiles;
let service: InProcessTarget;
beforeAll(async () => {
  files = await makeServiceFiles();
  service = await openFileService(files, {
    IDP_ISSUER: inject('lyingIssuer'),
    IDP_CLIENT_ID: 'peridot',
    IDP_CLIENT_SECRET: 'provider secret',
    FRESH_SECONDS: '0',
    RATE_LIMITS: '{"*":1000000}',
  });
});
afterAll(async () => {
  await service.close();
  await files.remove();
});

it('looking up an origin shared by many apps reads only some of the apps, yet still recognises each one', async () => {
  const page = { origin: 'https://crowded.example', address: '192.0.2.1' };
  const owners = [await newMember(service), await newMember(service), await newMember(service)];
  const ids = Array.from({ length: 120 }, (_, index) => `app_${String(index).padStart(3, '0')}`);
  for (const [index, id] of ids.entries()) {
    const handle = owners[index % owners.length]?.handle ?? '';
    await service.rows(
      `INSERT INTO apps (id, owner, name, type, created_at, updated_at) VALUES (?, ?, 'Shop', 'web', 1, 1)`,
      [id, handle],
    );
    await service.rows('INSERT INTO app_origins (origin, app_id) VALUES (?, ?)', [page.origin, id]);
  }
  await markFirstParty(service, 'app_119');
  const read: number[] = [];
  const { db } = service.deps;
  const deps = {
    ...service.deps,
    db: {
      ...db,
      batch: async (statements: Parameters<typeof db.batch>[0]) => {
        const tables = await db.batch(statements);
        read.push(...tables.map((rows) => rows.length));
        return tables;
      },
    },
  };
  const origins = appOrigins(deps as typeof service.deps, endpoints);
  for (const isChange of [false, true, false]) {
    expect(await origins.standing('app_000', page, isChange)).toBe('registered');
    expect(await origins.standing('app_119', page, isChange)).toBe('first_party');
    expect(await origins.standing('app_none', page, isChange)).toBeNull();
  }
  expect(await appAt(deps as typeof service.deps, page.origin)).toEqual({ name: null });
  expect(Math.max(...read)).toBeLessThanOrEqual(50);
});

it('the cache does not grow with origins that no app lists any longer', async () => {
  let now = 1_000_000_000_000;
  let isListed = true;
  let reads = 0;
  const batch = async () => {
    reads += 1;
    return [isListed ? [{ app_id: 'app_1', is_first_party: 0 }] : []];
  };
  const deps = { ...service.deps, now: () => now, db: { batch } } as unknown as typeof service.deps;
  const origins = appOrigins(deps, endpoints);
  const look = (n: number) => origins.lists({ origin: `https://o${n}.example`, address: '192.0.2.1' });
  // An app has at most ten origins at a time, and its owner changes them repeatedly.
  for (let n = 0; n < 20_000; n += 1) {
    now += 100;
    expect(await look(n)).toBe(true);
  }
  isListed = false;
  now += 86_400_000;
  reads = 0;
  for (let n = 0; n < 50; n += 1) await look(n);
  // Evicted origins are unknown, and an address may look up ten unknown origins a second.
  expect(reads).toBeLessThanOrEqual(10);
});
