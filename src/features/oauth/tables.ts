import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { ref } from '../../db/tables.ts';
import { grants } from '../grant/tables.ts';

/**
 * A sign-in to an app: code, refresh token and family in one row. The id is the app's `sid`. The view
 * `live_app_sessions` contains the live sign-ins.
 */
export const appSessions = sqliteTable(
  'app_sessions',
  {
    id: text().primaryKey(),
    grant_id: ref(() => grants.id),
    app_id: text().notNull(),
    handle: text().notNull(),
    /** The consenting session, whose end is reported to the app. */
    session_id: text().notNull(),
    scopes: text().notNull(),
    resource: text(),
    nonce: text(),
    provider: text().notNull(),
    authenticated_at: integer().notNull(),
    code_hash: text().unique(),
    code_until: integer(),
    redirect_uri: text(),
    code_challenge: text(),
    /** The thumbprint of the client's DPoP key: for the code if the request named it, for a public client's refresh tokens. */
    dpop_jkt: text(),
    /** The host that received the code, or the result of the popup. */
    host: text(),
    /** The request that used the code. */
    used_by: text(),
    /** SHA-256 of the live refresh token. */
    token_hash: text(),
    created_at: integer().notNull(),
    last_used_at: integer(),
    expires_at: integer().notNull(),
    revoked_at: integer(),
    revoked_reason: text(),
  },
  (table) => [
    index('app_sessions_grant').on(table.grant_id),
    index('app_sessions_host').on(table.grant_id, table.host).where(sql`used_by IS NOT NULL`),
    index('app_sessions_session').on(table.session_id),
    index('app_sessions_expiry').on(table.expires_at),
    index('app_sessions_ended').on(table.revoked_at).where(sql`revoked_at IS NOT NULL`),
    check(
      'app_session_code',
      sql`(code_hash IS NULL) = (code_until IS NULL) AND (code_hash IS NULL) = (redirect_uri IS NULL) AND (code_hash IS NULL) = (code_challenge IS NULL)`,
    ),
    check('app_session_token', sql`token_hash IS NULL OR used_by IS NOT NULL`),
    check('app_session_revoked', sql`(revoked_at IS NULL) = (revoked_reason IS NULL)`),
  ],
);

/**
 * Revoked sessions whose sign-ins to apps have not been ended in their own rows yet. While a session is listed, the view
 * `live_app_sessions` contains none of its sign-ins without `offline_access`.
 */
export const signOuts = sqliteTable(
  'sign_outs',
  {
    session_id: text().primaryKey(),
    handle: text().notNull(),
    /** When the session was revoked. */
    at: integer().notNull(),
  },
  (table) => [index('sign_outs_at').on(table.at)],
);
