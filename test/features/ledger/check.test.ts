import { afterEach, describe, expect, inject, it } from 'vitest';
import { moneyInvariants } from '../../../src/features/admin/money-invariants.ts';
import { changeMode, checkLedger, guardLedger } from '../../../src/features/ledger/check.ts';
import { refusal, seen } from '../../support/answers.ts';
import { newDeposit, payAt, sync } from '../../support/deposits.ts';
import { makeServiceFiles, openFileService, type ServiceFiles } from '../../support/file-service.ts';
import type { InProcessTarget } from '../../support/in-process.ts';
import { confirmInquiry, giveBack, inquire, newHolder, pay } from '../../support/money.ts';
import type { Member } from '../../support/people.ts';

const opened: { service: InProcessTarget; files: ServiceFiles }[] = [];
afterEach(async () => {
  for (const { service, files } of opened.splice(0)) {
    await service.close();
    await files.remove();
  }
});

interface Stage {
  readonly service: InProcessTarget;
  readonly ada: Member;
  readonly ben: Member;
}

/** Two people who have exchanged money in every possible way. */
async function start(): Promise<Stage> {
  const files = await makeServiceFiles();
  const service = await openFileService(files, {
    IDP_ISSUER: inject('lyingIssuer'),
    IDP_CLIENT_ID: 'peridot',
    IDP_CLIENT_SECRET: 'provider secret',
    RATE_LIMITS: '{"*":1000000}',
  });
  opened.push({ service, files });
  await service.rows(
    `INSERT INTO fee_versions VALUES ('platform', 'transfer', 1, 10, 0, 0, NULL, 'payer', 'operator', 1)`,
  );
  const [ada, ben] = [await newHolder(service, 10_000), await newHolder(service)];
  const { id } = await pay(ada, ben, 1000);
  await giveBack(ben.browser, id, 'key', { amount: 400 });
  await inquire(ada.browser, ben.handle, 5);
  const deposit = await newDeposit(ada);
  await payAt(service, deposit, 'twice');
  await sync(ada.browser, deposit.id);
  return { service, ada, ben };
}

const everything = { of: 'everything', invariants: moneyInvariants } as const;
const recent = { of: 'recent', invariants: moneyInvariants } as const;

/** Each name is an invariant, which the change violates without firing the triggers. */
const breaches: [string, string[], string][] = [
  ['balanced', ['account_totals'], 'UPDATE accounts SET credits_posted = credits_posted + 1 WHERE id = 3'],
  ['counters', ['account_totals'], `UPDATE accounts SET debits_pending = 1 WHERE kind = 'gateway'`],
  ['adjusted', ['adjustment_no_update'], 'UPDATE adjustments SET amount = amount + 1'],
  ['posted', ['leg_no_delete', 'entry_no_delete'], `DELETE FROM legs WHERE kind = 'correction'`],
];

/** Violations that the hourly check also detects. */
const recentBreaches: [string, string[], string][] = [
  [
    'lastBalance',
    ['account_totals'],
    `UPDATE accounts SET credits_posted = credits_posted + 1 WHERE kind = 'wallet'`,
  ],
  ['runningBalance', ['entry_no_update'], 'UPDATE entries SET balance = balance + 1 WHERE account > 4'],
  ['entryOfLeg', ['leg_no_update'], `UPDATE legs SET amount = amount + 1 WHERE kind = 'transfer'`],
  ['twoEntries', ['entry_no_delete'], 'DELETE FROM entries WHERE account = 1'],
  ['noGap', ['leg_no_delete'], `DELETE FROM legs WHERE kind = 'transfer' AND n = 1`],
  ['lastLeg', ['account_totals'], 'UPDATE accounts SET leg = leg - 1'],
  ['documentOfLeg', ['leg_no_update'], `UPDATE legs SET ref = 'nothing' WHERE kind = 'refund'`],
  ['legsOfTransfer', ['leg_no_delete'], `DELETE FROM legs WHERE kind = 'transfer' AND n = 3`],
  ['refunded', [], 'UPDATE transfers SET refunded = refunded + 1 WHERE refunded > 0'],
  ['depositOfLeg', ['leg_no_update'], `UPDATE legs SET ref = 'nothing' WHERE kind = 'deposit'`],
  ['legsOfDeposit', ['leg_no_update'], `UPDATE legs SET amount = amount + 1 WHERE kind = 'deposit'`],
  [
    'secondPayment',
    ['adjustment_no_update'],
    `UPDATE adjustments SET ref = 'x' WHERE kind = 'second_payment'`,
  ],
  ['knownKind', ['leg_no_update'], `UPDATE legs SET kind = 'gift' WHERE kind = 'refund'`],
  [
    'resolved',
    ['leg_allowed'],
    `INSERT INTO legs (kind, ref, n, phase, pending_leg, debit, credit, amount, at) VALUES
      ('correction', 'x', 1, 'pending', NULL, 2, 1, 2, 1),
      ('correction', 'x', 2, 'void', (SELECT max(seq) + 1 FROM legs), 2, 1, 1, 1)`,
  ],
];

