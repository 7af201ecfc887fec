import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cancelDeposit } from '../../src/features/deposit/cancel.ts';
import { checkout } from '../../src/features/deposit/checkout.ts';
import { syncDeposit } from '../../src/features/deposit/deposit.ts';
import { reconcileDue } from '../../src/features/deposit/due.ts';
import { takeNotification } from '../../src/features/deposit/notification.ts';
import type { Caller } from '../../src/features/grant/acting-caller.ts';
import type { Fault } from '../support/break-database.ts';
import { signedNotice } from '../support/deposits.ts';
import type { Fault as PayoutFault } from '../support/payout-provider.ts';
import {
  adjustAtDesk,
  decideDeposit,
  decideSecondPayment,
  decideWithdrawal,
  freezeAtDesk,
  reverseAtDesk,
} from './money-desk-commands.ts';
import * as rules from './money-model.ts';
import { allow, type Command, command } from './money-pay-commands.ts';
import { cancelHeld, hold, type Tick, tickAll, turn } from './money-payout-commands.ts';
import { during, emptyWallet, handleOf, sessionOf, type Trouble } from './money-setting.ts';
import {
  afterLook,
  appPart,
  attempt,
  type Breaks,
  calm,
  type Deposit,
  expectStates,
  isCalm,
  latest,
  noFee,
  othersOf,
  owes,
  rowsOf,
  type Trip,
  tillOf,
} from './money-till.ts';
import { expectBalances, type MoneyWorld, newId, note, text } from './money-world.ts';

/** A request that checks deposits with their provider. */
async function look(
  model: rules.Model,
  world: MoneyWorld,
  breaks: Breaks,
  { of, act }: { of: () => Promise<readonly Deposit[]>; act: () => Promise<unknown> },
): Promise<void> {
  await during(model, world, { payer: 0, payee: 1, grant: null }, breaks.trouble, async () => {
    const looked = await of();
    const allowed = new Map(
      looked.map((one) => {
        const after = afterLook(model, world.now, one);
        return [one, isCalm(breaks) ? [after] : [one.state, after]] as const;
      }),
    );
    await attempt(world, breaks, act);
    await expectStates(model, world, allowed);
  });
}

/** @param grant the calling app's grant, if an app's page calls */
const callerOf = (world: MoneyWorld, person: number, grant: rules.Grant | null = null): Caller => ({
  by: grant ? 'page' : 'person',
  handle: handleOf(world, person),
  sessionId: sessionOf(world, person),
  appId: grant && world.app,
  grantId: grant?.id ?? null,
  scopes: grant && [],
});

/** The app changes its deposit fee. */
const setFee = (bps: number, fixed: number) =>
  command(`setFee(${bps}, ${fixed})`, async (_, world) => {
    tillOf(world).fee = { bps, fixed };
    await world.raw.batch([
      text(
        `INSERT INTO fee_versions (scope, operation, version, fixed, bps, payer, created_by, created_at)
          SELECT ?, 'deposit', 1 + n, ?, ?, 'payer', ? || n, ?
          FROM (SELECT count(*) AS n FROM fee_versions WHERE scope = ?)`,
        [world.app, fixed, bps, world.app, world.now, world.app],
      ),
    ]);
  });

interface Opening {
  readonly person: number;
  readonly amount: number;
  readonly byApp: boolean;
  readonly isRepeated: boolean;
  readonly breaks: Breaks;
}

