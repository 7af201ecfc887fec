import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { checkout } from '../../../src/features/deposit/checkout.ts';
import { reconcileDue } from '../../../src/features/deposit/due.ts';
import { createSandbox } from '../../../src/features/gateway/sandbox.ts';
import type { Caller } from '../../../src/features/grant/acting-caller.ts';
import { sessionIdOf } from '../../support/answers.ts';
import { payAt } from '../../support/deposits.ts';
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

async function newCaller(): Promise<Caller> {
  const member = await newHolder(service);
  const sessionId = await sessionIdOf(member);
  return { by: 'person', handle: member.handle, sessionId, appId: null, grantId: null, scopes: null };
}

/** Opens a page one millisecond after the previous one. */
async function open(caller: Caller): Promise<string> {
  await service.advance(0.001);
  const request = { amount: 10_000, asset: 'IDR', method: 'auto', key: null } as const;
  return (await checkout(service.deps, caller, request)).answer.id;
}

async function statusOf(id: string) {
  const rows = await service.rows('SELECT status, failure FROM deposits WHERE id = ?', [id]);
  return Object.values(rows[0] ?? {});
}

const openPages = (handle: string) =>
  service.rows<{ id: string }>(
    `SELECT id FROM deposits WHERE handle = ? AND status IN ('creating','pending') ORDER BY id`,
    [handle],
  );

it('opening a sixth payment page closes the oldest one at the provider, but a payment made there is still credited', async () => {
  const caller = await newCaller();
  const paid = await open(caller);
  await payAt(service, { id: paid }, 'pay');
  const ids = [];
  for (let count = 0; count < 6; count += 1) ids.push(await open(caller));
  expect((await openPages(caller.handle)).map(({ id }) => id)).toEqual(ids.slice(1));
  const [first = ''] = ids;
  const gateway = createSandbox(service.deps);
  await reconcileDue(service.deps);
  expect([await statusOf(paid), await statusOf(first), await gateway.getStatus(first)]).toMatchObject([
    ['credited', null],
    ['expired', 'replaced'],
    { state: 'expired' },
  ]);
});

it('opening a sixth payment page does not close any page of another app', async () => {
  const caller = await newCaller();
  const own = await open(caller);
  await service.rows(
    `INSERT INTO deposits (id, handle, account, asset, gross, app_fee, platform_fee, net, gateway, app_id, created_at, updated_at,
      expires_at) SELECT 'dep_0of_another_app', handle, account, asset, gross, 0, 0, net, gateway, 'app_x', 1, 1, expires_at
      FROM deposits WHERE id = ?`,
    [own],
  );
  for (let count = 0; count < 5; count += 1) await open(caller);
  expect([await statusOf(own), await statusOf('dep_0of_another_app')]).toEqual([
    ['expired', 'replaced'],
    ['creating', null],
  ]);
});

it('twenty concurrent checkouts leave only five payment pages open', async () => {
  const caller = await newCaller();
  await Promise.all(Array.from({ length: 20 }, () => open(caller)));
  expect(await openPages(caller.handle)).toHaveLength(5);
});

// Fifteen thousand checkouts take more than a minute on a busy machine.
it('a payment whose notification is lost is found within two minutes even while five accounts at a time open ten pages a minute for five hours', {
  timeout: 300_000,
}, async () => {
  let greedy: Caller[] = [];
  let other = await newCaller();
  let waiting: string | null = null;
  for (let minute = 0; minute < 300; minute += 1) {
    // A person makes at most 100 checkouts a day.
    if (minute % 10 === 0) greedy = await Promise.all(Array.from({ length: 5 }, newCaller));
    if (minute % 100 === 0) other = await newCaller();
    for (const caller of greedy) for (let count = 0; count < 10; count += 1) await open(caller);
    const isNew = waiting === null;
    waiting ??= await open(other);
    if (isNew) await payAt(service, { id: waiting }, 'pay');
    await service.advance(60);
    await reconcileDue(service.deps);
    if (isNew) continue;
    expect(await statusOf(waiting), `minute ${minute}`).toEqual(['credited', null]);
    waiting = null;
  }
});
