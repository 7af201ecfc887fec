import { integer, purgeLimit, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { ClientInfo } from '../../http/context.ts';
import { describeClient } from '../../lib/device.ts';
import { withoutLinks } from '../../lib/display-name.ts';
import { dueDeletedApps } from '../app/purge.ts';
import { isHostActive } from '../app/statements.ts';
import { noticeStatement } from '../mail/mail.ts';
import { actingHandle, actingSession } from '../session/acting-session.ts';

/**
 * True if a host may receive an app's token for a resource under a grant. Triggers use the same view.
 * @param resource NULL means this service
 */
export function mayTarget(grantId: SQL, resource: SQL, host: SQL): SQL {
  return sql`(${resource} IS NULL OR EXISTS (SELECT 1 FROM granted_targets t
    WHERE t.grant_id = ${grantId} AND t.resource = ${resource}
      AND (t.is_anywhere OR ${host} || ' ' || t.resource IN (SELECT value FROM json_each(t.hosts)))))`;
}

/**
 * The maximum number of unregistered clients that a person may allow as long as the grants are kept. A trigger enforces
 * the same limit.
 */
const mostDocuments = 50;

/** True unless the app is one more unregistered client for a person who has allowed the most already. */
export function hasRoomFor(appId: string, handle: SQL, now: number): SQL {
  return sql`(${appId} NOT GLOB 'http*'
    OR EXISTS (SELECT 1 FROM grants n WHERE n.app_id = ${appId} AND n.handle = ${handle} AND n.revoked_at IS NULL
      AND (n.expires_at IS NULL OR n.expires_at > ${now}))
    OR (SELECT count(*) FROM grants n WHERE n.handle = ${handle} AND n.app_id GLOB 'http*') < ${integer(mostDocuments)})`;
}

interface Consent {
  /** The id of the grant, if this consent creates one; `grt`, made once per request. */
  readonly id: string;
  readonly app: { readonly id: string; readonly name: string };
  /** The session of the person who consents. */
  readonly sessionId: string;
  readonly scopes: readonly string[];
  /** The additional resource shown to the person. */
  readonly resource: string | null;
  /** The host that receives the response, as shown to the person. */
  readonly host: string;
  readonly client: ClientInfo;
  /** A further condition, such as the batch's verdict. */
  readonly when?: SQL;
  readonly now: number;
}

/**
 * Lets an app act for the acting session's person: adds scopes, resource and host to the active grant, or creates a
 * grant. Nothing changes unless the session and the app may act. An expired grant is revoked first, and the person is
 * notified of a new grant by email. The rest of the batch finds the grant in `live_grants`, by app and handle. Call
 * `announceGrant` (oauth) after it.
 */
export async function upsertGrant(deps: Deps, consent: Consent): Promise<Statement[]> {
  const { id, app, sessionId, scopes, resource, host, client, when = sql`1`, now } = consent;
  const named = resource === null ? [] : [resource];
  return [
    statement(sql`UPDATE grants SET revoked_at = ${now}, revoked_by = 'expired'
      WHERE app_id = ${app.id} AND handle = ${actingHandle(sessionId, now)} AND revoked_at IS NULL AND expires_at <= ${now}
        AND ${when}`),
    statement(sql`INSERT INTO grants (id, app_id, handle, scopes, resources, hosts, created_at, last_used_at)
      SELECT ${id}, a.id, s.handle, ${JSON.stringify([...scopes].sort())}, ${JSON.stringify(named)},
        ${JSON.stringify([...scopes, ...named].map((one) => `${host} ${one}`))}, ${now}, ${now}
      FROM ${actingSession(sessionId, now)} s JOIN apps a ON a.id = ${app.id} AND a.status = 'active'
      WHERE ${when} AND ${isHostActive(app.id)} AND NOT EXISTS (SELECT 1 FROM grants WHERE id = ${id})
      ON CONFLICT (app_id, handle) WHERE revoked_at IS NULL DO UPDATE SET last_used_at = excluded.last_used_at,
        scopes = ${joined(sql`grants.scopes`, sql`excluded.scopes`)},
        resources = ${newest(sql`excluded.resources`, sql`grants.resources`)},
        hosts = ${newest(sql`excluded.hosts`, sql`grants.hosts`)}`),
    await noticeStatement(deps, {
      kind: 'app_allowed',
      handle: sql`SELECT handle FROM grants WHERE id = ${id}`,
      when: sql`EXISTS (SELECT 1 FROM grants WHERE id = ${id})`,
      params: { app: withoutLinks(app.name), ...describeClient(client) },
      now,
    }),
  ];
}

/** The union of two JSON arrays. */
function joined(one: SQL, other: SQL): SQL {
  return sql`(SELECT json_group_array(value) FROM
    (SELECT value FROM json_each(${one}) UNION SELECT value FROM json_each(${other})))`;
}

/** The maximum number of entries in a grant's `hosts` and `resources`, which every request under the grant reads. */
const mostEntries = 200;

/** The union of two JSON arrays, starting with the first, truncated to the maximum. */
function newest(one: SQL, other: SQL): SQL {
  return sql`(SELECT json_group_array(value) FROM
    (SELECT value, 0 AS age, key FROM json_each(${one}) UNION ALL
      SELECT value, 1, key FROM json_each(${other}) WHERE value NOT IN (SELECT value FROM json_each(${one}))
      ORDER BY age, key LIMIT ${integer(mostEntries)}))`;
}

/** Revokes the grants of closing identities; `where` is a condition on `grants`. */
export function endGrants({ where, now }: { readonly where: SQL; readonly now: number }): Statement {
  return statement(sql`UPDATE grants SET revoked_at = ${now}, revoked_by = 'closed'
    WHERE revoked_at IS NULL AND ${where}`);
}

/** The scheduled job: revokes a bounded number of expired grants. Returns a row for each. */
export function expireGrants(now: number): Statement {
  return statement(sql`UPDATE grants SET revoked_at = ${now}, revoked_by = 'expired' WHERE id IN
    (SELECT id FROM grants WHERE expires_at <= ${now} AND revoked_at IS NULL ORDER BY expires_at
      LIMIT ${integer(purgeLimit)}) RETURNING 1 AS gone`);
}

/** The scheduled job: revokes a bounded number of the grants of deleted apps. Returns a row for each. */
export function endDeletedAppsGrants(now: number): Statement {
  return statement(sql`UPDATE grants SET revoked_at = ${now}, revoked_by = 'app' WHERE id IN
    (SELECT g.id FROM ${dueDeletedApps(now)} a CROSS JOIN grants g INDEXED BY grants_active ON g.app_id = a.id AND g.revoked_at IS NULL
      LIMIT ${integer(purgeLimit)}) RETURNING 1 AS gone`);
}

interface AppRevocation {
  /** The grant: a subquery, or a bound id. */
  readonly id: SQL;
  readonly when: SQL;
  readonly now: number;
}

/** Revokes a grant at the app's own request. */
export function revokeByApp({ id, when, now }: AppRevocation): Statement {
  return statement(sql`UPDATE grants SET revoked_at = ${now}, revoked_by = 'app'
    WHERE id = ${id} AND revoked_at IS NULL AND ${when}`);
}
