import { all, type SQL, sql, statement } from '../../db/database.ts';
import { verdictOf } from '../../db/decision.ts';
import type { Deps } from '../../deps.ts';
import type { ErrorCode } from '../../errors.ts';
import { pidOf } from '../../lib/id.ts';
import { record, recordAudit } from '../activity/statements.ts';
import { noticeStatement } from '../mail/mail.ts';
import { reversalRequirements } from '../transfer/statements.ts';

/** The columns of a transfer `t` that say whether it can be reversed, with the ledger row `m`. */
export const reversibility: SQL = sql`t.payer, t.payee, t.debit_total, t.status, t.refunded, t.net_amount, t.refund_of,
  ${verdictOf(reversalRequirements, null)} AS refusal`;

export interface ReversibilityRow {
  readonly payer: string;
  readonly payee: string;
  readonly debit_total: number;
  readonly status: string;
  readonly refunded: number;
  readonly net_amount: number;
  readonly refund_of: string | null;
  readonly refusal: ErrorCode | null;
}

/** Whether a transfer can be reversed. */
export interface Reversibility {
  /** PIDs. */
  readonly payer: string;
  readonly payee: string;
  /** The amount that the payer paid, fees included, and gets back. */
  readonly paid: number;
  readonly state: 'open' | 'completed' | 'reversed' | 'refunded' | 'partly_refunded' | 'refund' | 'cancelled';
  /** The reason against reversing it now; null if it can be reversed. */
  readonly refusal: ErrorCode | null;
}

export function toReversibility(row: ReversibilityRow): Reversibility {
  const { payer, payee, debit_total: paid, refusal } = row;
  return { payer: pidOf(payer), payee: pidOf(payee), paid, state: stateOf(row), refusal };
}

function stateOf({ status, refunded, net_amount, refund_of }: ReversibilityRow): Reversibility['state'] {
  if (status === 'reversed' || status === 'open' || status === 'cancelled') return status;
  if (refund_of !== null) return 'refund';
  if (refunded === 0) return 'completed';
  return refunded === net_amount ? 'refunded' : 'partly_refunded';
}

/** Whether each of these transfers can be reversed now, by id. */
export async function readReversibility(
  { db }: Deps,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Reversibility>> {
  const refs = ids.filter((id) => id.startsWith('trf_')).map((id) => id.slice(4));
  if (refs.length === 0) return new Map();
  const rows = await all(
    db,
    statement<ReversibilityRow & { id: string }>(sql`SELECT t.id, ${reversibility}
      FROM json_each(${JSON.stringify(refs)}) j CROSS JOIN transfers t ON t.id = j.value JOIN ledger m ON m.id = 1`),
  );
  return new Map(rows.map((row) => [`trf_${row.id}`, toReversibility(row)]));
}

/** A transfer to reverse. None of these values ever changes. */
export interface Reversed {
  /** Without a prefix. */
  readonly id: string;
  readonly payer: string;
  readonly payee: string;
  readonly paid: number;
  readonly received: number;
}

/**
 * Reports a reversal to both parties: a line in their activity, one about each in the audit log, and an email, unless
 * the person has set a `stepUpAmount` and the amount is within it.
 */
export async function reportReversal(
  deps: Deps,
  { id, payer, payee, paid, received }: Reversed,
  {
    reason,
    when,
    actor,
    now,
  }: {
    readonly reason: string;
    readonly when: SQL;
    readonly actor: SQL;
    readonly now: number;
  },
) {
  const sides = [
    { handle: payer, other: payee, amount: paid, type: 'payment.returned', kind: 'payment_returned' },
    { handle: payee, other: payer, amount: received, type: 'payment.reversed', kind: 'payment_reversed' },
  ] as const;
  const each = sides.map(async ({ handle, other, amount, type, kind }) => {
    const isMailed = sql`coalesce(${amount} > (SELECT step_up_amount FROM profiles WHERE handle = ${handle}), 1)`;
    const party = kind === 'payment_returned' ? 'sender' : 'destination';
    return [
      record({
        type,
        sessionId: null,
        rows: sql`SELECT ${handle} AS handle, NULL AS credential_id, ${`${amount} ${pidOf(other)}`} AS detail WHERE ${when}`,
        now,
      }),
      recordAudit({
        ...{ actor, action: 'payment.reversed', target: handle, when, now },
        detail: { transfer: `trf_${id}`, amount, reason },
      }),
      await noticeStatement(deps, {
        ...{ kind, handle: sql`${handle}`, when: sql`${when} AND ${isMailed}`, now },
        params: { pid: pidOf(handle), amount: String(amount), [party]: pidOf(other), reference: `trf_${id}` },
      }),
    ];
  });
  return (await Promise.all(each)).flat();
}
