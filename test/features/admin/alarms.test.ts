import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { raiseAlarms } from '../../../src/features/admin/alarms.ts';
import { signWebhook } from '../../../src/lib/secret.ts';
import { newDeposit, payAt, sync } from '../../support/deposits.ts';
import { makeServiceFiles, openFileService, type ServiceFiles } from '../../support/file-service.ts';
import type { InProcessTarget } from '../../support/in-process.ts';
import { mailsTo } from '../../support/mailbox.ts';
import { adjust, gateway, newHolder, suspense } from '../../support/money.ts';
import { type Member, newAdmin } from '../../support/people.ts';
import { type Receiver, startReceiver } from '../../support/receivers.ts';
import { allowWithdrawals, runJobs, withdraw } from '../../support/withdrawals.ts';

const secret = `whsec_${'A'.repeat(43)}=`;
let receiver: Receiver;
let isDown = false;
let files: ServiceFiles;
let service: InProcessTarget;
beforeAll(async () => {
  receiver = await startReceiver(() => ({ status: isDown ? 500 : 204 }));
  files = await makeServiceFiles();
  service = await openFileService(files, {
    IDP_ISSUER: inject('lyingIssuer'),
    IDP_CLIENT_ID: 'peridot',
    IDP_CLIENT_SECRET: 'provider secret',
    RATE_LIMITS: '{"*":1000000}',
    ADMIN_PIDS: 'the-boss@pid,nobody@pid',
    ALARM_WEBHOOK_URL: receiver.url,
    ALARM_WEBHOOK_SECRET: secret,
  });
});
afterAll(async () => {
  await receiver.stop();
  await service.close();
  await files.remove();
});

const raised = async () =>
  (
    await service.rows<{ target: string; detail: string }>(
      `SELECT target, detail FROM audit_log WHERE action = 'money.waiting' AND actor = 'system' ORDER BY seq`,
    )
  ).map(({ target, detail }) => [target, JSON.parse(detail).count]);

it('an alarm is logged and recorded at most once an hour for each kind of overdue transaction', async () => {
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
  await service.advance(toFullHour + 73 * 3600);
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

/** Advances to the next full hour and runs the jobs. */
async function nextHour() {
  await service.advance(3600 - (Math.floor(service.now() / 1000) % 3600));
  await runJobs(service);
}
const told = () => receiver.received.map(({ body }) => JSON.parse(body));
async function review(holder: Member, amount: number): Promise<string> {
  const paid = await newDeposit(holder, amount);
  await payAt(service, paid, 'wrong');
  await sync(holder.browser, paid.id);
  return paid.id;
}
const alarmsTo = async (address: string) =>
  (await mailsTo(service, address)).flatMap(
    ({ content }) => content?.text.match(/New at Peridot, and not explained yet: .*/g) ?? [],
  );

it('a new case is reported once, by email to the administrators and by a signed webhook', async () => {
  const { handle } = await newAdmin(service, 'the-boss');
  const [address] = await service.rows<{ email: string }>('SELECT email FROM emails WHERE handle = ?', [
    handle,
  ]);
  const to = address?.email ?? '';
  await nextHour();
  const events = told().length;
  const holder = await newHolder(service);
  const id = await review(holder, 70_000);
  for (let hour = 0; hour < 3; hour += 1) await nextHour();
  expect(told().slice(events)).toMatchObject([
    {
      type: 'money.unexplained',
      data: {
        count: 1,
        cases: [{ kind: 'deposit', id, status: 'review', amount: 70_001, pid: `${holder.handle}@pid` }],
      },
    },
  ]);
  expect(await alarmsTo(to)).toEqual(['New at Peridot, and not explained yet: 1 deposit.review.']);
  for (const { id: event, body, headers } of receiver.received)
    expect(headers['webhook-signature']).toBe(
      signWebhook(secret, `${event}.${headers['webhook-timestamp']}.${body}`),
    );
});

it('an alarm goes to ALARM_MAIL, if set, instead of the administrators', async () => {
  const id = await review(await newHolder(service), 90_000);
  await service.advance(3600 - (Math.floor(service.now() / 1000) % 3600));
  const to = 'money@example.com';
  const { deps } = service;
  const before = await service.rows(`SELECT id FROM mails WHERE kind = 'money_alarm'`);
  await raiseAlarms({ ...deps, config: { ...deps.config, ALARM_MAIL: to } });
  await runJobs(service);
  expect(await alarmsTo(to)).toEqual(['New at Peridot, and not explained yet: 1 deposit.review.']);
  expect(await service.rows(`SELECT id FROM mails WHERE kind = 'money_alarm'`)).toHaveLength(
    before.length + 1,
  );
  expect(told().at(-1)?.data.cases).toMatchObject([{ id }]);
});

it('a resolved case is cleared, and is reported again if it recurs', async () => {
  const events = told().length;
  const move = (from: number, to: number) => adjust(service, { from, to, amount: 5, at: service.now() });
  await move(gateway, suspense);
  await nextHour();
  await nextHour();
  await move(suspense, gateway);
  await nextHour();
  await move(gateway, suspense);
  await nextHour();
  await move(suspense, gateway);
  const one = { kind: 'suspense', id: 'correction', status: 'open', amount: 5, pid: null };
  expect(
    told()
      .slice(events)
      .map(({ data }) => data.cases),
  ).toMatchObject([[one], [one]]);
});

it('a report is retried under the same id until the receiver accepts it, and each failure is logged', async () => {
  isDown = true;
  const before = receiver.received.length;
  await review(await newHolder(service), 80_000);
  await nextHour();
  expect(receiver.received.length).toBe(before + 1);
  for (let minute = 0; minute < 2; minute += 1) {
    await service.advance(80);
    await runJobs(service);
  }
  isDown = false;
  await service.advance(600);
  await runJobs(service);
  const tries = receiver.received.slice(before);
  expect(tries.length).toBeGreaterThanOrEqual(3);
  expect(new Set(tries.map(({ id, body }) => id + body)).size).toBe(1);
  const lines = service.log().map((line) => JSON.parse(line));
  expect(lines.filter(({ event }) => event === 'alarm.failed')).toHaveLength(tries.length - 1);
  expect(lines.find(({ event }) => event === 'alarm.failed')).toMatchObject({ level: 'error', status: 500 });
  await service.advance(3600);
  await runJobs(service);
  expect(receiver.received.length).toBe(before + tries.length);
});
