import { only, type Row, run, type Statement, sql, statement } from '../../../db/database.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../errors.ts';
import { recipientOf } from '../../../lib/origin.ts';
import { stringList } from '../../../lib/present.ts';
import { askableScopes } from '../../app/scopes.ts';
import type { apps } from '../../app/tables.ts';
import { mayTarget } from '../../grant/statements.ts';
import { type AppDoubt, appDoubt, shownName } from '../../popup/app-doubt.ts';
import { actingSession } from '../../session/acting-session.ts';
import { scopesAt } from '../../session/granted-session.ts';
import { isRegistered, type RedirectUri } from './redirect-uri.ts';

/** The person using the browser. */
export interface Visitor {
  readonly sessionId: string | null;
  /** True if this navigation can use a refresh token. */
  readonly mayRenew: boolean;
}

/** Everything on which a decision depends, read in one round trip. */
export interface AuthorizeState extends Visitor {
  readonly row: StateRow;
  readonly now: number;
}

export interface StateRow {
  id: string;
  /** This and `pkce` are null if there is no such app. */
  name: string | null;
  pkce: Row<typeof apps>['pkce'] | null;
  status: Row<typeof apps>['status'] | null;
  redirect_uris: string;
  homepage_url: string | null;
  privacy_url: string | null;
  logo_hash: string | null;
  registered_scopes: string;
  /** The requested scopes that the app may request. */
  app_scopes: string;
  doubt: AppDoubt;
  /** Null unless the session is live. */
  handle: string | null;
  authenticated_at: number;
  /** The scopes that the person has allowed on the host of the redirect URI; null for none. */
  granted: string | null;
  /** 1 if the resource is at one of the app's own origins; null unless the app may request it. */
  is_own_resource: number | null;
  /** 1 if the grant covers the resource on that host, or none is requested. */
  covers_resource: number;
}

/** The app of a request, whose redirect URI may receive the response. */
export interface Client {
  readonly name: string;
  /** This and the next two are null for an unchecked or new app. */
  readonly homepage: string | null;
  readonly privacy: string | null;
  /** Identifies the stored logo. */
  readonly logo: string | null;
  /** The scopes that the app may request, and those in its registration. */
  readonly scopes: readonly string[];
  readonly registered: readonly string[];
  readonly pkce: Row<typeof apps>['pkce'];
  /** The owner of the requested resource; null if the app may not request it. */
  readonly resource: 'own' | 'foreign' | null;
  readonly to: RedirectUri;
}

/** The parts of a request that must match the app's registration. */
interface Named {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly resource: string | null;
}

export async function readState(deps: Deps, named: Named, visitor: Visitor): Promise<AuthorizeState> {
  const now = deps.now();
  const { rows } = await run(deps.db, { rows: stateStatement(deps, named, visitor, now) });
  return { ...visitor, row: only(rows), now };
}

/** @throws AppError app_not_found, app_suspended, redirect_uri_unknown */
export function clientIn({ row }: Pick<AuthorizeState, 'row'>, redirectUri: string): Client {
  const { id, name, status, doubt } = row;
  if (name === null || status === 'deleted') throw new AppError('app_not_found');
  if (status === 'suspended') throw new AppError('app_suspended');
  const uris = stringList(row.redirect_uris);
  if (!isRegistered(redirectUri, uris)) throw new AppError('redirect_uri_unknown');
  // A picture or a link from an unchecked app would outweigh the warning next to it.
  const vouched = <Value>(value: Value) => (doubt === null ? value : null);
  return {
    name: shownName({ id, name, doubt }),
    homepage: vouched(row.homepage_url),
    privacy: vouched(row.privacy_url),
    logo: vouched(row.logo_hash),
    scopes: stringList(row.app_scopes),
    registered: stringList(row.registered_scopes),
    pkce: row.pkce ?? 'required',
    resource: row.is_own_resource === null ? null : row.is_own_resource ? 'own' : 'foreign',
    to: redirectUri,
  };
}

export function stateStatement(
  { config }: Deps,
  { clientId, redirectUri, resource }: Named,
  { sessionId }: Visitor,
  now: number,
): Statement<StateRow> {
  const host = recipientOf(redirectUri);
  return statement(sql`SELECT a.id, a.name, a.status, a.redirect_uris, a.homepage_url, a.privacy_url, a.logo_hash,
      a.pkce, a.scopes AS registered_scopes,
      ${askableScopes(config)} AS app_scopes, ${appDoubt(now)} AS doubt, s.handle, s.authenticated_at, 
      iif(g.id IS NULL, NULL, nullif(${scopesAt(host)}, '[]')) AS granted,
      (SELECT t.is_own FROM app_targets t WHERE t.resource = ${resource} AND t.app_id = a.id) AS is_own_resource,
      ${mayTarget(sql`g.id`, sql`${resource}`, sql`${host}`)} AS covers_resource
    FROM settings x
    LEFT JOIN apps a ON a.id = ${clientId}
    LEFT JOIN ${actingSession(sessionId, now)} s ON 1
    LEFT JOIN grants g ON g.id = (SELECT v.id FROM live_grants v
      WHERE v.app_id = a.id AND v.handle = s.handle AND v.live_until > ${now}) WHERE x.id = 1`);
}
