import type { Target } from './target.ts';

let wallets = 0;

/**
 * Gives a wallet a history: 30 payments to others and 30 refunds from them, then `length` payments by different people.
 * @param account the wallet of `handle`
 */
export async function fillWallet(
  target: Pick<Target, 'rows'>,
  { handle, account, length }: { handle: string; account: number; length: number },
): Promise<void> {
  wallets += 1;
  const others = 30;
  const [name, first] = [`other${wallets}x`, 1_000_000 * wallets];
  const n = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < CAST(? AS INTEGER))`;
  const people = `${n} SELECT '${name}' || i, '${name}' || i`;
  await target.rows(
    `INSERT INTO identities (handle, skeleton, ticket, created_at) ${people}, '${name}' || i, 1 FROM n`,
    [others],
  );
  await target.rows(`INSERT INTO profiles (handle, display_name, updated_at) ${people}, 1 FROM n`, [others]);
  await target.rows(
    `INSERT INTO accounts (id, kind, owner, asset, created_at)
      ${n} SELECT ${first} + i, 'wallet', '${name}' || i, 'IDR', 1 FROM n`,
    [others],
  );
  await target.rows(
    `INSERT INTO adjustments (id, kind, debit, credit, amount, reason, actor, at)
      SELECT 'adj_${name}' || id, 'correction', 2, id, 1000000, 'test', 'operator', 1 FROM accounts
      WHERE kind = 'wallet' AND (id = CAST(? AS INTEGER) OR id BETWEEN ${first} AND ${first} + ${others})`,
    [account],
  );
  const columns = `(id, payer, payee, payer_account, payee_account, asset, amount, payer_fee, payee_fee, app_fee, platform_fee,
    debit_total, net_amount, needs_approval, created_at, expires_at`;
  const sums = `'IDR', 1, 0, 0, 0, 0, 1, 1, 0, 1, 9`;
  const other = `'${name}' || (i % ${others} + 1)`;
  const place = `${first} + i % ${others} + 1`;
  const own = [handle, account];
  const confirmed = `UPDATE transfers SET status = 'confirmed', confirmed_by = id, confirmed_at = CAST(? AS INTEGER) WHERE status = 'open'`;
  await target.rows(
    `INSERT INTO transfers ${columns}) ${n} SELECT '${name}out' || i, ?, ${other}, CAST(? AS INTEGER), ${place}, ${sums} FROM n`,
    [others, ...own],
  );
  await target.rows(confirmed, [2]);
  await target.rows(
    `INSERT INTO transfers ${columns}, refund_of, status, confirmed_by, confirmed_at)
      SELECT 'r' || id, payee, payer, payee_account, payer_account, ${sums}, id, 'confirmed', 'op', 3
      FROM transfers WHERE payer = ? AND refund_of IS NULL`,
    [handle],
  );
  await target.rows(
    `INSERT INTO transfers ${columns}) ${n} SELECT '${name}in' || i, ${other}, ?, ${place}, CAST(? AS INTEGER), ${sums} FROM n`,
    [length, ...own],
  );
  await target.rows(confirmed, [4]);
}
