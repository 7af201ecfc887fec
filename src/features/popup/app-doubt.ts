import { type SQL, sql } from '../../db/database.ts';
import { columnWithoutLinks } from '../mail/params.ts';

/** An app is shown as new for this time after its registration. */
const newAppMs = 7 * 86_400_000;

/** The warning about an app that is unchecked or younger than a week. */
export type AppDoubt = 'unchecked' | 'new' | null;

/** The `AppDoubt` of the app `a`. */
export function appDoubt(now: number): SQL {
  return sql`CASE WHEN a.checked_at IS NULL THEN 'unchecked' WHEN a.created_at > ${now - newAppMs} THEN 'new' END`;
}

/** The name of the app `a` on pages that ask something for it: that of an unchecked one never looks like an address. */
export const shownName: SQL = sql`iif(a.checked_at IS NULL,
  coalesce(nullif(trim(${columnWithoutLinks(sql`a.name`)}), ''), a.id), a.name)`;
