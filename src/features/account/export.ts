import { sql } from 'drizzle-orm';
import { integer, type Row, run, type Statement, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { pidOf } from '../../lib/id.ts';
import { createSecret } from '../../lib/secret.ts';
import { isoTime } from '../../lib/time.ts';
import { record } from '../activity/statements.ts';
import { selectApps, toApp } from '../app/app.ts';
import type { credentials } from '../credential/tables.ts';
import { selectDeposits, toDeposit } from '../deposit/deposit.ts';
import { type GrantRow, selectGrants, toGrant } from '../grant/grant.ts';
import type { emails, identities, profiles } from '../identity/tables.ts';
import { type HeldRow, heldColumns, toBalance } from '../ledger/balance.ts';
import type { accounts } from '../ledger/tables.ts';
import { selectLines, toTransaction } from '../ledger/transactions.ts';
import type { appSessions } from '../oauth/tables.ts';
import { actingHandle, actingSession } from '../session/acting-session.ts';
import type { sessions } from '../session/tables.ts';
import { selectWithdrawals, toWithdrawal } from '../withdrawal/withdrawal.ts';
import { activityStatement, toActivityEntry } from './activity.ts';
import type { AccountExport } from './schema.ts';

/** Sessions and activity grow with every sign-in; more rows than this would not fit the memory of a Worker. */
const maxRows = 10_000;

type IdentityRow = Pick<Row<typeof identities>, 'handle' | 'status' | 'created_at'> &
  Pick<Row<typeof profiles>, 'display_name' | 'locale' | 'step_up_amount' | 'updated_at'>;

type WalletRow = Pick<Row<typeof accounts>, 'status'> & HeldRow;

type EmailRow = Pick<Row<typeof emails>, 'email' | 'verified_at'>;

type CredentialRow = Pick<
  Row<typeof credentials>,
  'id' | 'provider' | 'provider_user_id' | 'email' | 'name' | 'linked_at' | 'last_login_at'
>;

type SessionRow = Pick<
  Row<typeof sessions>,
  | 'id'
  | 'provider'
  | 'created_at'
  | 'last_seen_at'
  | 'expires_at'
  | 'revoked_at'
  | 'revoked_reason'
  | 'user_agent'
  | 'address'
  | 'country'
>;

type AppSessionRow = Pick<
  Row<typeof appSessions>,
  'id' | 'app_id' | 'scopes' | 'created_at' | 'last_used_at' | 'expires_at' | 'revoked_at' | 'revoked_reason'
>;

/** Everything held about the signed-in person, as of one moment, and a line in their activity about it. @throws AppError unauthenticated */
export async function exportAccount(deps: Deps, sessionId: string): Promise<AccountExport> {
  const now = deps.now();
  const actor = actingHandle(sessionId, now);
  const held = await run(deps.db, {
    identity: statement<IdentityRow>(sql`SELECT i.handle, i.status, i.created_at, p.display_name, p.locale,
        p.step_up_amount, p.updated_at
      FROM identities i JOIN profiles p ON p.handle = i.handle WHERE i.handle = ${actor}`),
    emails: statement<EmailRow>(
      sql`SELECT email, verified_at FROM emails WHERE handle = ${actor} ORDER BY verified_at, email`,
    ),
    credentials:
      statement<CredentialRow>(sql`SELECT id, provider, provider_user_id, email, name, linked_at, last_login_at
      FROM credentials WHERE handle = ${actor} ORDER BY linked_at, id`),
    // The activity's index finds those that have ended; a live one may be older than the activity that is kept.
    sessions: statement<SessionRow>(sql`SELECT id, provider, created_at, last_seen_at, expires_at, revoked_at,
        revoked_reason, user_agent, address, country
      FROM sessions WHERE id IN (SELECT session_id FROM activity WHERE handle = ${actor}
        UNION SELECT id FROM sessions WHERE handle = ${actor} AND revoked_at IS NULL)
      ORDER BY id DESC LIMIT ${integer(maxRows + 1)}`),
    activity: activityStatement(actor, Number.MAX_SAFE_INTEGER, maxRows + 1),
    apps: selectApps(sql`a.owner = ${actor} AND a.status <> 'deleted' ORDER BY a.id`),
    grants: selectGrants(sql`g.handle = ${actor} ORDER BY g.id DESC LIMIT ${integer(maxRows + 1)}`),
    appSessions:
      statement<AppSessionRow>(sql`SELECT id, app_id, scopes, created_at, last_used_at, expires_at, revoked_at,
        revoked_reason
      FROM app_sessions WHERE grant_id IN (SELECT id FROM grants WHERE handle = ${actor})
      ORDER BY id DESC LIMIT ${integer(maxRows + 1)}`),
    wallet: statement<WalletRow>(sql`SELECT a.status, ${heldColumns} FROM accounts a
      WHERE a.owner = ${actor} AND a.kind = 'wallet'`),
    lines: selectLines(
      sql`accounts a`,
      sql`a.owner = ${actor} AND a.kind = 'wallet' ORDER BY e.at DESC, e.leg DESC LIMIT ${integer(maxRows + 1)}`,
    ),
    withdrawals: selectWithdrawals(sql`w.handle = ${actor} ORDER BY w.id DESC LIMIT ${integer(maxRows + 1)}`),
    deposits: selectDeposits(
      sql`deposits.handle = ${actor} ORDER BY deposits.id DESC LIMIT ${integer(maxRows + 1)}`,
    ),
    noted: [noteExport(deps, sessionId, now)],
  });
  const [identity] = held.identity;
  const [wallet] = held.wallet;
  if (!identity) throw new AppError('unauthenticated');
  return {
    exportedAt: isoTime(now),
    complete: [
      ...[held.sessions, held.activity, held.grants, held.appSessions, held.lines],
      ...[held.withdrawals, held.deposits],
    ].every((rows) => rows.length <= maxRows),
    identity: {
      pid: pidOf(identity.handle),
      handle: identity.handle,
      status: identity.status,
      createdAt: isoTime(identity.created_at),
    },
    profile: {
      displayName: identity.display_name,
      locale: identity.locale,
      stepUpAmount: identity.step_up_amount,
      updatedAt: isoTime(identity.updated_at),
    },
    emails: held.emails.map((row) => ({ email: row.email, verifiedAt: isoTime(row.verified_at) })),
    credentials: held.credentials.map(toCredential),
    sessions: held.sessions.slice(0, maxRows).map(toSession),
    activity: held.activity.slice(0, maxRows).map(toActivityEntry),
    apps: held.apps.map(toApp),
    grants: held.grants.slice(0, maxRows).map((row) => toExportedGrant(row, now)),
    appSessions: held.appSessions.slice(0, maxRows).map(toAppSession),
    wallet: wallet
      ? {
          status: wallet.status,
          balances: [toBalance(wallet)],
          transactions: held.lines.slice(0, maxRows).reverse().map(toTransaction),
        }
      : null,
    withdrawals: held.withdrawals.slice(0, maxRows).map(toWithdrawal),
    deposits: held.deposits.slice(0, maxRows).map(toDeposit),
  };
}

/** A line in the activity; a repeat after a lost answer writes no second one. */
function noteExport(deps: Deps, sessionId: string, now: number): Statement {
  const decisionId = createSecret(deps.randomBytes);
  const rows = sql`SELECT s.handle, NULL AS credential_id, NULL AS detail FROM ${actingSession(sessionId, now)} s
    WHERE NOT EXISTS (SELECT 1 FROM activity v WHERE v.handle = s.handle AND v.decision_id = ${decisionId})`;
  return record({ type: 'data.exported', sessionId, decisionId, rows, now });
}

function toCredential(row: CredentialRow): AccountExport['credentials'][number] {
  return {
    id: row.id,
    provider: row.provider,
    providerUserId: row.provider_user_id,
    email: row.email,
    name: row.name,
    linkedAt: isoTime(row.linked_at),
    lastLoginAt: isoTime(row.last_login_at),
  };
}

function toSession(row: SessionRow): AccountExport['sessions'][number] {
  return {
    id: row.id,
    provider: row.provider,
    createdAt: isoTime(row.created_at),
    lastUsedAt: isoTime(row.last_seen_at),
    expiresAt: isoTime(row.expires_at),
    ...endOf(row.revoked_at, row.revoked_reason),
    userAgent: row.user_agent,
    address: row.address,
    country: row.country,
  };
}

function toExportedGrant(row: GrantRow, now: number): AccountExport['grants'][number] {
  return { ...toGrant(row, now), ...endOf(row.revoked_at, row.revoked_by) };
}

function toAppSession(row: AppSessionRow): AccountExport['appSessions'][number] {
  return {
    id: row.id,
    appId: row.app_id,
    scopes: JSON.parse(row.scopes),
    createdAt: isoTime(row.created_at),
    lastUsedAt: row.last_used_at === null ? null : isoTime(row.last_used_at),
    expiresAt: isoTime(row.expires_at),
    ...endOf(row.revoked_at, row.revoked_reason),
  };
}

function endOf(at: number | null, because: string | null) {
  return { endedAt: at === null ? null : isoTime(at), endedBecause: because };
}
