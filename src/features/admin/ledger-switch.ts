import { type Row, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { isoTime, pidOf } from '../../lib/id.ts';
import { setSwitches, setWalletStatus } from '../ledger/statements.ts';
import type { ledger } from '../ledger/tables.ts';
import { changeAtDesk, type DeskActor, type Reasoned } from './desk.ts';
import type { LedgerState, WalletStatus } from './schema.ts';

interface Switches {
  readonly reason: string;
  readonly mode?: LedgerState['mode'] | undefined;
  readonly withdrawals?: boolean | undefined;
}

/**
 * Freezes, disables or opens the ledger, and turns withdrawals on or off. Held money is still settled.
 * @throws AppError validation_failed, unauthenticated, not_fresh
 */
export async function switchLedger(deps: Deps, actor: DeskActor, input: Switches): Promise<LedgerState> {
  const { mode = null, withdrawals = null, reason } = input;
  if (mode === null && withdrawals === null)
    throw new AppError('validation_failed', ['mode or withdrawals must be given']);
  const row = await changeAtDesk(deps, actor, {
    action: 'ledger.mode',
    target: 'ledger',
    reason,
    detail: { ...(mode === null ? {} : { mode }), ...(withdrawals === null ? {} : { withdrawals }) },
    from: sql`JOIN ledger m ON m.id = 1`,
    requirements: {
      same: sql`m.mode <> coalesce(${mode}, m.mode)
        OR m.withdrawals <> coalesce(${withdrawals === null ? null : Number(withdrawals)}, m.withdrawals)`,
    },
    change: ({ when, now }) => [setSwitches({ mode, withdrawals, reason, now, when })],
    read: () => statement<Row<typeof ledger>>(sql`SELECT * FROM ledger WHERE id = 1`),
  });
  return {
    mode: row.mode,
    withdrawals: row.withdrawals === 1,
    reason: row.reason,
    updatedAt: isoTime(row.updated_at),
  };
}

interface WalletChange extends Reasoned {
  readonly handle: string;
  readonly status: 'active' | 'frozen';
}

/**
 * Freezes or unfreezes a wallet: no money enters or leaves a frozen wallet. A closed wallet stays closed.
 * Administrators cannot unfreeze their own wallet.
 * @throws AppError unauthenticated, not_fresh, wallet_not_found, moved_on, self_decision
 */
export async function setWallet(deps: Deps, actor: DeskActor, input: WalletChange): Promise<WalletStatus> {
  const { handle, status, reason } = input;
  const row = await changeAtDesk(deps, actor, {
    action: 'wallet.status',
    target: handle,
    reason,
    detail: { status },
    from: sql`LEFT JOIN accounts a ON a.owner = ${handle} AND a.kind = 'wallet' AND a.asset = 'IDR'`,
    requirements: {
      wallet_not_found: sql`a.id IS NOT NULL`,
      moved_on: sql`a.status <> 'closed'`,
      same: sql`a.status <> ${status}`,
      self_decision: sql`w.handle <> ${handle} OR ${status} <> 'active'`,
    },
    change: ({ when }) => [setWalletStatus(handle, { status, when })],
    read: () =>
      statement<{ status: string }>(
        sql`SELECT coalesce((SELECT status FROM accounts WHERE owner = ${handle} AND kind = 'wallet' AND asset = 'IDR'), '') AS status`,
      ),
  });
  return { pid: pidOf(handle), status: row.status };
}
