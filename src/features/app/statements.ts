import { type SQL, sql } from 'drizzle-orm';
import { type Statement, statement } from '../../db/database.ts';

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

/** Suspends an app, which stops everything that it does for people, or lets it work again. */
export function setAppStatus(
  id: string,
  { status, now, when }: { status: 'active' | 'suspended'; now: number; when: SQL },
): Statement {
  return statement(sql`UPDATE apps SET status = ${status}, updated_at = ${now} WHERE id = ${id} AND ${when}`);
}
