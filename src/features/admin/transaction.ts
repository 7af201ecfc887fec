import { integer, type Row, run, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { isoTime, pidOf } from '../../lib/id.ts';
import type { auditLog } from '../activity/tables.ts';
import { toAuditLine } from './audit.ts';
import { type Consent, selectConsent, toConsent } from './consent.ts';
import { type DeskActor, deskState, lookOnceStatement, requireDesk } from './desk.ts';
import { type Reversibility, type ReversibilityRow, reversibility, toReversibility } from './reversal.ts';
import type { AuditLine } from './schema.ts';
import { isWaiting } from './second.ts';

/** A party: a person, or the place where money came from or went. */
export interface DeskParty {
  readonly handle: string | null;
  /** The display name, the bank account, or the kind of an account. */
  readonly name: string | null;
}

/** A transaction of any kind as shown on the admin desk. */
export interface DeskTransaction {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly failure: string | null;
  readonly from: DeskParty;
  readonly to: DeskParty;
  readonly amount: number;
  /** The amounts that the payer pays and the payee receives, after fees. */
  readonly paid: number;
  readonly received: number;
  readonly appFee: number;
  readonly platformFee: number;
  readonly memo: string | null;
  readonly app: { readonly id: string; readonly name: string } | null;
  /** The provider's name and its own id. */
  readonly provider: string | null;
  readonly reference: string | null;
  readonly createdAt: string;
  readonly movedAt: string | null;
  readonly reversedAt: string | null;
  /** The administrator's handle, or `operator`; null if a provider reversed it. */
  readonly reversedBy: string | null;
  /** Null for what is not a payment, and before it is confirmed. */
  readonly consent: Consent | null;
  readonly refundOf: string | null;
  readonly refunds: readonly string[];
  readonly legs: readonly Leg[];
  /** Null for a transaction that only a provider can reverse. */
  readonly reversibility: Reversibility | null;
  /** The pending proposal to reverse it. */
  readonly proposal: string | null;
  /** True if reversing it needs a second administrator. */
  readonly needsSecond: boolean;
  readonly audit: readonly AuditLine[];
}

interface Leg {
  readonly seq: number;
  readonly kind: string;
  readonly phase: string;
  readonly amount: number;
  readonly at: string;
  readonly from: DeskParty;
  readonly to: DeskParty;
}

interface TransactionRow {
  readonly kind: string;
  readonly status: string;
  readonly failure: string | null;
  readonly from_handle: string | null;
  readonly from_name: string | null;
  readonly to_handle: string | null;
  readonly to_name: string | null;
  readonly amount: number;
  readonly paid: number;
  readonly received: number;
  readonly app_fee: number;
  readonly platform_fee: number;
  readonly memo: string | null;
  readonly app_id: string | null;
  readonly app_name: string | null;
  readonly provider: string | null;
  readonly reference: string | null;
  readonly created_at: number;
  readonly moved_at: number | null;
  readonly reversed_at: number | null;
  readonly refund_of: string | null;
}

const idPattern = /^(?:trf|inq|dep|wdr|adj)_[0-9a-z]{26}$/;

/** The id of the document behind an id that people know: an inquiry, a reversal or a part of one; null for others. */
export function documentOf(id: string): string | null {
  const [, of = id] = /^rev_(.*)$/.exec(id) ?? [];
  const [whole = ''] = of.split('.');
  const named = /^[0-9a-z]{26}$/.test(whole) ? `trf_${whole}` : whole.replace(/^inq_/, 'trf_');
  return idPattern.test(named) ? named : null;
}

/**
 * Returns a transaction with its parties, fees, legs and refunds, and whether it can be reversed. An administrator's
 * access adds at most one line an hour to the audit log.
 * @throws AppError unauthenticated, not_fresh, transaction_not_found
 */
export async function lookAtTransaction(
  deps: Deps,
  actor: DeskActor,
  given: string,
): Promise<DeskTransaction> {
  const id = documentOf(given);
  if (id === null) throw new AppError('transaction_not_found');
  const [prefix, bare] = id.split('_') as [keyof typeof selectDocument, string];
  const ref = prefix === 'trf' ? bare : id;
  const now = deps.now();
  const { desk, found, ...rows } = await run(deps.db, {
    desk: deskState(deps, actor),
    found: selectDocument[prefix](ref),
    legs: selectLegs(ref),
    refunds: statement<{ id: string }>(sql`SELECT id FROM transfers WHERE refund_of = ${ref} ORDER BY id`),
    state: statement<ReversibilityRow>(sql`SELECT ${reversibility} FROM transfers t JOIN ledger m ON m.id = 1
      WHERE t.id = ${ref}`),
    proposals: statement<{ id: string }>(sql`SELECT id FROM desk_decisions
      WHERE target = ${id} AND action = 'transfer.reversed' AND ${isWaiting(deps, now)}`),
    consents: selectConsent(ref),
    reversers: statement<Pick<Row<typeof auditLog>, 'actor'>>(sql`SELECT actor FROM audit_log
      WHERE target = ${id} AND action = 'transfer.reversed' ORDER BY seq DESC LIMIT 1`),
    audit: statement<Row<typeof auditLog>>(sql`SELECT * FROM audit_log WHERE target = ${id}
      ORDER BY seq DESC LIMIT ${integer(20)}`),
    look: lookOnceStatement(deps, actor, {
      action: 'transaction.viewed',
      target: id,
      when: existing[prefix](ref),
    }),
  });
  requireDesk(desk);
  const [row] = found;
  if (!row) throw new AppError('transaction_not_found');
  const [[state], [consent]] = [rows.state, rows.consents];
  return {
    ...toTransaction(id, row),
    consent: consent ? toConsent(consent) : null,
    reversedBy: rows.reversers[0]?.actor ?? null,
    refunds: rows.refunds.map((refund) => `trf_${refund.id}`),
    legs: rows.legs.map(toLeg).sort((one, other) => one.seq - other.seq),
    reversibility: state ? toReversibility(state) : null,
    proposal: rows.proposals[0]?.id ?? null,
    needsSecond: row.paid > deps.config.DESK_SECOND_ABOVE,
    audit: rows.audit.map(toAuditLine),
  };
}

const existing = {
  trf: (id: string) => sql`EXISTS (SELECT 1 FROM transfers WHERE id = ${id})`,
  dep: (id: string) => sql`EXISTS (SELECT 1 FROM deposits WHERE id = ${id})`,
  wdr: (id: string) => sql`EXISTS (SELECT 1 FROM withdrawals WHERE id = ${id})`,
  adj: (id: string) => sql`EXISTS (SELECT 1 FROM adjustments WHERE id = ${id})`,
} as const;

const selectDocument = {
  trf: (id: string) =>
    statement<TransactionRow>(sql`SELECT iif(t.refund_of IS NULL, 'transfer', 'refund') AS kind,
      iif(t.held_at IS NULL OR t.status <> 'open', t.status, iif(t.released_at IS NULL, 'held', 'released')) AS status,
      NULL AS failure, t.payer AS from_handle, p.display_name AS from_name, t.payee AS to_handle, q.display_name AS to_name,
      t.amount, t.debit_total AS paid, t.net_amount AS received, t.app_fee, t.platform_fee, t.memo, t.app_id, a.name AS app_name,
      NULL AS provider, NULL AS reference, t.created_at, coalesce(t.confirmed_at, t.held_at) AS moved_at, t.reversed_at,
      t.refund_of
    FROM transfers t LEFT JOIN profiles p ON p.handle = t.payer LEFT JOIN profiles q ON q.handle = t.payee
      LEFT JOIN apps a ON a.id = t.app_id WHERE t.id = ${id}`),
  dep: (id: string) =>
    statement<TransactionRow>(sql`SELECT 'deposit' AS kind, d.status, d.failure, NULL AS from_handle, d.method AS from_name,
      d.handle AS to_handle, p.display_name AS to_name, d.gross AS amount, d.gross AS paid, d.net AS received, d.app_fee,
      d.platform_fee, NULL AS memo, d.app_id, a.name AS app_name, d.gateway AS provider, d.payment AS reference,
      d.created_at, d.credited_at AS moved_at, d.reversed_at, NULL AS refund_of
    FROM deposits d LEFT JOIN profiles p ON p.handle = d.handle LEFT JOIN apps a ON a.id = d.app_id WHERE d.id = ${id}`),
  wdr: (id: string) =>
    statement<TransactionRow>(sql`SELECT 'withdrawal' AS kind, w.status, w.failure, w.handle AS from_handle,
      p.display_name AS from_name, NULL AS to_handle, w.destination_hint AS to_name, w.amount, w.amount + w.fee AS paid,
      w.amount AS received, 0 AS app_fee, w.fee AS platform_fee, NULL AS memo, NULL AS app_id, NULL AS app_name,
      w.gateway AS provider, w.payout AS reference, w.created_at, w.held_at AS moved_at, w.returned_at AS reversed_at,
      NULL AS refund_of
    FROM withdrawals w LEFT JOIN profiles p ON p.handle = w.handle WHERE w.id = ${id}`),
  adj: (id: string) =>
    statement<TransactionRow>(sql`SELECT j.kind, 'posted' AS status, NULL AS failure,
      iif(d.kind = 'wallet', d.owner, NULL) AS from_handle, d.kind AS from_name,
      iif(c.kind = 'wallet', c.owner, NULL) AS to_handle, c.kind AS to_name, j.amount, j.amount AS paid,
      j.amount AS received, 0 AS app_fee, 0 AS platform_fee, j.reason AS memo, NULL AS app_id, NULL AS app_name,
      NULL AS provider, j.ref AS reference, j.at AS created_at, j.at AS moved_at, NULL AS reversed_at, NULL AS refund_of
    FROM adjustments j JOIN accounts d ON d.id = j.debit JOIN accounts c ON c.id = j.credit WHERE j.id = ${id}`),
} as const;

function toTransaction(id: string, row: TransactionRow) {
  const { from_handle, from_name, to_handle, to_name, app_id, app_name, refund_of } = row;
  const { kind, status, failure, amount, paid, received, memo, provider, reference } = row;
  return {
    ...{ id, kind, status, failure, amount, paid, received, memo, provider, reference },
    from: { handle: from_handle, name: from_name },
    to: { handle: to_handle, name: to_name },
    appFee: row.app_fee,
    platformFee: row.platform_fee,
    app: app_id === null ? null : { id: app_id, name: app_name ?? app_id },
    createdAt: isoTime(row.created_at),
    movedAt: row.moved_at === null ? null : isoTime(row.moved_at),
    reversedAt: row.reversed_at === null ? null : isoTime(row.reversed_at),
    refundOf: refund_of === null ? null : `trf_${refund_of}`,
  };
}

interface LegRow {
  readonly seq: number;
  readonly kind: string;
  readonly phase: string;
  readonly amount: number;
  readonly at: number;
  readonly debit_owner: string;
  readonly debit_kind: string;
  readonly credit_owner: string;
  readonly credit_kind: string;
}

const legKinds = [
  ...['transfer', 'transfer_reversal', 'refund', 'hold', 'hold_capture', 'hold_release', 'deposit'],
  ...['deposit_reversal', 'withdrawal', 'withdrawal_end', 'withdrawal_return', 'sweep', 'correction'],
  'second_payment',
];

/** The legs of a document and of its parts, whose refs have a suffix after a dot. */
function selectLegs(ref: string): Statement<LegRow> {
  return statement(sql`SELECT l.seq, l.kind, l.phase, l.amount, l.at, d.owner AS debit_owner, d.kind AS debit_kind,
      c.owner AS credit_owner, c.kind AS credit_kind
    FROM json_each(${JSON.stringify(legKinds)}) k
      CROSS JOIN legs l ON l.kind = k.value AND l.ref >= ${ref} AND l.ref < ${`${ref}/`}
      JOIN accounts d ON d.id = l.debit JOIN accounts c ON c.id = l.credit LIMIT 100`);
}

function toLeg({ at, debit_owner, debit_kind, credit_owner, credit_kind, ...leg }: LegRow): Leg {
  const from = partyOf(debit_owner, debit_kind);
  return { ...leg, at: isoTime(at), from, to: partyOf(credit_owner, credit_kind) };
}

/** Accounts of the bank, of provider fees and of debts have the kind of another account. */
function partyOf(owner: string, kind: string): DeskParty {
  if (kind === 'wallet') return { handle: owner, name: pidOf(owner) };
  return { handle: null, name: kind === 'app' ? owner : owner === 'system' ? kind : owner };
}
