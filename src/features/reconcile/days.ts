import { all, integer, run, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { isoTime } from '../../lib/id.ts';
import { addDays, startOfDay } from '../../lib/jakarta.ts';
import { graceDays, judgeDay } from './missing.ts';
import { recheckLines } from './post.ts';
import type { AccountOfDay, Day } from './schema.ts';

/** Legs per read; a read takes a few milliseconds of database time. */
const legsOfBatch = 2_000;

/**
 * The last leg before a time, found by binary search, because time has no index. Legs have no gaps, and their times
 * almost never decrease, so the result for a past time is stable.
 * @param at epoch milliseconds
 */
export function lastLegBefore(at: number): SQL {
  return sql`(WITH RECURSIVE halves AS (SELECT 1099511627776 AS half, 0 AS leg UNION ALL
      SELECT half / 2, leg + iif(half >= 1 AND (SELECT l.at FROM legs l WHERE l.seq = leg + half) < ${at}, half, 0)
      FROM halves WHERE half >= 1)
    SELECT leg FROM halves WHERE half = 0)`;
}

interface Moved {
  readonly name: string;
  readonly debits: number;
  readonly credits: number;
}

/** Sums legs by account. */
function sumLegs(after: number, upTo: number): Statement<Moved> {
  /** All wallets are combined into one account, and so are all apps. */
  const name = sql`iif(a.owner = 'system', a.kind, iif(a.kind IN ('wallet','app'), a.kind || 's', a.owner)) AS name`;
  const posted = sql`l.seq > ${integer(after)} AND l.seq <= ${integer(upTo)} AND l.phase IN ('posted','post')`;
  return statement(sql`SELECT ${name}, sum(l.amount) AS debits, 0 AS credits FROM legs l JOIN accounts a ON a.id = l.debit
      WHERE ${posted} GROUP BY 1
    UNION ALL SELECT ${name}, 0, sum(l.amount) FROM legs l JOIN accounts a ON a.id = l.credit WHERE ${posted} GROUP BY 1`);
}

interface Closed {
  readonly day: string;
  readonly leg: number;
  /** JSON: each account's balance. */
  readonly balances: string;
  readonly closed_by: string;
  readonly closed_at: number;
}

/**
 * The trial balance of a day, or of all days since the last closed one: each account's opening balance, movements and
 * closing balance. Debits and credits are equal.
 * @param day in Jakarta time
 */
export async function readDay(deps: Deps, day: string): Promise<Day & { leg: number }> {
  const end = startOfDay(addDays(day, 1));
  const { own, before, last, cases } = await run(deps.db, {
    own: statement<Closed>(sql`SELECT * FROM closed_days WHERE day = ${day}`),
    before: statement<Closed>(sql`SELECT * FROM closed_days WHERE day < ${day} ORDER BY day DESC LIMIT 1`),
    last: statement<{ leg: number }>(sql`SELECT ${lastLegBefore(end)} AS leg`),
    cases: statement<{ count: number }>(sql`SELECT count(*) AS count FROM reconciliation_cases
      WHERE resolved_at IS NULL AND day <= ${day}`),
  });
  const [closed] = own;
  const [base] = before;
  const leg = closed?.leg ?? last[0]?.leg ?? 0;
  const accounts = new Map<string, AccountOfDay>();
  const openings = Object.entries(JSON.parse(base?.balances ?? '{}') as Record<string, number>);
  for (const [name, opening] of openings)
    accounts.set(name, { name, opening, debits: 0, credits: 0, closing: opening });
  for (let after = base?.leg ?? 0; after < leg; after += legsOfBatch)
    for (const { name, debits, credits } of await all(
      deps.db,
      sumLegs(after, Math.min(after + legsOfBatch, leg)),
    )) {
      const sum = accounts.get(name) ?? { name, opening: 0, debits: 0, credits: 0, closing: 0 };
      const closing = sum.closing + credits - debits;
      accounts.set(name, { ...sum, debits: sum.debits + debits, credits: sum.credits + credits, closing });
    }
  return {
    ...{ day, from: base ? addDays(base.day, 1) : null, leg },
    accounts: [...accounts.values()].sort((one, other) => (one.name < other.name ? -1 : 1)),
    openCases: cases[0]?.count ?? 0,
    closedBy: closed?.closed_by ?? null,
    closedAt: closed ? isoTime(closed.closed_at) : null,
  };
}

/**
 * The reasons why provider, bank and ledger do not agree on a day yet; empty if they agree. Opens any missing cases.
 */
export async function whyOpen(deps: Deps, { day, from }: Day): Promise<string[]> {
  if (startOfDay(addDays(day, 1)) > deps.now()) return ['the day is not over'];
  await recheckLines(deps);
  const isReported = await judgeDay(deps, day);
  const { state } = await run(deps.db, {
    state: statement<{ cases: number; payouts: number }>(sql`SELECT
      (SELECT count(*) FROM reconciliation_cases WHERE resolved_at IS NULL AND day <= ${day}) AS cases,
      (SELECT count(*) FROM provider_payouts p WHERE p.arrived IS NULL AND p.net > 0 AND p.day <= ${day} AND NOT EXISTS (
        SELECT 1 FROM reconciliation_cases k WHERE k.id = 'missing_arrival.' || p.source || '.' || p.reference)) AS payouts`),
  });
  const { cases = 0, payouts = 0 } = state[0] ?? {};
  return [
    ...(from === null || from === day ? [] : [`${from} is not closed`]),
    ...(isReported ? [] : [`the provider has not reported until ${addDays(day, graceDays)}`]),
    ...(payouts === 0 ? [] : [`${payouts} payouts have not arrived`]),
    ...(cases === 0 ? [] : [`${cases} cases are open`]),
  ];
}

/** Closes a day with its closing balances, unless another day has since been closed. */
export function closeStatement(
  { day, from, leg, accounts }: Day & { leg: number },
  v: { readonly when: SQL; readonly actor: SQL; readonly now: number },
): Statement {
  const balances = JSON.stringify(Object.fromEntries(accounts.map(({ name, closing }) => [name, closing])));
  return statement(sql`INSERT INTO closed_days (day, leg, balances, closed_by, closed_at)
    SELECT ${day}, ${integer(leg)}, ${balances}, ${v.actor}, ${v.now}
    WHERE (SELECT max(c.day) FROM closed_days c) IS ${from === null ? null : addDays(from, -1)} AND ${v.when}`);
}
