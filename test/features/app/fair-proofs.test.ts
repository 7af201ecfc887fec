import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { Deps } from '../../../src/deps.ts';
import { readProofsAgain } from '../../../src/features/app/due.ts';
import { newApp } from '../../support/apps.ts';
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

/** A person with apps, each with a resource at a separate origin whose file has been due since the given time. */
async function ownerOf(name: string, apps: number, dueAt: number): Promise<string[]> {
  const { browser } = await newMember(service);
  const origins = Array.from({ length: apps }, (_, index) => `https://${name}-${index}.acme.com`);
  for (const origin of origins) {
    const { id } = await newApp(browser);
    await service.rows(
      `INSERT INTO app_resources (resource, app_id, origin, proven_by, next_at) VALUES (?, ?, ?, 'file', CAST(? AS INTEGER))`,
      [origin, id, origin, dueAt],
    );
  }
  return origins;
}

it('verifying the proof files of a person with many apps does not delay verification for other people', async () => {
  const now = service.now();
  const many = await ownerOf('many', 30, now - 5000);
  const few = [...(await ownerOf('few', 2, now - 2000)), ...(await ownerOf('one', 1, now - 1000))];
  const called: string[] = [];
  const deps: Deps = {
    ...service.deps,
    callOut: ({ url }) => {
      called.push(new URL(url).origin);
      return Promise.resolve({ status: 404, retryAfter: null });
    },
  };
  await readProofsAgain(deps);
  expect(called.filter((origin) => few.includes(origin)).sort()).toEqual(few.sort());
  expect(called).toHaveLength(20);
  await readProofsAgain(deps);
  expect([...called].sort()).toEqual([...many, ...few].sort());
});
