import { workPayouts } from '../../src/features/withdrawal/payout.ts';
import { cancelWithdrawal } from '../../src/features/withdrawal/withdrawal.ts';
import { holdOne } from '../support/payout-deps.ts';
import type { Fault as PayoutFault } from '../support/payout-provider.ts';
import * as rules from './money-model.ts';
import { command } from './money-pay-commands.ts';
import { during, sessionOf } from './money-setting.ts';
import {
  afterTick,
  attempt,
  type Breaks,
  expectStates,
  isCalm,
  latest,
  rowsOf,
  tillOf,
  type Withdrawal,
} from './money-till.ts';
import { type MoneyWorld, newId } from './money-world.ts';

export const hold = (person: number, amount: number, fee: number, breaks: Breaks) =>
  command(`hold(${person}, ${amount}, ${fee}, ${JSON.stringify(breaks)})`, async (model, world) => {
    const till = tillOf(world);
    await during(model, world, { payer: person, payee: person, grant: null }, breaks.trouble, async () => {
      const withdrawal: Withdrawal = {
        kind: 'withdrawal',
        // It sorts before the ids of the last day, so it is not counted toward the limit of unused quotes.
        id: `wdr_-${newId(world)}`,
        person,
        amount,
        fee,
        state: 'none',
        counted: null,
      };
      const isQuoted =
        model.mode === 'open' &&
        model.people[person]?.wallet === 'active' &&
        rules.balanceOf(model, person) >= amount + fee;
      const isWithin = rules.judgeLimits(model, person, amount + fee, world.now) === null;
      const isHeld = isQuoted && isWithin;
      const { id } = withdrawal;
      await attempt(world, breaks, () =>
        holdOne(till.deps, { id, sessionId: sessionOf(world, person), amount, fee }),
      );
      till.withdrawals.push(withdrawal);
      const next = isHeld ? 'held' : isQuoted ? 'quoted' : 'none';
      await expectStates(
        model,
        world,
        new Map([[withdrawal, isCalm(breaks) ? [next] : ['none', isQuoted ? 'quoted' : 'none', next]]]),
      );
    });
  });

export const cancelHeld = (choice: number, breaks: Breaks) =>
  command(`cancelHeld(${choice}, ${JSON.stringify(breaks)})`, async (model, world) => {
    const till = tillOf(world);
    const one = latest(till.withdrawals, choice);
    if (!one) return;
    await during(
      model,
      world,
      { payer: one.person, payee: one.person, grant: null },
      breaks.trouble,
      async () => {
        const own = { id: one.id, sessionId: sessionOf(world, one.person) };
        await attempt(world, breaks, () => cancelWithdrawal(till.deps, own));
        const next = one.state === 'held' && model.mode === 'open' ? 'cancelled' : one.state;
        await expectStates(model, world, new Map([[one, isCalm(breaks) ? [next] : [one.state, next]]]));
      },
    );
  });

export interface Tick {
  readonly fault: PayoutFault;
  readonly becomes: 'pending' | 'paid' | 'failed';
  readonly isUp: boolean;
}

/** Runs the payout worker once. */
export async function tickAll(
  model: rules.Model,
  world: MoneyWorld,
  tick: Tick,
  breaks: Breaks,
): Promise<void> {
  const till = tillOf(world);
  await during(model, world, { payer: 0, payee: 1, grant: null }, breaks.trouble, async () => {
    const rows = await rowsOf(world, 'withdrawals');
    const allowed = new Map<Withdrawal, readonly string[]>();
    for (const one of till.withdrawals) {
      const row = rows.get(one.id);
      if (row && row.next_at !== null && row.next_at <= world.now && model.mode === 'open') {
        const next = afterTick(model, world, one, {
          ...tick,
          tries: row.tries + 1,
          submittedAt: row.submitted_at ?? world.now,
        });
        allowed.set(
          one,
          isCalm(breaks) ? next : [one.state, one.state === 'held' ? 'submitted' : one.state, ...next],
        );
      }
    }
    till.provider.isUp = tick.isUp;
    till.provider.plan(Array(50).fill(tick.fault), tick.becomes);
    const answer = await attempt(world, breaks, () => workPayouts(till.deps, till.provider.gateway));
    Object.assign(till.provider, { isUp: true });
    // A guard has stopped the worker, even before payouts that it could send.
    if (answer === 'guarded')
      for (const [one, next] of allowed) allowed.set(one, [one.state, 'submitted', ...next]);
    await expectStates(model, world, allowed);
  });
}

/** A guard has stopped the worker, even before payouts that it could send. */
export const turn = (choice: number, isGood: boolean) =>
  command(`turn(${choice}, ${isGood})`, async (_, world) => {
    const { provider } = tillOf(world);
    const [id, kept] = latest([...provider.payouts], choice) ?? [];
    // Banks return payouts for two weeks; later changes are not checked.
    const sentAt = (await rowsOf(world, 'withdrawals')).get(id ?? '')?.submitted_at ?? 0;
    if (kept?.state === 'paid' && world.now - sentAt >= 14 * 86_400_000) return;
    if (id === undefined || kept?.state === 'failed' || kept?.state === 'returned') return;
    if (kept?.state === 'pending') provider.turn(id, isGood ? 'paid' : 'failed');
    else if (!isGood) provider.turn(id, 'returned');
  });
