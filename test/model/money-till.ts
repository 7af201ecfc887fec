import assert from 'node:assert/strict';
import { parseConfig } from '../../src/config.ts';
import { all } from '../../src/db/database.ts';
import type { Deps } from '../../src/deps.ts';
import { AppError } from '../../src/errors.ts';
import type { Fault } from '../support/break-database.ts';
import { payoutDeps } from '../support/payout-deps.ts';
import { createPayoutProvider, type PayoutProvider } from '../support/payout-provider.ts';
import { testDefaults } from '../support/target.ts';
import * as rules from './money-model.ts';
import type { Trouble } from './money-setting.ts';
import { isGuarded, type MoneyWorld, note, text } from './money-world.ts';

export interface Order {
  state: 'open' | 'captured' | 'paid' | 'expired' | 'failed' | 'refunded' | 'partly_refunded';
  /** The amount of a partial refund; undefined if the provider does not state it. */
  returned?: number | undefined;
  readonly payments: {
    readonly id: string;
    readonly amount: number;
    readonly currency: string;
    readonly method: string;
  }[];
}

/** An app's deposit fee. */
export interface Fee {
  readonly bps: number;
  readonly fixed: number;
}

/**
 * `!` marks a partial refund of an unknown amount and a deposit rejected by the operator. The partly returned amount
 * follows `credited-`, and the amount borne by the operator follows `~`.
 */
export interface Deposit {
  readonly kind: 'deposit';
  readonly id: string;
  readonly person: number;
  /** The requested amount; under review, the paid amount. */
  amount: number;
  readonly byApp: boolean;
  /** The fee shown to the person at checkout. */
  readonly fee: Fee;
  state: string;
  payment: string | null;
  readonly createdAt: number;
  order: Order | undefined;
  /** The result of cancelling it, without faults. */
  endsAs?: 'expired' | undefined;
  /** The order's other payments. */
  suspended: number;
}

/**
 * `!` marks a payout unknown to the provider for a day, `*` a payout marked paid only by an administrator, `?` a payout
 * denied by the provider.
 */
export interface Withdrawal {
  readonly kind: 'withdrawal';
  readonly id: string;
  readonly person: number;
  readonly amount: number;
  readonly fee: number;
  state: string;
  /** The day whose limits it uses. */
  counted: string | null;
  /** True if the debt of its wallet is treated as settled. */
  readonly isFreed?: true;
}

/** The outside world, and the model's data about the documents that refer to it. */
export interface Till {
  readonly deps: Deps;
  readonly provider: PayoutProvider;
  readonly orders: Map<string, Order>;
  readonly deposits: Deposit[];
  /** The app's fee for deposits that it starts. */
  fee: Fee;
  readonly withdrawals: Withdrawal[];
  /** Background work after responses. */
  readonly behind: Promise<unknown>[];
  /** The fate of calls to the payment provider. */
  trip: Trip;
  pay(deposit: Deposit, how: string, newId: () => string): void;
}

export const noFee: Fee = { bps: 0, fixed: 0 };

/** Returns the app's part of a deposit. */
export const appPart = ({ amount, fee: { bps, fixed } }: Deposit) =>
  Math.ceil((amount * bps) / 10_000) + fixed;

const config = parseConfig({ ...testDefaults, ENVIRONMENT: 'development', FRESH_SECONDS: '0' });
const openingMs = 900_000;
const tills = new WeakMap<MoneyWorld, Till>();

export function tillOf(world: MoneyWorld): Till {
  const known = tills.get(world);
  if (known) return known;
  const orders = new Map<string, Order>();
  const behind: Promise<unknown>[] = [];
  const till: Till = {
    deps: {
      ...payoutDeps(world.db, () => world.now),
      get config() {
        return { ...config, limits: world.limits };
      },
      // The service's entries log what fails there.
      background: (work) => void behind.push(work.catch(() => {})),
      fetch: async (request) => answer(till, request),
    },
    provider: createPayoutProvider(),
    orders,
    deposits: [],
    fee: noFee,
    withdrawals: [],
    behind,
    trip: 'none',
    pay,
  };
  tills.set(world, till);
  return till;
}

/** The payment provider, in the terms of the sandbox. */
function answer({ trip, orders }: Till, { url, method }: Request): Response {
  const id = new URL(url).pathname.split('/').at(-2) ?? '';
  const known = orders.get(id);
  if (trip === 'down') return new Response(null, { status: 503 });
  if (method === 'PUT' && !known) orders.set(id, { state: 'open', payments: [] });
  const canEnd = known?.state === 'open';
  if (method === 'DELETE' && known && canEnd) known.state = 'expired';
  if (trip === 'answer lost' && method !== 'GET') throw new Error('timeout');
  if (method === 'GET')
    return known ? Response.json({ orderId: id, ...known }) : new Response(null, { status: 404 });
  return new Response(null, { status: method === 'DELETE' && !canEnd ? 409 : 200 });
}

