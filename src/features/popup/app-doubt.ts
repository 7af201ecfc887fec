import { type SQL, sql } from '../../db/database.ts';

/** An app is shown as new for this time after its registration. */
const newAppMs = 7 * 86_400_000;

/** The warning about an app that is unchecked or younger than a week. */
export type AppDoubt = 'unchecked' | 'new' | null;

/** The `AppDoubt` of the app `a`. */
export function appDoubt(now: number): SQL {
  return sql`CASE WHEN a.checked_at IS NULL THEN 'unchecked' WHEN a.created_at > ${now - newAppMs} THEN 'new' END`;
}
