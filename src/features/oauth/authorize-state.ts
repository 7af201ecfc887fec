import { sql } from 'drizzle-orm';
import { only, type Row, run, type Statement, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { askableScopes } from '../app/scopes.ts';
import type { apps } from '../app/tables.ts';
import { actingSession } from '../session/acting-session.ts';
import { isRegistered, type RedirectUri } from './redirect-uri.ts';

/** Who is there. */
export interface Visitor {
  readonly sessionId: string | null;
  /** Whether there is a refresh token, which this navigation can spend. */
  readonly mayRenew: boolean;
}

/** Everything that a decision depends on, read in one trip. */
export interface AuthorizeState extends Visitor {
  readonly row: StateRow;
  readonly now: number;
}

export interface StateRow {
  name: string | null;
  status: Row<typeof apps>['status'] | null;
  redirect_uris: string;
  registered_scopes: string;
  /** Those of them that it may ask for. */
  app_scopes: string;
  checked_at: number | null;
  created_at: number;
  /** Null unless the session lives. */
  handle: string | null;
  authenticated_at: number;
  /** The scopes of the grant; null without one. */
  granted: string | null;
}

/** The app of a request, to whose redirect URI the answer may go. */
export interface Client {
  readonly name: string;
  /** What it may ask for, and what it is registered with. */
  readonly scopes: readonly string[];
  readonly registered: readonly string[];
  readonly to: RedirectUri;
}

export async function readState(deps: Deps, clientId: string, visitor: Visitor): Promise<AuthorizeState> {
  const now = deps.now();
  const { rows } = await run(deps.db, { rows: stateStatement(deps, clientId, visitor, now) });
  return { ...visitor, row: only(rows), now };
}

/** @throws AppError app_not_found, app_suspended, redirect_uri_unknown */
export function clientIn({ row }: Pick<AuthorizeState, 'row'>, redirectUri: string): Client {
  const { name, status } = row;
  if (name === null || status === 'deleted') throw new AppError('app_not_found');
  if (status === 'suspended') throw new AppError('app_suspended');
  const uris: string[] = JSON.parse(row.redirect_uris);
  if (!isRegistered(redirectUri, uris)) throw new AppError('redirect_uri_unknown');
  return {
    name,
    scopes: JSON.parse(row.app_scopes),
    registered: JSON.parse(row.registered_scopes),
    to: redirectUri,
  };
}

export function stateStatement(
  { config }: Deps,
  clientId: string,
  { sessionId }: Visitor,
  now: number,
): Statement<StateRow> {
  return statement(sql`SELECT a.name, a.status, a.redirect_uris, a.scopes AS registered_scopes,
      ${askableScopes(config)} AS app_scopes, a.checked_at, a.created_at, s.handle, s.authenticated_at, g.scopes AS granted FROM settings x
    LEFT JOIN apps a ON a.id = ${clientId}
    LEFT JOIN ${actingSession(sessionId, now)} s ON 1
    LEFT JOIN live_grants g ON g.app_id = a.id AND g.handle = s.handle AND g.live_until > ${now} WHERE x.id = 1`);
}
