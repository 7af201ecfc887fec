import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { oneOf, ref } from '../../db/tables.ts';
import { identities } from '../identity/tables.ts';

/**
 * The registered apps. A deleted app keeps its row as long as there are references to it. An unregistered client has no
 * owner, and its id is the address of its document (`lib/client-document.ts`): the first person who allows it creates
 * the row, and the end of its last grant deletes it.
 */
export const apps = sqliteTable(
  'apps',
  {
    id: text().primaryKey(),
    owner: text().references(() => identities.handle),
    name: text().notNull(),
    type: text({ enum: ['web', 'spa', 'native'] }).notNull(),
    redirect_uris: text().notNull().default('[]'),
    /** Where a logout that the app started may lead. A trigger limits their number. */
    post_logout_redirect_uris: text().notNull().default('[]'),
    scopes: text().notNull().default('["openid","profile"]'),
    homepage_url: text(),
    privacy_url: text(),
    /** The address from which the logo was fetched. */
    logo_url: text(),
    /** Identifies the stored logo. */
    logo_hash: text(),
    /** The endpoint for logout tokens (OpenID Connect Back-Channel Logout 1.0). */
    backchannel_logout_uri: text(),
    id_token_alg: oneOf(['RS256', 'ES256'], 'RS256'),
    /** `nonce` accepts a nonce in place of a PKCE challenge. A trigger keeps the list. */
    pkce: oneOf(['required', 'nonce'], 'required'),
    /** 1 if devices may sign people in by a code (RFC 8628). A trigger keeps it to `web` and `native` apps. */
    device_flow: integer().notNull().default(0),
    status: oneOf(['active', 'suspended', 'deleted'], 'active'),
    created_at: integer().notNull(),
    /** The version. For a deleted app, the time of its deletion, or later the time when it was last referenced. */
    updated_at: integer().notNull(),
    /** When an administrator checked who runs the app; triggers clear it when the name or an address changes. */
    checked_at: integer(),
    /** When an administrator marked the app as the operator's own, which implies checked. */
    first_party_at: integer(),
    /** The per-minute limit of each endpoint for requests with the app's secret; null for the default. */
    token_limit: integer(),
  },
  (table) => [
    index('apps_owner').on(table.owner, table.id).where(sql`status <> 'deleted'`),
    index('apps_name').on(sql`${table.name} COLLATE NOCASE`, table.id).where(sql`status <> 'deleted'`),
    index('apps_deleted').on(table.updated_at).where(sql`status = 'deleted'`),
    index('apps_documents').on(table.created_at).where(sql`owner IS NULL`),
    index('apps_token_limit').on(table.id).where(sql`token_limit IS NOT NULL`),
    check('app_name_length', sql`length(name) BETWEEN 1 AND 64`),
    check('app_document', sql`(owner IS NULL) = (id GLOB 'http*')`),
    check(
      'app_document_unmarked',
      sql`owner IS NOT NULL OR (type = 'native' AND checked_at IS NULL AND token_limit IS NULL AND logo_hash IS NULL AND backchannel_logout_uri IS NULL)`,
    ),
    check('app_type', sql`type IN ('web','spa','native')`),
    check('app_id_token_alg', sql`id_token_alg IN ('RS256','ES256')`),
    check('app_redirect_uris', sql`json_array_length(redirect_uris) <= 10`),
    check('app_status', sql`status IN ('active','suspended','deleted')`),
    check('app_first_party', sql`first_party_at IS NULL OR checked_at IS NOT NULL`),
    check('app_token_limit', sql`token_limit BETWEEN 1 AND 100000`),
  ],
);

/** The apps' logos, each a PNG as base64url, in a separate table because they are much larger than the rest of an app. */
export const appLogos = sqliteTable(
  'app_logos',
  {
    app_id: text()
      .primaryKey()
      .references(() => apps.id),
    hash: text().notNull(),
    data: text().notNull(),
  },
  () => [
    check('app_logo_png', sql`substr(data, 1, 11) = 'iVBORw0KGgo'`),
    check('app_logo_size', sql`length(data) <= 90000`),
  ],
);

/** The origins whose pages may call the service for an app: one row each, so that an index finds an origin's apps. */
export const appOrigins = sqliteTable(
  'app_origins',
  {
    origin: text().notNull(),
    app_id: ref(() => apps.id),
  },
  (table) => [
    primaryKey({ columns: [table.origin, table.app_id] }),
    index('app_origins_app').on(table.app_id),
  ],
);

/**
 * Other services that an app's access tokens may be for (RFC 8707). Only proven ones are stored, so each has one owner.
 * The view `app_targets` shows which resources an app may request, and `granted_targets` which of them a grant allows.
 */
export const appResources = sqliteTable(
  'app_resources',
  {
    resource: text().primaryKey(),
    /** The owner, which may introspect tokens for the resource. */
    app_id: ref(() => apps.id),
    origin: text().notNull(),
    /** A JSON array of other apps that may request the resource. */
    clients: text().notNull().default('[]'),
    /** The source of the proof: the file at the origin, or an administrator. */
    proven_by: text({ enum: ['file', 'desk'] }).notNull(),
    /** When the last successful read of the file started. */
    read_at: integer().notNull().default(0),
    /** When the file is to be read again. */
    next_at: integer().notNull().default(0),
    /** When the file became unreadable; null while it can be read. */
    failing_since: integer(),
  },
  (table) => [
    index('app_resources_app').on(table.app_id),
    index('app_resources_origin').on(table.origin),
    index('app_resources_due').on(table.next_at).where(sql`proven_by = 'file'`),
    check(
      'app_resource_origin',
      sql`resource = origin OR (substr(resource, 1, length(origin)) = origin AND substr(resource, length(origin) + 1, 1) IN ('/','?'))`,
    ),
    check('app_resource_clients', sql`json_type(clients) = 'array' AND json_array_length(clients) <= 50`),
    check('app_resource_proof', sql`proven_by IN ('file','desk')`),
  ],
);

/** Secrets of web apps as SHA-256. The current one does not expire; a previous one is valid until `expires_at`. */
export const appSecrets = sqliteTable(
  'app_secrets',
  {
    hash: text().primaryKey(),
    id: text().notNull().unique(),
    app_id: ref(() => apps.id),
    hint: text().notNull(),
    created_at: integer().notNull(),
    expires_at: integer(),
  },
  (table) => [
    uniqueIndex('app_secrets_current').on(table.app_id).where(sql`expires_at IS NULL`),
    index('app_secrets_app').on(table.app_id),
    index('app_secrets_expiry').on(table.expires_at).where(sql`expires_at IS NOT NULL`),
  ],
);
