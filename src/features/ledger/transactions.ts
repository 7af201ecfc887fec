import { type SQL, sql } from 'drizzle-orm';
import { integer, run, type Statement, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { pidOf } from '../../lib/id.ts';
import { type Page, toPage } from '../../lib/page.ts';
import { isoTime } from '../../lib/time.ts';
import { actingCaller, type Caller } from '../grant/acting-caller.ts';
import { refuseCaller } from '../grant/refuse-caller.ts';
import type { Transaction, TransactionDetail, TransactionsQuery, WalletStatement } from './schema.ts';

/** The most lines of one statement. */
const maxLines = 10_000;
const dayMs = 86_400_000;

/** Kinds of legs, and the kind that a person sees. */
const kinds: Readonly<Record<string, Transaction['kind']>> = {
  deposit: 'deposit',
  transfer: 'transfer',
  refund: 'refund',
  withdrawal_end: 'withdrawal',
  transfer_reversal: 'reversal',
  deposit_reversal: 'reversal',
  withdrawal_return: 'reversal',
  sweep: 'sweep',
  second_payment: 'correction',
  correction: 'correction',
};

interface LineRow {
  readonly kind: string;
  readonly ref: string;
  readonly at: number;
  readonly leg: number;
  readonly delta: number;
  readonly fees: number;
  readonly balance: number;
  readonly owner: string | null;
  readonly display_name: string | null;
  readonly memo: string | null;
  readonly app_id: string | null;
}

/**
 * Lines of wallets: one for each movement, which its first leg stands for.
 * @param wallets the accounts `a`, as what follows FROM
 * @param where a condition on the entry `e`, the leg `l` and the account `a`, and what follows it
 */
export function selectLines(wallets: SQL, where: SQL): Statement<LineRow> {
  return statement(sql`SELECT l.kind, l.ref, e.at, e.leg,
      (SELECT sum(iif(x.credit = a.id, x.amount, -x.amount)) FROM legs x WHERE x.kind = l.kind AND x.ref = l.ref
        AND a.id IN (x.debit, x.credit)) AS delta,
      coalesce(iif(t.refund_of IS NOT NULL, 0, iif(t.payer_account = a.id, t.payer_fee, t.payee_fee)),
        iif(l.kind = 'withdrawal_end', u.fee, o.app_fee + o.platform_fee), 0) AS fees,
      (SELECT y.balance FROM legs x JOIN entries y ON y.account = a.id AND y.at = e.at AND y.leg = x.seq
        WHERE x.kind = l.kind AND x.ref = l.ref ORDER BY x.n DESC LIMIT 1) AS balance,
      c.owner, p.display_name, t.memo, coalesce(t.app_id, o.app_id, iif(l.kind = 'sweep', d.ref, NULL)) AS app_id
    FROM ${wallets} JOIN entries e ON e.account = a.id JOIN legs l ON l.seq = e.leg AND l.n = 1
      LEFT JOIN transfers t ON l.kind IN ('transfer', 'refund', 'transfer_reversal') AND t.id = l.ref
      LEFT JOIN withdrawals u ON l.kind = 'withdrawal_end' AND u.id = l.ref
      LEFT JOIN deposits o ON l.kind IN ('deposit', 'deposit_reversal') AND o.id = l.ref
      LEFT JOIN adjustments d ON d.id = l.ref
      LEFT JOIN accounts c ON c.id = iif(l.debit = a.id, l.credit, l.debit) AND c.kind = 'wallet'
      LEFT JOIN profiles p ON p.handle = c.owner
    WHERE ${where}`);
}

export function toTransaction(row: LineRow): Transaction {
  const id = idOf(row.kind, row.ref);
  return {
    id,
    kind: kinds[row.kind] ?? 'correction',
    direction: row.delta < 0 ? 'out' : 'in',
    asset: 'IDR',
    amount: Math.abs(row.delta),
    fees: row.fees,
    balanceAfter: row.balance,
    // A closed identity has no profile any more.
    counterparty:
      row.owner === null ? null : { pid: pidOf(row.owner), displayName: row.display_name ?? row.owner },
    reference: referenceOf(row.ref),
    memo: row.memo,
    appId: row.app_id,
    createdAt: isoTime(row.at),
  };
}

/** Transfers are stored without a prefix, other documents with theirs. */
function idOf(kind: string, ref: string): string {
  if (kind === 'transfer' || kind === 'refund') return `trf_${ref}`;
  return /_(reversal|return)$/.test(kind) ? `rev_${ref}` : ref;
}

/** The document that a line comes from. */
function referenceOf(ref: string): Transaction['reference'] {
  if (ref.startsWith('adj_')) return { type: 'adjustment', id: ref };
  if (ref.startsWith('wdr_')) return { type: 'withdrawal', id: ref };
  if (ref.startsWith('dep_')) return { type: 'deposit', id: ref };
  return { type: 'transfer', id: `trf_${ref}` };
}

/** The legs that an id names: a condition on `l`. */
function isNamed(id: string): SQL {
  const [prefix, ref = ''] = id.split(/(?<=^[a-z]{3})_/);
  if (prefix === 'trf') return sql`l.kind IN ('transfer', 'refund') AND l.ref = ${ref}`;
  if (prefix === 'rev')
    return sql`l.kind IN ('transfer_reversal', 'deposit_reversal', 'withdrawal_return') AND l.ref = ${ref}`;
  if (prefix === 'wdr') return sql`l.kind = 'withdrawal_end' AND l.ref = ${id}`;
  if (prefix === 'dep') return sql`l.kind = 'deposit' AND l.ref = ${id}`;
  return sql`l.kind IN ('sweep', 'second_payment', 'correction') AND l.ref = ${id}`;
}

/** The caller's wallet as the account `a`. */
function ownWallet(caller: Caller, now: number): SQL {
  return sql`${actingCaller(caller, now)} AS w JOIN accounts a ON a.owner = w.handle AND a.kind = 'wallet'`;
}

/** Returns a row while the caller may read, with its wallet if there is one. */
function readOwn(caller: Caller, now: number): Statement<{ handle: string; account: number | null }> {
  return statement(sql`SELECT w.handle, a.id AS account
    FROM ${actingCaller(caller, now)} w LEFT JOIN accounts a ON a.owner = w.handle AND a.kind = 'wallet'`);
}

/** @throws AppError wallet_not_found, and as `refuseCaller` */
async function requireOwn(
  deps: Deps,
  caller: Caller,
  [own]: readonly { handle: string; account: number | null }[],
): Promise<void> {
  if (!own) throw await refuseCaller(deps, caller);
  if (own.account === null) throw new AppError('wallet_not_found');
}

/** The lines of the caller's wallet, the newest first. @throws AppError wallet_not_found, and as `refuseCaller` */
export async function listTransactions(
  deps: Deps,
  caller: Caller,
  query: TransactionsQuery,
): Promise<Page<Transaction>> {
  const now = deps.now();
  const { kind, direction, from = 0, to = Number.MAX_SAFE_INTEGER, limit } = query;
  const [at = Number.MAX_SAFE_INTEGER, leg = 0] = query.cursor?.split('.').map(Number) ?? [];
  const wanted = Object.keys(kinds).filter((name) => kind === undefined || kinds[name] === kind);
  const isWay =
    direction === undefined ? sql`1` : direction === 'out' ? sql`l.debit = a.id` : sql`l.credit = a.id`;
  const { own, lines } = await run(deps.db, {
    own: readOwn(caller, now),
    lines: selectLines(
      ownWallet(caller, now),
      sql`(e.at, e.leg) < (${at}, ${leg}) AND e.at >= ${from} AND e.at < ${to} AND ${isWay}
        AND l.kind IN (SELECT value FROM json_each(${JSON.stringify(wanted)}))
        ORDER BY e.at DESC, e.leg DESC LIMIT ${integer(limit + 1)}`,
    ),
  });
  await requireOwn(deps, caller, own);
  return toPage(lines, limit, (row) => `${row.at}.${row.leg}`, toTransaction);
}

/** One line of the caller's wallet, with its legs. @throws AppError transaction_not_found, and as `listTransactions` */
export async function getTransaction(deps: Deps, caller: Caller, id: string): Promise<TransactionDetail> {
  const now = deps.now();
  const { own, lines, legs } = await run(deps.db, {
    own: readOwn(caller, now),
    lines: selectLines(ownWallet(caller, now), sql`${isNamed(id)} LIMIT 1`),
    legs: statement<{
      amount: number;
      is_out: number;
      account: string;
    }>(sql`SELECT l.amount, l.debit = a.id AS is_out,
        c.kind AS account
      FROM ${ownWallet(caller, now)} JOIN legs l ON ${isNamed(id)} AND a.id IN (l.debit, l.credit)
        JOIN accounts c ON c.id = iif(l.debit = a.id, l.credit, l.debit)
      ORDER BY l.n`),
  });
  await requireOwn(deps, caller, own);
  const [line] = lines;
  if (!line) throw new AppError('transaction_not_found');
  return {
    ...toTransaction(line),
    legs: legs.map(({ amount, is_out, account }) => ({ direction: is_out ? 'out' : 'in', amount, account })),
  };
}

/**
 * Everything that moved in a period, the oldest first, with the balance before and after it.
 * @param period epoch milliseconds; the last 31 days unless given
 * @throws AppError validation_failed for a period that ends before it begins, statement_too_long, and as `listTransactions`
 */
export async function readStatement(
  deps: Deps,
  caller: Caller,
  period: { readonly from?: number | undefined; readonly to?: number | undefined },
): Promise<WalletStatement> {
  const now = deps.now();
  const to = period.to ?? now + 1;
  const from = period.from ?? to - 31 * dayMs;
  if (from > to) throw new AppError('validation_failed', ['from must not be after to']);
  const before = (time: number) =>
    sql`coalesce((SELECT e.balance FROM entries e WHERE e.account = a.id AND e.at < ${time}
      ORDER BY e.at DESC, e.leg DESC LIMIT 1), 0)`;
  const { own, balances, lines } = await run(deps.db, {
    own: readOwn(caller, now),
    balances: statement<{ opening: number; closing: number }>(sql`SELECT ${before(from)} AS opening,
      ${before(to)} AS closing FROM ${ownWallet(caller, now)}`),
    lines: selectLines(
      ownWallet(caller, now),
      sql`e.at >= ${from} AND e.at < ${to} ORDER BY e.at, e.leg LIMIT ${integer(maxLines + 1)}`,
    ),
  });
  await requireOwn(deps, caller, own);
  if (lines.length > maxLines) throw new AppError('statement_too_long');
  return {
    pid: pidOf(caller.handle),
    asset: 'IDR',
    scale: 0,
    from: isoTime(from),
    to: isoTime(to),
    openingBalance: balances[0]?.opening ?? 0,
    closingBalance: balances[0]?.closing ?? 0,
    data: lines.map(toTransaction),
  };
}

const csvHeader = 'time,id,kind,direction,asset,amount,fees,balance,counterparty,name,memo,app';

/** The lines of a statement as CSV (RFC 4180), between its opening and its closing balance. */
export function toCsv(wallet: WalletStatement): string {
  const edge = (time: string, kind: string, balance: number) => [time, '', kind, '', 'IDR', '', '', balance];
  const rows = wallet.data.map((line) => [
    ...[
      line.createdAt,
      line.id,
      line.kind,
      line.direction,
      line.asset,
      line.amount,
      line.fees,
      line.balanceAfter,
    ],
    ...[line.counterparty?.pid, line.counterparty?.displayName, line.memo, line.appId],
  ]);
  const all = [
    edge(wallet.from, 'opening', wallet.openingBalance),
    ...rows,
    edge(wallet.to, 'closing', wallet.closingBalance),
  ];
  const empty = Array<string>(4).fill('');
  const lines = all.map((cells) =>
    [...cells, ...empty]
      .slice(0, 12)
      .map((cell) => csvCell(cell ?? ''))
      .join(','),
  );
  return [csvHeader, ...lines, ''].join('\r\n');
}

/** A spreadsheet would run a cell that begins like a formula; an apostrophe in front makes it text. */
function csvCell(value: string | number): string {
  const text = String(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
