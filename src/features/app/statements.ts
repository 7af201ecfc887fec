import { integer, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import { actingSession } from '../session/acting-session.ts';
import { type ClientDocument, hostOfClient } from './document.ts';
import { appScopes } from './schema.ts';

/**
 * Permanently deletes apps. Only the id and name stay, until the purge finds no references to them; of a suspended app
 * also its addresses, as evidence of the administrator's decision. `where` is a condition on `apps`.
 */
export function deleteApps({ where, now }: { readonly where: SQL; readonly now: number }): Statement[] {
  const apps = sql`status <> 'deleted' AND ${where}`;
  return [
    statement(sql`DELETE FROM app_origins WHERE app_id IN (SELECT id FROM apps WHERE ${apps})`),
    statement(sql`DELETE FROM app_secrets WHERE app_id IN (SELECT id FROM apps WHERE ${apps})`),
    statement(sql`DELETE FROM app_logos WHERE app_id IN (SELECT id FROM apps WHERE ${apps})`),
    statement(sql`DELETE FROM app_resources WHERE app_id IN (SELECT id FROM apps WHERE ${apps})`),
    statement(sql`UPDATE apps SET status = 'deleted', logo_hash = NULL, updated_at = ${now}
      WHERE ${apps} AND status = 'suspended'`),
    statement(sql`UPDATE apps SET status = 'deleted', redirect_uris = '[]', scopes = '[]', homepage_url = NULL,
      privacy_url = NULL, logo_url = NULL, logo_hash = NULL, backchannel_logout_uri = NULL, updated_at = ${now}
      WHERE ${apps}`),
  ];
}

interface Allowed {
  readonly document: ClientDocument;
  /** The only redirect URI that is stored; the document remains authoritative. */
  readonly redirectUri: string;
  /** The session of the person who allows the client. */
  readonly sessionId: string;
  /** A further condition, the same as for the grant. */
  readonly when: SQL;
  readonly now: number;
}

/**
 * Stores an unregistered client, in the batch in which a person allows it. Its host is its name. A trigger removes it
 * with its last grant.
 */
export function keepDocument({ document, redirectUri, sessionId, when, now }: Allowed): Statement {
  const { id, host } = document;
  return statement(sql`INSERT INTO apps (id, owner, name, type, redirect_uris, scopes, created_at, updated_at)
    SELECT ${id}, NULL, ${nameOfHost(host)}, 'native', ${JSON.stringify([redirectUri])}, ${JSON.stringify(appScopes)}, ${now}, ${now}
    FROM ${actingSession(sessionId, now)} s WHERE ${when} AND ${isHostActive(id)}
    ON CONFLICT (id) DO UPDATE SET redirect_uris = excluded.redirect_uris, scopes = excluded.scopes,
      updated_at = ${nextVersion(now)} WHERE apps.status = 'active'
        AND (apps.redirect_uris <> excluded.redirect_uris OR apps.scopes <> excluded.scopes)`);
}

/** True unless the app is an unregistered client of a suspended host. */
export function isHostActive(appId: string): SQL {
  const host = hostOfClient(appId);
  if (host === null) return sql`1`;
  return sql`NOT EXISTS (SELECT 1 FROM apps h WHERE h.id = ${host} AND h.status = 'suspended')`;
}

/** Stores a host of unregistered clients, so that it can be suspended. No client has its id, and it is never deleted. */
export function keepHost(
  host: string,
  { when, now }: { readonly when: SQL; readonly now: number },
): Statement {
  return statement(sql`INSERT INTO apps (id, owner, name, type, created_at, updated_at)
    SELECT ${host}, NULL, ${nameOfHost(new URL(host).host)}, 'native', ${now}, ${now} WHERE ${when}
    ON CONFLICT (id) DO NOTHING`);
}

/** The end of a long host name shows its owner. */
const nameOfHost = (host: string) => (host.length > 64 ? `…${host.slice(-63)}` : host);

/** Revokes all replaced app secrets; the current ones stay valid. */
export function endFormerSecrets(now: number): Statement {
  return statement(sql`UPDATE app_secrets SET expires_at = ${now} WHERE expires_at > ${now}`);
}

/** The changes that an administrator makes to an app; null leaves a value unchanged. */
export interface AppMarks {
  /** A `suspended` app cannot act for people. */
  readonly status: 'active' | 'suspended' | null;
  readonly checked: boolean | null;
  readonly firstParty: boolean | null;
  /** Requests per minute with the app's secret; 0 restores the default. */
  readonly tokenLimit: number | null;
}

/** `updated_at` identifies a version of an app, so two changes never share one. */
export const nextVersion = (now: number): SQL => sql`max(${now}, updated_at + 1)`;

export function markApp(
  id: string,
  { status, checked, firstParty, tokenLimit, now, when }: AppMarks & { now: number; when: SQL },
): Statement {
  const since = (column: SQL, mark: boolean | null) =>
    mark === null ? column : mark ? sql`coalesce(${column}, ${integer(now)})` : sql`NULL`;
  return statement(sql`UPDATE apps SET status = coalesce(${status}, status),
      checked_at = ${since(sql`checked_at`, checked)}, first_party_at = ${since(sql`first_party_at`, firstParty)},
      token_limit = nullif(coalesce(${tokenLimit}, token_limit), 0), updated_at = ${nextVersion(now)}
    WHERE id = ${id} AND ${when}`);
}
