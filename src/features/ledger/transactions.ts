import { run, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { type Page, toPage } from '../../lib/page.ts';
import { actingCaller, type Caller, explainCaller } from '../grant/acting-caller.ts';
import { isBefore, keyOf, rangesOf, selectEntries, selectLines, toTransaction } from './lines.ts';
import type { Transaction, TransactionDetail, TransactionsQuery } from './schema.ts';

/** The key of a person's wallet, as a scalar. The caller's right to read is checked by `readOwn`, in the same batch. */
export function walletOf({ handle }: Caller): SQL {
  return sql`(SELECT a.id FROM accounts a WHERE a.owner = ${handle} AND a.kind = 'wallet')`;
}

/** Returns a row while the caller may read, with their wallet if there is one. */
export function readOwn(caller: Caller, now: number): Statement<{ handle: string; account: number | null }> {
  return statement(sql`SELECT w.handle, a.id AS account
    FROM ${actingCaller(caller, now)} w LEFT JOIN accounts a ON a.owner = w.handle AND a.kind = 'wallet'`);
}

/** @throws AppError wallet_not_found, and those of `explainCaller` */
export async function requireOwn(
  deps: Deps,
  caller: Caller,
  [own]: readonly { handle: string; account: number | null }[],
): Promise<void> {
  if (!own) throw await explainCaller(deps, caller);
  if (own.account === null) throw new AppError('wallet_not_found');
}

/**
 * Lists the lines of the caller's wallet, newest first. @throws AppError wallet_not_found, and those of `explainCaller`
 */
export async function listTransactions(
  deps: Deps,
  caller: Caller,
  query: TransactionsQuery,
): Promise<Page<Transaction>> {
  const { own, lines } = await run(deps.db, {
    own: readOwn(caller, deps.now()),
    lines: selectPage(caller, query),
  });
  await requireOwn(deps, caller, own);
  return toPage(lines, query.limit, (row) => `${row.at}.${row.leg}`, toTransaction);
}

/** The lines of a page, and the next one. */
export function selectPage(
  caller: Caller,
  { kind, direction, from = 0, to = Number.MAX_SAFE_INTEGER, cursor, limit }: TransactionsQuery,
) {
  const [at, leg] = keyOf(cursor) ?? [to, 0];
  const when = sql`${isBefore(at < to ? [at, leg] : [to, 0])} AND at >= ${from}`;
  return selectLines(
    selectEntries({
      account: walletOf(caller),
      ranges: rangesOf(kind, direction),
      when,
      order: 'DESC',
      limit: limit + 1,
    }),
  );
}

/**
 * Returns one line of the caller's wallet, with its legs.
 * @throws AppError transaction_not_found, and those of `listTransactions`
 */
export async function getTransaction(deps: Deps, caller: Caller, id: string): Promise<TransactionDetail> {
  const account = walletOf(caller);
  // The leg and its kind determine the entry's position, so the index finds it.
  const entry = sql`SELECT e.account, e.at, e.leg, e.delta, e.balance, e.kind, e.ref FROM legs l CROSS JOIN entries e
    ON e.account = iif(${account} IN (l.debit, l.credit), ${account}, NULL)
      AND e.way = iif(l.kind = 'transfer', 1, 3) + (l.debit = ${account}) AND e.at >= l.at AND e.leg = l.seq
    WHERE ${isNamed(id)} AND l.n = 1 LIMIT 1`;
  const { own, lines, legs } = await run(deps.db, {
    own: readOwn(caller, deps.now()),
    lines: selectLines(entry),
    legs: statement<{
      amount: number;
      is_out: number;
      account: string;
    }>(sql`SELECT l.amount, l.debit = ${account} AS is_out, c.kind AS account
      FROM legs l CROSS JOIN accounts c ON c.id = iif(l.debit = ${account}, l.credit, l.debit)
      WHERE ${isNamed(id)} AND ${account} IN (l.debit, l.credit)`),
  });
  await requireOwn(deps, caller, own);
  const [line] = lines;
  if (!line) throw new AppError('transaction_not_found');
  return {
    ...toTransaction(line),
    legs: legs.map(({ amount, is_out, account: kind }) => ({
      direction: is_out ? 'out' : 'in',
      amount,
      account: kind,
    })),
  };
}

/** The legs with this id: a condition on `l`. */
function isNamed(id: string): SQL {
  const [prefix, ref = ''] = id.split(/(?<=^[a-z]{3})_/);
  if (prefix === 'trf') return sql`l.kind IN ('transfer', 'refund') AND l.ref = ${ref}`;
  if (prefix === 'rev')
    return sql`l.kind IN ('transfer_reversal', 'deposit_reversal', 'withdrawal_return') AND l.ref = ${ref}`;
  if (prefix === 'dbt') return sql`l.kind IN ('debt', 'debt_payment') AND l.ref IN (${ref}, ${id})`;
  if (prefix === 'wdr') return sql`l.kind = 'withdrawal_end' AND l.ref = ${id}`;
  if (prefix === 'dep') return sql`l.kind = 'deposit' AND l.ref = ${id}`;
  return sql`l.kind IN ('sweep', 'second_payment', 'correction') AND l.ref = ${id}`;
}
