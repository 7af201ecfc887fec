import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { ref } from '../../db/tables.ts';
import { apps } from '../app/tables.ts';
import { identities } from '../identity/tables.ts';

/**
 * An app's permissions for a person: one active row per pair. The limits apply to money moved without an approval;
 * changing them never affects the amount spent. A revoked grant keeps its row for a while, for the person's export. The
 * view `live_grants` contains the active grants.
 */
export const grants = sqliteTable(
  'grants',
  {
    id: text().primaryKey(),
    app_id: ref(() => apps.id),
    handle: ref(() => identities.handle),
    /** A JSON array; a second consent adds to it. */
    scopes: text().notNull(),
    per_transfer: integer(),
    per_period: integer(),
    period_ms: integer(),
    period_start: integer().notNull().default(0),
    /** Spent in the period that started at `period_start`. */
    spent: integer().notNull().default(0),
    total_limit: integer(),
    spent_total: integer().notNull().default(0),
    max_uses: integer(),
    uses: integer().notNull().default(0),
    /** A JSON array of handles; null means anyone. */
    payees: text(),
    /** The highest app fee that the grant covers, regardless of `payees`. */
    fee_bps: integer().notNull().default(0),
    fee_fixed: integer().notNull().default(0),
    /**
     * A JSON array of the resources that the app's tokens may be for besides its own origins. Consent to another
     * resource adds it at the front; the newest 200 are kept.
     */
    resources: text().notNull().default('[]'),
    /**
     * A JSON array of the permissions at each host, as `host scope` and `host resource`. A consent adds its own entries
     * at the front; the newest 200 are kept.
     */
    hosts: text().notNull().default('[]'),
    expires_at: integer(),
    created_at: integer().notNull(),
    last_used_at: integer(),
    revoked_at: integer(),
    revoked_by: text({ enum: ['person', 'app', 'expired', 'closed'] }),
  },
  (table) => [
    uniqueIndex('grants_active').on(table.app_id, table.handle).where(sql`revoked_at IS NULL`),
    index('grants_app').on(table.app_id),
    index('grants_handle').on(table.handle, table.id),
    index('grants_expiry').on(table.expires_at).where(sql`expires_at IS NOT NULL AND revoked_at IS NULL`),
    index('grants_ended').on(table.revoked_at).where(sql`revoked_at IS NOT NULL`),
    check('grant_scopes', sql`json_type(scopes) = 'array'`),
    check(
      'grant_limits',
      sql`per_transfer > 0 AND per_period > 0 AND period_ms > 0 AND total_limit > 0 AND max_uses > 0`,
    ),
    check(
      'grant_payees',
      sql`payees IS NULL OR (json_type(payees) = 'array' AND json_array_length(payees) <= 50)`,
    ),
    check('grant_fee', sql`fee_bps BETWEEN 0 AND 10000 AND fee_fixed BETWEEN 0 AND 1000000000`),
    check('grant_resources', sql`json_type(resources) = 'array'`),
    check('grant_hosts', sql`json_type(hosts) = 'array'`),
    check('grant_spent', sql`spent >= 0 AND spent_total >= 0 AND uses >= 0`),
    check('grant_period', sql`(per_period IS NULL) = (period_ms IS NULL)`),
    check('grant_revoked', sql`(revoked_at IS NULL) = (revoked_by IS NULL)`),
    check('grant_revoked_by', sql`revoked_by IN ('person','app','expired','closed')`),
  ],
);
