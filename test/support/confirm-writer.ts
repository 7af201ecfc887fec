import assert from 'node:assert/strict';
import { writeSync } from 'node:fs';
import { openInThread } from '../../src/platform/database/libsql-in-thread.ts';
import { openWorld, sendAdjustment, sendConfirm, sendInquiry } from '../model/money-world.ts';

// Runs rounds of 64 concurrent confirmations until killed; prints each transfer as soon as it is acknowledged.
const [, , file = '', name = ''] = process.argv;
const { db } = await openInThread(file);
const world = await openWorld(db, { name, tally: new Map(), isMutated: false });
const account = (owner: number | string) => world.accounts.get(owner) ?? 0;
for (const index of [0, 1, 2, 3]) {
  const ids = { from: account('gateway'), to: account(index) };
  assert.equal(await sendAdjustment(world, { kind: 'correction', ...ids, amount: 1_000_000_000 }), 'moved');
}
for (let round = 0; ; round += 1) {
  const inquiries = Array.from({ length: 64 }, (_, index) => {
    const [from, to] = [index % 4, (index + 1) % 4];
    return { id: `${name}r${round}i${index}`, from, to, fees: index % 3 };
  });
  const parties = ({ from, to }: { from: number; to: number }) => ({
    payer: world.people[from]?.handle ?? '',
    payee: world.people[to]?.handle ?? '',
  });
  await Promise.all(
    inquiries.map(async (one) => {
      const amounts = { amount: 10, payerFee: one.fees, payeeFee: 0, appFee: 0, platformFee: one.fees };
      const accounts = { payerAccount: account(one.from), payeeAccount: account(one.to), appAccount: null };
      const rest = {
        app: null,
        grant: null,
        needsApproval: false,
        aboveStepUp: 0,
        memo: null,
        now: world.now + round,
      };
      const answer = await sendInquiry(world, {
        id: one.id,
        ...parties(one),
        ...accounts,
        ...amounts,
        ...rest,
      });
      assert.equal(answer, 'stored');
    }),
  );
  await Promise.all(
    inquiries.map(async ({ id, from, to }) => {
      const { payer } = parties({ from, to });
      const session = {
        sessionId: world.people[from]?.session ?? '',
        app: null,
        approvalId: null,
        verifierHash: null,
      };
      const answer = await sendConfirm(world, {
        id,
        payer,
        requestId: id,
        ...session,
        now: world.now + round,
      });
      assert.equal(answer, 'confirmed');
      writeSync(1, `${id}\n`);
    }),
  );
}
