import assert from 'node:assert/strict';
import { all } from '../../src/db/database.ts';
import { listUnexplained } from '../../src/features/admin/unexplained.ts';
import type * as rules from './money-model.ts';
import { accountOf } from './money-setting.ts';
import { appPart, type Order, tillOf } from './money-till.ts';
import { type MoneyWorld, text } from './money-world.ts';

/**
 * The net amount that an account received for each document, without debts, which it owes; ids in legs end at a dot.
 */
async function netByRef(world: MoneyWorld, account: number): Promise<Map<string, number>> {
  const rows = await all(
    world.raw,
    text<{ ref: string; net: number }>(
      `SELECT coalesce(j.ref, iif(instr(l.ref, '.') > 0, substr(l.ref, 1, instr(l.ref, '.') - 1), l.ref)) AS ref,
          sum(iif(l.credit = ?1, l.amount, -l.amount)) AS net
        FROM legs l LEFT JOIN adjustments j ON j.id = l.ref AND j.kind = 'second_payment'
        WHERE l.seq > ?2 AND ?1 IN (l.debit, l.credit) AND l.phase IN ('posted', 'post')
          AND l.kind NOT IN ('debt', 'debt_payment') GROUP BY 1`,
      [account, world.firstLeg],
    ),
  );
  return new Map(rows.map(({ ref, net }) => [ref, net]));
}

/**
 * Apps earned no more than people were shown: for each payment at most the fee of its inquiry, its approval or its
 * checkout.
 */
export async function expectEarnings(model: rules.Model, world: MoneyWorld): Promise<void> {
  const shown = new Map(model.transfers.map(({ id, appFee }) => [id, appFee]));
  for (const one of tillOf(world).deposits) shown.set(one.id, appPart(one));
  for (const [ref, net] of await netByRef(world, accountOf(world, 'app')))
    assert.ok(
      net <= (shown.get(ref) ?? 0),
      `the app earned ${net} of ${ref}, and people saw ${shown.get(ref)}`,
    );
}

/** Documents with an open case or an administrator's decision. */
async function knownToDesk(world: MoneyWorld): Promise<Set<string>> {
  const { deps } = tillOf(world);
  const open = await Promise.all(
    world.people.map(({ handle }) => listUnexplained(deps, 'operator', { pid: `${handle}@pid` })),
  );
  const decided = await all(
    world.raw,
    text<{ id: string }>(
      "SELECT target AS id FROM audit_log WHERE actor = 'operator' UNION SELECT deposit FROM second_payments WHERE status = 'returned'",
      [],
    ),
  );
  return new Set([...open.flatMap(({ data }) => data), ...decided].map(({ id }) => id));
}

/** The amount that the provider received for an order and did not return; undefined if unknown. */
function keptOf({ state, payments, returned }: Order): number | undefined {
  const received = payments.reduce((sum, { amount }) => sum + amount, 0);
  if (state === 'partly_refunded') return returned === undefined ? undefined : received - returned;
  return state === 'refunded' || state === 'failed' ? received - (payments[0]?.amount ?? 0) : received;
}

/**
 * Provider, bank and ledger agree: the amount that the provider received for an order and did not return is in the
 * ledger, and the amount that left the ledger for a payout has arrived. Any difference has an open case or an
 * administrator's decision.
 */
export async function expectExplained(world: MoneyWorld): Promise<void> {
  const { deposits, withdrawals, provider } = tillOf(world);
  const known = await knownToDesk(world);
  const entered = await netByRef(world, accountOf(world, 'gateway'));
  const left = await netByRef(world, accountOf(world, 'payout'));
  const differ = (id: string, provided: number | undefined, booked: number) =>
    assert.ok(
      provided === booked || known.has(id),
      `${id}: the provider has ${provided}, the ledger ${booked}`,
    );
  for (const { id, order } of deposits) differ(id, order ? keptOf(order) : 0, -(entered.get(id) ?? 0));
  for (const { id, amount } of withdrawals)
    differ(id, provider.payouts.get(id)?.state === 'paid' ? amount : 0, left.get(id) ?? 0);
}
