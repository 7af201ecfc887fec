import assert from 'node:assert/strict';
import { all } from '../../src/db/database.ts';
import { resolveWithdrawal } from '../../src/features/admin/documents.ts';
import { setWallet } from '../../src/features/admin/ledger-switch.ts';
import { adjustAccounts, reverseTransfer } from '../../src/features/admin/money.ts';
import { resolveDeposit } from '../../src/features/admin/reviews.ts';
import { resolveSecondPayment } from '../../src/features/admin/second-payments.ts';
import { type Fault, fate } from '../support/break-database.ts';
import * as rules from './money-model.ts';
import { command, pick } from './money-pay-commands.ts';
import { during, handleOf } from './money-setting.ts';
import {
  attempt,
  type Breaks,
  calm,
  creditedAs,
  type Deposit,
  expectStates,
  isCalm,
  latest,
  returnedOf,
  takenOf,
  tillOf,
  type Withdrawal,
} from './money-till.ts';
import { type MoneyWorld, newId, note, text } from './money-world.ts';

const actor = 'operator';
const reason = 'model';

type Decision = 'credit' | 'reject';

const isUnclear = (state: string) => /^(credited|reversed).*!$/.test(state);

function afterDecision(model: rules.Model, deposit: Deposit, decision: Decision): string {
  const { state, person } = deposit;
  if (isUnclear(state) && decision === 'credit')
    return creditedAs(takenOf(deposit), returnedOf(deposit) - takenOf(deposit), deposit);
  if (state !== 'review') return state;
  if (decision === 'reject') return 'failed!';
  return model.mode === 'open' && model.people[person]?.wallet === 'active' ? 'credited' : state;
}

/** An administrator's request about one document, under faults. */
async function decide(
  model: rules.Model,
  world: MoneyWorld,
  breaks: Breaks,
  {
    one,
    next,
    act,
  }: { one: Deposit | Withdrawal; next: (model: rules.Model) => string; act: () => Promise<unknown> },
): Promise<void> {
  const parties = { payer: one.person, payee: one.person, grant: null };
  await during(model, world, parties, breaks.trouble, async () => {
    const { state, kind } = one;
    const expected = next(model);
    const answer = await attempt(world, breaks, act);
    // An impossible decision is rejected.
    if (isCalm(breaks) && answer !== 'guarded') assert.equal(answer === 'ok', expected !== state, answer);
    if (answer === 'ok') note(world, `desk: decided ${kind}`);
    await expectStates(
      model,
      world,
      new Map([[one, isCalm(breaks) && answer !== 'guarded' ? [expected] : [state, expected]]]),
    );
  });
}

/** @param prepare creates something to decide, if nothing is waiting */
export const decideDeposit = (
  choice: number,
  decision: Decision,
  breaks: Breaks,
  prepare: (model: rules.Model, world: MoneyWorld, choice: number) => Promise<void>,
) =>
  command(`decideDeposit(${choice}, ${decision}, ${JSON.stringify(breaks)})`, async (model, world) => {
    const { deposits, deps } = tillOf(world);
    const isWaiting = ({ state }: Deposit) => state === 'review' || isUnclear(state);
    if (!deposits.some(isWaiting)) await prepare(model, world, choice);
    const waiting = deposits.filter(isWaiting);
    const one = latest(waiting, choice) ?? latest(deposits, choice);
    if (!one) return;
    await decide(model, world, breaks, {
      one,
      next: () => afterDecision(model, one, decision),
      act: () =>
        resolveDeposit(deps, actor, {
          ...{ id: one.id, decision, reason },
          ...(isUnclear(one.state) && decision === 'credit' ? { returnedAmount: returnedOf(one) } : {}),
        }),
    });
  });

/** The operator first checks the provider's own pages, and sometimes misreads them. */
export const decideWithdrawal = (choice: number, breaks: Breaks) =>
  command(`decideWithdrawal(${choice}, ${JSON.stringify(breaks)})`, async (model, world) => {
    const { withdrawals, provider, deps } = tillOf(world);
    const waiting = withdrawals.filter(({ state }) => /^(held|submitted!?|paid\?)$/.test(state));
    const one = latest(waiting, choice);
    const made = one && provider.payouts.get(one.id)?.state;
    const isWrong = choice % 3 === 0;
    if (!one || (made === 'pending' && !isWrong)) return;
    const outcome = (made === undefined || made === 'failed') && !isWrong ? 'failed' : 'paid';
    const next = () => {
      const { state } = one;
      if (model.mode !== 'open' || state === (outcome === 'paid' ? 'held' : 'submitted')) return state;
      if (outcome === 'paid') return 'paid*';
      if (state === 'paid?') return isActive(model, one.person) ? 'returned' : state;
      return state === 'held' ? 'cancelled' : 'failed';
    };
    const act = () => resolveWithdrawal(deps, actor, { id: one.id, outcome, reason });
    await decide(model, world, breaks, { one, next, act });
  });

/** Sends a single-batch request. @returns whether it was applied, as it must be unless the batch failed */
async function once(
  world: MoneyWorld,
  breaks: Breaks,
  { isAllowed, act, reads = 0 }: { isAllowed: boolean; act: () => Promise<unknown>; reads?: number },
): Promise<boolean> {
  const [fault] = breaks.faults;
  const faults = fault ? [...Array<Fault>(reads).fill('none'), fault] : [];
  const answer = await attempt(world, { ...breaks, faults }, act);
  if (!fate(fault).answered) assert.equal(answer, 'unavailable');
  else assert.equal(answer === 'ok', isAllowed, answer);
  return isAllowed && fate(fault).applied;
}

