import { isoTime, pidOf } from '../../lib/id.ts';
import { type AppDoubt, shownName } from '../popup/app-doubt.ts';
import type { Inquiry } from '../transfer/schema.ts';
import type { HoldRow, TransferRow } from '../transfer/statements.ts';
import { feesOfRow } from '../transfer/transfer.ts';

/** The terms that a person approves, as shown on the page. */
export interface ApprovalTerms
  extends Pick<
    Inquiry,
    'amount' | 'asset' | 'expiresAt' | 'fees' | 'memo' | 'netAmount' | 'to' | 'totalDebit'
  > {
  readonly from: string;
  readonly app: { readonly id: string; readonly name: string };
  readonly inquiryId: string;
  /** A hold is paid later, up to this amount. */
  readonly operation: 'transfer' | 'hold';
  readonly origin: string;
}

/** An inquiry, with the names of the app and the payee. */
export type AskedRow = TransferRow &
  HoldRow & {
    readonly app_id: string;
    readonly app_name: string;
    readonly doubt: AppDoubt;
    readonly display_name: string | null;
  };

/**
 * Canonical JSON of the page's content; the person's decision contains its digest. The keys are in alphabetical order.
 */
export function canonicalTerms(row: AskedRow, origin: string): string {
  const { app, payee, payer, platform, total } = feesOfRow(row);
  const terms: ApprovalTerms = {
    amount: row.amount,
    app: { id: row.app_id, name: shownName({ id: row.app_id, name: row.app_name, doubt: row.doubt }) },
    asset: row.asset,
    expiresAt: isoTime(row.expires_at),
    fees: { app, payee, payer, platform, total },
    from: pidOf(row.payer),
    inquiryId: `inq_${row.id}`,
    memo: row.memo,
    netAmount: row.net_amount,
    operation: row.hold_rules === null ? 'transfer' : 'hold',
    origin,
    to: { displayName: row.display_name ?? row.payee, pid: pidOf(row.payee) },
    totalDebit: row.debit_total,
  };
  return JSON.stringify(terms);
}
