import { integer, run, type SQL, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { credentialKinds } from '../../lib/credential-kinds.ts';
import { canonicalEmail, maskEmail } from '../../lib/email.ts';
import { handleOf, isoTime, isPopupId, pidOf } from '../../lib/id.ts';
import { handleSkeleton } from '../../lib/look-alike.ts';
import { cursorOf } from '../../lib/page.ts';
import { plainHandle } from '../../lib/search-text.ts';
import { type DeskActor, deskState, lookStatement, requireDesk } from './desk.ts';
import type { FoundPeople, PeopleQuery } from './person-schema.ts';

type Found = FoundPeople['data'][number];
export type SimilarPerson = Omit<Found, 'foundBy'>;

interface FoundRow {
  readonly handle: string;
  /** `word` for a later word of the name. */
  readonly found_by: Found['foundBy'] | 'word';
  readonly status: string;
  readonly created_at: number;
  readonly display_name: string | null;
  readonly email: string | null;
}

interface Lookups {
  /** Of few people, each by an index. */
  readonly exact: readonly SQL[];
  /** The beginning of a name; null if the text cannot be one. */
  readonly name: string | null;
}

const lastCharacter = sql`char(1114111)`;

const few = integer(10);

/**
 * Finds people by a PID, whole email address, the beginning of a handle or of a word of the name, a provider's subject,
 * or the id of a credential, session, popup request or transaction. In handles, separators and spaces are ignored. The
 * names that begin with the text have pages; all others, of which ten of each kind are found, are on the first one. The
 * audit log records who was found.
 * @throws AppError unauthenticated, not_fresh
 */
export async function findPeople(deps: Deps, actor: DeskActor, query: PeopleQuery): Promise<FoundPeople> {
  const { limit } = query;
  const { desk, rows } = await run(deps.db, {
    desk: deskState(deps, actor),
    rows: statement<FoundRow>(selectFound(foundBy(query, limit + 1))),
    look: lookStatement(deps, actor, {
      action: 'people.searched',
      target: 'people',
      computed: sql`json_object('found', coalesce((SELECT group_concat(DISTINCT f.handle)
        FROM (${foundBy(query, limit)}) f), ''))`,
    }),
  });
  requireDesk(desk);
  const people = new Map<string, FoundRow>();
  for (const row of rows) if (!people.has(row.handle)) people.set(row.handle, row);
  const named = rows.filter((row) => row.found_by === 'name');
  const next = named.length > limit ? named.at(-1) : undefined;
  if (next) people.delete(next.handle);
  const last = next && named.at(-2);
  return { data: [...people.values()].map(toFound), nextCursor: last ? cursorOf(last.handle) : null };
}

/** @param found a SELECT of `handle` and `found_by` */
function selectFound(found: SQL): SQL {
  return sql`SELECT f.handle, f.found_by, i.status, i.created_at, p.display_name,
      (SELECT min(e.email) FROM emails e WHERE e.handle = f.handle) AS email
    FROM (${found}) f
    CROSS JOIN identities i ON i.handle = f.handle LEFT JOIN profiles p ON p.handle = f.handle`;
}

function toFound({ found_by, ...row }: FoundRow): Found {
  return { ...toSimilar(row), foundBy: found_by === 'word' ? 'name' : found_by };
}

function toSimilar({ handle, email, ...row }: Omit<FoundRow, 'found_by'>): SimilarPerson {
  const { display_name: displayName, status, created_at: at } = row;
  const masked = email === null ? null : maskEmail(email);
  return { pid: pidOf(handle), displayName, status, createdAt: isoTime(at), email: masked };
}

/**
 * Shows people whose handles are similar to a text that found nobody.
 * @throws AppError unauthenticated, not_fresh
 */
export async function showSimilar(
  deps: Deps,
  actor: DeskActor,
  handles: readonly string[],
): Promise<SimilarPerson[]> {
  if (handles.length === 0) return [];
  const { desk, rows } = await run(deps.db, {
    desk: deskState(deps, actor),
    rows: statement<FoundRow>(
      selectFound(sql`SELECT value AS handle, NULL AS found_by FROM json_each(${JSON.stringify(handles)})`),
    ),
    look: lookStatement(deps, actor, {
      action: 'people.searched',
      target: 'people',
      computed: sql`json_object('found', ${handles.join(',')})`,
    }),
  });
  requireDesk(desk);
  return rows.map(toSimilar);
}

/** A SELECT of the people on a page. It has at most five parts, which is D1's limit. */
function foundBy({ q, cursor }: PeopleQuery, limit: number): SQL {
  const { exact, name } = lookups(q);
  const others = sql.join([...exact], sql` UNION ALL `);
  if (name === null) return others;
  const byName = sql`SELECT * FROM (${named({ name, others, cursor, limit })})`;
  return cursor === undefined ? sql`${others} UNION ALL ${byName}` : byName;
}

/** The lookups for a search text of this form. */
function lookups(q: string): Lookups {
  const [prefix = '', ref = ''] = q.split(/(?<=^[a-z]{3})_/);
  const named = byPrefix[prefix];
  if (ref !== '' && named) return { exact: named(q, ref), name: null };
  const pid = handleOf(q.toLowerCase());
  if (pid !== null) return { exact: [byHandle(pid)], name: null };
  const email = canonicalEmail(q);
  if (email !== null)
    return {
      exact: [sql`SELECT handle, 'email' AS found_by FROM emails WHERE email = ${email}`],
      name: null,
    };
  const exact = [byHandle(q.toLowerCase()), bySubject(q), ...(isPopupId(q) ? [byRequest(q)] : [])];
  return q.length < 2 ? { exact, name: null } : { exact: [...exact, byBeginning(q)], name: q };
}

/** Handles, and words of names, that begin with the text. */
function byBeginning(q: string): SQL {
  const plain = plainHandle(q);
  const byHandles =
    plain === null
      ? []
      : [
          sql`SELECT * FROM (SELECT handle, 'handle' AS found_by FROM identities
            WHERE ${beginsWith(sql`skeleton`, handleSkeleton(plain))} ORDER BY skeleton LIMIT ${few})`,
        ];
  const byWords = [secondWord, lastWord].map(
    (word) => sql`SELECT * FROM (SELECT handle, 'word' AS found_by FROM profiles
      WHERE instr(display_name, ' ') > 0 AND ${beginsWith(sql`${word} COLLATE NOCASE`, q)} LIMIT ${few})`,
  );
  return sql`SELECT * FROM (${sql.join([...byHandles, ...byWords], sql` UNION ALL `)})`;
}

const beginsWith = (column: SQL, text: string) =>
  sql`${column} >= ${text} AND ${column} < ${text} || ${lastCharacter}`;

/** The expressions of the indexes `profiles_second_word` and `profiles_last_word`. */
const secondWord = sql`substr(display_name, instr(display_name, ' ') + 1)`;
const lastWord = sql`substr(display_name, length(rtrim(display_name, replace(display_name, ' ', ''))) + 1)`;

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

interface Named {
  /** The beginning of the name. */
  readonly name: string;
  /** A SELECT of people found by other means. */
  readonly others: SQL;
  /** The handle of the previous page's last person. */
  readonly cursor: string | undefined;
  readonly limit: number;
}

/** People after the cursor by name, whose index ignores the case of ASCII letters, then by handle. */
function named({ name, others, cursor, limit }: Named): SQL {
  const last =
    cursor === undefined ? sql`${name}` : sql`(SELECT display_name FROM profiles WHERE handle = ${cursor})`;
  const isAfter =
    cursor === undefined ? sql`TRUE` : sql`(display_name COLLATE NOCASE > ${last} OR handle > ${cursor})`;
  return sql`SELECT handle, 'name' AS found_by FROM profiles
    WHERE display_name COLLATE NOCASE >= ${last} AND ${isAfter} AND display_name COLLATE NOCASE < ${name} || ${lastCharacter}
      AND handle NOT IN (SELECT o.handle FROM (${others}) o)
    ORDER BY display_name COLLATE NOCASE, handle LIMIT ${integer(limit)}`;
}

function byRequest(id: string): SQL {
  return sql`SELECT handle, 'request' AS found_by FROM popup_requests WHERE id = ${id} AND handle IS NOT NULL`;
}
