import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { newDeposit, payAt, sync } from '../../support/deposits.ts';
import { makeServiceFiles, openFileService, type ServiceFiles } from '../../support/file-service.ts';
import type { InProcessTarget } from '../../support/in-process.ts';
import { newHolder } from '../../support/money.ts';
import { allowWithdrawals, runJobs, withdraw } from '../../support/withdrawals.ts';

let files: ServiceFiles;
let service: InProcessTarget;
beforeAll(async () => {
  files = await makeServiceFiles();
  service = await openFileService(files, {
    IDP_ISSUER: inject('lyingIssuer'),
    IDP_CLIENT_ID: 'peridot',
    IDP_CLIENT_SECRET: 'provider secret',
    RATE_LIMITS: '{"*":1000000}',
  });
});
afterAll(async () => {
  await service.close();
  await files.remove();
});

const raised = async () =>
  (
    await service.rows<{ target: string; detail: string }>(
      `SELECT target, detail FROM audit_log WHERE action = 'money.waiting' AND actor = 'system' ORDER BY seq`,
    )
  ).map(({ target, detail }) => [target, JSON.parse(detail).count]);

it('logs and records what has waited for too long, once an hour for each kind', async () => {
  const holder = await newHolder(service, 100_000);
  await allowWithdrawals(service);
  await withdraw(holder.browser, 20_000);
  await newDeposit(holder);
  for (const amount of [50_000, 60_000]) {
    const paid = await newDeposit(holder, amount);
    await payAt(service, paid, 'wrong');
    await sync(holder.browser, paid.id);
  }
  const toFullHour = 3600 - (Math.floor(service.now() / 1000) % 3600);
  await service.advance(toFullHour + 49 * 3600);
  await runJobs(service);
  const first = [
    ['deposit.review', 2],
    ['unfinished_deposit.pending', 1],
    ['withdrawal.held', 1],
  ];
  expect(await raised()).toEqual(first);
  const logged = service.log().filter((line) => line.includes('money.waiting'));
  expect(logged.map((line) => JSON.parse(line))).toMatchObject(
    first.map(([target, count]) => ({ level: 'error', target, count })),
  );
  await runJobs(service);
  await service.advance(60);
  await runJobs(service);
  expect(await raised()).toEqual(first);
  await service.advance(3540);
  await runJobs(service);
  expect((await raised()).slice(first.length)).toContainEqual(['deposit.review', 2]);
});
