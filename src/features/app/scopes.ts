import type { Config } from '../../config.ts';
import { type SQL, sql } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { isListedDocument } from './document.ts';
import { appScopes } from './schema.ts';

/** The error text if an unchecked app requests a money scope. */
export const needsCheck =
  'the operator has not checked this app: until then it may not ask for wallet or fiat scopes';

/** The same for an unregistered client. */
export const needsListing =
  'CLIENT_DOCUMENTS does not list the host of this app: it may not ask for wallet or fiat scopes';

/** True for a scope that reads or moves money. */
export const isMoneyScope = (scope: string): boolean => /^(wallet|fiat):/.test(scope);

type Rules = Pick<Config, 'moneyNeedsCheck' | 'CLIENT_DOCUMENTS'>;

/**
 * The scopes that the app `a` may request, as JSON: those in its registration. Money scopes require a checked app,
 * unless APPS_MONEY allows them for any app; those of an unregistered client require its host to be in
 * CLIENT_DOCUMENTS.
 */
export function askableScopes({ moneyNeedsCheck, CLIENT_DOCUMENTS: hosts }: Rules): SQL {
  const isTrusted = moneyNeedsCheck ? sql`a.checked_at IS NOT NULL` : sql`a.owner IS NOT NULL`;
  const isListed =
    hosts.length === 0
      ? sql``
      : sql` OR (a.owner IS NULL AND EXISTS (SELECT 1 FROM json_each(${JSON.stringify(hosts)}) h
          WHERE substr(a.id, 1, length(h.value) + 9) = 'https://' || h.value || '/'))`;
  return sql`iif(${isTrusted}${isListed}, a.scopes, (SELECT json_group_array(o.value) FROM json_each(a.scopes) o
    WHERE o.value NOT GLOB 'wallet:*' AND o.value NOT GLOB 'fiat:*'))`;
}

/** The same for an unregistered client, before it has a row. */
export function documentScopes(deps: Deps, id: string): readonly string[] {
  return isListedDocument(deps, id) ? appScopes : appScopes.filter((scope) => !isMoneyScope(scope));
}

/** True if the app may request all of these scopes. */
export function mayAsk({ config }: Deps, appId: string | null, scopes: readonly string[]): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(scopes)}) WHERE value NOT IN
    (SELECT q.value FROM apps a, json_each(${askableScopes(config)}) q WHERE a.id = ${appId}))`;
}
