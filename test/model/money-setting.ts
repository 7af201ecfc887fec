import assert from 'node:assert/strict';
import { type Fault, fate } from '../support/break-database.ts';
import * as rules from './money-model.ts';
import { type MoneyWorld, note, sendAdjustment, text } from './money-world.ts';

/** The circumstances of one request: what happens to its batches, and the skew of the clock that serves it. */
export interface Course {
  readonly faults: readonly Fault[];
  readonly skewMs: number;
}

export type Via = 'person' | 'page' | 'back end';
export type Decision =
  | 'none'
  | 'undecided'
  | 'approved'
  | 'denied'
  | 'late'
  | 'of another session'
  | 'with another verifier';
export type Trouble =
  | 'none'
  | 'session ended'
  | 'payer suspended'
  | 'payee suspended'
  | 'payer frozen'
  | 'payee frozen'
  | 'ledger frozen'
  | 'ledger disabled'
  | 'grant revoked'
  | 'grant past its end'
  | 'app suspended'
  | 'money gone'
  | 'too late';

export const handleOf = (world: MoneyWorld, index: number) => world.people[index]?.handle ?? '';
export const sessionOf = (world: MoneyWorld, index: number) => world.people[index]?.session ?? '';
export const accountOf = (world: MoneyWorld, name: number | string) => world.accounts.get(name) ?? 0;

export interface Outcome {
  /** The model's response, as if nothing failed. */
  readonly verdict: string;
  readonly faults: readonly Fault[];
  /** The number of batches in the undisturbed request. */
  readonly trips: number;
}

/** The caller gets the model's response, unless the request's batches failed. */
export function agree(
  world: MoneyWorld,
  kind: string,
  answer: string,
  { verdict, faults, trips }: Outcome,
): void {
  const met = faults.slice(0, trips);
  for (const fault of met) note(world, `fault: ${fault}`);
  note(world, `${kind}: ${answer.replace(/ .*/, '')}`);
  // The condition that should have rejected it was removed, so the database did. It may also reject the retry of an
  // applied attempt.
  if (answer === 'guarded' && (!effects.has(verdict) || met.some((fault) => fault.endsWith('after')))) return;
  assert.equal(answer, met.every((fault) => fate(fault).answered) ? verdict : 'unavailable', kind);
}

/** Verdicts of requests that change something. */
export const effects = new Set(['confirmed', 'ok', 'stored', 'moved']);

/** Obstructs a request while it runs; irreversible obstacles remain. */
export async function during<T>(
  model: rules.Model,
  world: MoneyWorld,
  transfer: Pick<rules.Transfer, 'payer' | 'payee' | 'grant'>,
  trouble: Trouble,
  act: () => Promise<T>,
): Promise<T> {
  const { payer, payee, grant } = transfer;
  const set = (query: string, ...values: (string | number)[]) => world.raw.batch([text(query, values)]);
  const status = (index: number, isActive: boolean) => {
    Object.assign(model.people[index] ?? {}, { isActive });
    return set(
      'UPDATE identities SET status = ? WHERE handle = ?',
      isActive ? 'active' : 'suspended',
      handleOf(world, index),
    );
  };
  const wallet = (index: number, value: 'active' | 'frozen') => {
    Object.assign(model.people[index] ?? {}, { wallet: value });
    return set('UPDATE accounts SET status = ? WHERE id = ?', value, accountOf(world, index));
  };
  const mode = (value: rules.Mode) => {
    model.mode = value;
    return set('UPDATE ledger SET mode = ? WHERE id = 1', value);
  };
  const app = (isActive: boolean) => {
    model.isAppActive = isActive;
    return set('UPDATE apps SET status = ? WHERE id = ?', isActive ? 'active' : 'suspended', world.app);
  };
  const pass = async () => {
    world.now += rules.inquiryMs + 10_000;
  };
  const ways: Partial<Record<Trouble, readonly [() => Promise<unknown>, () => Promise<unknown>]>> = {
    'payer suspended': [() => status(payer, false), () => status(payer, true)],
    'payee suspended': [() => status(payee, false), () => status(payee, true)],
    'payer frozen': [() => wallet(payer, 'frozen'), () => wallet(payer, 'active')],
    'payee frozen': [() => wallet(payee, 'frozen'), () => wallet(payee, 'active')],
    'ledger frozen': [() => mode('frozen'), () => mode('open')],
    'ledger disabled': [() => mode('disabled'), () => mode('open')],
    'app suspended': [() => app(false), () => app(true)],
    'too late': [pass, async () => {}],
    'money gone': [() => emptyWallet(model, world, payer), async () => {}],
    'grant revoked': [() => endGrant(world, grant, 'person'), async () => {}],
    'grant past its end': [() => setLimits(world, grant, { expiresAt: world.now - 10_000 }), async () => {}],
  };
  const [begin, end] = ways[trouble] ?? [async () => {}, async () => {}];
  if (trouble !== 'none') note(world, `trouble: ${trouble}`);
  await begin();
  try {
    return await act();
  } finally {
    await end();
  }
}

export async function fund(
  model: rules.Model,
  world: MoneyWorld,
  index: number,
  amount: number,
): Promise<void> {
  const ids = { from: accountOf(world, 'gateway'), to: accountOf(world, index) };
  assert.equal(await sendAdjustment(world, { kind: 'correction', ...ids, amount }), 'moved');
  rules.move(model, 'gateway', index, amount);
}

export async function emptyWallet(model: rules.Model, world: MoneyWorld, index: number): Promise<void> {
  const amount = rules.balanceOf(model, index);
  if (amount === 0) return;
  const ids = { from: accountOf(world, index), to: accountOf(world, 'gateway') };
  assert.equal(await sendAdjustment(world, { kind: 'correction', ...ids, amount }), 'moved');
  rules.move(model, index, 'gateway', amount);
}

export async function endGrant(
  world: MoneyWorld,
  grant: rules.Grant | null,
  by: 'person' | 'expired',
): Promise<void> {
  if (!grant || grant.end !== null) return;
  grant.end = by;
  // In the past, so that a slow clock does not confirm before the end.
  await world.raw.batch([
    text('UPDATE grants SET revoked_at = ?, revoked_by = ? WHERE id = ?', [world.now, by, grant.id]),
  ]);
}

export async function setLimits(
  world: MoneyWorld,
  grant: rules.Grant | null,
  changes: Partial<rules.Limits>,
): Promise<void> {
  if (!grant || grant.end !== null) return;
  grant.limits = { ...grant.limits, ...changes };
  const { perTransfer, perPeriod, total, maxUses, payees, expiresAt, feeBps, feeFixed } = grant.limits;
  const handles = payees === null ? null : JSON.stringify(payees.map((index) => handleOf(world, index)));
  await world.raw.batch([
    text(
      `UPDATE grants SET per_transfer = ?, per_period = ?, period_ms = ?, total_limit = ?, max_uses = ?, payees = ?,
        expires_at = ?, fee_bps = ?, fee_fixed = ? WHERE id = ?`,
      [
        perTransfer,
        perPeriod,
        perPeriod === null ? null : rules.periodMs,
        total,
        maxUses,
        handles,
        expiresAt,
        feeBps,
        feeFixed,
        grant.id,
      ],
    ),
  ]);
}
