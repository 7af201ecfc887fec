import { first, type Row, run, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { isoTime, pidOf } from '../../lib/id.ts';
import { record } from '../activity/statements.ts';
import { setProfile } from '../identity/statements.ts';
import type { identities, profiles } from '../identity/tables.ts';
import { heldColumns, toBalance } from '../ledger/balance.ts';
import { type LimitedRow, toLimits, usedColumn } from '../ledger/limits.ts';
import type { accounts } from '../ledger/tables.ts';
import { noticeStatement, sendSoon } from '../mail/mail.ts';
import type { AccessClaims } from '../session/access-token.ts';
import { actingSession, mayChangeStepUp } from '../session/acting-session.ts';
import { type IssuedAccess, issueAccess } from '../session/session.ts';
import { type SessionRow, sessionColumns } from '../session/statements.ts';
import { requireSigner } from '../signing-key/signing-key.ts';
import type { Me, ProfileInput } from './schema.ts';

type MeRow = SessionRow &
  Pick<Row<typeof identities>, 'created_at'> &
  Pick<Row<typeof profiles>, 'step_up_amount'> &
  LimitedRow & { wallet_status: Row<typeof accounts>['status'] | null };

/** Returns the signed-in person's identity and profile. @throws AppError unauthenticated */
export async function getMe(deps: Deps, sessionId: string): Promise<Me> {
  const row = await first(deps.db, meStatement(deps, sessionId, deps.now()));
  if (row === null) throw new AppError('unauthenticated');
  return toMe(deps, row);
}

/**
 * Changes the given fields, and signs a new access token, because session reads are answered from the token. The new
 * token expires with the presented one. Tokens of other sessions reflect the change after a refresh.
 * @throws AppError unauthenticated; not_fresh for a new `stepUpAmount` if the sign-in is too old or a passkey is
 *   required
 */
export async function updateProfile(
  deps: Deps,
  { sessionId, expiresAt, handle: own }: AccessClaims,
  input: ProfileInput,
): Promise<{ me: Me; access: IssuedAccess }> {
  const now = deps.now();
  const sign = await requireSigner(deps, now);
  const { stepUpAmount } = input;
  const allowed = stepUpAmount === undefined ? sql`1` : mayChangeStepUp(deps, stepUpAmount, now);
  const handle = sql`(SELECT s.handle FROM ${actingSession(sessionId, now)} s
    JOIN profiles p ON p.handle = s.handle WHERE ${allowed})`;
  const {
    acting: [acting],
    me: [row],
  } = await run(deps.db, {
    change: [
      ...(stepUpAmount === undefined ? [] : [await noticeOfStepUp(deps, { handle, own, stepUpAmount, now })]),
      record({ type: 'profile.changed', sessionId, rows: changedProfile(handle, input), now }),
      setProfile({ ...input, handle, now }),
    ],
    acting: statement<{
      allowed: number;
    }>(sql`SELECT ${allowed} AS allowed FROM ${actingSession(sessionId, now)} s
      JOIN profiles p ON p.handle = s.handle`),
    me: meStatement(deps, sessionId, now),
  });
  if (!row) throw new AppError('unauthenticated');
  if (!acting?.allowed) throw new AppError('not_fresh');
  if (stepUpAmount !== undefined) sendSoon(deps);
  return { me: toMe(deps, row), access: await issueAccess(deps, sign, row, now, expiresAt) };
}

/**
 * Notifies the person of a raised or removed `stepUpAmount`, before the change. `handle` is empty if the change is not
 * allowed.
 */
function noticeOfStepUp(
  deps: Deps,
  v: {
    readonly handle: SQL;
    readonly own: string;
    readonly stepUpAmount: number | null;
    readonly now: number;
  },
): Promise<Statement> {
  return noticeStatement(deps, {
    kind: 'step_up_changed',
    handle: sql`SELECT p.handle FROM profiles p WHERE p.handle = ${v.handle}
      AND p.step_up_amount < coalesce(${v.stepUpAmount}, p.step_up_amount + 1)`,
    when: sql`1`,
    params: { pid: pidOf(v.own) },
    now: v.now,
  });
}

/** The profile of a handle, if it differs from the input. */
function changedProfile(handle: SQL, { displayName, locale, stepUpAmount }: ProfileInput): SQL {
  const language = locale === undefined ? sql`p.locale` : sql`${locale}`;
  const limit = stepUpAmount === undefined ? sql`p.step_up_amount` : sql`${stepUpAmount}`;
  return sql`SELECT p.handle, NULL AS credential_id, NULL AS detail FROM profiles p WHERE p.handle = ${handle}
    AND (p.display_name <> coalesce(${displayName ?? null}, p.display_name)
      OR p.locale IS NOT ${language} OR p.step_up_amount IS NOT ${limit})`;
}

function meStatement({ config }: Deps, sessionId: string, now: number): Statement<MeRow> {
  return statement(sql`SELECT ${sessionColumns}, i.created_at, p.step_up_amount, a.status AS wallet_status,
      ${heldColumns}, ${usedColumn(config.limits, now)} FROM ${actingSession(sessionId, now)} s
    JOIN identities i ON i.handle = s.handle JOIN profiles p ON p.handle = s.handle
    LEFT JOIN accounts a ON a.owner = s.handle AND a.kind = 'wallet'`);
}

function toMe({ config }: Deps, row: MeRow): Me {
  return {
    pid: pidOf(row.handle),
    handle: row.handle,
    createdAt: isoTime(row.created_at),
    profile: { displayName: row.display_name, locale: row.locale },
    email: row.email,
    stepUpAmount: row.step_up_amount,
    wallet:
      row.wallet_status === null
        ? null
        : {
            status: row.wallet_status,
            balances: [toBalance(row)],
            limits: toLimits(config.limits, row),
          },
  };
}
