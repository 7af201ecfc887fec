import { afterAll, beforeAll, expect, it } from 'vitest';
import { openFaultyTarget } from '../../support/faulty-database.ts';
import type { InProcessTarget } from '../../support/in-process.ts';

let service: InProcessTarget;
beforeAll(async () => {
  // Its clock is stopped.
  ({ target: service } = await openFaultyTarget({}));
});
afterAll(() => service.close());

const readiness = async () => (await service.request('/readyz')).status;
const writes = () => service.rows<{ until: number }>(`SELECT until FROM job_leases WHERE job = 'readiness'`);

it('the readiness check returns 503 while the database rejects writes, even if reads work', async () => {
  expect(await readiness()).toBe(200);
  await service.rows(
    `CREATE TRIGGER full BEFORE UPDATE ON job_leases BEGIN SELECT RAISE(ABORT, 'disk is full'); END`,
  );
  await service.advance(10);
  expect([await readiness(), await readiness()]).toEqual([503, 503]);
  await service.rows('DROP TRIGGER full');
  expect(await readiness()).toBe(200);
});

it('the readiness check writes at most once in ten seconds, however often it runs', async () => {
  await service.advance(10);
  expect(await readiness()).toBe(200);
  const before = await writes();
  await service.advance(9);
  for (let count = 0; count < 5; count += 1) expect(await readiness()).toBe(200);
  expect(await writes()).toEqual(before);
});