/** Acts as a payer or the provider. */
function pay({ order, amount }: Deposit, how: string, newId: () => string): void {
  if (!order) return;
  const [single, second] = order.payments;
  if (single && !second && backward.has(how)) goBack(order, single.amount, how);
  if (backward.has(how) || order.state === 'refunded' || order.state === 'partly_refunded') return;
  const take = (sum: number) => {
    order.payments.push({ id: `pay_${newId()}`, amount: sum, currency: 'IDR', method: 'qris' });
    order.state = 'paid';
  };
  if ((how === 'expire' || how === 'fail') && order.state === 'open')
    order.state = how === 'expire' ? 'expired' : 'failed';
  const isLate = !single && (order.state === 'expired' || order.state === 'failed');
  if ((how === 'pay' && order.state === 'open') || (how === 'late' && isLate)) take(amount);
  if (how === 'wrong' && order.state === 'open') take(amount - 1);
  if (how === 'twice') [amount, amount].slice(order.payments.length > 3 ? 2 : 0).forEach(take);
}

const backward = new Set(['refund', 'void', 'part', 'unclear', 'recapture', 'restore']);

/** Changes a single payment after it was made. */
function goBack(order: Order, paid: number, how: string): void {
  if (how === 'restore') Object.assign(order, { state: 'paid', returned: 0 });
  else if (how === 'recapture' && order.state !== 'paid')
    Object.assign(order, { state: 'captured', returned: 0 });
  else if (how === 'void' && order.state === 'captured') order.state = 'failed';
  else if (order.state !== 'paid' && order.state !== 'partly_refunded') return;
  else if (how === 'void') order.state = 'failed';
  else if (how === 'unclear') Object.assign(order, { state: 'partly_refunded', returned: undefined });
  else {
    const returned = how === 'refund' ? paid : Math.min(paid, (order.returned ?? 0) + 3000);
    Object.assign(order, { state: returned < paid ? 'partly_refunded' : 'refunded', returned });
  }
}

/** Returns the part of a credited deposit that the service has reversed. */
export const takenOf = ({ state, amount }: Deposit): number =>
  state.startsWith('reversed') ? amount : Number(/^credited-(\d+)/.exec(state)?.[1] ?? 0);

/** Returns the part that the operator bears. */
const borneOf = ({ state }: Deposit): number => Number(/~(\d+)/.exec(state)?.[1] ?? 0);

/** Returns the amount that the provider's own pages show as returned, if its responses do not state it. */
export const returnedOf = (deposit: Deposit): number =>
  Math.min(deposit.amount, takenOf(deposit) + borneOf(deposit) + 1500);

/** Returns the state of a credited deposit. */
export const creditedAs = (taken: number, borne: number, { amount }: Deposit): string =>
  taken === amount ? 'reversed' : `credited${taken > 0 ? `-${taken}` : ''}${borne > 0 ? `~${borne}` : ''}`;

/** Returns the expected state of a credited deposit after all of the provider's reversals. */
function afterReturn(deposit: Deposit, returned: number | undefined): string {
  const { state } = deposit;
  if (returned === undefined) return `${state.replace('!', '')}!`;
  const borne = Math.min(returned, borneOf(deposit));
  const taken = returned - borne;
  if (taken === takenOf(deposit) && borne === borneOf(deposit)) return state;
  return creditedAs(taken, borne, deposit);
}

/** Returns the expected state of a deposit after a check with the provider. */
export function afterLook(model: rules.Model, now: number, deposit: Deposit): string {
  const { state, order, amount, person, endsAs } = deposit;
  const isNew = state === 'creating' || state === 'pending';
  const canMove = model.mode === 'open' && model.people[person]?.wallet === 'active';
  if (endsAs) return endsAs;
  // A capture restores nothing, but a settlement does.
  if (order?.state === 'captured') return state;
  if (/^(credited|reversed)/.test(state) && order && order.state !== 'open') {
    const whole = order.state === 'paid' ? 0 : amount;
    const returned = order.state === 'partly_refunded' ? order.returned : whole;
    return model.mode === 'open' ? afterReturn(deposit, returned) : state;
  }
  switch (order?.state) {
    case 'paid':
      if (!isNew && state !== 'expired' && state !== 'failed') return state;
      if (!order.payments.some((one) => one.amount === amount)) return 'review';
      return canMove ? 'credited' : state;
    case 'refunded':
      return isNew ? 'failed' : state;
    case 'partly_refunded':
      return isNew || state === 'expired' || state === 'failed' ? 'review' : state;
    case 'expired':
    case 'failed':
      return isNew ? order.state : state;
    default:
      if (state !== 'creating') return state;
      return now - deposit.createdAt < openingMs ? 'pending' : 'failed';
  }
}

