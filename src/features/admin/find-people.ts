import { integer, run, type SQL, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { credentialKinds } from '../../lib/credential-kinds.ts';
import { canonicalEmail } from '../../lib/email.ts';
import { handleOf, isPopupId, pidOf } from '../../lib/id.ts';
import { type DeskActor, deskState, lookStatement, requireDesk } from './desk.ts';
import type { FoundPeople } from './person-schema.ts';

type FoundBy = FoundPeople['data'][number]['foundBy'];

interface FoundRow {
  readonly handle: string;
  readonly found_by: FoundBy;
  readonly status: string;
  readonly display_name: string | null;
}

/** The maximum number of people in a search result. */
const most = 20;
const lastCharacter = sql`char(1114111)`;

/**
 * Finds people by a handle, PID, whole email address, the beginning of a name, a provider's subject, or the id of a
 * credential, session, popup request or transaction. The audit log records who was found.
 * @throws AppError unauthenticated, not_fresh
 */
export async function findPeople(deps: Deps, actor: DeskActor, { q }: { q: string }): Promise<FoundPeople> {
  const found = sql.join(lookups(q), sql` UNION ALL `);
  const { desk, rows } = await run(deps.db, {
    desk: deskState(deps, actor),
    rows: statement<FoundRow>(sql`SELECT f.handle, f.found_by, i.status, p.display_name FROM (${found}) f
      CROSS JOIN identities i ON i.handle = f.handle LEFT JOIN profiles p ON p.handle = f.handle`),
    look: lookStatement(deps, actor, {
      action: 'people.searched',
      target: 'people',
      computed: sql`json_object('found', coalesce((SELECT group_concat(DISTINCT f.handle) FROM (${found}) f), ''))`,
    }),
  });
  requireDesk(desk);
  const people = new Map<string, FoundRow>();
  for (const row of rows) if (!people.has(row.handle)) people.set(row.handle, row);
  return {
    data: [...people.values()].slice(0, most).map(({ handle, found_by, status, display_name }) => ({
      pid: pidOf(handle),
      displayName: display_name,
      status,
      foundBy: found_by,
    })),
  };
}

/** The lookups for a search text of this form, each by an index; at most five, which is D1's limit for one SELECT. */
function lookups(q: string): SQL[] {
  const [prefix = '', ref = ''] = q.split(/(?<=^[a-z]{3})_/);
  const named = byPrefix[prefix];
  if (ref !== '' && named) return named(q, ref);
  const pid = handleOf(q.toLowerCase());
  if (pid !== null) return [byHandle(pid)];
  const email = canonicalEmail(q);
  if (email !== null) return [sql`SELECT handle, 'email' AS found_by FROM emails WHERE email = ${email}`];
  return [byHandle(q.toLowerCase()), bySubject(q), byName(q), ...(isPopupId(q) ? [byRequest(q)] : [])];
}

const byPrefix: Readonly<Record<string, (id: string, ref: string) => SQL[]>> = {
  crd: (id) => [sql`SELECT handle, 'credential' AS found_by FROM credentials WHERE id = ${id}`],
  ses: (id) => [sql`SELECT handle, 'session' AS found_by FROM sessions WHERE id = ${id}`],
  aps: (id) => [sql`SELECT handle, 'session' AS found_by FROM app_sessions WHERE id = ${id}`],
  dep: (id) => [sql`SELECT handle, 'transaction' AS found_by FROM deposits WHERE id = ${id}`],
  wdr: (id) => [sql`SELECT handle, 'transaction' AS found_by FROM withdrawals WHERE id = ${id}`],
  adj: (id) => byAdjustment(id),
  trf: (_, ref) => byTransfer(ref),
  inq: (_, ref) => byTransfer(ref),
  rev: (_, ref) => [
    ...byTransfer(ref),
    sql`SELECT handle, 'transaction' AS found_by FROM deposits WHERE id = ${ref}`,
    sql`SELECT handle, 'transaction' AS found_by FROM withdrawals WHERE id = ${ref}`,
  ],
};

function byAdjustment(id: string): SQL[] {
  return [sql`d.debit`, sql`d.credit`].map(
    (account) => sql`SELECT a.owner AS handle, 'transaction' AS found_by FROM adjustments d
      JOIN accounts a ON a.id = ${account} WHERE d.id = ${id}`,
  );
}

function byTransfer(id: string): SQL[] {
  return [sql`payer`, sql`payee`].map(
    (side) => sql`SELECT ${side} AS handle, 'transaction' AS found_by FROM transfers WHERE id = ${id}`,
  );
}

function byHandle(handle: string): SQL {
  return sql`SELECT handle, 'handle' AS found_by FROM identities WHERE handle = ${handle}`;
}

function bySubject(subject: string): SQL {
  const kinds = sql.join(
    credentialKinds.map((kind) => sql`${kind}`),
    sql`, `,
  );
  return sql`SELECT handle, 'subject' AS found_by FROM credentials
    WHERE provider IN (${kinds}) AND provider_user_id = ${subject}`;
}

/** The index ignores the case of ASCII letters. */
function byName(name: string): SQL {
  return sql`SELECT handle, 'name' AS found_by FROM (SELECT handle FROM profiles
    WHERE display_name COLLATE NOCASE >= ${name} AND display_name COLLATE NOCASE < ${name} || ${lastCharacter}
    ORDER BY display_name COLLATE NOCASE LIMIT ${integer(most)})`;
}

function byRequest(id: string): SQL {
  return sql`SELECT handle, 'request' AS found_by FROM popup_requests WHERE id = ${id} AND handle IS NOT NULL`;
}
