import {
  deleteExpired,
  integer,
  purgeLimit,
  type SQL,
  type Statement,
  sql,
  statement,
} from '../../db/database.ts';

/** How long revoking a secret again is not an error. */
const keptMs = 30 * 86_400_000;

export function purgeAppSecrets(now: number): Statement {
  return deleteExpired(sql`app_secrets`, sql`hash`, sql`expires_at`, now - keptMs);
}

/** How long deleting an app again is not an error, and the delay until remaining references are checked again. */
const deletedMs = 7 * 86_400_000;

const isReferred = sql`EXISTS (SELECT 1 FROM app_references x WHERE x.app_id = apps.id)`;

/** The ids of the deleted apps to check now, as a subquery. */
export function dueDeletedApps(now: number): SQL {
  return sql`(SELECT id FROM apps WHERE status = 'deleted' AND updated_at <= ${now - deletedMs}
    ORDER BY updated_at LIMIT ${integer(purgeLimit)})`;
}

/** Deletes the rows of deleted apps without references. */
export function purgeApps(now: number): Statement {
  return statement(
    sql`DELETE FROM apps WHERE id IN ${dueDeletedApps(now)} AND NOT ${isReferred} RETURNING 1 AS gone`,
  );
}

/** Postpones the check of the others until their grants have been deleted. */
export function postponeApps(now: number): Statement {
  return statement(sql`UPDATE apps SET updated_at = ${now} WHERE id IN ${dueDeletedApps(now)} AND ${isReferred}
    AND NOT EXISTS (SELECT 1 FROM grants g INDEXED BY grants_active WHERE g.app_id = apps.id AND g.revoked_at IS NULL) RETURNING 1 AS kept`);
}
