import { all, integer, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { similarHandles } from '../../lib/search-text.ts';

const most = integer(5);
const lastCharacter = sql`char(1114111)`;

/**
 * The handles closest to a mistyped one: those that begin with it, and those with one typo. Each is a lookup by the
 * primary key, so no part of the table is scanned. Call it only after a search that the actor was allowed to make.
 */
export async function nearestHandles({ db }: Deps, typed: string): Promise<string[]> {
  const text = typed.toLowerCase().replace(/@pid$/, '');
  const similar = similarHandles(text);
  if (similar.length === 0) return [];
  const rows = await all(
    db,
    statement<{
      handle: string;
    }>(sql`SELECT handle FROM (SELECT i.handle FROM json_each(${JSON.stringify(similar)}) j
        CROSS JOIN identities i ON i.handle = j.value LIMIT ${most})
      UNION ALL SELECT handle FROM (SELECT handle FROM identities
        WHERE handle > ${text} AND handle < ${text} || ${lastCharacter} ORDER BY handle LIMIT ${most})`),
  );
  return [...new Set(rows.map(({ handle }) => handle))].slice(0, 5);
}
