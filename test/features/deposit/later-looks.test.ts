import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { all } from '../../../src/db/database.ts';
import type { Deps } from '../../../src/deps.ts';
import { countCases } from '../../../src/features/admin/unexplained.ts';
import { reconcileDue } from '../../../src/features/deposit/due.ts';
import { newDeposit, payAt } from '../../support/deposits.ts';
import { makeServiceFiles, openFileService, type ServiceFiles } from '../../support/file-service.ts';
import type { InProcessTarget } from '../../support/in-process.ts';
import { newHolder } from '../../support/money.ts';

let files: ServiceFiles;
let service: InProcessTarget;
beforeAll(async () => {
  files = await makeServiceFiles();
  const settings = {
    IDP_ISSUER: inject('lyingIssuer'),
    IDP_CLIENT_ID: 'peridot',
    IDP_CLIENT_SECRET: 'provider secret',
    RATE_LIMITS: '{"*":1000000}',
  };
  service = await openFileService(files, settings);
});
afterAll(async () => {
  await service.close();
  await files.remove();
});

it('a chargeback on day 20 without a notification is found by day 30, with hourly retries until the provider responds', async () => {
  const { id } = await newDeposit(await newHolder(service));
  await payAt(service, { id }, 'pay');
  await service.advance(60);
  await reconcileDue(service.deps);
  const creditedAt = service.now();
  const asked: number[] = [];
  let isDown = false;
  const deps: Deps = {
    ...service.deps,
    async fetch(sent) {
      asked.push(Math.round((service.now() - creditedAt) / 3_600_000) / 24);
      return isDown ? new Response(null, { status: 500 }) : service.deps.fetch(sent);
    },
  };
  const statusAfter = async (hours: number) => {
    for (let hour = 0; hour < hours; hour += 1) {
      await service.advance(3600);
      await reconcileDue(deps);
    }
    const [row] = await service.rows<{ status: string }>('SELECT status FROM deposits WHERE id = ?', [id]);
    return row?.status;
  };
  expect(await statusAfter(20 * 24)).toBe('credited');
  await payAt(service, { id }, 'refund');
  expect(await statusAfter(10 * 24 - 1)).toBe('credited');
  isDown = true;
  expect(await statusAfter(3)).toBe('credited');
  isDown = false;
  expect(await statusAfter(1)).toBe('reversed');
  await statusAfter(65 * 24);
  expect(asked).toEqual([1, 3, 7, 14, 30, 721 / 24, 722 / 24, 723 / 24, 60, 90]);
});

it('an unused payment page expires a day after its deadline and never becomes a case for an administrator', async () => {
  let hour = 0;
  const pages: string[] = [];
  // Midtrans does not know an order before a method is chosen on its page. It is down when the first check is due.
  const deps: Deps = {
    ...service.deps,
    fetch: async () => new Response('{"error":"unknown"}', { status: hour === 48 ? 500 : 404 }),
  };
  const ends: Record<string, number> = {};
  const cases = new Set<string>();
  for (; hour < 100; hour += 1) {
    if (hour < 3) pages.push((await newDeposit(await newHolder(service))).id);
    await reconcileDue(deps);
    for (const { kind } of await all(deps.db, countCases(service.now()))) cases.add(kind);
    const expired = await service.rows<{ id: string }>(`SELECT id FROM deposits WHERE status = 'expired'`);
    for (const { id } of expired) ends[id] ??= hour;
    await service.advance(3600);
  }
  expect([...cases]).toEqual([]);
  expect(pages.map((id) => ends[id])).toEqual([49, 49, 50]);
});
