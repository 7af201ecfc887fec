import { integer, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import { balanceWhen, everyRange, selectEntries } from './lines.ts';

/** An account, a leg or a document that violates an invariant. */
export interface Breach {
  readonly what: string | number;
}

/** Statements by invariant name. If the invariant is intact, its statement returns no rows. */
export type Invariants = Readonly<Record<string, Statement<Breach>>>;

/** The kinds of legs posted by rows of `adjustments`. */
export const ledgerKinds = ['sweep', 'second_payment', 'correction'] as const;

/** The maximum number of rows reported for a violated invariant. */
const most = sql`LIMIT 10`;

/** Only the legs after this one. */
export function recentLegs(after: number): SQL {
  return sql`(SELECT * FROM legs WHERE seq > ${integer(after)})`;
}

/** Invariants of single accounts, with a cost independent of the number of entries. @param ids a table of `id` */
export function accountInvariants(ids: SQL): Invariants {
  return {
    overdrawn: violations(sql`SELECT a.id AS what FROM ${ids} x JOIN accounts a ON a.id = x.id
      WHERE a.may_overdraw = 0 AND a.debits_posted + a.debits_pending > a.credits_posted`),
    lastBalance: violations(sql`SELECT a.id AS what FROM ${ids} x JOIN accounts a ON a.id = x.id
      WHERE ${balanceWhen(sql`a.id`, sql`1`)} <> a.credits_posted - a.debits_posted`),
  };
}

/**
 * Invariants of accounts, legs and entries. Invariants that read every account run only in a full check.
 * @param after the last leg seen by an earlier check; 0 to read everything
 */
export function ledgerInvariants(after: number): Invariants {
  const recent = recentLegs(after);
  const touched = sql`(SELECT debit AS id FROM ${recent} UNION SELECT credit FROM ${recent})`;
  // An entry is never earlier than its leg.
  const entries = sql`(SELECT e.* FROM ${touched} a JOIN entries e ON e.account = a.id
    AND e.way IN (0, 1, 2, 3, 4) AND e.at >= (SELECT min(at) FROM ${recent}) AND e.leg > ${integer(after)})`;
  const before = selectEntries({
    account: sql`e.account`,
    ranges: everyRange,
    when: sql`(at, leg) < (e.at, e.leg)`,
    order: 'DESC',
    limit: 1,
  });
  return {
    ...accountInvariants(touched),
    entryOfLeg: violations(sql`SELECT e.leg AS what FROM ${entries} e LEFT JOIN legs l ON l.seq = e.leg
      WHERE l.seq IS NULL OR l.phase NOT IN ('posted','post')
        OR e.delta IS NOT iif(l.debit = e.account, -l.amount, iif(l.credit = e.account, l.amount, NULL))
        OR e.ref <> l.ref OR (e.way = 0) <> (l.n > 1) OR (e.way IN (1, 2)) <> (l.n = 1 AND l.kind = 'transfer')`),
    twoEntries: violations(sql`SELECT leg AS what FROM ${entries} GROUP BY leg HAVING count(*) <> 2
      UNION ALL SELECT 0 WHERE (SELECT count(*) FROM ${entries})
        <> 2 * (SELECT count(*) FROM ${recent} WHERE phase IN ('posted','post'))`),
    runningBalance: violations(sql`SELECT e.leg AS what FROM ${entries} e
      WHERE NOT coalesce((SELECT k.balance + e.delta = e.balance AND k.leg < e.leg FROM (${before}) k), e.delta = e.balance)`),
    resolved: violations(sql`SELECT l.seq AS what FROM ${recent} l LEFT JOIN legs p ON p.seq = l.pending_leg
      WHERE (l.phase IN ('post','void')) <> (l.pending_leg IS NOT NULL)
        OR (l.pending_leg IS NOT NULL AND ((p.phase, p.debit, p.credit, p.amount) IS NOT ('pending', l.debit, l.credit, l.amount)
          OR (SELECT count(*) FROM legs o WHERE o.pending_leg = l.pending_leg) <> 1))`),
    noGap: violations(sql`SELECT n AS what FROM (SELECT count(*) AS n, max(seq) AS last FROM ${recent})
      WHERE n <> coalesce(last, ${integer(after)}) - ${integer(after)}`),
    // Otherwise the leg could change a total again.
    lastLeg:
      violations(sql`SELECT l.seq AS what FROM ${recent} l JOIN accounts a ON a.id IN (l.debit, l.credit)
      WHERE l.seq > a.leg`),
    adjusted: violations(sql`SELECT l.seq AS what FROM ${recent} l
      WHERE l.kind IN (SELECT value FROM json_each(${JSON.stringify(ledgerKinds)})) AND NOT EXISTS (
        SELECT 1 FROM adjustments d
        WHERE d.id = l.ref AND d.kind = l.kind AND d.debit = l.debit AND d.credit = l.credit AND d.amount = l.amount)`),
    // An account's money settles its debt first, so it never has both.
    debts: violations(sql`SELECT a.id AS what FROM accounts a
        WHERE a.debt > 0 AND a.credits_posted - a.debits_posted - a.debits_pending <> 0
      UNION ALL SELECT x.id FROM accounts x WHERE x.owner = 'debts'
        AND x.debits_posted - x.credits_posted <> (SELECT coalesce(sum(a.debt), 0) FROM accounts a WHERE a.debt > 0)
      UNION ALL SELECT l.seq FROM ${recent} l JOIN accounts a ON a.id = iif(l.kind = 'debt', l.debit, l.credit)
        WHERE l.kind IN ('debt','debt_payment') AND a.owner <> 'debts'`),
    ...(after === 0 ? ofEverything() : {}),
  };
}

/**
 * Invariants that read every account and leg. Debits equal credits, so the balances of people, apps and the platform
 * add up to the amount owed by the gateway.
 */
function ofEverything(): Invariants {
  const posted = sql`amount * (phase IN ('posted','post'))`;
  const pending = sql`amount * ((phase = 'pending') - (phase IN ('post','void')))`;
  return {
    balanced: violations(sql`SELECT asset AS what FROM accounts GROUP BY asset
      HAVING sum(debits_posted) <> sum(credits_posted) OR sum(debits_pending) <> sum(credits_pending)`),
    counters: violations(sql`SELECT a.id AS what FROM accounts a LEFT JOIN (
        SELECT account, sum(d) AS d, sum(c) AS c, sum(dp) AS dp, sum(cp) AS cp, sum(debt) AS debt FROM (
          SELECT debit AS account, ${posted} AS d, 0 AS c, ${pending} AS dp, 0 AS cp, -amount * (kind = 'debt_payment') AS debt FROM legs
          UNION ALL SELECT credit, 0, ${posted}, 0, ${pending}, amount * (kind = 'debt') FROM legs) GROUP BY account) s
        ON s.account = a.id
      WHERE (a.debits_posted, a.credits_posted, a.debits_pending, a.credits_pending, a.debt)
        IS NOT (coalesce(s.d, 0), coalesce(s.c, 0), coalesce(s.dp, 0), coalesce(s.cp, 0), coalesce(s.debt, 0))`),
    posted: violations(sql`SELECT d.id AS what FROM adjustments d
      WHERE NOT EXISTS (SELECT 1 FROM legs l WHERE l.kind = d.kind AND l.ref = d.id)`),
  };
}

export function violations(query: SQL): Statement<Breach> {
  return statement(sql`SELECT what FROM (${query}) ${most}`);
}
