import {
  all,
  columnsOf,
  integer,
  type Row,
  type RowOf,
  run,
  type Statement,
  sql,
  statement,
} from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { jsonElements } from '../../http/stream.ts';
import { isoTime, pidOf } from '../../lib/id.ts';
import { stringList } from '../../lib/present.ts';
import { createSecret } from '../../lib/secret.ts';
import { record } from '../activity/statements.ts';
import { selectApps, toApp } from '../app/app.ts';
import type { credentials } from '../credential/tables.ts';
import { selectDeposits, toDeposit } from '../deposit/deposit.ts';
import { type GrantRow, selectGrants, toGrant } from '../grant/grant.ts';
import type { emails, identities, profiles } from '../identity/tables.ts';
import { heldColumns, toBalance } from '../ledger/balance.ts';
import { type LimitedRow, toLimits, usedColumn } from '../ledger/limits.ts';
import { readAllLines } from '../ledger/statement.ts';
import type { accounts } from '../ledger/tables.ts';
import type { appSessions } from '../oauth/tables.ts';
import type { AccessClaims } from '../session/access-token.ts';
import { actingHandle, actingSession, actingSessionStatement } from '../session/acting-session.ts';
import type { sessions } from '../session/tables.ts';
import { selectWithdrawals, toWithdrawal } from '../withdrawal/withdrawal.ts';
import { activityStatement, toActivityEntry } from './activity.ts';
import type { AccountExport } from './schema.ts';

/** Rows per read. A read takes a few milliseconds of database time. */
const rowsOfRead = 200;

type IdentityRow = Pick<Row<typeof identities>, 'handle' | 'status' | 'created_at' | 'level'> &
  Pick<Row<typeof profiles>, 'display_name' | 'locale' | 'step_up_amount' | 'updated_at'>;

type WalletRow = Pick<Row<typeof accounts>, 'status'> & LimitedRow;

type EmailRow = Pick<Row<typeof emails>, 'email' | 'verified_at'>;

const credentialColumns = columnsOf<typeof credentials>()(
  'id, provider, provider_user_id, email, name, linked_at, last_login_at',
);
const sessionColumns = columnsOf<typeof sessions>()(
  'id, provider, created_at, last_seen_at, expires_at, revoked_at, revoked_reason, user_agent, address',
  'country',
);
const appSessionColumns = columnsOf<typeof appSessions>()(
  'id, grant_id, app_id, scopes, created_at, last_used_at, expires_at, revoked_at, revoked_reason',
);

type CredentialRow = RowOf<typeof credentialColumns>;
type SessionRow = RowOf<typeof sessionColumns>;
type AppSessionRow = RowOf<typeof appSessionColumns>;

/**
 * Streams all data about the signed-in person as JSON, and adds a line to their activity. The last member is
 * `complete`; a truncated file is not valid JSON.
 * @throws AppError unauthenticated
 */
export async function streamExport(
  deps: Deps,
  { handle, sessionId }: AccessClaims,
): Promise<AsyncGenerator<string>> {
  const now = deps.now();
  const actor = actingHandle(sessionId, now);
  const held = await run(deps.db, {
    identity:
      statement<IdentityRow>(sql`SELECT i.handle, i.status, i.created_at, i.level, p.display_name, p.locale,
        p.step_up_amount, p.updated_at
      FROM identities i JOIN profiles p ON p.handle = i.handle WHERE i.handle = ${actor}`),
    emails: statement<EmailRow>(
      sql`SELECT email, verified_at FROM emails WHERE handle = ${actor} ORDER BY email`,
    ),
    credentials: statement<CredentialRow>(sql`SELECT ${credentialColumns()}
      FROM credentials WHERE handle = ${actor} ORDER BY linked_at`),
    wallet:
      statement<WalletRow>(sql`SELECT a.status, ${heldColumns}, ${usedColumn(deps.config.limits, now)} FROM accounts a
      WHERE a.owner = ${actor} AND a.kind = 'wallet'`),
    noted: [noteExport(deps, sessionId, now)],
  });
  const [identity] = held.identity;
  if (!identity) throw new AppError('unauthenticated');
  const head = {
    exportedAt: isoTime(now),
    identity: {
      pid: pidOf(identity.handle),
      handle: identity.handle,
      status: identity.status,
      createdAt: isoTime(identity.created_at),
      level: identity.level,
    },
    profile: {
      displayName: identity.display_name,
      locale: identity.locale,
      stepUpAmount: identity.step_up_amount,
      updatedAt: isoTime(identity.updated_at),
    },
    emails: held.emails.map((row) => ({ email: row.email, verifiedAt: isoTime(row.verified_at) })),
    credentials: held.credentials.map(toCredential),
  };
  return write(deps, { handle, sessionId }, { head, wallet: held.wallet[0] });
}

/** @throws AppError unauthenticated after the session is revoked */
async function* write(
  deps: Deps,
  { handle, sessionId }: Pick<AccessClaims, 'handle' | 'sessionId'>,
  { head, wallet }: { head: object; wallet: WalletRow | undefined },
): AsyncGenerator<string> {
  const lists = listsOf(deps, sessionId);
  yield JSON.stringify(head).slice(0, -1);
  for (const [name, pages] of Object.entries(lists)) yield* list(name, pages);
  yield ',"wallet":';
  if (wallet) {
    const caller = { by: 'person', handle, sessionId, appId: null, grantId: null, scopes: null } as const;
    const limits = toLimits(deps.config.limits, wallet);
    yield JSON.stringify({ status: wallet.status, balances: [toBalance(wallet)], limits }).slice(0, -1);
    yield* list('transactions', readAllLines(deps, caller));
    yield '}';
  } else yield 'null';
  // Every list is empty after the session is revoked.
  const [acting] = await all(deps.db, actingSessionStatement(sessionId, deps.now()));
  if (!acting) throw new AppError('unauthenticated');
  yield ',"complete":true}';
}

