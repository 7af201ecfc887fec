import { it } from 'vitest';
import { appAccount, fundedWallet, gateway, suspense } from './money.ts';
import { freshHandle, newMember } from './people.ts';
import type { Target } from './target.ts';

const guard = (name: string) => `guard:${name}`;
const check = (name: string) => `CHECK constraint failed: ${name}`;

type Columns = Record<string, string | number>;

/** A decision by the operator, unless columns are overridden. */
export function deskDecision(target: string, changes: Columns = {}): string {
  const row = {
    id: `'prp_${freshHandle()}'`,
    action: `'deposit.resolved'`,
    target: `'${target}'`,
    amount: 100,
    gainers: `'[]'`,
    seen: `'[]'`,
    detail: `'{}'`,
    reason: `'test'`,
    second_above: 100,
    maker: `'operator'`,
    created_at: 1,
    expires_at: 9,
    outcome: `'alone'`,
    decided_at: 1,
    ...changes,
  };
  return `INSERT INTO desk_decisions (${Object.keys(row).join(', ')}) VALUES (${Object.values(row).join(', ')})`;
}

/** The second guards of administrators' decisions, tested individually because the code never triggers them. */
export function deskGuards(
  target: Target,
  expectRefusal: (reason: string, sql: string) => Promise<void>,
): void {
  const waiting = { outcome: 'NULL', decided_at: 'NULL' };

  it('rejects a decision in the decider’s own favour, one above the limit by a single administrator, and one made twice by the same person [D-96]', async () => {
    const [maker, ben] = [`'ada'`, { gainers: `'["ben"]'`, maker: `'ada'` }];
    await expectRefusal(check('desk_own_favour'), deskDecision('d', { ...ben, maker: `'ben'` }));
    await expectRefusal(check('desk_second'), deskDecision('d', { maker, amount: 101 }));
    await expectRefusal(check('desk_outcome'), deskDecision('d', { outcome: `'done'` }));
    await expectRefusal(check('desk_decided'), deskDecision('d', { decided_at: 'NULL' }));
    await expectRefusal(check('desk_decided'), deskDecision('d', { decided_by: `'ben'` }));
    await target.rows(deskDecision('d', { ...ben, ...waiting, id: `'prp_1'`, amount: 101 }));
    const change = (columns: string) => `UPDATE desk_decisions SET ${columns} WHERE id = 'prp_1'`;
    const approve = (by: string, at = 5) =>
      change(`outcome = 'approved', decided_by = '${by}', decided_at = ${at}`);
    await expectRefusal(check('desk_second'), change(`outcome = 'alone', decided_at = 5`));
    await expectRefusal(check('desk_two_people'), approve('ada'));
    await expectRefusal(check('desk_own_favour'), approve('ben'));
    await expectRefusal(check('desk_in_time'), approve('eve', 9));
    for (const column of [`maker = 'eve'`, `gainers = '[]'`, 'amount = 1', `seen = '[1]'`, 'expires_at = 99'])
      await expectRefusal(guard('desk_decision_fixed'), change(column));
    await target.rows(approve('eve'));
    await expectRefusal(guard('desk_decision_fixed'), change(`outcome = 'rejected'`));
    await expectRefusal(guard('desk_decision_fixed'), `DELETE FROM desk_decisions WHERE id = 'prp_1'`);
  });

  it('rejects an administrator’s movement of money without a decision, or in a decider’s favour, whatever the decision contains [D-96]', async () => {
    const { handle } = await newMember(target);
    const [owner, wallet] = [`'${handle}'`, await fundedWallet(target, handle, 1_000)];
    const app = `app_of_${handle}`;
    await target.rows(
      `INSERT INTO apps (id, owner, name, type, created_at, updated_at) VALUES (?, ?, 'Shop', 'web', 1, 1)`,
      [app, handle],
    );
    const review = async (id: string) => {
      await target.rows(`INSERT INTO deposits (id, handle, account, asset, gross, app_fee, platform_fee, net, gateway,
          created_at, updated_at, expires_at) VALUES ('${id}', ${owner}, ${wallet}, 'IDR', 100, 0, 0, 100, 'sandbox', 1, 1, 9)`);
      await target.rows(`UPDATE deposits SET status = 'review', payment = 'pay_${id}' WHERE id = '${id}'`);
    };
    const credit = (id: string) =>
      `UPDATE deposits SET status = 'credited', credited_at = 5 WHERE id = '${id}'`;
    for (const id of ['dep_own', 'dep_lie', 'dep_two']) await review(id);
    await expectRefusal(guard('desk_decided'), credit('dep_own'));
    await target.rows(deskDecision('dep_own', { ...waiting, maker: `'eve'` }));
    await expectRefusal(guard('desk_decided'), credit('dep_own'));
    await target.rows(deskDecision('dep_lie', { maker: owner }));
    await expectRefusal(guard('own_favour'), credit('dep_lie'));
    const approved = { maker: `'eve'`, outcome: `'approved'`, decided_by: owner };
    await target.rows(deskDecision('dep_two', approved));
    await expectRefusal(guard('own_favour'), credit('dep_two'));
    await target.rows(deskDecision('dep_own', { maker: `'eve'` }));
    await target.rows(credit('dep_own'));

    const correction = (
      to: number,
    ) => `INSERT INTO adjustments (id, kind, debit, credit, amount, reason, actor, at)
      VALUES ('adj_${to}', 'correction', ${gateway}, ${to}, 5, 'test', ${owner}, 9)`;
    for (const to of [wallet, await appAccount(target, app)])
      await expectRefusal(guard('own_favour'), correction(to));

    const twice = (id: string) =>
      `UPDATE second_payments SET status = 'credited', decided_at = 5 WHERE id = '${id}'`;
    for (const id of ['adj_own', 'adj_two', 'adj_good'])
      await target.rows(`INSERT INTO adjustments (id, kind, debit, credit, amount, ref, reason, actor, at)
        VALUES ('${id}', 'second_payment', ${gateway}, ${suspense}, 5, 'dep_own', 'test', 'gateway', 9)`);
    await expectRefusal(guard('desk_decided'), twice('adj_own'));
    await target.rows(deskDecision('adj_own', { id: `'prp_d_own'`, maker: owner }));
    await expectRefusal(guard('own_favour'), twice('adj_own'));
    await target.rows(deskDecision('adj_two', { ...approved, id: `'prp_d_two'` }));
    await expectRefusal(guard('own_favour'), twice('adj_two'));
    await target.rows(deskDecision('adj_good', { id: `'prp_d_good'`, maker: `'eve'` }));
    const become = (columns: string) => `UPDATE second_payments SET ${columns} WHERE id = 'adj_good'`;
    await expectRefusal(check('second_payment_status'), become(`status = 'lost', decided_at = 5`));
    await expectRefusal(check('second_payment_decided'), become(`decided_at = 5`));
    await target.rows(twice('adj_good'));
    for (const changes of [`status = 'open', decided_at = NULL`, `status = 'returned'`, 'amount = 6'])
      await expectRefusal(guard('second_payment_fixed'), become(changes));
    await expectRefusal(guard('ledger_immutable'), `DELETE FROM second_payments WHERE id = 'adj_good'`);
    await expectRefusal(
      'UNIQUE constraint failed: adjustments.ref',
      `INSERT INTO adjustments (id, kind, debit, credit, amount, ref, reason, actor, at)
        VALUES ('adj_again', 'correction', ${suspense}, ${gateway}, 5, 'adj_good', 'test', 'eve', 9)`,
    );

    await target.rows(`INSERT INTO withdrawals (id, handle, account, asset, amount, fee, gateway, destination_enc,
        destination_hint, created_at, expires_at) VALUES ('wdr_own', ${owner}, ${wallet}, 'IDR', 100, 5, 'sandbox', 's', 'h', 1, 100)`);
    const set = (columns: string) => `UPDATE withdrawals SET ${columns} WHERE id = 'wdr_own'`;
    await target.rows(set(`status = 'held', held_at = 10, held_by = 'op', next_at = 10`));
    await target.rows(deskDecision('wdr_own', { maker: owner }));
    await expectRefusal(guard('own_favour'), set(`status = 'cancelled', ended_at = 30, next_at = NULL`));
  });

  it('rejects decisions in favour of an app whose owner is the actor in the audit log [D-96]', async () => {
    const { handle } = await newMember(target);
    const app = `app_of_${handle}`;
    await target.rows(
      `INSERT INTO apps (id, owner, name, type, created_at, updated_at, token_limit) VALUES (?, ?, 'Shop', 'web', 1, 1, 10)`,
      [app, handle],
    );
    const line = (actor: string) =>
      target.rows(
        `INSERT INTO audit_log (at, actor, action, target, detail) VALUES (1, ?, 'app.marked', ?, '{}')`,
        [actor, app],
      );
    const set = (columns: string) => `UPDATE apps SET ${columns} WHERE id = '${app}'`;
    const resource = `INSERT INTO app_resources (resource, app_id, origin, proven_by)
      VALUES ('https://${handle}.intranet', '${app}', 'https://${handle}.intranet', 'desk')
      ON CONFLICT (resource) DO UPDATE SET clients = '["app_x"]'`;
    const favours = [
      set('checked_at = 1'),
      set('first_party_at = 1, checked_at = coalesce(checked_at, 1)'),
      set('token_limit = NULL'),
      set('token_limit = 11'),
      set(`status = 'active'`),
      resource,
      resource,
    ];
    await target.rows(set(`status = 'suspended'`));
    for (const favour of favours) {
      await line(handle);
      await expectRefusal(guard('own_favour'), favour);
      await line('operator');
      await target.rows(favour);
    }
    await line(handle);
    await target.rows(set(`status = 'suspended', checked_at = NULL, first_party_at = NULL, token_limit = 5`));
  });
}
