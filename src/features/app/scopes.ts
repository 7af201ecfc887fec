import { type SQL, sql } from 'drizzle-orm';
import type { Config } from '../../config.ts';

/** How old an app has to be before people are no longer told that it is new. */
export const newAppMs = 7 * 86_400_000;

/** Why an app that the desk has not checked gets no scope for money. */
export const needsCheck =
  'the operator has not checked this app: until then it may not ask for wallet or fiat scopes';

/**
 * The scopes that the app `a` may ask for, as JSON: those it is registered with. Scopes for money need the desk's check,
 * unless APPS_MONEY lets anyone ask.
 */
export function askableScopes({ moneyNeedsCheck }: Pick<Config, 'moneyNeedsCheck'>): SQL {
  if (!moneyNeedsCheck) return sql`a.scopes`;
  return sql`iif(a.checked_at IS NOT NULL, a.scopes, (SELECT json_group_array(o.value) FROM json_each(a.scopes) o
    WHERE o.value NOT GLOB 'wallet:*' AND o.value NOT GLOB 'fiat:*'))`;
}