async function* list(name: string, pages: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  yield `,"${name}":[`;
  yield* jsonElements(pages);
  yield ']';
}

type Lists = Omit<
  AccountExport,
  'exportedAt' | 'complete' | 'identity' | 'profile' | 'emails' | 'credentials' | 'wallet'
>;

/** The lists that can grow long, each read page by page, newest first. */
function listsOf(
  deps: Deps,
  sessionId: string,
): { readonly [Name in keyof Lists]: AsyncIterable<Lists[Name]> } {
  const acting = () => actingHandle(sessionId, deps.now());
  const limit = integer(rowsOfRead);
  const pages = <Row, Item>(select: (last: Row | undefined) => Statement<Row>, toItem: (row: Row) => Item) =>
    readPages(deps, select, toItem);
  return {
    sessions: readSessions(deps, sessionId),
    activity: pages(
      (last) => activityStatement(acting(), last?.seq ?? Number.MAX_SAFE_INTEGER, rowsOfRead),
      toActivityEntry,
    ),
    apps: pages(
      (last) =>
        selectApps(sql`a.owner = ${acting()} AND a.status <> 'deleted' AND a.id < ${last?.id ?? '~'}
          ORDER BY a.id DESC LIMIT ${limit}`),
      toApp,
    ),
    grants: pages(
      (last: GrantRow | undefined) =>
        selectGrants(
          sql`g.handle = ${acting()} AND g.id < ${last?.id ?? '~'} ORDER BY g.id DESC LIMIT ${limit}`,
        ),
      (row) => toExportedGrant(row, deps.now()),
    ),
    // The index returns the sign-ins of each grant in order.
    appSessions: pages(
      (last) =>
        statement<AppSessionRow>(sql`SELECT ${appSessionColumns('s')}
          FROM grants g CROSS JOIN app_sessions s INDEXED BY app_sessions_grant ON s.grant_id = g.id
            AND s.id > iif(g.id = ${last?.grant_id ?? ''}, ${last?.id ?? ''}, '')
          WHERE g.handle = ${acting()} AND g.id <= ${last?.grant_id ?? '~'} ORDER BY g.id DESC LIMIT ${limit}`),
      toAppSession,
    ),
    withdrawals: pages(
      (last) =>
        selectWithdrawals(
          sql`w.handle = ${acting()} AND w.id < ${last?.id ?? '~'} ORDER BY w.id DESC LIMIT ${limit}`,
        ),
      toWithdrawal,
    ),
    deposits: pages(
      (last) =>
        selectDeposits(sql`deposits.handle = ${acting()} AND deposits.id < ${last?.id ?? '~'}
          ORDER BY deposits.id DESC LIMIT ${limit}`),
      toDeposit,
    ),
  };
}

/** Reads a list page by page. @param select the rows after `last`, at most `rowsOfRead` */
async function* readPages<Row, Item>(
  { db }: Deps,
  select: (last: Row | undefined) => Statement<Row>,
  toItem: (row: Row) => Item,
): AsyncGenerator<Item[]> {
  let last: Row | undefined;
  do {
    const rows = await all(db, select(last));
    last = rows.length < rowsOfRead ? undefined : rows.at(-1);
    yield rows.map(toItem);
  } while (last !== undefined);
}

/** First live sessions by their index, then the revoked ones in the activity. */
async function* readSessions(deps: Deps, sessionId: string): AsyncGenerator<AccountExport['sessions']> {
  const acting = () => actingHandle(sessionId, deps.now());
  yield* readPages(
    deps,
    (last: SessionRow | undefined) =>
      statement<SessionRow>(sql`SELECT ${sessionColumns('s')} FROM sessions s
        WHERE s.handle = ${acting()} AND s.revoked_at IS NULL AND s.id < ${last?.id ?? '~'}
        ORDER BY s.id DESC LIMIT ${integer(rowsOfRead)}`),
    toSession,
  );
  const ended = readPages(
    deps,
    (last: (SessionRow & { seq: number }) | undefined) =>
      statement<SessionRow & { seq: number }>(sql`SELECT v.seq, ${sessionColumns('s')}
        FROM activity v LEFT JOIN sessions s ON s.id = iif(v.type = 'session.ended', v.session_id, NULL)
        WHERE v.handle = ${acting()} AND v.seq < ${last?.seq ?? Number.MAX_SAFE_INTEGER}
        ORDER BY v.seq DESC LIMIT ${integer(rowsOfRead)}`),
    (row) => (row.id === null ? [] : [toSession(row)]),
  );
  for await (const page of ended) yield page.flat();
}

/** Adds a line to the activity. A retry after a lost response does not add another. */
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
    scopes: stringList(row.scopes),
    createdAt: isoTime(row.created_at),
    lastUsedAt: row.last_used_at === null ? null : isoTime(row.last_used_at),
    expiresAt: isoTime(row.expires_at),
    ...endOf(row.revoked_at, row.revoked_reason),
  };
}

function endOf(at: number | null, because: string | null) {
  return { endedAt: at === null ? null : isoTime(at), endedBecause: because };
}