const open = ({ person, amount, byApp, isRepeated, breaks }: Opening) =>
  command(
    `checkout(${person}, ${amount}, ${byApp}, ${isRepeated}, ${JSON.stringify(breaks)})`,
    async (model, world) => {
      const till = tillOf(world);
      const known = byApp ? rules.grantOf(model, person) : null;
      const until = known?.limits.expiresAt ?? Number.POSITIVE_INFINITY;
      const grant = known && until > world.now ? known : null;
      const key = newId(world);
      const request = { amount, asset: 'IDR' as const, method: 'auto' as const, key };
      const send = (under: Breaks) =>
        attempt(world, under, () => checkout(till.deps, callerOf(world, person, grant), request));
      await during(model, world, { payer: person, payee: person, grant: null }, breaks.trouble, async () => {
        const fee = grant ? till.fee : noFee;
        const part = Math.ceil((amount * fee.bps) / 10_000) + fee.fixed;
        const answer = await send(breaks);
        const isAllowed =
          model.mode === 'open' &&
          model.people[person]?.wallet === 'active' &&
          !rules.isFull(model, person, amount - part, grant !== null);
        if (isCalm(breaks)) assert.equal(answer === 'ok', isAllowed, answer);
        const found = [...(await rowsOf(world, 'deposits')).values()].find(
          ({ id }) => !till.deposits.some((one) => one.id === id),
        );
        if (!found) return assert.ok(!(isAllowed && isCalm(breaks)), 'no deposit');
        assert.ok(isAllowed);
        const deposit: Deposit = {
          kind: 'deposit',
          id: found.id,
          person,
          amount,
          byApp: grant !== null,
          fee: grant ? till.fee : noFee,
          state: 'none',
          payment: null,
          createdAt: world.now,
          order: undefined,
          suspended: 0,
        };
        // A person's newest five pages from one app stay open, as far as their sum is within the limit.
        let total = amount - part;
        const replaced = till.deposits
          .filter((one) => one.person === person && one.byApp === deposit.byApp)
          .filter(({ state }) => /^(creating|pending)$/.test(state))
          .toReversed()
          .filter((one, index) => {
            total += one.amount - appPart(one);
            return index >= 4 || rules.isFull(model, person, total, grant !== null);
          });
        const ends = replaced.map((one) => {
          const ended = ['expired', afterLook(model, world.now, { ...one, state: 'expired' })];
          return [one, isCalm(breaks) ? ended : [one.state, ...ended]] as const;
        });
        till.deposits.push(deposit);
        await expectStates(
          model,
          world,
          new Map([...ends, [deposit, isCalm(breaks) ? ['pending'] : ['creating', 'pending']]]),
        );
        if (!isRepeated) return;
        // A repeat with the same key continues the same deposit.
        assert.equal(await send(calm), 'ok');
        await expectStates(model, world, new Map([[deposit, ['pending']]]));
      });
    },
  );

const payments = [
  ...(['pay', 'pay', 'pay', 'wrong', 'twice', 'late', 'expire', 'fail', 'refund', 'refund'] as const),
  ...(['void', 'part', 'part', 'part', 'unclear', 'recapture', 'restore', 'restore'] as const),
];
type Payment = (typeof payments)[number];

/** Concurrent notifications, of which all but the first find no work left. */
async function noticesOf(
  model: rules.Model,
  world: MoneyWorld,
  deposit: Deposit,
  count: number,
  breaks: Breaks,
): Promise<void> {
  if (count === 0) return;
  const { deps, behind } = tillOf(world);
  // Longer than the delay between two checks.
  world.now += 1001;
  const of = async () => (model.mode === 'open' ? [deposit] : []);
  const act = async () => {
    for (let index = 0; index < count; index += 1) {
      const { headers, body } = signedNotice({ now: () => world.now }, deposit.id);
      await takeNotification(deps, 'sandbox', Buffer.from(body), new Headers(headers));
      await Promise.allSettled(behind.splice(0));
    }
  };
  await look(model, world, breaks, { of, act });
}

const payIn = (choice: number, how: Payment, [early, later]: readonly [number, number], breaks: Breaks) =>
  command(`payIn(${choice}, ${how}, ${early}, ${later}, ${JSON.stringify(breaks)})`, async (model, world) => {
    const till = tillOf(world);
    const deposit = latest(till.deposits, choice);
    if (!deposit?.order) return;
    const notices = (count: number) => noticesOf(model, world, deposit, count, breaks);
    // A notification of an earlier change arrives before this one, the others after it.
    await notices(early);
    till.pay(deposit, how, () => newId(world));
    await notices(later);
  });

const sync = (choice: number, how: 'sync' | 'cancel', breaks: Breaks) =>
  command(`${how}(${choice}, ${JSON.stringify(breaks)})`, async (model, world) => {
    const till = tillOf(world);
    const deposit = latest(till.deposits, choice);
    if (!deposit) return;
    const { id, state, order, person } = deposit;
    const isLooked =
      how === 'sync' ? !/^(credited|reversed|review)/.test(state) : /^(creating|pending)$/.test(state);
    const act = () =>
      how === 'sync'
        ? syncDeposit(till.deps, callerOf(world, person), id)
        : cancelDeposit(till.deps, callerOf(world, person), id);
    const of = async () => {
      // An unpaid order is first closed at the provider.
      if (how === 'cancel' && (state === 'creating' || (state === 'pending' && order?.state === 'open')))
        deposit.endsAs = 'expired';
      return isLooked ? [deposit] : [];
    };
    await look(model, world, breaks, { of, act });
    deposit.endsAs = undefined;
  });

