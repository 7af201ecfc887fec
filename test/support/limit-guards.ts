import { beforeAll, expect, it } from 'vitest';
import { fundedWallet } from './money.ts';
import { newMember } from './people.ts';
import type { Target } from './target.ts';

const guard = (name: string) => `guard:${name}`;
const check = (name: string) => `CHECK constraint failed: ${name}`;
const none = { payment: null, day: null, month: null, held: null };
/** Noon in Jakarta. */
const noon = Date.UTC(2026, 0, 31, 5);

/** The second guards of limits, tested without the code, which never triggers them. */
export function limitGuards(
  target: Target,
  expectRefusal: (reason: string, sql: string) => Promise<void>,
): void {
  let payer = '';
  let payee = '';
  let from = 0;
  let to = 0;
  beforeAll(async () => {
    [payer, payee] = [(await newMember(target)).handle, (await newMember(target)).handle];
    [from, to] = [await fundedWallet(target, payer, 10_000), await fundedWallet(target, payee, 0)];
  });

  const limit = (limits: object | null) =>
    target.rows('UPDATE ledger SET limits = ?', [
      limits && JSON.stringify({ unverified: { ...none, ...limits }, verified: none }),
    ]);
  const insert = (id: string, amount: number, isCounted = 0) =>
    `INSERT INTO transfers (id, payer, payee, payer_account, payee_account, asset, amount, payer_fee, payee_fee,
        app_fee, platform_fee, debit_total, net_amount, created_at, expires_at, counted)
      VALUES ('${id}', '${payer}', '${payee}', ${from}, ${to}, 'IDR', ${amount}, 0, 0, 0, 0, ${amount}, ${amount}, 1, ${noon * 2}, ${isCounted})`;
  const inquiry = (id: string, amount: number) => target.rows(insert(id, amount));
  const confirm = (id: string, at = noon, more = ', counted = 1') =>
    `UPDATE transfers SET status = 'confirmed', confirmed_at = ${at}, confirmed_by = 'op'${more} WHERE id = '${id}'`;
  const insertQuote = (id: string, amount: number, isCounted = 0) =>
    `INSERT INTO withdrawals (id, handle, account, asset, amount, fee, gateway, destination_enc, destination_hint,
        created_at, expires_at, counted)
      VALUES ('${id}', '${payer}', ${from}, 'IDR', ${amount}, 5, 'sandbox', 'sealed', 'BCA', 1, ${noon * 2}, ${isCounted})`;
  const quote = (id: string, amount: number) => target.rows(insertQuote(id, amount));
  const hold = (id: string, more = ', counted = 1') =>
    `UPDATE withdrawals SET status = 'held', held_at = ${noon}, held_by = 'op', next_at = 10${more} WHERE id = '${id}'`;
  const outflow = () =>
    target.rows(`SELECT day, day_total, month_total FROM outflows WHERE account = ${from}`);

  it('rejects a payment that exceeds a limit or is not counted', async () => {
    await limit({ payment: 500, day: 800, month: 1000 });
    await expectRefusal(check('transfer_counted'), insert('l1', 501, 1));
    await inquiry('l1', 501);
    await expectRefusal(guard('limit_exceeded'), confirm('l1'));
    await inquiry('l2', 500);
    await expectRefusal(guard('leg_allowed'), confirm('l2', noon, ''));
    await expectRefusal(guard('transfer_counted'), `UPDATE transfers SET counted = 1 WHERE id = 'l2'`);
    await target.rows(confirm('l2'));
    await expectRefusal(guard('transfer_counted'), `UPDATE transfers SET counted = 0 WHERE id = 'l2'`);
    expect(await outflow()).toEqual([{ day: '2026-01-31', day_total: 500, month_total: 500 }]);
    await inquiry('l3', 301);
    await expectRefusal(guard('limit_exceeded'), confirm('l3'));
  });

  it('rejects a withdrawal that exceeds a limit or is not counted', async () => {
    await expectRefusal(check('withdrawal_counted'), insertQuote('lw1', 296, 1));
    await quote('lw1', 296);
    await expectRefusal(guard('limit_exceeded'), hold('lw1'));
    await quote('lw2', 295);
    await expectRefusal(guard('leg_allowed'), hold('lw2', ''));
    await expectRefusal(guard('withdrawal_counted'), `UPDATE withdrawals SET counted = 1 WHERE id = 'lw2'`);
    await target.rows(hold('lw2'));
    expect(await outflow()).toEqual([{ day: '2026-01-31', day_total: 800, month_total: 800 }]);
    await target.rows(
      `UPDATE withdrawals SET status = 'cancelled', ended_at = 30, next_at = NULL WHERE id = 'lw2'`,
    );
    expect(await outflow()).toEqual([{ day: '2026-01-31', day_total: 500, month_total: 500 }]);
  });

  it('counts days and months in Jakarta time, and counts a payment with a late clock toward the current day', async () => {
    // 23:59 and midnight.
    await inquiry('l4', 100);
    await target.rows(confirm('l4', Date.UTC(2026, 0, 31, 16, 59)));
    expect(await outflow()).toEqual([{ day: '2026-01-31', day_total: 600, month_total: 600 }]);
    await inquiry('l5', 100);
    await target.rows(confirm('l5', Date.UTC(2026, 0, 31, 17)));
    expect(await outflow()).toEqual([{ day: '2026-02-01', day_total: 100, month_total: 100 }]);
    await inquiry('l6', 50);
    await target.rows(confirm('l6', noon));
    expect(await outflow()).toEqual([{ day: '2026-02-01', day_total: 150, month_total: 150 }]);
    await expectRefusal(
      check('outflow_totals'),
      `UPDATE outflows SET day_total = -1 WHERE account = ${from}`,
    );
  });

  it('rejects a payment that exceeds the recipient’s balance limit', async () => {
    await limit({ held: 1000 });
    await inquiry('l7', 251);
    await expectRefusal(guard('leg_allowed'), confirm('l7'));
    const sweep = `INSERT INTO adjustments (id, kind, debit, credit, amount, reason, actor, at)
      VALUES ('lsweep', 'sweep', ${from}, ${to}, 251, 'sweep', '${payee}', 1)`;
    await expectRefusal(guard('leg_allowed'), sweep);
    await inquiry('l8', 250);
    await target.rows(confirm('l8'));
    // Money from outside is never rejected.
    await fundedWallet(target, payee, 5000);
  });

  it('rejects a level not set by an administrator, and limits that are not an object', async () => {
    const set = (handle: string, level: string) =>
      `UPDATE identities SET level = '${level}' WHERE handle = '${handle}'`;
    const line = (actor: string, level: string) =>
      target.rows(`INSERT INTO audit_log (at, actor, action, target, detail)
        VALUES (1, '${actor}', 'identity.level', '${payer}', '{"level":"${level}"}')`);
    await expectRefusal(guard('level_decided'), set(payer, 'verified'));
    await line(payer, 'verified');
    await expectRefusal(guard('level_decided'), set(payer, 'verified'));
    const insert = `INSERT INTO identities (handle, skeleton, ticket, created_at, level)
      VALUES ('leveller', 'leveller', 'leveller', 1, 'verified')`;
    await expectRefusal(guard('level_decided'), insert);
    await line(payee, 'trusted');
    await expectRefusal(check('identity_level'), set(payer, 'trusted'));
    await line(payee, 'verified');
    await target.rows(set(payer, 'verified'));
    await expectRefusal(guard('level_decided'), set(payer, 'unverified'));
    await expectRefusal(check('ledger_limits'), `UPDATE ledger SET limits = '[]'`);
    await limit(null);
  });
}
