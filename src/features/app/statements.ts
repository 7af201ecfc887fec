import { type SQL, sql } from 'drizzle-orm';
import { integer, type Statement, statement } from '../../db/database.ts';

/** Deletes apps for good: their origins and secrets go, the rows stay. `where` is a condition on `apps`. */
export function deleteApps({ where, now }: { readonly where: SQL; readonly now: number }): Statement[] {
  return [
    statement(sql`DELETE FROM app_origins WHERE app_id IN (SELECT id FROM apps WHERE ${where})`),
    statement(sql`DELETE FROM app_secrets WHERE app_id IN (SELECT id FROM apps WHERE ${where})`),
    statement(
      sql`UPDATE apps SET status = 'deleted', updated_at = ${now} WHERE status <> 'deleted' AND ${where}`,
    ),
  ];
}

/** Ends the replaced secrets of all apps; the current ones stay. */
export function endFormerSecrets(now: number): Statement {
  return statement(sql`UPDATE app_secrets SET expires_at = ${now} WHERE expires_at > ${now}`);
}

/** What the desk decides about an app; what is null stays as it is. */
export interface AppMarks {
  /** `suspended` stops everything that it does for people. */
  readonly status: 'active' | 'suspended' | null;
  readonly checked: boolean | null;
  readonly firstParty: boolean | null;
  /** Token requests a minute; 0 for the default. */
  readonly tokenLimit: number | null;
}

export function markApp(
  id: string,
  { status, checked, firstParty, tokenLimit, now, when }: AppMarks & { now: number; when: SQL },
): Statement {
  const since = (column: SQL, mark: boolean | null) =>
    mark === null ? column : mark ? sql`coalesce(${column}, ${integer(now)})` : sql`NULL`;
  return statement(sql`UPDATE apps SET status = coalesce(${status}, status),
      checked_at = ${since(sql`checked_at`, checked)}, first_party_at = ${since(sql`first_party_at`, firstParty)},
      token_limit = nullif(coalesce(${tokenLimit}, token_limit), 0), updated_at = ${now}
    WHERE id = ${id} AND ${when}`);
}
