import type { Config } from '../../config.ts';
import { type SQL, sql } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';

/** The error text if an unchecked app requests a money scope. */
export const needsCheck =
  'the operator has not checked this app: until then it may not ask for wallet or fiat scopes';

/**
 * The scopes that the app `a` may request, as JSON: those in its registration. Money scopes require a checked app,
 * unless APPS_MONEY allows them for any app.
 */
export function askableScopes({ moneyNeedsCheck }: Pick<Config, 'moneyNeedsCheck'>): SQL {
  if (!moneyNeedsCheck) return sql`a.scopes`;
  return sql`iif(a.checked_at IS NOT NULL, a.scopes, (SELECT json_group_array(o.value) FROM json_each(a.scopes) o
    WHERE o.value NOT GLOB 'wallet:*' AND o.value NOT GLOB 'fiat:*'))`;
}

/** True if the app may request all of these scopes. */
export function mayAsk({ config }: Deps, appId: string | null, scopes: readonly string[]): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(scopes)}) WHERE value NOT IN
    (SELECT q.value FROM apps a, json_each(${askableScopes(config)}) q WHERE a.id = ${appId}))`;
}
