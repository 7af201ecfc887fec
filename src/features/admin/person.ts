import { columnsOf, integer, type Row, type RowOf, run, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { deviceName } from '../../lib/device.ts';
import { isoTime, pidOf } from '../../lib/id.ts';
import { activityStatement, toActivityEntry } from '../account/activity.ts';
import { record } from '../activity/statements.ts';
import type { auditLog } from '../activity/tables.ts';
import type { credentials } from '../credential/tables.ts';
import { selectDeposits, toDeposit } from '../deposit/deposit.ts';
import { selectListedGrants, toGrant } from '../grant/grant.ts';
import type { identities, profiles } from '../identity/tables.ts';
import { rangesOf, selectEntries, selectLines, toTransaction } from '../ledger/lines.ts';
import { selectWallet, toWallet } from '../ledger/wallet.ts';
import type { sessions } from '../session/tables.ts';
import { selectWithdrawals, toWithdrawal } from '../withdrawal/withdrawal.ts';
import { toAuditLine } from './audit.ts';
import { type DeskActor, deskState, isNewLook, lookOnceStatement, mayRead, requireDesk } from './desk.ts';
import { selectMailsOf, toMail } from './mails.ts';
import type { Person } from './person-schema.ts';

type PersonRow = Pick<Row<typeof identities>, 'handle' | 'status' | 'level' | 'created_at' | 'closed_at'> & {
  display_name: Row<typeof profiles>['display_name'] | null;
};

const credentialColumns = columnsOf<typeof credentials>()(
  'id, provider, provider_user_id, name, email, linked_at, last_login_at',
);
const sessionColumns = columnsOf<typeof sessions>()(
  'id, provider, created_at, last_seen_at, address, country, user_agent',
);

type CredentialRow = RowOf<typeof credentialColumns>;
type SessionRow = RowOf<typeof sessionColumns>;

const newest = integer(20);

/**
 * Returns all details needed for a person's support request. The first access of an administrator within an hour adds
 * a line to the audit log and to the person's activity.
 * @throws AppError unauthenticated, not_fresh, identity_not_found
 */
export async function lookAtPerson(deps: Deps, actor: DeskActor, handle: string): Promise<Person> {
  const now = deps.now();
  const exists = sql`EXISTS (SELECT 1 FROM identities WHERE handle = ${handle})`;
  const look = { action: 'person.viewed', target: handle, when: exists } as const;
  const {
    desk,
    identities: found,
    ...rows
  } = await run(deps.db, {
    desk: deskState(deps, actor),
    look: [
      // Read before the audit line is written, after which this access would count as a repeat.
      record({
        type: 'support.viewed',
        sessionId: null,
        rows: sql`SELECT ${handle} AS handle, NULL AS credential_id, NULL AS detail
          WHERE ${exists} AND ${mayRead(deps, actor)} AND ${isNewLook(deps, actor, look)}`,
        now,
      }),
      lookOnceStatement(deps, actor, look),
    ],
    identities:
      statement<PersonRow>(sql`SELECT i.handle, i.status, i.level, i.created_at, i.closed_at, p.display_name
      FROM identities i LEFT JOIN profiles p ON p.handle = i.handle WHERE i.handle = ${handle}`),
    emails: statement<{ email: string }>(
      sql`SELECT email FROM emails WHERE handle = ${handle} ORDER BY email`,
    ),
    credentials: statement<CredentialRow>(sql`SELECT ${credentialColumns()}
      FROM credentials WHERE handle = ${handle} ORDER BY linked_at LIMIT ${newest}`),
    sessions: statement<SessionRow>(sql`SELECT ${sessionColumns()}
      FROM live_sessions WHERE handle = ${handle} AND expires_at > ${now} ORDER BY id DESC LIMIT ${newest}`),
    activity: activityStatement(sql`${handle}`, Number.MAX_SAFE_INTEGER, 20),
    grants: selectListedGrants(sql`g.handle = ${handle} AND g.revoked_at IS NULL
      AND (g.expires_at IS NULL OR g.expires_at > ${now}) ORDER BY g.id DESC LIMIT ${newest}`),
    wallet: selectWallet(deps, handle, now),
    transactions: selectLines(
      selectEntries({
        account: sql`(SELECT id FROM accounts WHERE owner = ${handle} AND kind = 'wallet')`,
        ranges: rangesOf(),
        when: sql`1`,
        order: 'DESC',
        limit: 20,
      }),
    ),
    deposits: selectDeposits(sql`handle = ${handle} ORDER BY id DESC LIMIT ${newest}`),
    withdrawals: selectWithdrawals(sql`handle = ${handle} AND status <> 'quoted'
      ORDER BY id DESC LIMIT ${newest}`),
    mails: selectMailsOf(handle),
    audit: statement<Row<typeof auditLog>>(sql`SELECT * FROM audit_log WHERE target = ${handle}
      ORDER BY seq DESC LIMIT ${newest}`),
  });
  requireDesk(desk);
  const [row] = found;
  if (!row) throw new AppError('identity_not_found');
  const [wallet] = rows.wallet;
  return {
    pid: pidOf(handle),
    handle,
    status: row.status,
    level: row.level,
    displayName: row.display_name,
    createdAt: isoTime(row.created_at),
    closedAt: timeOrNull(row.closed_at),
    emails: rows.emails.map(({ email }) => email),
    credentials: rows.credentials.map(toCredential),
    sessions: rows.sessions.map(toSession),
    activity: rows.activity.map(toActivityEntry),
    grants: rows.grants.map((grant) => toGrant(grant, now)),
    wallet: wallet ? toWallet(deps, wallet) : null,
    transactions: rows.transactions.map(toTransaction),
    deposits: rows.deposits.map(toDeposit),
    withdrawals: rows.withdrawals.map(toWithdrawal),
    mails: rows.mails.map(toMail),
    audit: rows.audit.map(toAuditLine),
  };
}

const timeOrNull = (at: number | null) => (at === null ? null : isoTime(at));

function toCredential(row: CredentialRow): Person['credentials'][number] {
  const { id, provider, provider_user_id: subject, name, email } = row;
  const times = { linkedAt: isoTime(row.linked_at), lastLoginAt: isoTime(row.last_login_at) };
  return { id, provider, subject, name, email, ...times };
}

function toSession({ id, provider, address, country, ...row }: SessionRow): Person['sessions'][number] {
  const device = deviceName(row.user_agent);
  const times = { createdAt: isoTime(row.created_at), lastUsedAt: isoTime(row.last_seen_at) };
  return { id, provider, device, address, country, ...times };
}