interface Tick {
  readonly fault: string;
  readonly becomes: string;
  readonly isUp: boolean;
  readonly tries: number;
  readonly submittedAt: number;
}

export const owes = ({ balances }: rules.Model, person: number) => (balances.get(`debt ${person}`) ?? 0) > 0;

/** Returns the possible states of a due withdrawal after one run of the worker. */
export function afterTick(model: rules.Model, world: MoneyWorld, one: Withdrawal, tick: Tick): string[] {
  const { fault, becomes, isUp, tries, submittedAt } = tick;
  const { state, person } = one;
  const isFrozen = model.people[person]?.wallet !== 'active';
  if (state === 'held' && isFrozen) return ['held'];
  if (state === 'held' && owes(model, person) && !one.isFreed) {
    // The person's other withdrawals may settle the debt first.
    const others = tillOf(world).withdrawals.filter((other) => other !== one && other.person === person);
    const isOpen = others.some((other) => /^(submitted!?|paid)$/.test(other.state));
    return isOpen ? ['held', ...afterTick(model, world, { ...one, isFreed: true }, tick)] : ['held'];
  }
  const known = tillOf(world).provider.payouts.get(one.id)?.state;
  const isFirst = tries === 1;
  // A withdrawal waiting for the operator keeps waiting while the provider does not respond.
  if (!isFirst && !isUp) return [state];
  if (known === 'returned' && /^paid\*?$/.test(state)) return [isFrozen ? state : 'returned'];
  if (state === 'paid*') return [known === 'failed' ? 'paid?' : known === 'paid' ? 'paid' : state];
  if (state.startsWith('paid')) return [state];
  const end = (said: string | undefined) => {
    if (said === 'returned') return ['paid', 'returned'];
    return [said === 'paid' || said === 'failed' ? said : 'submitted'];
  };
  if (known !== undefined) return end(known);
  if (world.now - submittedAt >= 86_400_000) return ['submitted!'];
  if (fault === 'refused' && isFirst) return ['failed'];
  return end(fault === 'none' ? becomes : undefined);
}

function giveBack(model: rules.Model, owner: number | 'app', amount: number): void {
  if (amount > 0) rules.takeBack(model, owner, amount);
  else rules.move(model, 'gateway', owner, -amount);
}

/** Records a new state, and moves its money. */
function enter(
  model: rules.Model,
  one: Deposit | Withdrawal,
  next: string,
  { payment, now }: { payment: string | null; now: number },
): void {
  const { state, person, amount } = one;
  const taken = one.kind === 'deposit' ? takenOf(one) : 0;
  one.state = next;
  if (one.kind === 'withdrawal') {
    const hold = (sum: number) =>
      model.balances.set(`held ${person}`, (model.balances.get(`held ${person}`) ?? 0) + sum);
    const all = amount + one.fee;
    const isEnding = /^(held|submitted)/.test(state);
    if (next === 'held' && state !== 'held') {
      hold(all);
      one.counted = rules.count(model, person, all, now);
    }
    if (/^(cancelled|failed)$/.test(next) && isEnding) rules.uncount(model, person, one.counted, all);
    if (next === 'returned' && state !== 'returned') rules.uncount(model, person, one.counted, amount);
    if (/^(cancelled|failed|paid|returned)/.test(next) && isEnding) hold(-all);
    if (/^(paid|returned)/.test(next) && isEnding) {
      rules.move(model, person, 'payout', amount);
      rules.move(model, person, 'platform', one.fee);
    }
    if (next === 'returned' && state !== 'returned') rules.move(model, 'payout', person, amount);
    if (/^(cancelled|failed)$/.test(next)) rules.settle(model, person);
    return;
  }
  one.payment = payment;
  const paid = one.order?.payments.find(({ id }) => id === payment);
  if (next === 'review' && paid) one.amount = paid.amount;
  const part = appPart(one);
  if (next.startsWith('credited') && !/^(credited|reversed)/.test(state)) {
    rules.move(model, 'gateway', person, amount - part);
    rules.move(model, 'gateway', 'app', part);
  }
  // Returned money is debited from the person first.
  const ofPerson = (sum: number) => Math.min(sum, amount - part);
  const more = takenOf(one) - taken;
  const moreOfPerson = ofPerson(takenOf(one)) - ofPerson(taken);
  giveBack(model, person, moreOfPerson);
  giveBack(model, 'app', more - moreOfPerson);
}

export type Trip = 'none' | 'down' | 'answer lost';

