import { only, type Row, run, type Statement, sql, statement } from '../../../db/database.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../errors.ts';
import { withoutLinks } from '../../../lib/display-name.ts';
import { recipientOf } from '../../../lib/origin.ts';
import { stringList } from '../../../lib/present.ts';
import { type ClientDocument, isDocumentId, readDocument } from '../../app/document.ts';
import { appScopes } from '../../app/schema.ts';
import { askableScopes, documentScopes } from '../../app/scopes.ts';
import { isHostActive } from '../../app/statements.ts';
import type { apps } from '../../app/tables.ts';
import { hasRoomFor, mayTarget } from '../../grant/statements.ts';
import { type AppDoubt, appDoubt, shownName } from '../../popup/app-doubt.ts';
import { actingSession } from '../../session/acting-session.ts';
import { scopesAt } from '../../session/granted-session.ts';
import { isRegistered, type RedirectUri } from './redirect-uri.ts';

/** The person using the browser. */
export interface Visitor {
  readonly sessionId: string | null;
  /** Without a valid access token, the session that this navigation can renew. */
  readonly renewable: string | null;
  /** The network address, by which fetches of clients' documents are limited. */
  readonly address: string;
}

/** Everything on which a decision depends, read in one round trip. */
export interface AuthorizeState extends Visitor {
  /** The document of an unregistered client; null for a registered app. */
  readonly document: ClientDocument | null;
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
  /** 0 if this is one more unregistered client than the person may allow. */
  has_room: number;
  /** Null unless the session, or the renewable one, is live. */
  handle: string | null;
  authenticated_at: number;
  provider: string | null;
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
  readonly doubt: AppDoubt;
  /** The self-declared name of an unregistered client. */
  readonly callsItself: string | null;
}

/** The parts of a request that must match the app's registration. */
interface Named {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly resource: string | null;
}

export async function readState(deps: Deps, named: Named, visitor: Visitor): Promise<AuthorizeState> {
  const { clientId } = named;
  const document = isDocumentId(clientId) ? await readDocument(deps, clientId, visitor.address) : null;
  const now = deps.now();
  const { rows } = await run(deps.db, { rows: stateStatement(deps, named, visitor, now) });
  return { ...visitor, document, row: only(rows), now };
}

/** @throws AppError app_not_found, app_suspended, redirect_uri_unknown */
export function clientIn(
  deps: Deps,
  { row, document }: Pick<AuthorizeState, 'row' | 'document'>,
  redirectUri: string,
): Client {
  const { id, name, status, doubt } = row;
  if (status === 'suspended') throw new AppError('app_suspended');
  if (document !== null) return unregistered(deps, row, document, redirectUri);
  if (name === null || status === 'deleted') throw new AppError('app_not_found');
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
    resource: resourceIn(row),
    to: redirectUri,
    doubt,
    callsItself: null,
  };
}

function resourceIn({ is_own_resource: isOwn }: StateRow): Client['resource'] {
  return isOwn === null ? null : isOwn ? 'own' : 'foreign';
}

/** A client as its document describes it now. Only its host is verified. */
function unregistered(deps: Deps, row: StateRow, document: ClientDocument, redirectUri: string): Client {
  const { id, host, name, redirectUris, scopes } = document;
  if (!isRegistered(redirectUri, redirectUris)) throw new AppError('redirect_uri_unknown');
  const registered = appScopes.filter((scope) => scopes?.includes(scope) ?? true);
  const allowed = documentScopes(deps, id);
  return {
    name: host,
    homepage: null,
    privacy: null,
    logo: null,
    scopes: registered.filter((scope) => allowed.includes(scope)),
    registered,
    pkce: 'required',
    resource: resourceIn(row),
    to: redirectUri,
    doubt: 'unregistered',
    callsItself: name === null ? null : withoutLinks(name).slice(0, 64),
  };
}

export function stateStatement(
  { config }: Deps,
  { clientId, redirectUri, resource }: Named,
  { sessionId, renewable }: Visitor,
  now: number,
): Statement<StateRow> {
  const host = recipientOf(redirectUri);
  return statement(sql`SELECT a.id, a.name, iif(${isHostActive(clientId)}, a.status, 'suspended') AS status, a.redirect_uris, a.homepage_url, a.privacy_url, a.logo_hash,
      a.pkce, a.scopes AS registered_scopes,
      ${askableScopes(config)} AS app_scopes, ${appDoubt(now)} AS doubt, s.handle, s.authenticated_at, s.provider, 
      ${hasRoomFor(clientId, sql`s.handle`, now)} AS has_room,
      iif(g.id IS NULL, NULL, nullif(${scopesAt(host)}, '[]')) AS granted,
      (SELECT max(t.is_own) FROM app_targets t WHERE t.resource = ${resource} AND t.app_id IN (${clientId}, '*')) AS is_own_resource,
      ${mayTarget(sql`g.id`, sql`${resource}`, sql`${host}`)} AS covers_resource
    FROM settings x
    LEFT JOIN apps a ON a.id = ${clientId}
    LEFT JOIN ${actingSession(sessionId ?? renewable, now)} s ON 1
    LEFT JOIN grants g ON g.id = (SELECT v.id FROM live_grants v
      WHERE v.app_id = a.id AND v.handle = s.handle AND v.live_until > ${now}) WHERE x.id = 1`);
}
