import { beforeAll, it } from 'vitest';
import { adjust, fundedWallet, gateway, owe } from './money.ts';
import { newMember } from './people.ts';
import type { Target } from './target.ts';

const guard = (name: string) => `guard:${name}`;
const check = (name: string) => `CHECK constraint failed: ${name}`;

/** The second guards of withdrawals, tested individually because the code never triggers them. */
export function withdrawalGuards(
  target: Target,
  expectRefusal: (reason: string, sql: string) => Promise<void>,
): void {
  let handle = '';
  let account = 0;
  beforeAll(async () => {
    ({ handle } = await newMember(target));
    account = await fundedWallet(target, handle, 1000);
  });

  const insert = (id: string, changes: Record<string, string | number> = {}) => {
    const row = {
      id: `'${id}'`,
      handle: `'${handle}'`,
      account,
      asset: `'IDR'`,
      amount: 100,
      fee: 5,
      gateway: `'sandbox'`,
      destination_enc: `'sealed'`,
      destination_hint: `'BCA'`,
      created_at: 1,
      expires_at: 100,
      ...changes,
    };
    return `INSERT INTO withdrawals (${Object.keys(row).join(', ')}) VALUES (${Object.values(row).join(', ')})`;
  };
  const set = (id: string, changes: string) => `UPDATE withdrawals SET ${changes} WHERE id = '${id}'`;
  const hold = `status = 'held', held_at = 10, held_by = 'op', next_at = 10`;
  const submit = `status = 'submitted', submitted_at = 20, next_at = 20`;
  const end = (status: string) => `status = '${status}', ended_at = 30, next_at = NULL`;

  it('rejects a withdrawal that is out of bounds, out of order or changed', async () => {
    await expectRefusal(check('withdrawal_amount'), insert('w0', { amount: 0 }));
    await expectRefusal(check('withdrawal_amount'), insert('w0', { fee: -1 }));
    await expectRefusal(
      guard('withdrawal_order'),
      insert('w0', { status: `'held'`, held_at: 1, held_by: `'x'` }),
    );
    for (const id of ['w1', 'w2', 'w3', 'w4']) await target.rows(insert(id));
    await expectRefusal(guard('withdrawal_order'), set('w1', `status = 'gone'`));
    for (const status of ['submitted', 'paid', 'cancelled', 'returned'])
      await expectRefusal(guard('withdrawal_order'), set('w1', `status = '${status}'`));
    await expectRefusal(check('withdrawal_times'), set('w1', `status = 'held', next_at = 10`));
    await expectRefusal(
      check('withdrawal_in_time'),
      set('w1', hold.replace('held_at = 10', 'held_at = 100')),
    );
    await expectRefusal(check('withdrawal_due'), set('w1', hold.replace('next_at = 10', 'next_at = NULL')));
    await target.rows(set('w1', hold));
    for (const change of [
      'amount = 1',
      'fee = 1',
      `gateway = 'x'`,
      `handle = 'x'`,
      'account = 2',
      `id = 'x'`,
    ])
      await expectRefusal(guard('withdrawal_fixed'), set('w1', change));
    await expectRefusal(guard('withdrawal_fixed'), set('w1', `destination_enc = ''`));
    await expectRefusal(guard('ledger_immutable'), `DELETE FROM withdrawals WHERE id = 'w1'`);
    for (const status of ['paid', 'failed', 'returned'])
      await expectRefusal(guard('withdrawal_order'), set('w1', end(status)));
    await owe(target, account, 1);
    await expectRefusal(guard('withdrawal_debt'), set('w1', submit));
    await adjust(target, { from: gateway, to: account, amount: 1 });
    await target.rows(set('w1', submit));
    await expectRefusal(guard('withdrawal_order'), set('w1', end('cancelled')));
    await target.rows(set('w1', `${end('paid')}, payout = 'p1'`));
    for (const status of ['failed', 'submitted', 'cancelled'])
      await expectRefusal(guard('withdrawal_order'), set('w1', `status = '${status}'`));
    await target.rows(set('w1', `destination_enc = ''`));
    await target.rows(`DELETE FROM withdrawals WHERE id = 'w4'`);
  });

  it('rejects one payout for two withdrawals, a payout above the balance, and an incomplete posting', async () => {
    await target.rows(set('w2', hold));
    await target.rows(set('w2', submit));
    await expectRefusal(
      'UNIQUE constraint failed: withdrawals.gateway, withdrawals.payout',
      set('w2', `${end('paid')}, payout = 'p1'`),
    );
    await target.rows(insert('big', { amount: 5000 }));
    await expectRefusal(check('insufficient_internal_credit'), set('big', hold));
    await target.rows(insert('foreign', { asset: `'EUR'` }));
    await expectRefusal(guard('withdrawal_whole'), set('foreign', hold));
  });
}
