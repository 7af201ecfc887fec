import { it } from 'vitest';
import type { Target } from './target.ts';

const guard = (name: string) => `guard:${name}`;
const check = (name: string) => `CHECK constraint failed: ${name}`;

/** The second guards of reports, tested individually because the code never triggers them. */
export function reportGuards(
  target: Target,
  expectRefusal: (reason: string, sql: string) => Promise<void>,
): void {
  const read = `status = 'read', sha256 = id, first_day = '2026-01-01', last_day = '2026-01-02', summary = '{}'`;
  const change = (id: string, columns: string) => `UPDATE reports SET ${columns} WHERE id = '${id}'`;
  const line = (report: string, more: Readonly<Record<string, string | number>> = {}) => {
    const row = {
      ...{
        report: `'${report}'`,
        line: 2,
        source: `'sandbox'`,
        key: `'key ${report}'`,
        kind: `'payment'`,
        ref: `'dep_g'`,
      },
      ...{ day: `'2026-01-01'`, gross: 100, fee: 5, currency: `'IDR'`, payout: `'PO-guard'`, ...more },
    };
    return `INSERT INTO report_lines (${Object.keys(row).join(', ')}) VALUES (${Object.values(row).join(', ')})`;
  };
  const decide = (report: string, outcome: string) =>
    `UPDATE report_lines SET outcome = ${outcome}, decided_at = 5 WHERE report = '${report}'`;
  const begin = (id: string, source = 'sandbox') =>
    target.rows(`INSERT INTO reports (id, source, created_at) VALUES ('${id}', '${source}', 1)`);

  it('rejects a report out of order, and an effect from an unaccepted report [D-79]', async () => {
    await expectRefusal(
      guard('report_order'),
      `INSERT INTO reports (id, source, status, created_at) VALUES ('rep_0', 'bank', 'read', 1)`,
    );
    await begin('rep_1');
    await expectRefusal(check('report_read'), change('rep_1', `status = 'read'`));
    await expectRefusal(guard('report_order'), change('rep_1', `status = 'accepted'`));
    await expectRefusal(guard('report_line'), line('rep_none'));
    await expectRefusal(guard('report_line'), line('rep_1', { source: `'bank'` }));
    await expectRefusal(guard('report_line'), line('rep_1', { outcome: `'matched'`, decided_at: 5 }));
    await expectRefusal(check('report_line_kind'), line('rep_1', { kind: `'arrival'` }));
    await expectRefusal(check('report_line_sign'), line('rep_1', { gross: -100 }));
    await expectRefusal(check('report_line_decided'), line('rep_1', { decided_at: 5 }));
    await target.rows(line('rep_1'));
    await target.rows(change('rep_1', read));
    await expectRefusal(guard('report_line'), decide('rep_1', `'matched'`));
    await expectRefusal(guard('report_line'), line('rep_1', { line: 3 }));
    for (const columns of [
      `sha256 = 'another'`,
      `last_day = '2027-01-01'`,
      `summary = '[]'`,
      `source = 'bank'`,
    ])
      await expectRefusal(guard('report_order'), change('rep_1', columns));
    await expectRefusal(check('report_decided'), change('rep_1', `status = 'accepted'`));
    await target.rows(change('rep_1', `status = 'accepted', decided_at = 5`));
    await expectRefusal(guard('report_line'), `UPDATE report_lines SET gross = 99 WHERE report = 'rep_1'`);
    await expectRefusal(guard('report_kept'), `DELETE FROM report_lines WHERE report = 'rep_1'`);
    await expectRefusal(guard('report_kept'), `DELETE FROM reports WHERE id = 'rep_1'`);
    await target.rows(decide('rep_1', `'matched'`));
    for (const outcome of ['NULL', `'known'`, `'matched'`])
      await expectRefusal(guard('report_line'), decide('rep_1', outcome));
    // The same line in another report has no further effect.
    await begin('rep_2');
    await target.rows(line('rep_2', { key: `'key rep_1'` }));
    await target.rows(change('rep_2', read));
    await target.rows(change('rep_2', `status = 'accepted', decided_at = 5`));
    await expectRefusal('UNIQUE constraint failed', decide('rep_2', `'matched'`));
  });

  it('rejects the arrival of a payout that is not waiting, and a change to a case [D-79]', async () => {
    await begin('rep_3', 'bank');
    const arrival = { source: `'bank'`, kind: `'arrival'`, fee: 0, payout: 'NULL' };
    await target.rows(line('rep_3', { ...arrival, ref: `'nothing'` }));
    await target.rows(change('rep_3', read));
    await target.rows(change('rep_3', `status = 'accepted', decided_at = 5`));
    await expectRefusal(guard('report_line'), decide('rep_3', `'matched'`));
    await target.rows(decide('rep_3', `'unknown_arrival'`));
    await expectRefusal(
      guard('case_fixed'),
      `UPDATE reconciliation_cases SET amount = 1 WHERE id = 'rep_3.2'`,
    );
    await expectRefusal(guard('case_fixed'), `DELETE FROM reconciliation_cases WHERE id = 'rep_3.2'`);
    await expectRefusal(
      check('case_resolved'),
      `UPDATE reconciliation_cases SET resolved_at = 5 WHERE id = 'rep_3.2'`,
    );
    await target.rows(`UPDATE provider_payouts SET arrived = 'test' WHERE reference = 'PO-guard'`);
    await expectRefusal(
      guard('payout_arrived'),
      `UPDATE provider_payouts SET net = 1 WHERE reference = 'PO-guard'`,
    );
    await expectRefusal(guard('payout_arrived'), `DELETE FROM provider_payouts WHERE reference = 'PO-guard'`);
  });

  it('rejects closing a day that has an open case, or closing it out of order [D-79]', async () => {
    const close = (day: string, leg = 1) =>
      `INSERT INTO closed_days (day, leg, balances, closed_by, closed_at) VALUES ('${day}', ${leg}, '{}', 'operator', 5)`;
    await expectRefusal(guard('day_closed'), close('2026-01-01'));
    await target.rows(
      `UPDATE reconciliation_cases SET resolved_at = 5, resolved_by = 'operator', reason = 'test' WHERE id = 'rep_3.2'`,
    );
    await target.rows(close('2026-01-01'));
    for (const wrong of [close('2025-12-31'), close('2026-01-02', 0)])
      await expectRefusal(guard('day_closed'), wrong);
    await expectRefusal(guard('day_closed'), `UPDATE closed_days SET leg = 2`);
    await expectRefusal(guard('day_closed'), 'DELETE FROM closed_days');
  });
}
