import { beforeAll, expect, it } from 'vitest';
import { deskDecision } from './desk-guards.ts';
import { adjust, appAccount, fundedWallet, gateway, owe } from './money.ts';
import { newMember } from './people.ts';
import type { Target } from './target.ts';

const guard = (name: string) => `guard:${name}`;
const check = (name: string) => `CHECK constraint failed: ${name}`;
const unique = (columns: string) => `UNIQUE constraint failed: ${columns}`;

type Columns = Record<string, string | number>;

function insert(table: string, row: Columns): string {
  return `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.values(row).join(', ')})`;
}

/** The second guards of money, tested individually because the code never triggers them. */
export function ledgerGuards(
  target: Target,
  expectRefusal: (reason: string, sql: string) => Promise<void>,
): void {
  let payer = '';
  let payee = '';
  let app = '';
  let accounts = { payer: 0, payee: 0, app: 0 };
  let count = 0;

  beforeAll(async () => {
    [payer, payee] = [(await newMember(target)).handle, (await newMember(target)).handle];
    app = `app_${payer}`;
    await target.rows(
      `INSERT INTO apps (id, owner, name, type, created_at, updated_at) VALUES (?, ?, 'Shop', 'web', 1, 1)`,
      [app, payee],
    );
    accounts = {
      payer: await fundedWallet(target, payer, 1000),
      payee: await fundedWallet(target, payee, 0),
      app: await appAccount(target, app),
    };
  });

  const leg = (changes: Columns = {}) => {
    count += 1;
    const { payer: debit, payee: credit } = accounts;
    return insert('legs', {
      kind: `'second_payment'`,
      ref: `'r${count}'`,
      n: 1,
      debit,
      credit,
      amount: 5,
      at: 9,
      ...changes,
    });
  };
  const transferOf = (id: string, changes: Columns = {}) =>
    insert('transfers', {
      id: `'${id}'`,
      payer: `'${payer}'`,
      payee: `'${payee}'`,
      payer_account: accounts.payer,
      payee_account: accounts.payee,
      asset: `'IDR'`,
      amount: 100,
      payer_fee: 0,
      payee_fee: 0,
      app_fee: 0,
      platform_fee: 0,
      debit_total: 100,
      net_amount: 100,
      created_at: 10,
      expires_at: 20,
      ...changes,
    });
  const confirmed = `status = 'confirmed', confirmed_at = 15, confirmed_by = 'op'`;
  const set = (id: string, changes: string) => `UPDATE transfers SET ${changes} WHERE id = '${id}'`;
  const refundOf = (id: string, of: string, changes: Columns = {}) =>
    transferOf(id, {
      payer: `'${payee}'`,
      payee: `'${payer}'`,
      payer_account: accounts.payee,
      payee_account: accounts.payer,
      amount: 30,
      debit_total: 30,
      net_amount: 30,
      status: `'confirmed'`,
      confirmed_at: 16,
      confirmed_by: `'op'`,
      refund_of: `'${of}'`,
      ...changes,
    });
  const grant = (id: string, handle: string, columns: Columns) =>
    insert('grants', {
      id: `'${id}'`,
      app_id: `'${app}'`,
      handle: `'${handle}'`,
      scopes: `'[]'`,
      created_at: 1,
      ...columns,
    });
  const adjustment = (id: string, changes: Columns = {}) =>
    insert('adjustments', {
      id: `'${id}'`,
      kind: `'correction'`,
      debit: accounts.payer,
      credit: gateway,
      amount: 1,
      reason: `'r'`,
      actor: `'a'`,
      at: 1,
      ...changes,
    });

  it('rejects an account that is out of bounds or changes owner, and a balance below zero', async () => {
    const account = (row: Columns) =>
      insert('accounts', { kind: `'wallet'`, owner: `'x'`, asset: `'IDR'`, created_at: 1, ...row });
    await expectRefusal(check('account_kind'), account({ kind: `'purse'` }));
    await expectRefusal(check('account_status'), account({ status: `'lost'` }));
    await expectRefusal(check('account_overdraw'), account({ may_overdraw: 1 }));
    await expectRefusal(check('counter_range'), account({ credits_pending: -1 }));
    await expectRefusal(
      unique('accounts.owner, accounts.kind, accounts.asset'),
      account({ owner: `'${payer}'` }),
    );
    await expectRefusal(check('insufficient_internal_credit'), leg({ amount: 1001 }));
    await expectRefusal(check('insufficient_internal_credit'), leg({ amount: 1001, phase: `'pending'` }));
    for (const change of [`owner = 'x'`, `kind = 'app'`, `asset = 'USD'`, 'may_overdraw = 1', 'id = 99'])
      await expectRefusal(
        guard('ledger_immutable'),
        `UPDATE accounts SET ${change} WHERE id = ${accounts.payer}`,
      );
    await expectRefusal(guard('ledger_immutable'), `DELETE FROM accounts WHERE id = ${accounts.payer}`);
  });

  it('rejects a change of an account’s totals without a new leg of the same account, and an account opened with money', async () => {
    const { payer: id, payee } = accounts;
    const changes = ['credits_posted = credits_posted + 1', 'debits_posted = 0', 'debits_pending = 1'].concat(
      ['credits_pending = 1', 'debt = 1', 'leg = 0', 'leg = leg', 'leg = leg + 1', 'leg = 9007199254740991'],
      // The other side of the last leg does not move again either.
      ['credits_posted = credits_posted + 7, leg = (SELECT max(seq) FROM legs)'],
    );
    for (const change of changes)
      await expectRefusal(guard('account_totals'), `UPDATE accounts SET ${change} WHERE id = ${id}`);
    await adjust(target, { from: gateway, to: payee, amount: 7 });
    for (const change of changes.slice(-1))
      for (const account of [id, payee, gateway])
        await expectRefusal(guard('account_totals'), `UPDATE accounts SET ${change} WHERE id = ${account}`);
    await adjust(target, { from: payee, to: gateway, amount: 7 });
    const wallet = (row: Columns) =>
      insert('accounts', { kind: `'wallet'`, owner: `'rich'`, asset: `'IDR'`, created_at: 1, ...row });
    for (const total of ['credits_posted', 'credits_pending', 'leg'])
      await expectRefusal(guard('account_totals'), wallet({ [total]: 5 }));
    const again = wallet({ id, owner: `'${payer}'` }).replace('INSERT', 'REPLACE');
    await expectRefusal(guard('account_totals'), again);
    const upsert = `${wallet({ owner: `'${payer}'` })} ON CONFLICT DO UPDATE SET credits_posted = 5`;
    await expectRefusal(guard('account_totals'), upsert);
  });

  it('rejects a leg that is out of bounds, duplicated, between assets, while frozen, or for an unusable account', async () => {
    await expectRefusal(check('leg_amount'), leg({ amount: 0 }));
    await expectRefusal(check('leg_amount'), leg({ amount: 1_000_000_000_001 }));
    await expectRefusal(check('leg_two_accounts'), leg({ credit: gateway, debit: gateway }));
    await expectRefusal(check('leg_phase'), leg({ phase: `'half'` }));
    await expectRefusal(check('leg_resolves'), leg({ phase: `'post'` }));
    const once = leg({ phase: `'pending'`, ref: `'held'` });
    await target.rows(once);
    await expectRefusal(unique('legs.kind, legs.ref, legs.n'), once);
    const [held] = await target.rows<{ seq: number }>(`SELECT seq FROM legs WHERE ref = 'held'`);
    const resolve = (changes: Columns = {}) =>
      leg({ phase: `'void'`, pending_leg: held?.seq ?? 0, ...changes });
    await expectRefusal(guard('leg_resolves_its_own'), resolve({ amount: 4 }));
    await target.rows(resolve());
    await expectRefusal(unique('legs.pending_leg'), resolve({ phase: `'post'` }));
    const posted = leg({ phase: `'pending'`, ref: `'posted'` });
    await target.rows(posted);
    await target.rows(leg({ phase: `'post'`, pending_leg: `(SELECT seq FROM legs WHERE ref = 'posted')` }));
    const frozen = `UPDATE accounts SET status = 'frozen' WHERE id = ${accounts.payee}`;
    await target.rows(frozen);
    await expectRefusal(guard('leg_allowed'), leg());
    for (const change of [{ debit: 0 }, { credit: 0 }])
      await expectRefusal(guard('leg_allowed'), leg(change));
    await expectRefusal(guard('leg_kind'), leg({ kind: `'gift'` }));
    // An administrator reverses payments from and to a frozen wallet.
    await target.rows(leg({ kind: `'transfer_reversal'`, ref: `'taken'` }));
    const given = { debit: accounts.payee, credit: accounts.payer };
    await target.rows(leg({ ...given, kind: `'transfer_reversal'`, ref: `'given'` }));
    await target.rows(frozen.replace(`'frozen'`, `'active'`));
    // A closed account accepts a correction that settles its debt.
    await adjust(target, { from: accounts.payee, to: gateway, amount: 5 });
    await owe(target, accounts.payee, 4);
    await target.rows(`UPDATE accounts SET status = 'closed' WHERE id = ${accounts.payee}`);
    const correction = { kind: `'correction'`, amount: 4 };
    for (const change of [{ ...correction, amount: 5 }, { amount: 4 }])
      await expectRefusal(guard('leg_allowed'), leg(change));
    const { payer: credit, payee: debit } = accounts;
    await expectRefusal(guard('leg_allowed'), leg({ ...correction, debit, credit }));
    await expectRefusal(guard('leg_allowed'), leg({ kind: `'transfer_reversal'`, ref: `'reversed again'` }));
    await target.rows(`UPDATE accounts SET status = 'active' WHERE id = ${accounts.payee}`);
    await adjust(target, { from: gateway, to: accounts.payee, amount: 9 });
    await target.rows(`UPDATE ledger SET mode = 'frozen'`);
    await expectRefusal(guard('leg_allowed'), leg());
    await target.rows(`UPDATE ledger SET mode = 'open'`);
    await target.rows(
      `INSERT INTO accounts (kind, owner, asset, created_at) VALUES ('suspense', 'system', 'USD', 1)`,
    );
    const foreign = `(SELECT id FROM accounts WHERE asset = 'USD')`;
    await expectRefusal(guard('leg_allowed'), leg({ credit: foreign }));
    expect(
      await target.rows(
        `SELECT credits_posted - debits_posted AS balance, debits_pending FROM accounts WHERE id = ?`,
        [accounts.payer],
      ),
    ).toEqual([{ balance: 995, debits_pending: 0 }]);
  });

  it('rejects edits of past money movements', async () => {
    for (const table of ['legs', 'entries', 'adjustments']) {
      const [column] = table === 'entries' ? ['delta'] : ['amount'];
      await expectRefusal(guard('ledger_immutable'), `UPDATE ${table} SET ${column} = 1`);
      await expectRefusal(guard('ledger_immutable'), `DELETE FROM ${table}`);
    }
  });

  it('rejects an entry on a list that does not match its leg', async () => {
    const entry = (way: number, delta: number, kind: string) =>
      `INSERT INTO entries VALUES (${accounts.payer}, ${way}, 1, 1, ${delta}, 1, ${kind}, 'x')`;
    for (const wrong of [
      entry(5, 1, `'refund'`),
      entry(1, -1, 'NULL'),
      entry(2, 1, 'NULL'),
      entry(1, 1, `'refund'`),
      entry(4, -1, 'NULL'),
    ])
      await expectRefusal(check('entry_way'), wrong);
  });

  it('keeps the switch, fees and adjustments well formed', async () => {
    await expectRefusal(check('ledger_one_row'), 'INSERT INTO ledger (id) VALUES (2)');
    await expectRefusal(check('ledger_mode'), `UPDATE ledger SET mode = 'ajar'`);
    await expectRefusal(check('ledger_withdrawals'), 'UPDATE ledger SET withdrawals = 2');
    const fee = (changes: Columns = {}) =>
      insert('fee_versions', {
        scope: `'${app}'`,
        operation: `'transfer'`,
        version: 1,
        fixed: 0,
        bps: 70,
        payer: `'payer'`,
        created_by: `'x'`,
        created_at: 1,
        ...changes,
      });
    for (const change of [
      { version: 0 },
      { bps: 10_001 },
      { fixed: -1 },
      { least: -1 },
      { least: 5, most: 4 },
    ])
      await expectRefusal(check('fee_range'), fee(change));
    for (const change of [
      { operation: `'gift'` },
      { payer: `'shop'` },
      { payer: `'payee'`, operation: `'deposit'` },
    ])
      await expectRefusal(guard('fee_version_allowed'), fee(change));
    await target.rows(fee());
    await expectRefusal(guard('fee_version_fixed'), 'UPDATE fee_versions SET bps = 1');
    await expectRefusal(guard('fee_version_fixed'), 'DELETE FROM fee_versions');
    const ofOperator = (version: number) => fee({ scope: `'platform'`, version });
    for (let version = 2; version <= 101; version += 1) {
      await target.rows(ofOperator(version));
      if (version <= 100) await target.rows(fee({ version }));
    }
    await expectRefusal(guard('fee_versions_most'), fee({ version: 101 }));
    await target.rows(fee({ version: 101, created_at: 86_400_001 }));
    await expectRefusal(check('adjustment_kind'), adjustment('adj_1', { kind: `'gift'` }));
    await expectRefusal(check('adjustment_key'), adjustment('adj_1', { idempotency_key: `'k'` }));
    const keyed = { idempotency_key: `'k'`, request_hash: `'h'` };
    await target.rows(adjustment('adj_1', keyed));
    await expectRefusal(unique('adjustments.actor, adjustments.idempotency_key'), adjustment('adj_2', keyed));
  });

  it('rejects a transfer with numbers that do not add up, or with its effect already applied', async () => {
    await expectRefusal(
      check('transfer_two_wallets'),
      transferOf('t', { payee: `'${payer}'`, payee_account: accounts.payer }),
    );
    await expectRefusal(check('transfer_fees'), transferOf('t', { app_fee: 1 }));
    await expectRefusal(check('transfer_sums'), transferOf('t', { debit_total: 101 }));
    await expectRefusal(check('transfer_app'), transferOf('t', { app_fee: 5, payee_fee: 5, net_amount: 95 }));
    await expectRefusal(
      check('transfer_approval'),
      transferOf('t', { needs_approval: 2, app_id: `'${app}'` }),
    );
    await expectRefusal(check('transfer_memo'), transferOf('t', { memo: `'${'m'.repeat(141)}'` }));
    await expectRefusal(check('transfer_status'), transferOf('t', { status: `'gone'`, refund_of: `'t'` }));
    await expectRefusal(
      check('transfer_key'),
      transferOf('t', { idempotency_key: `'k'`, request_hash: `'h'` }),
    );
    await expectRefusal(check('transfer_confirmed_at'), transferOf('t', { confirmed_by: `'op'` }));
    for (const change of [
      { payer: `'eve'` },
      { payee: `'eve'` },
      { payer_account: gateway },
      { payer_account: 0 },
      { payee_account: accounts.app },
      { app_account: accounts.app },
      { app_id: `'${app}'`, app_account: accounts.payee },
    ])
      await expectRefusal(guard('transfer_wallets'), transferOf('t', change));
    await expectRefusal(guard('transfer_order'), transferOf('t', { status: `'cancelled'` }));
    await expectRefusal(guard('transfer_order'), transferOf('t', { refunded: 1 }));
  });

  it('rejects changing, deleting or reviving the effect of a transfer, or reversing it in the wrong state', async () => {
    await target.rows(transferOf('one'));
    for (const change of [
      'amount = 1',
      `payee = 'eve'`,
      'expires_at = 99',
      `memo = 'x'`,
      'above_step_up = 1',
    ])
      await expectRefusal(guard('transfer_fixed'), set('one', change));
    await expectRefusal(
      guard('transfer_order'),
      set('one', `${confirmed}, status = 'reversed', reversed_at = 16`),
    );
    await expectRefusal(check('transfer_in_time'), set('one', confirmed.replace('15', '20')));
    await target.rows(set('one', confirmed));
    for (const change of [
      'confirmed_at = 14',
      `confirmed_by = 'eve'`,
      `approval_id = 'x'`,
      `verifier_hash = 'x'`,
    ])
      await expectRefusal(guard('transfer_fixed'), set('one', change));
    await expectRefusal(guard('transfer_order'), set('one', `status = 'confirmed'`));
    await expectRefusal(guard('ledger_immutable'), `DELETE FROM transfers WHERE id = 'one'`);
    await target.rows(transferOf('two'));
    await target.rows(set('two', `status = 'cancelled'`));
    await expectRefusal(guard('transfer_order'), set('two', confirmed));
    await target.rows(`DELETE FROM transfers WHERE id = 'two'`);
    await target.rows(transferOf('three'));
    await target.rows(set('three', confirmed));
    await expectRefusal(guard('desk_decided'), set('three', `status = 'reversed', reversed_at = 16`));
    await target.rows(deskDecision('trf_three'));
    await target.rows(set('three', `status = 'reversed', reversed_at = 16`));
    await expectRefusal(guard('transfer_order'), set('three', `status = 'confirmed', reversed_at = NULL`));
    const sums = `SELECT kind, sum(amount) AS amount FROM legs WHERE ref = 'three' GROUP BY kind ORDER BY kind`;
    expect(await target.rows(sums)).toEqual([
      { kind: 'transfer', amount: 100 },
      { kind: 'transfer_reversal', amount: 100 },
    ]);
  });

  it('rejects an incomplete posting', async () => {
    const fee = { platform_fee: 5, payer_fee: 5, debit_total: 105 };
    await target.rows(transferOf('fee', { ...fee, asset: `'USD'` }));
    await expectRefusal(guard('transfer_whole'), set('fee', confirmed));
    await target.rows(grant('grt_fees', payer, { per_transfer: 110, fee_fixed: 4 }));
    const shop = { app_id: `'${app}'`, app_account: accounts.app, grant_id: `'grt_fees'` };
    await target.rows(transferOf('fees', { ...fee, ...shop, app_fee: 5, payer_fee: 10, debit_total: 110 }));
    await expectRefusal(guard('transfer_fee_granted'), set('fees', confirmed));
    await target.rows(`UPDATE grants SET fee_fixed = 5 WHERE id = 'grt_fees'`);
    await target.rows(set('fees', confirmed));
    await target.rows(`UPDATE grants SET revoked_at = 16, revoked_by = 'person' WHERE id = 'grt_fees'`);
    const sums = `SELECT sum(amount) AS amount, count(*) AS legs FROM legs WHERE ref = 'fees'`;
    expect(await target.rows(sums)).toEqual([{ amount: 110, legs: 3 }]);
    await expectRefusal(guard('app_balance'), `UPDATE apps SET status = 'deleted' WHERE id = '${app}'`);
    await adjust(target, { from: accounts.app, to: gateway, amount: 5 });
  });

  it('rejects a deposit that is malformed, out of order, or partly credited', async () => {
    const depositOf = (id: string, changes: Columns = {}) =>
      insert('deposits', {
        id: `'${id}'`,
        handle: `'${payer}'`,
        account: accounts.payer,
        asset: `'IDR'`,
        gross: 100,
        app_fee: 0,
        platform_fee: 0,
        net: 100,
        gateway: `'sandbox'`,
        created_at: 1,
        updated_at: 1,
        expires_at: 2,
        ...changes,
      });
    const change = (id: string, changes: string) => `UPDATE deposits SET ${changes} WHERE id = '${id}'`;
    const credited = (payment: string) => `status = 'credited', credited_at = 5, payment = '${payment}'`;
    await expectRefusal(check('deposit_sums'), depositOf('d', { net: 99 }));
    await expectRefusal(check('deposit_app'), depositOf('d', { app_fee: 5, net: 95 }));
    await expectRefusal(check('deposit_rules'), depositOf('d', { fee_rules: `'[]'` }));
    await expectRefusal(check('deposit_key'), depositOf('d', { idempotency_key: `'k'` }));
    await expectRefusal(check('deposit_credited_at'), depositOf('d', { credited_at: 1 }));
    await expectRefusal(guard('deposit_order'), depositOf('d', { status: `'pending'` }));
    const keyed = { idempotency_key: `'k'`, request_hash: `'h'` };
    await target.rows(depositOf('d1', keyed));
    await expectRefusal(unique('deposits.handle, deposits.idempotency_key'), depositOf('d2', keyed));
    await target.rows(depositOf('d2', { ...keyed, app_id: `'${app}'` }));
    await expectRefusal(
      unique('deposits.handle, deposits.app_id, deposits.idempotency_key'),
      depositOf('d3', { ...keyed, app_id: `'${app}'` }),
    );
    await expectRefusal(guard('deposit_fee_shown'), change('d1', 'app_fee = 1, net = 99'));
    await expectRefusal(check('deposit_opened'), change('d1', `status = 'pending'`));
    await target.rows(change('d1', `status = 'pending', session = 's', url = 'u'`));
    for (const fixed of [
      'gross = 1, net = 1',
      `handle = 'eve'`,
      'account = 1',
      `app_id = 'x'`,
      `gateway = 'x'`,
      `fee_rules = '{}'`,
    ])
      await expectRefusal(guard('deposit_fixed'), change('d1', fixed));
    for (const status of ['creating', 'reversed', 'lost'])
      await expectRefusal(guard('deposit_order'), change('d1', `status = '${status}', reversed_at = 5`));
    await target.rows(change('d1', credited('p')));
    await expectRefusal(unique('deposits.gateway, deposits.payment'), change('d2', credited('p')));
    for (const status of ['pending', 'expired', 'failed', 'review', 'credited'])
      await expectRefusal(guard('deposit_order'), change('d1', `status = '${status}'`));
    for (const returned of [-1, 101, 100])
      await expectRefusal(check('deposit_returned'), change('d1', `returned = ${returned}`));
    await expectRefusal(check('deposit_borne'), change('d1', 'borne = 101'));
    await expectRefusal(guard('deposit_order'), change('d1', `status = 'reversed', reversed_at = 6`));
    await target.rows(change('d1', `status = 'reversed', reversed_at = 6, returned = 100`));
    await expectRefusal(guard('deposit_order'), change('d1', `status = 'credited', reversed_at = NULL`));
    const sums = `SELECT kind, sum(amount) AS amount FROM legs WHERE ref = 'd1' GROUP BY kind ORDER BY kind`;
    expect(await target.rows(sums)).toEqual([{ kind: 'deposit', amount: 100 }]);
    await expectRefusal(
      unique('legs.kind, legs.ref, legs.n'),
      change('d1', `status = 'credited', reversed_at = NULL, returned = 50`),
    );
    await expectRefusal(check('account_debt'), 'UPDATE accounts SET debt = -1 WHERE id = 1');
    await expectRefusal(check('account_debt'), `UPDATE accounts SET debt = 1 WHERE id = ${gateway}`);
    for (const id of ['d1', 'd2'])
      await expectRefusal(guard('ledger_immutable'), `DELETE FROM deposits WHERE id = '${id}'`);
    await target.rows(depositOf('fee', { asset: `'USD'`, platform_fee: 5, net: 95 }));
    await expectRefusal(guard('deposit_whole'), change('fee', credited('q')));
  });

  it('rejects a refund that exceeds the received amount, refunds a refund, goes to others, comes too late, or reuses a key', async () => {
    await target.rows(transferOf('paid'));
    await target.rows(set('paid', confirmed));
    await expectRefusal(
      check('transfer_refund'),
      refundOf('r1', 'paid', { payer_fee: 1, platform_fee: 1, debit_total: 31 }),
    );
    await expectRefusal(
      check('transfer_refunded'),
      refundOf('r1', 'paid', { amount: 101, debit_total: 101, net_amount: 101 }),
    );
    await expectRefusal(guard('refund_whole'), refundOf('r1', 'paid', { confirmed_at: 15 + 31_536_000_000 }));
    const keyed = { idempotency_key: `'k'`, request_hash: `'h'` };
    await target.rows(refundOf('r1', 'paid', keyed));
    await expectRefusal(unique('transfers.payer, transfers.idempotency_key'), refundOf('r2', 'paid', keyed));
    const apps = { ...keyed, app_id: `'${app}'` };
    await target.rows(refundOf('r2', 'paid', apps));
    await expectRefusal(
      unique('transfers.payer, transfers.app_id, transfers.idempotency_key'),
      refundOf('r3', 'paid', apps),
    );
    await expectRefusal(
      check('transfer_refund'),
      refundOf('r4', 'r1', {
        payer: `'${payer}'`,
        payee: `'${payee}'`,
        payer_account: accounts.payer,
        payee_account: accounts.payee,
      }),
    );
    await expectRefusal(guard('transfer_fixed'), set('paid', 'refunded = 0'));
    await target.rows(deskDecision('trf_paid'));
    await expectRefusal(check('transfer_refunded'), set('paid', `status = 'reversed', reversed_at = 16`));
    expect(await target.rows(`SELECT refunded FROM transfers WHERE id = 'paid'`)).toEqual([{ refunded: 60 }]);
  });

  it('rejects a payment that its grant or approval does not cover', async () => {
    const under = { app_id: `'${app}'`, grant_id: `'grt_money'` };
    await target.rows(grant('grt_money', payer, {}));
    for (const id of ['g1', 'g2', 'g3']) await target.rows(transferOf(id, under));
    const limit = (changes: string) => target.rows(`UPDATE grants SET ${changes} WHERE id = 'grt_money'`);
    await expectRefusal(guard('grant_limit_exceeded'), set('g1', confirmed));
    await limit('per_transfer = 99');
    await expectRefusal(guard('grant_limit_exceeded'), set('g1', confirmed));
    await limit(`per_transfer = 100, payees = '["eve"]'`);
    await expectRefusal(guard('grant_recipient'), set('g1', confirmed));
    await limit('payees = NULL, expires_at = 15');
    await expectRefusal(guard('grant_expired'), set('g1', confirmed));
    await limit('expires_at = NULL, total_limit = 150');
    await target.rows(set('g1', confirmed));
    await expectRefusal(guard('grant_limit_exceeded'), set('g2', confirmed));
    expect(await target.rows(`SELECT spent_total, uses FROM grants WHERE id = 'grt_money'`)).toEqual([
      { spent_total: 100, uses: 1 },
    ]);
    await target.rows(grant('grt_other', payee, { per_transfer: 100 }));
    await target.rows(transferOf('bare', { app_id: `'${app}'` }));
    await target.rows(transferOf('others', { app_id: `'${app}'`, grant_id: `'grt_other'` }));
    for (const id of ['bare', 'others']) await expectRefusal(guard('transfer_granted'), set(id, confirmed));
    await target.rows(transferOf('asked', { app_id: `'${app}'`, needs_approval: 1 }));
    await expectRefusal(guard('transfer_approved'), set('asked', confirmed));
    const approval = 'asked'.padEnd(22, '_');
    const approved = (changes: Columns = {}) =>
      insert('popup_requests', {
        id: `'${approval}'`,
        kind: `'approval'`,
        app_id: `'${app}'`,
        origin: `'https://shop.example'`,
        verifier_hash: `'hash'`,
        operation: `'transfer'`,
        inquiry_id: `'asked'`,
        digest: `'digest'`,
        handle: `'${payer}'`,
        session_id: `'ses'`,
        status: `'approved'`,
        decided_at: 1,
        created_at: 1,
        expires_at: 20,
        ...changes,
      });
    const redeem = (by: string) =>
      set('asked', `${confirmed}, approval_id = '${approval}', verifier_hash = ${by}`);
    const wrongs: [Columns, string?][] = [
      [{ handle: `'${payee}'` }],
      [{ app_id: `'app_other'` }],
      [{ inquiry_id: `'bare'` }],
      [{ decided_at: 15 - 30_000 }],
      [{ status: `'denied'` }],
      [{}, `'other'`],
      [{}, 'NULL'],
    ];
    for (const [wrong, by = `'hash'`] of wrongs) {
      await target.rows(approved(wrong));
      await expectRefusal(guard('transfer_approved'), redeem(by));
      await target.rows(`DELETE FROM popup_requests WHERE id = '${approval}'`);
    }
    await target.rows(approved({ decided_at: 16 - 30_000 }));
    await target.rows(redeem(`'hash'`));
  });
}