async function sweepAll(model: rules.Model, world: MoneyWorld, breaks: Breaks): Promise<void> {
  const till = tillOf(world);
  const of = async () => {
    const rows = await rowsOf(world, 'deposits');
    return till.deposits.filter(
      ({ id }) => model.mode === 'open' && (rows.get(id)?.next_at ?? Infinity) <= world.now,
    );
  };
  await look(model, world, breaks, { of, act: () => reconcileDue(till.deps) });
}

/**
 * A wrong payment, or a partial refund of an unknown amount, needs a decision by the operator. A refund of spent money
 * becomes a debt.
 */
async function payOddly(model: rules.Model, world: MoneyWorld, chosen: number): Promise<void> {
  const { deposits, pay } = tillOf(world);
  const isPayable = ({ state, order }: Deposit) =>
    chosen % 2 === 0
      ? state === 'pending' && order?.state === 'open'
      : state === 'credited' && order?.state === 'paid' && order.payments.length === 1;
  const one = latest(deposits.filter(isPayable), chosen);
  if (!one) return;
  if (one.state === 'credited') await emptyWallet(model, world, one.person);
  pay(one, one.state !== 'credited' ? 'wrong' : chosen % 4 === 1 ? 'refund' : 'unclear', () => newId(world));
  await noticesOf(model, world, one, 1, calm);
}

/** Pays an open or credited order again with more than its amount. */
async function payTwice(model: rules.Model, world: MoneyWorld, chosen: number): Promise<void> {
  const { deposits, pay } = tillOf(world);
  const isPayable = ({ state, order }: Deposit) =>
    /^(pending|credited)$/.test(state) && /^(open|paid)$/.test(order?.state ?? '');
  const one = latest(deposits.filter(isPayable), chosen);
  if (!one) return;
  pay(one, 'twice', () => newId(world));
  await noticesOf(model, world, one, 1, calm);
}

/** The app changes its fee while one of its deposits waits for an administrator. */
const feeAfterCheckout = (person: number, [bps, fixed]: readonly [number, number], under: Breaks) =>
  command(`feeAfterCheckout(${person}, ${bps}, ${fixed}, ${JSON.stringify(under)})`, async (model, world) => {
    const { deposits, pay } = tillOf(world);
    const limits = { perTransfer: 1, perPeriod: null, total: null, maxUses: null, payees: null };
    await allow(person, { ...limits, expiresAt: null, feeBps: 0, feeFixed: 0 }).run(model, world);
    await setFee(100, 0).run(model, world);
    await open({ person, amount: 10_000, byApp: true, isRepeated: false, breaks: calm }).run(model, world);
    const one = deposits.at(-1);
    if (one?.state !== 'pending') return;
    pay(one, 'wrong', () => newId(world));
    await noticesOf(model, world, one, 1, calm);
    await setFee(bps, fixed).run(model, world);
    await decideDeposit(0, 'credit', under, payOddly).run(model, world);
  });

const choice = fc.nat({ max: 1000 });
const person = fc.nat({ max: rules.peopleCount - 1 });
const amount = fc.constantFrom(10_000, 10_001, 12_000);
const seldom = <T>(usual: T, ...others: T[]) =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );
const breaks: fc.Arbitrary<Breaks> = fc.record({
  faults: fc.array(seldom<Fault>('none', 'lost before', 'lost after', 'down before', 'down after'), {
    maxLength: 4,
  }),
  trip: seldom<Trip>('none', 'down', 'answer lost'),
  trouble: seldom<Trouble>('none', 'ledger frozen', 'payer frozen'),
});
const notices = fc.tuple(fc.nat({ max: 1 }), fc.nat({ max: 3 }));
const how = fc.constantFrom<Payment>(...payments);
const ticks: fc.Arbitrary<Tick> = fc.record({
  fault: seldom<PayoutFault>('none', 'not taken', 'answer lost', 'answer lost', 'call lost', 'refused'),
  becomes: fc.constantFrom('paid', 'pending', 'failed'),
  isUp: seldom(true, false),
});

const fee = fc.tuple(fc.constantFrom(0, 100, 1_000), fc.constantFrom(0, 500, 2_000));

