import { expect, it } from 'vitest';
import { openDatabase } from '#target';
import { workPayouts } from '../../src/features/withdrawal/payout.ts';
import { cancelWithdrawal } from '../../src/features/withdrawal/withdrawal.ts';
import { holdOne, payoutDeps } from '../support/payout-deps.ts';
import { createPayoutProvider } from '../support/payout-provider.ts';
import { expectInvariants, openWorld, sendAdjustment, text } from './money-world.ts';

it('a cancellation and a concurrent payout never both succeed', async () => {
  const { db, close } = await openDatabase();
  const world = await openWorld(db, { name: 'race', tally: new Map(), isMutated: false });
  await db.batch([text('UPDATE ledger SET withdrawals = 1')]);
  const ids = { from: world.accounts.get('gateway') ?? 0, to: world.accounts.get(0) ?? 0 };
  expect(await sendAdjustment(world, { kind: 'correction', ...ids, amount: 100_000_000 })).toBe('moved');
  const deps = payoutDeps(db, () => world.now);
  const provider = createPayoutProvider();
  const sessionId = world.people[0]?.session ?? '';
  let cancelled = 0;
  for (let round = 0; round < 100; round += 1) {
    // It sorts before the ids of the last day, so it is not counted toward the limit of unused quotes.
    const id = `wdr_-race${round}`;
    expect(await holdOne(deps, { id, sessionId, amount: 10_000, fee: 500 })).toBe(true);
    const acts = [
      () =>
        cancelWithdrawal(deps, { sessionId, id }).then(
          ({ status }) => status === 'cancelled',
          () => false,
        ),
      () => workPayouts(deps, provider.gateway).then(() => false),
    ];
    const done = await Promise.all((round % 2 ? acts.toReversed() : acts).map((act) => act()));
    const isCancelled = done.includes(true);
    expect([id, isCancelled, provider.payouts.has(id)]).toEqual([id, isCancelled, !isCancelled]);
    if (isCancelled) cancelled += 1;
  }
  expect(cancelled).toBeGreaterThan(0);
  expect(cancelled).toBeLessThan(100);
  await expectInvariants(db, 0);
  await close();
});
