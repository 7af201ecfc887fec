import { integer, only, type Row, run, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { createId, isoTime } from '../../lib/id.ts';
import { secretHash } from '../../lib/secret.ts';
import { actingSession, actingSessionStatement } from '../session/acting-session.ts';
import { type HeldRow, heldColumns, toBalance } from './balance.ts';
import { type OwnApp, ownApp, requireApp } from './fees.ts';
import { type Balance, maxAmount, type Sweep } from './schema.ts';
import { adjust, isOpen } from './statements.ts';
import type { adjustments } from './tables.ts';

/** What an app has taken in fees and not paid out yet. @throws AppError session_ended, app_not_found */
export async function getAppBalance(deps: Deps, own: OwnApp): Promise<Balance> {
  const now = deps.now();
  const { acting, app, held } = await run(deps.db, {
    acting: actingSessionStatement(own.sessionId, now),
    app: statement<{ id: string }>(sql`SELECT x.id FROM apps x WHERE x.id = ${ownApp(own, now)}`),
    held: statement<HeldRow>(sql`SELECT ${heldColumns} FROM accounts a WHERE a.owner = ${ownApp(own, now)}
      AND a.kind = 'app'`),
  });
  requireApp({ acting, app });
  return toBalance(held[0] ?? { balance: 0, held: 0, debt: 0 });
}

interface SweepRequest extends OwnApp {
  /** Null means everything. */
  readonly amount: number | null;
  readonly key: string | null;
}

type Verdict =
  | 'ok'
  | 'repeated'
  | 'idempotency_key_reused'
  | 'session_ended'
  | 'ledger_disabled'
  | 'ledger_frozen'
  | 'app_not_found'
  | 'app_suspended'
  | 'wallet_not_found'
  | 'wallet_frozen'
  | 'insufficient_internal_credit';

type SweepRow = Pick<Row<typeof adjustments>, 'id' | 'ref' | 'amount' | 'at'> & { verdict: Verdict };

/** A sweep, and whether an earlier request with the same key made it. */
export interface Swept {
  readonly sweep: Sweep;
  readonly isReplayed: boolean;
}

/**
 * Moves the revenue of an app to its owner's wallet.
 * @throws AppError idempotency_key_reused, session_ended, ledger_disabled, ledger_frozen, app_not_found,
 *   app_suspended, wallet_not_found, wallet_frozen, insufficient_internal_credit, in this order
 */
export async function sweepApp(deps: Deps, request: SweepRequest): Promise<Swept> {
  if (request.amount !== null && request.amount > maxAmount) throw new AppError('amount_too_large');
  const now = deps.now();
  const id = createId('adj', now, deps.randomBytes);
  const hash = secretHash(JSON.stringify(['sweep', request.appId, request.amount]));
  const { verdicts } = await run(deps.db, {
    change: [insert({ ...request, id, hash, now })],
    verdicts: explain({ ...request, id, hash, now }),
  });
  const row = only(verdicts);
  if (row.verdict !== 'ok' && row.verdict !== 'repeated') throw new AppError(row.verdict);
  if (row.verdict === 'ok') deps.log.info('app.swept', { app: request.appId, id, amount: row.amount });
  return {
    sweep: {
      id: row.id,
      appId: row.ref ?? request.appId,
      asset: 'IDR',
      amount: row.amount,
      createdAt: isoTime(row.at),
    },
    isReplayed: row.verdict === 'repeated',
  };
}

interface Attempt extends SweepRequest {
  readonly id: string;
  readonly hash: string;
  readonly now: number;
}

function insert({ sessionId, appId, amount, key, id, hash, now }: Attempt): Statement {
  const wanted = amount === null ? sql`r.credits_posted - r.debits_posted` : integer(amount);
  return adjust(sql`SELECT ${id}, 'sweep', r.id, w.id, min(${wanted}, ${integer(maxAmount)}), a.id, 'sweep', s.handle,
      ${key}, ${key === null ? null : hash}, ${integer(now)}
    FROM ${actingSession(sessionId, now)} s JOIN apps a ON a.id = ${appId} AND a.owner = s.handle AND a.status = 'active'
      JOIN accounts r ON r.owner = a.id AND r.kind = 'app' AND r.status = 'active'
      JOIN accounts w ON w.owner = s.handle AND w.kind = 'wallet' AND w.status = 'active'
    WHERE ${wanted} BETWEEN 1 AND r.credits_posted - r.debits_posted AND ${isOpen}`);
}

/** The sweep that this request made, the one that an earlier request with its key made, or why there is none. */
function explain({ sessionId, appId, key, id, hash, now }: Attempt): Statement<SweepRow> {
  return statement(sql`SELECT d.id, d.ref, d.amount, d.at, CASE
      WHEN d.id = ${id} THEN 'ok'
      WHEN d.request_hash = ${hash} THEN 'repeated'
      WHEN d.id IS NOT NULL THEN 'idempotency_key_reused'
      WHEN s.handle IS NULL THEN 'session_ended'
      WHEN m.mode <> 'open' THEN 'ledger_' || m.mode
      WHEN a.id IS NULL THEN 'app_not_found'
      WHEN a.status <> 'active' THEN 'app_suspended'
      WHEN w.id IS NULL THEN 'wallet_not_found'
      WHEN w.status <> 'active' THEN 'wallet_frozen'
      ELSE 'insufficient_internal_credit' END AS verdict
    FROM ledger m LEFT JOIN ${actingSession(sessionId, now)} s ON true
      LEFT JOIN apps a ON a.id = ${appId} AND a.owner = s.handle AND a.status <> 'deleted'
      LEFT JOIN accounts w ON w.owner = s.handle AND w.kind = 'wallet'
      LEFT JOIN adjustments d ON d.id = coalesce((SELECT k.id FROM adjustments k WHERE k.id = ${id}),
        (SELECT k.id FROM adjustments k WHERE k.actor = s.handle AND k.idempotency_key IS NOT NULL
          AND k.idempotency_key = ${key}))
    WHERE m.id = 1`);
}