/** Movements to and from the outside world. */
const outside: fc.Arbitrary<Command>[] = [
  fc.record({ person, amount, byApp: fc.boolean(), isRepeated: fc.boolean(), breaks }).map(open),
  fee.map((chosen) => setFee(...chosen)),
  fc.tuple(choice, how, notices, breaks).map((chosen) => payIn(...chosen)),
  fc.tuple(choice, how, notices, breaks).map((chosen) => payIn(...chosen)),
  fc.tuple(choice, seldom<'sync' | 'cancel'>('sync', 'cancel'), breaks).map((chosen) => sync(...chosen)),
  breaks.map((under) =>
    command(`sweep(${JSON.stringify(under)})`, (model, world) => sweepAll(model, world, under)),
  ),
  fc
    .tuple(person, fc.integer({ min: 1, max: 3_000 }), fc.nat({ max: 9 }), breaks)
    .map((chosen) => hold(...chosen)),
  fc.tuple(choice, breaks).map((chosen) => cancelHeld(...chosen)),
  fc
    .tuple(ticks, breaks)
    .map(([tick, under]) =>
      command(`tick(${JSON.stringify([tick, under])})`, (model, world) => tickAll(model, world, tick, under)),
    ),
  fc.tuple(choice, fc.boolean()).map((chosen) => turn(...chosen)),
];

const desk: fc.Arbitrary<Command>[] = [
  fc
    .tuple(choice, fc.constantFrom('credit' as const, 'reject' as const), breaks)
    .map((chosen) => decideDeposit(...chosen, payOddly)),
  fc.tuple(person, fee, breaks).map((chosen) => feeAfterCheckout(...chosen)),
  fc.tuple(choice, breaks).map((chosen) => decideWithdrawal(...chosen)),
  fc.oneof(
    fc.tuple(choice, breaks).map((chosen) => reverseAtDesk(...chosen)),
    fc
      .tuple(choice, fc.constantFrom('credit' as const, 'return' as const), breaks)
      .map((chosen) => decideSecondPayment(...chosen, payTwice)),
    fc
      .tuple(person, seldom(null, 0, 1, 2), fc.integer({ min: 1, max: 3_000 }), breaks)
      .map((chosen) => adjustAtDesk(...chosen)),
    fc.tuple(person, breaks).map((chosen) => freezeAtDesk(...chosen)),
  ),
];

export const gatewayCommands: fc.Arbitrary<Command>[] = [...outside, ...outside, ...desk];

/** Liveness: without faults, the scheduled work leaves nothing unfinished except items waiting for a person. */
export async function expectSettled(model: rules.Model, world: MoneyWorld): Promise<void> {
  const till = tillOf(world);
  for (const [id, { state }] of till.provider.payouts)
    if (state === 'pending') till.provider.turn(id, 'paid');
  for (const order of till.orders.values()) {
    if (order.state === 'open') order.state = 'expired';
    if (order.state === 'captured') order.state = 'paid';
  }
  // Banks return payouts for two weeks.
  for (let round = 0; round < 60; round += 1) {
    world.now += 6 * 3_600_000;
    await sweepAll(model, world, calm);
    await tickAll(model, world, { fault: 'none', becomes: 'paid', isUp: true }, calm);
  }
  // Money that arrives more than a day late is announced by a notification.
  for (const one of till.deposits)
    if (one.order && one.order.state !== 'open') await noticesOf(model, world, one, 1, calm);
  await expectBalances(model, world);
  for (const one of till.deposits) {
    const { id, state, order } = one;
    if (order?.state === 'paid') assert.equal(one.suspended, othersOf(one));
    assert.match(state, /^(credited(-\d+)?(~\d+)?!?|expired|failed!?|review|reversed!?)$/, id);
    if (order?.state === 'paid') assert.match(state, /^(credited!?|failed!|review)$/, id);
  }
  // A guard that acts in place of a missing condition stops the payout worker.
  if (world.tally.has('request: guarded')) return;
  for (const { id, state, person } of till.withdrawals) {
    const isFinal = /^(none|quoted|cancelled|failed|paid[*?]?|returned|submitted!)$/.test(state);
    assert.ok(isFinal || (state === 'held' && owes(model, person)), `${id} is ${state}`);
    if (state === 'held') note(world, 'withdrawal: held by a debt');
    const made = till.provider.payouts.get(id)?.state;
    if (state === 'paid') assert.equal(made, state);
    else if (state === 'returned') assert.match(`${made}`, /^(returned|failed)$/);
    else if (state.startsWith('paid')) assert.ok(state === 'paid*' || made === 'failed', id);
    else assert.ok(made === undefined || made === 'failed' || state === 'submitted!', `${id} was ${made}`);
  }
}
