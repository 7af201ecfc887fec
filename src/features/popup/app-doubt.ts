import { type SQL, sql } from '../../db/database.ts';
import { withoutLinks } from '../../lib/display-name.ts';

/** How long an app is shown as new after its registration. */
const newAppMs = 7 * 86_400_000;

/** The warning about an app that is unchecked, younger than a week, or unregistered. */
export type AppDoubt = 'unchecked' | 'new' | 'unregistered' | null;

/** The `AppDoubt` of the app `a`. */
export function appDoubt(now: number): SQL {
  return sql`CASE WHEN a.checked_at IS NULL THEN 'unchecked' WHEN a.created_at > ${now - newAppMs} THEN 'new' END`;
}

interface NamedApp {
  readonly id: string;
  readonly name: string;
  readonly doubt: AppDoubt;
}

/** An app's name on pages that request something for it. The name of an unchecked app never looks like an address. */
export function shownName({ id, name, doubt }: NamedApp): string {
  return doubt === 'unchecked' ? withoutLinks(name) || id : name;
}