describe('the ledger check', () => {
  it('finds no errors in the money that the service has moved', async () => {
    const { service } = await start();
    for (const scope of ['guards', recent, everything] as const)
      expect(await checkLedger(service.deps, scope)).toEqual([]);
    expect(await service.rows('SELECT mode FROM ledger')).toEqual([{ mode: 'open' }]);
  });

  it.each([...breaches, ...recentBreaches])(
    'detects a violation of %s and freezes the ledger [S-21]',
    async (name, triggers, change) => {
      const { service, ada, ben } = await start();
      for (const trigger of triggers) await service.rows(`DROP TRIGGER ${trigger}`);
      await service.rows(change);
      const found = await checkLedger(
        service.deps,
        breaches.some(([one]) => one === name) ? everything : recent,
      );
      expect(found.map(({ invariant }) => invariant)).toContain(name);
      expect(await seen(await inquire(ada.browser, ben.handle, 5))).toEqual(refusal(503, 'Ledger is frozen'));
      const ready = await service.request('/readyz');
      expect([ready.status, await ready.text()]).toEqual([
        200,
        expect.stringContaining('The ledger is frozen: '),
      ]);
      expect(service.log().some((line) => line.includes('ledger.violated'))).toBe(true);
      const [line] = await service.rows<{ actor: string; action: string }>(
        'SELECT actor, action FROM audit_log',
      );
      expect(line).toEqual({ actor: 'system', action: 'ledger.mode' });
    },
  );

  it('freezes a ledger with missing guards', async () => {
    const { service } = await start();
    await service.rows('DROP TRIGGER account_fixed');
    expect(await checkLedger(service.deps, 'guards')).toEqual([
      { invariant: 'guards', subject: 'ledger_immutable' },
    ]);
    expect(await service.rows('SELECT mode, reason FROM ledger')).toEqual([
      { mode: 'frozen', reason: 'guards: ledger_immutable' },
    ]);
  });

  it('does not change a ledger that the operator has stopped', async () => {
    const { service } = await start();
    await service.rows('DROP TRIGGER account_fixed');
    await service.rows(`UPDATE ledger SET mode = 'disabled', reason = 'no licence yet'`);
    expect(await checkLedger(service.deps, 'guards')).toHaveLength(1);
    expect(await service.rows('SELECT mode, reason FROM ledger')).toEqual([
      { mode: 'disabled', reason: 'no licence yet' },
    ]);
    expect(await service.rows('SELECT action FROM audit_log')).toEqual([]);
  });

  it('runs as a scheduled job that checks the guards every minute and the newest legs every hour [S-21]', async () => {
    const { service } = await start();
    await service.rows('DROP TRIGGER account_totals');
    await service.rows(`UPDATE accounts SET credits_posted = credits_posted + 1 WHERE kind = 'wallet'`);
    const toFullHour = 3600 - (Math.floor(service.now() / 1000) % 3600);
    await service.advance(toFullHour + 60);
    await service.request('/dev/scheduled', { method: 'POST' });
    expect(await service.rows('SELECT mode FROM ledger')).toEqual([{ mode: 'open' }]);
    await service.advance(3540);
    await service.request('/dev/scheduled', { method: 'POST' });
    expect(await service.rows('SELECT mode FROM ledger')).toEqual([{ mode: 'frozen' }]);
  });

  it('finds a corrupted account without recent legs within 24 hourly runs [S-21]', async () => {
    const { service } = await start();
    await service.rows(`INSERT INTO accounts (kind, owner, asset, created_at)
      WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 3000)
      SELECT 'wallet', 'nobody_' || n, 'IDR', 1 FROM s`);
    await service.rows('DROP TRIGGER account_totals');
    const runs = async (most: number) => {
      for (let count = 1; count <= most; count += 1) {
        await service.advance(3_600 - (Math.floor(service.now() / 1000) % 3_600));
        if ((await guardLedger(service.deps, moneyInvariants)).violations > 0) return count;
      }
      return null;
    };
    expect(await runs(25)).toBe(null);
    const [last] = await service.rows<{ id: number }>('SELECT max(id) AS id FROM accounts');
    for (const id of [last?.id ?? 0, 2_500, 10, 1_500]) {
      const credit = (sum: string) =>
        `UPDATE accounts SET credits_posted = credits_posted ${sum} WHERE id = ${id}`;
      await service.rows(credit('+ 1'));
      expect(await runs(24)).not.toBe(null);
      expect(await service.rows('SELECT mode, reason FROM ledger')).toEqual([
        { mode: 'frozen', reason: `lastBalance: ${id}` },
      ]);
      await service.rows(credit('- 1'));
      await changeMode(service.deps, { mode: 'open', reason: 'repaired', actor: 'operator' });
    }
  });

  it('lets an operator freeze and unfreeze the ledger, each time with a reason', async () => {
    const { service, ada, ben } = await start();
    const { id } = (await (await inquire(ada.browser, ben.handle, 5)).json()) as { id: string };
    const change = (mode: 'open' | 'frozen') =>
      changeMode(service.deps, { mode, reason: 'audit', actor: 'operator' });
    expect([await change('frozen'), await change('frozen')]).toEqual([true, false]);
    expect((await confirmInquiry(ada.browser, id)).status).toBe(503);
    expect(await change('open')).toBe(true);
    expect((await confirmInquiry(ada.browser, id)).status).toBe(200);
    const lines = await service.rows<{ detail: string }>('SELECT detail FROM audit_log ORDER BY seq');
    expect(lines.map(({ detail }) => JSON.parse(detail))).toEqual([
      { mode: 'frozen', reason: 'audit' },
      { mode: 'open', reason: 'audit' },
    ]);
  });
});
