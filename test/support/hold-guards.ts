import { beforeAll, it } from 'vitest';
import { appAccount, fundedWallet } from './money.ts';
import { newMember } from './people.ts';
import type { Target } from './target.ts';

const check = (name: string) => `CHECK constraint failed: ${name}`;
const rules = `'{"app":{"fixed":0,"bps":100,"least":0,"most":null,"payer":"payer"},"platform":null}'`;

/** The second guards of holds, tested individually because the code never triggers them. */
export function holdGuards(
  target: Target,
  expectRefusal: (reason: string, sql: string) => Promise<void>,
): void {
  let parties = '';
  let app = '';
  let accounts = '';
  beforeAll(async () => {
    const [payer, payee] = [(await newMember(target)).handle, (await newMember(target)).handle];
    app = `app_${payer}`;
    await target.rows(
      `INSERT INTO apps (id, owner, name, type, created_at, updated_at) VALUES (?, ?, 'Shop', 'web', 1, 1)`,
      [app, payee],
    );
    const ids = [await fundedWallet(target, payer, 10_000), await fundedWallet(target, payee, 0)];
    accounts = [...ids, await appAccount(target, app)].join(', ');
    parties = `'${payer}', '${payee}'`;
    await target.rows(
      `INSERT INTO grants (id, app_id, handle, scopes, per_transfer, fee_bps, created_at)
        VALUES ('grt_${payer}', '${app}', '${payer}', '[]', 9000, 1000, 1)`,
    );
  });

  const insert = (id: string, holdRules = rules, more = '', value = '') =>
    `INSERT INTO transfers (id, payer, payee, payer_account, payee_account, app_account, asset, amount, payer_fee, payee_fee,
        app_fee, platform_fee, debit_total, net_amount, app_id, grant_id, created_at, expires_at, hold_rules${more})
      SELECT '${id}', ${parties}, ${accounts}, 'IDR', 100, 1, 0, 1, 0, 101, 100, '${app}',
        (SELECT id FROM grants WHERE app_id = '${app}'), 10, 20, ${holdRules}${value}`;
  const set = (id: string, changes: string) => `UPDATE transfers SET ${changes} WHERE id = '${id}'`;
  const hold = `held_at = 15, held_by = 'op', held_total = 101, expires_at = 604800015`;
  const capture = (amount: number, fee: number) =>
    `status = 'confirmed', confirmed_at = 16, confirmed_by = 'op', amount = ${amount}, payer_fee = ${fee}, app_fee = ${fee},
      debit_total = ${amount + fee}, net_amount = ${amount}`;
  // Either of two guards, on order and terms, whichever comes first.
  const fixed = 'guard:transfer_';

  it('rejects a hold that has no rules, is held from the start, or is paid without being held', async () => {
    await expectRefusal(check('transfer_hold'), insert('h0', `'[]'`));
    await expectRefusal(check('transfer_held_total'), insert('h0', rules, ', held_total', ', 101'));
    const held = insert('h0', rules, ', held_at, held_by, held_total', `, 15, 'op', 101`);
    await expectRefusal('guard:transfer_order', held);
    await target.rows(insert('h1'));
    await expectRefusal(
      check('transfer_held'),
      set('h1', `status = 'confirmed', confirmed_at = 15, confirmed_by = 'op'`),
    );
    await expectRefusal(check('transfer_released'), set('h1', `status = 'cancelled', released_at = 15`));
    await target.rows(insert('h2', 'NULL'));
    await expectRefusal(check('transfer_held'), set('h2', hold));
  });

  it('rejects a hold that is incomplete, too late, too long, or changed', async () => {
    await expectRefusal(check('transfer_held_by'), set('h1', hold.replace(`'op'`, 'NULL')));
    for (const [from, to] of [
      ['604800015', '604800016'],
      ['held_total = 101', 'held_total = 100'],
      ['held_at = 15', 'held_at = 20'],
      [`held_by = 'op'`, `held_by = 'op', amount = 99`],
    ] as const)
      await expectRefusal(fixed, set('h1', hold.replace(from, to)));
    await target.rows(set('h1', hold));
    for (const change of [
      ...['held_at = 16', `held_by = 'x'`, 'held_total = 102', 'expires_at = 17', `approval_id = 'x'`],
      ...['hold_rules = NULL', 'amount = 100', 'app_fee = 0', `verifier_hash = 'x'`],
    ])
      await expectRefusal(fixed, set('h1', change));
    await expectRefusal('guard:ledger_immutable', `DELETE FROM transfers WHERE id = 'h1'`);
    await expectRefusal(check('transfer_released'), set('h1', `status = 'cancelled'`));
  });

  it('rejects a capture above the hold or its fee, from a suspended person, or for a second time', async () => {
    await expectRefusal(fixed, set('h1', capture(101, 1)));
    await expectRefusal(fixed, set('h1', capture(50, 2)));
    await target.rows(insert('h3', rules.replace('"bps":100', '"bps":0')));
    await target.rows(set('h3', hold));
    await expectRefusal('guard:transfer_fee_shown', set('h3', capture(50, 1)));
    const suspend = (status: string) =>
      target.rows(
        `UPDATE identities SET status = '${status}' WHERE handle = (SELECT payer FROM transfers WHERE id = 'h3')`,
      );
    await suspend('suspended');
    await expectRefusal('guard:transfer_capture_allowed', set('h3', capture(50, 0)));
    await suspend('active');
    // A capture states its amounts, including unchanged ones.
    const [unnamed] = capture(100, 1).split(', amount');
    await expectRefusal('guard:transfer_whole', set('h1', unnamed ?? ''));
    await target.rows(set('h1', capture(50, 1)));
    await expectRefusal(fixed, set('h1', capture(40, 1)));
  });
}
