import { type SQL, sql } from 'drizzle-orm';
import { all, integer, run, type Statement, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { recordAudit } from '../activity/statements.ts';
import { setMode } from './statements.ts';

/** What does not hold: the name of the invariant, and what breaks it. */
export interface Violation {
  readonly invariant: string;
  readonly subject: string;
}

/** How many of the newest legs the hourly check looks at. */
const windowLegs = 5_000;

type Check = Statement<{ subject: string | number }>;

/** @param query what breaks the invariant, as rows of `subject` */
function check(query: SQL): Check {
  return statement(sql`${query} LIMIT 5`);
}

/** Sums over all accounts: what was debited was credited, and what people and apps have is what the gateway owes. */
const ofAccounts = (): Record<string, Check> => ({
  I1: check(sql`SELECT a.asset AS subject FROM accounts a GROUP BY a.asset
    HAVING sum(a.debits_posted) <> sum(a.credits_posted) OR sum(a.debits_pending) <> sum(a.credits_pending)`),
  I2: check(sql`SELECT a.id AS subject FROM accounts a
    WHERE a.may_overdraw = 0 AND a.debits_posted + a.debits_pending > a.credits_posted`),
  I10: check(sql`SELECT a.asset AS subject FROM accounts a GROUP BY a.asset
    HAVING sum(iif(a.kind = 'gateway', 0, a.credits_posted - a.debits_posted))
      <> sum(iif(a.kind = 'gateway', a.debits_posted - a.credits_posted, 0))`),
});

/** The entries of the accounts that the newest legs touch, since the first of these. @param legs how many */
function recent(legs: number): SQL {
  return sql`WITH w AS (SELECT l.seq, l.debit, l.credit, l.at FROM legs l ORDER BY l.seq DESC LIMIT ${integer(legs)}),
    touched AS (SELECT w.debit AS id FROM w UNION SELECT w.credit FROM w),
    moves AS (SELECT e.account, e.at, e.leg, e.delta, e.balance,
        lag(e.balance) OVER (PARTITION BY e.account ORDER BY e.at, e.leg) AS previous,
        lag(e.leg) OVER (PARTITION BY e.account ORDER BY e.at, e.leg) AS former,
        row_number() OVER (PARTITION BY e.account ORDER BY e.at DESC, e.leg DESC) AS nth
      FROM touched AS t JOIN entries e ON e.account = t.id AND e.at >= (SELECT min(w.at) FROM w))`;
}

/** Each running balance continues the one before, in the order of the legs, and ends at the counters of its account. */
const ofEntries = (legs: number): Record<string, Check> => ({
  I3: check(sql`${recent(legs)} SELECT m.leg AS subject FROM moves AS m JOIN accounts a ON a.id = m.account
    WHERE m.balance <> m.previous + m.delta OR m.leg < m.former
      OR (m.nth = 1 AND m.balance <> a.credits_posted - a.debits_posted)`),
  I4: check(sql`${recent(legs)} SELECT l.seq AS subject FROM w JOIN legs l ON l.seq = w.seq
    WHERE l.phase IN ('posted', 'post') AND (SELECT count(*) FROM moves AS m WHERE m.leg = l.seq
      AND ((m.account = l.debit AND m.delta = -l.amount) OR (m.account = l.credit AND m.delta = l.amount))) <> 2`),
});

/** Legs and documents prove each other. */
const ofDocuments = (legs: number): Record<string, Check> => {
  const newest = sql`(SELECT l.* FROM legs l ORDER BY l.seq DESC LIMIT ${integer(legs)})`;
  return {
    I5: check(sql`SELECT l.seq AS subject FROM ${newest} l
        LEFT JOIN transfers t ON l.kind IN ('transfer', 'refund', 'transfer_reversal') AND t.id = l.ref
        LEFT JOIN adjustments d ON d.id = l.ref
      WHERE iif(l.kind = 'transfer', t.status IN ('confirmed', 'reversed') AND t.refund_of IS NULL,
        iif(l.kind = 'refund', t.refund_of IS NOT NULL, iif(l.kind = 'transfer_reversal', t.status = 'reversed',
          d.kind = l.kind AND d.amount = l.amount AND d.debit = l.debit AND d.credit = l.credit))) IS NOT 1`),
    I6: check(sql`SELECT DISTINCT t.id AS subject FROM ${newest} l JOIN transfers t ON t.id = l.ref
      WHERE l.kind IN ('transfer', 'refund')
        AND (SELECT sum(x.amount) FROM legs x WHERE x.kind = l.kind AND x.ref = l.ref) <> t.debit_total`),
    'I6 refunds': check(sql`SELECT DISTINCT o.id AS subject FROM ${newest} l JOIN transfers t ON t.id = l.ref
        JOIN transfers o ON o.id = coalesce(t.refund_of, t.id)
      WHERE l.kind IN ('transfer', 'refund')
        AND o.refunded <> (SELECT coalesce(sum(r.amount), 0) FROM transfers r WHERE r.refund_of = o.id)`),
    I8: check(sql`SELECT l.seq AS subject FROM ${newest} l JOIN legs p ON p.seq = l.pending_leg
      WHERE p.phase <> 'pending' OR (p.debit, p.credit, p.amount) IS NOT (l.debit, l.credit, l.amount)`),
  };
};

/** Everything from the first leg on: recomputed counters, and documents without their legs. */
const ofEverything = (): Record<string, Check> => ({
  'I4 counters': check(sql`SELECT a.id AS subject FROM accounts a LEFT JOIN (
      SELECT s.account, sum(s.debited) AS debited, sum(s.credited) AS credited, sum(s.held) AS held, sum(s.due) AS due
      FROM (SELECT l.debit AS account, iif(l.phase IN ('posted', 'post'), l.amount, 0) AS debited, 0 AS credited,
          iif(l.phase = 'pending', l.amount, iif(l.phase = 'posted', 0, -l.amount)) AS held, 0 AS due FROM legs l
        UNION ALL SELECT l.credit, 0, iif(l.phase IN ('posted', 'post'), l.amount, 0), 0,
          iif(l.phase = 'pending', l.amount, iif(l.phase = 'posted', 0, -l.amount)) FROM legs l) s
      GROUP BY s.account) c ON c.account = a.id
    WHERE (a.debits_posted, a.credits_posted, a.debits_pending, a.credits_pending)
      IS NOT (coalesce(c.debited, 0), coalesce(c.credited, 0), coalesce(c.held, 0), coalesce(c.due, 0))`),
  'I6 documents': check(sql`SELECT t.id AS subject FROM transfers t
    WHERE (t.status IN ('confirmed', 'reversed')) <> EXISTS (SELECT 1 FROM legs l
      WHERE l.kind = iif(t.refund_of IS NULL, 'transfer', 'refund') AND l.ref = t.id)`),
});

/** Whether the database refuses what its triggers forbid: an engine that ignores them would let money be made. */
async function refusesWrites(deps: Deps): Promise<boolean> {
  try {
    await all(deps.db, statement(sql`UPDATE accounts SET kind = kind WHERE id = 1`));
    return false;
  } catch (error) {
    if (error instanceof Error && /guard:ledger_immutable/.test(`${error.message} ${error.cause ?? ''}`))
      return true;
    throw error;
  }
}

/**
 * Looks for what must never be, and freezes the ledger when it finds some: better stopped than wrong.
 * @param scope `guards` tries the guards alone, `recent` also looks at the newest legs, `everything` at all of them
 */
export async function checkLedger(
  deps: Deps,
  scope: 'guards' | 'recent' | 'everything',
): Promise<Violation[]> {
  const guarded = await refusesWrites(deps);
  const found: Violation[] = guarded ? [] : [{ invariant: 'guards', subject: 'ledger_immutable' }];
  if (scope !== 'guards') {
    const legs = scope === 'recent' ? windowLegs : Number.MAX_SAFE_INTEGER;
    const checks = {
      ...ofAccounts(),
      ...ofEntries(legs),
      ...ofDocuments(legs),
      ...(scope === 'everything' ? ofEverything() : {}),
    };
    for (const [invariant, rows] of Object.entries(await run(deps.db, checks)))
      for (const { subject } of rows) found.push({ invariant, subject: String(subject) });
  }
  const [first] = found;
  if (first) {
    const reason = `${first.invariant}: ${first.subject}`;
    deps.log.error('ledger.violated', { violations: found });
    await changeMode(deps, { mode: 'frozen', reason, actor: 'system' });
  }
  return found;
}

interface ModeChange {
  readonly mode: 'open' | 'frozen' | 'disabled';
  readonly reason: string;
  readonly actor: 'operator' | 'system';
}

/** Freezes or opens the ledger, with a line in the audit log. @returns whether the mode is another now */
export async function changeMode(deps: Deps, { mode, reason, actor }: ModeChange): Promise<boolean> {
  const now = deps.now();
  // The system never reopens or relabels what an operator has stopped.
  const when = actor === 'system' ? sql`mode = 'open'` : sql`mode <> ${mode}`;
  const { changed } = await run(deps.db, {
    audit: [
      recordAudit({
        actor,
        action: 'ledger.mode',
        target: 'ledger',
        detail: { mode, reason },
        when: sql`EXISTS (SELECT 1 FROM ledger WHERE id = 1 AND ${when})`,
        now,
      }),
    ],
    changed: setMode({ mode, reason: mode === 'open' ? null : reason, now, when }),
  });
  if (changed.length > 0) deps.log.warn('ledger.mode', { mode, reason, by: actor });
  return changed.length > 0;
}

const minuteMs = 60_000;

/**
 * The scheduled job: tries the guards each minute, and checks the newest legs once an hour.
 * @returns how many violations there are
 */
export async function guardLedger(deps: Deps): Promise<{ violations: number }> {
  const isDue = Math.floor(deps.now() / minuteMs) % 60 === 0;
  return { violations: (await checkLedger(deps, isDue ? 'recent' : 'guards')).length };
}
