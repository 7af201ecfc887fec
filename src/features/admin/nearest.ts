import { all, integer, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { handleSkeleton } from '../../lib/look-alike.ts';
import { plainHandle, typosBetween, typosOf } from '../../lib/search-text.ts';

const most = 5;
/** The handles with the same beginning that are compared, those with the longest first. */
const compared = integer(500);
const lastCharacter = sql`char(1114111)`;

/**
 * The handles closest to a mistyped one, best first: those that begin with it, and those with one typo, or two in a
 * text of five letters and more. One typo is found anywhere, by lookups in the index of look-alike keys; two only among
 * handles with the same first two letters. Call it only after a search that the actor was allowed to make.
 */
export async function nearestHandles({ db }: Deps, typed: string): Promise<string[]> {
  const text = plainHandle(typed);
  if (text === null || text.length < 3) return [];
  const key = handleSkeleton(text);
  const keys = JSON.stringify([...new Set(typosOf(text).map(handleSkeleton))]);
  const starts = JSON.stringify(
    Array.from({ length: key.length - 1 }, (_, cut) => key.slice(0, key.length - cut)),
  );
  const rows = await all(
    db,
    statement<{ handle: string; key: string }>(sql`SELECT handle, key FROM (
        SELECT i.handle, i.skeleton AS key FROM json_each(${keys}) j
          CROSS JOIN identities i ON i.skeleton = j.value LIMIT ${integer(most)})
      UNION ALL SELECT handle, key FROM (SELECT i.handle, i.skeleton AS key FROM json_each(${starts}) j
        CROSS JOIN identities i ON i.skeleton >= j.value AND i.skeleton < j.value || ${lastCharacter}
        LIMIT ${compared})`),
  );
  const distances = new Map(
    rows.map((row) => [row.handle, row.key.startsWith(key) ? 0 : typosBetween(row.key, key)]),
  );
  return [...distances]
    .filter(([, distance]) => distance <= (text.length < 5 ? 1 : 2))
    .sort(([, one], [, other]) => one - other)
    .map(([handle]) => handle)
    .slice(0, most);
}