const isActive = (model: rules.Model, person: number) => model.people[person]?.wallet === 'active';

/** The operator reverses a transfer, even of a frozen wallet, if every recipient has the money. */
export const reverseAtDesk = (choice: number, breaks: Breaks) =>
  command(`reverseAtDesk(${choice}, ${JSON.stringify(breaks)})`, async (model, world) => {
    const confirmed = model.transfers.filter(({ status, refundOf }) => status === 'confirmed' && !refundOf);
    const transfer = choice % 4 === 0 ? pick(model, choice) : latest(confirmed, choice);
    if (!transfer) return;
    const { payer, payee, net, appFee, platformFee, id } = transfer;
    await during(model, world, { payer, payee, grant: null }, breaks.trouble, async () => {
      const isPlain = transfer.status === 'confirmed' && !transfer.refundOf && transfer.refunded === 0;
      const isCovered =
        rules.balanceOf(model, payee) >= net &&
        rules.balanceOf(model, 'app') >= appFee &&
        rules.balanceOf(model, 'platform') + (world.before.get('platform') ?? 0) >= platformFee;
      const isAllowed = model.mode === 'open' && isPlain && isCovered;
      const act = () => reverseTransfer(tillOf(world).deps, actor, { id: `trf_${id}`, reason });
      if (!(await once(world, breaks, { isAllowed, act, reads: 1 }))) return;
      note(world, 'desk: reversed');
      rules.reverse(model, transfer);
    });
  });

/** The pending second payments. */
function openSecondPayments(world: MoneyWorld) {
  const query = `SELECT id, deposit, amount FROM second_payments
    WHERE status = 'open' AND deposit IN (SELECT value FROM json_each(?)) ORDER BY id`;
  const ids = JSON.stringify(tillOf(world).deposits.map(({ id }) => id));
  return all(world.raw, text<{ id: string; deposit: string; amount: number }>(query, [ids]));
}

/** The operator credits or returns another payment for a deposit, only once. */
export const decideSecondPayment = (
  choice: number,
  decision: 'credit' | 'return',
  breaks: Breaks,
  prepare: (model: rules.Model, world: MoneyWorld, choice: number) => Promise<void>,
) =>
  command(`decideSecondPayment(${choice}, ${decision}, ${JSON.stringify(breaks)})`, async (model, world) => {
    const { deposits, deps } = tillOf(world);
    if ((await openSecondPayments(world)).length === 0) await prepare(model, world, choice);
    const second = latest(await openSecondPayments(world), choice);
    const one = deposits.find(({ id }) => id === second?.deposit);
    if (!second || !one) return;
    const { person } = one;
    await during(model, world, { payer: person, payee: person, grant: null }, breaks.trouble, async () => {
      const isAllowed = model.mode === 'open' && (decision === 'return' || isActive(model, person));
      const act = () => resolveSecondPayment(deps, actor, { id: second.id, decision, reason });
      if (!(await once(world, breaks, { isAllowed, act, reads: 1 }))) return;
      note(world, `desk: second payment, ${decision}`);
      rules.move(model, 'suspense', decision === 'credit' ? person : 'gateway', second.amount);
      await once(world, calm, { isAllowed: false, act });
    });
  });

/** The operator moves money manually, from another person or from outside, and sends the request twice. */
export const adjustAtDesk = (to: number, from: number | null, amount: number, breaks: Breaks) =>
  command(`adjustAtDesk(${to}, ${from}, ${amount}, ${JSON.stringify(breaks)})`, async (model, world) => {
    if (from === to) return;
    const source = from ?? 'gateway';
    const nameOf = (index: number) => `${handleOf(world, index)}@pid`;
    const input = { from: from === null ? 'gateway' : nameOf(from), to: nameOf(to), amount, reason };
    const key = newId(world);
    const act = () => adjustAccounts(tillOf(world).deps, actor, { ...input, key });
    const parties = { payer: to, payee: from ?? to, grant: null };
    await during(model, world, parties, breaks.trouble, async () => {
      const isCovered = from === null || (rules.balanceOf(model, from) >= amount && isActive(model, from));
      const isAllowed = model.mode === 'open' && isActive(model, to) && isCovered;
      const isMoved = await once(world, breaks, { isAllowed, act });
      // A repeat moves no more money.
      await once(world, calm, { isAllowed, act });
      if (!isAllowed) return;
      note(world, isMoved ? 'desk: adjusted' : 'desk: adjusted by the repeat');
      rules.move(model, source, to, amount);
    });
  });

/** The operator freezes a wallet, which then accepts no money, and unfreezes it. */
export const freezeAtDesk = (person: number, breaks: Breaks) =>
  command(`freezeAtDesk(${person}, ${JSON.stringify(breaks)})`, async (model, world) => {
    const { deps } = tillOf(world);
    const handle = handleOf(world, person);
    const set = (status: 'frozen' | 'active') => () => setWallet(deps, actor, { handle, status, reason });
    const isFrozen = await once(world, breaks, { isAllowed: true, act: set('frozen') });
    if (isFrozen) note(world, 'desk: frozen');
    const input = { from: 'gateway', to: `${handle}@pid`, amount: 1, reason, key: newId(world) };
    const act = () => adjustAccounts(deps, actor, input);
    if (await once(world, calm, { isAllowed: !isFrozen, act })) rules.move(model, 'gateway', person, 1);
    await once(world, calm, { isAllowed: true, act: set('active') });
  });