/** Faults during one command. */
export interface Breaks {
  /** Database faults: the process dies between its batches, or between the provider call and the write. */
  readonly faults: readonly Fault[];
  /** Faults in calls to the payment provider. */
  readonly trip: Trip;
  readonly trouble: Trouble;
}
export const calm: Breaks = { faults: [], trip: 'none', trouble: 'none' };
export const isCalm = ({ faults, trip }: Breaks) =>
  trip === 'none' && faults.every((fault) => fault === 'none');

/** Runs a request under its faults. @returns the error code */
export async function attempt(world: MoneyWorld, { faults, trip }: Breaks, act: () => Promise<unknown>) {
  const till = tillOf(world);
  world.plan(faults);
  till.trip = trip;
  try {
    await act();
    await Promise.allSettled(till.behind.splice(0));
    return 'ok';
  } catch (error) {
    if (error instanceof AppError) return error.code;
    if (!isGuarded(world, error)) throw error;
    note(world, 'request: guarded');
    return 'guarded';
  } finally {
    await Promise.allSettled(till.behind.splice(0));
    world.plan([]);
    till.trip = 'none';
  }
}

interface Row {
  readonly id: string;
  readonly state: string;
  readonly next_at: number | null;
  readonly tries: number;
  readonly submitted_at: number | null;
  readonly payment: string | null;
}

export async function rowsOf(
  world: MoneyWorld,
  table: 'deposits' | 'withdrawals',
): Promise<Map<string, Row>> {
  const mark =
    table === 'deposits'
      ? `iif(returned > 0 AND status = 'credited', '-' || returned, '') || iif(borne > 0, '~' || borne, '')
          || iif(failure IN ('refund_uncovered','rejected'), '!', iif(failure IS 'contradicted', '?', ''))`
      : `CASE failure WHEN 'unknown' THEN '!' WHEN 'declared' THEN '*' WHEN 'contradicted' THEN '?' ELSE '' END`;
  const more = table === 'deposits' ? 'NULL AS submitted_at, payment' : 'submitted_at, NULL AS payment';
  const query = `SELECT id, status || ${mark} AS state, next_at, tries, ${more}
    FROM ${table} WHERE handle IN (SELECT value FROM json_each(?))`;
  const handles = JSON.stringify(world.people.map(({ handle }) => handle));
  const rows = await all(world.raw, text<Row>(query, [handles]));
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the provider's other payments for a credited or rejected deposit. */
export const othersOf = ({ state, payment, order }: Deposit) =>
  /^(credited|reversed|failed!)/.test(state)
    ? (order?.payments ?? []).reduce((sum, { id, amount }) => sum + (id === payment ? 0 : amount), 0)
    : 0;

/**
 * Every document is in a state that the model allows, of which there is only one without faults, and its money moves
 * with it.
 */
export async function expectStates(
  model: rules.Model,
  world: MoneyWorld,
  allowed: ReadonlyMap<Deposit | Withdrawal, readonly string[]>,
): Promise<void> {
  const { deposits, withdrawals, orders } = tillOf(world);
  const [ins, outs] = [await rowsOf(world, 'deposits'), await rowsOf(world, 'withdrawals')];
  const query = `SELECT ref, sum(amount) AS sum FROM adjustments WHERE kind = 'second_payment' GROUP BY ref`;
  const found = await all(world.raw, text<{ ref: string; sum: number }>(query));
  const sums = new Map(found.map(({ ref, sum }) => [ref, sum]));
  for (const one of [...deposits, ...withdrawals]) {
    const row = ins.get(one.id) ?? outs.get(one.id);
    const found = row?.state ?? 'none';
    const expected = allowed.get(one) ?? [one.state];
    assert.ok(
      expected.includes(found),
      `${one.id}: ${one.state} became ${found}, not ${expected.join(' or ')}`,
    );
    if (found !== one.state) note(world, `${one.kind}: ${found.replaceAll(/(?<=[-~])\d+/g, '')}`);
    if (one.kind === 'deposit' && found === 'credited' && one.state === 'review' && appPart(one) > 0)
      note(world, 'deposit: fee of a review');
    enter(model, one, found, { payment: row?.payment ?? null, now: world.now });
    if ((model.balances.get(`debt ${one.person}`) ?? 0) > 0) note(world, 'wallet: debt');
    if (one.kind === 'withdrawal') continue;
    one.order = orders.get(one.id);
    const suspended = sums.get(one.id) ?? 0;
    assert.ok([one.suspended, othersOf(one)].includes(suspended), `${suspended} of ${one.id} in suspense`);
    rules.move(model, 'gateway', 'suspense', suspended - one.suspended);
    one.suspended = suspended;
  }
  assert.deepEqual(
    [ins.size, outs.size],
    [deposits, withdrawals].map((ones) => ones.filter(({ state }) => state !== 'none').length),
  );
}

/** One of the last. */
export const latest = <T>(ones: readonly T[], choice: number): T | undefined =>
  ones[ones.length - 1 - (choice % Math.min(6, ones.length))];
