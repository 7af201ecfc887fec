import { integer, type Row, run, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import { meets, type ReasonOf, type Requirements, requireVerdict, verdictOf } from '../../db/decision.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { createId, isoTime } from '../../lib/id.ts';
import { secretHash } from '../../lib/secret.ts';
import { actingSession, actingSessionStatement } from '../session/acting-session.ts';
import { type HeldRow, heldColumns, toBalance } from './balance.ts';
import { type OwnApp, ownApp, requireApp } from './fees.ts';
import { heldLimit, type LimitVerdict, limitRefusal, setLimits } from './limits.ts';
import { type Balance, maxAmount, type Sweep } from './schema.ts';
import { adjust, mayMove, mode } from './statements.ts';
import type { adjustments } from './tables.ts';

/** Reads the fees that an app has collected and not yet paid out. @throws AppError session_ended, app_not_found */
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

type SweepRow = Pick<Row<typeof adjustments>, 'id' | 'ref' | 'amount' | 'at'> & {
  readonly verdict: 'ok' | 'repeated' | 'idempotency_key_reused' | ReasonOf<typeof sweepRequirements> | null;
  readonly exceeded: LimitVerdict | null;
};

/** A sweep, and whether an earlier request with the same key made it. */
export interface Swept {
  readonly sweep: Sweep;
  readonly isReplayed: boolean;
}

/**
 * Moves an app's revenue to its owner's wallet.
 * @throws AppError amount_too_large, idempotency_key_reused, and the reasons in `sweepRequirements`
 */
export async function sweepApp(deps: Deps, request: SweepRequest): Promise<Swept> {
  if (request.amount !== null && request.amount > maxAmount) throw new AppError('amount_too_large');
  const now = deps.now();
  const id = createId('adj', now, deps.randomBytes);
  const hash = secretHash(JSON.stringify(['sweep', request.appId, request.amount]));
  const attempt = { ...request, id, hash, now };
  const { rows } = await run(deps.db, {
    change: [setLimits(deps.config.limits), insert(attempt)],
    rows: explain(attempt),
  });
  const row = requireVerdict('app.sweep', rows);
  if (row.verdict === 'limit_held') throw limitRefusal(row.exceeded, true);
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

const sweptBy = ({ amount }: Attempt) =>
  amount === null ? sql`r.credits_posted - r.debits_posted` : integer(amount);

/** The limit that the wallet `w` would exceed, as a scalar. */
const exceeded = (attempt: Attempt) =>
  heldLimit({ account: sql`w.id`, amount: sql`min(${sweptBy(attempt)}, ${integer(maxAmount)})` });

export const sweepRequirements = {
  session_ended: sql`s.handle IS NOT NULL`,
  ...mayMove,
  app_not_found: sql`a.id IS NOT NULL`,
  app_suspended: sql`a.status = 'active'`,
  wallet_not_found: sql`w.id IS NOT NULL`,
  wallet_frozen: sql`w.status = 'active'`,
  insufficient_internal_credit: (attempt) =>
    sql`r.status = 'active' AND ${sweptBy(attempt)} BETWEEN 1 AND r.credits_posted - r.debits_posted`,
  limit_held: (attempt) => sql`${exceeded(attempt)} IS NULL`,
} satisfies Requirements<Attempt>;

/** The person, their app with its account `r`, and their wallet. */
function involved({ sessionId, appId, now }: Attempt): SQL {
  return sql`FROM ${mode} m LEFT JOIN ${actingSession(sessionId, now)} s ON true
    LEFT JOIN apps a ON a.id = ${appId} AND a.owner = s.handle AND a.status <> 'deleted'
    LEFT JOIN accounts r ON r.owner = a.id AND r.kind = 'app'
    LEFT JOIN accounts w ON w.owner = s.handle AND w.kind = 'wallet'`;
}

function insert(attempt: Attempt): Statement {
  const { key, id, hash, now } = attempt;
  return adjust(sql`SELECT ${id}, 'sweep', r.id, w.id, min(${sweptBy(attempt)}, ${integer(maxAmount)}), a.id, 'sweep', s.handle,
      ${key}, ${key === null ? null : hash}, ${integer(now)}
    ${involved(attempt)} WHERE ${meets(sweepRequirements, attempt)}`);
}

/** The sweep made by this request or by an earlier one with the same key, or the reason why there is none. */
function explain(attempt: Attempt): Statement<SweepRow> {
  const { key, id, hash } = attempt;
  const found = {
    ok: sql`d.id = ${id}`,
    repeated: sql`d.request_hash = ${hash}`,
    idempotency_key_reused: sql`d.id IS NOT NULL`,
  };
  return statement(sql`SELECT d.id, d.ref, d.amount, d.at, ${verdictOf(sweepRequirements, attempt, found)} AS verdict,
      ${exceeded(attempt)} AS exceeded
    ${involved(attempt)}
      LEFT JOIN adjustments d ON d.id = coalesce((SELECT k.id FROM adjustments k WHERE k.id = ${id}),
        (SELECT k.id FROM adjustments k WHERE k.actor = s.handle AND k.idempotency_key IS NOT NULL
          AND k.idempotency_key = ${key}))`);
}
