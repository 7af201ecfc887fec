import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { PopupStatus } from './schema.ts';

/** A popup's purpose and its outcome, which the opener polls for. No other table refers to this one. */
export const popupRequests = sqliteTable(
  'popup_requests',
  {
    /** The channel id: 128 bits, public, created by the opener. */
    id: text().primaryKey(),
    kind: text({ enum: ['login', 'approval'] }).notNull(),
    app_id: text(),
    /** The opener's origin, from its Origin header. */
    origin: text().notNull(),
    /** SHA-256 of the opener's verifier, which allows it to poll, cancel and redeem. */
    verifier_hash: text().notNull(),
    operation: text({ enum: ['transfer', 'wallet.create'] }),
    /** Canonical JSON of the request, as shown. */
    params: text().notNull().default('{}'),
    inquiry_id: text(),
    /** SHA-256 of `params`. A decision contains it, so that only the content shown can be decided. */
    digest: text().notNull(),
    handle: text(),
    session_id: text(),
    status: text().$type<PopupStatus>().notNull().default('created'),
    opener_lost: integer().notNull().default(0),
    /**
     * The time of the popup's last report; the end of the request while the popup is at a provider; 0 after it has
     * closed.
     */
    last_seen_at: integer(),
    /** The provider that the popup last left for. */
    away_to: text(),
    /** The time of the opener's first poll after that, which shows that the opener was alive. */
    asked_at: integer(),
    created_at: integer().notNull(),
    expires_at: integer().notNull(),
    decided_at: integer(),
    redeemed_op: text().unique(),
    /** SHA-256 of the result that the last page sent to the origin, which an app needs to redeem a sign-in. */
    result_hash: text(),
    /** For a sign-in on a device without a browser: a MAC of the code that the person types (RFC 8628). */
    user_code_mac: text(),
    /** How often the code has been typed. */
    typed: integer().notNull().default(0),
    polled_at: integer(),
    /** The seconds that the device has to wait between two polls. */
    poll_seconds: integer().notNull().default(5),
  },
  (table) => [
    index('popup_requests_expiry').on(table.expires_at).where(sql`status <> 'redeemed'`),
    uniqueIndex('popup_requests_user_code').on(table.user_code_mac).where(sql`user_code_mac IS NOT NULL`),
    index('popup_requests_signed_in').on(table.expires_at).where(sql`status = 'redeemed' AND kind = 'login'`),
    check('popup_id_length', sql`length(id) = 22`),
    check('popup_kind', sql`kind IN ('login','approval')`),
    check('popup_operation', sql`operation IN ('transfer','wallet.create')`),
    check(
      'popup_status',
      sql`status IN ('created','opened','approved','redeemed','denied','cancelled','expired','invalid','lapsed')`,
    ),
    check('popup_opener_lost', sql`opener_lost IN (0,1)`),
    check('popup_away_to', sql`length(away_to) BETWEEN 1 AND 32 AND away_to NOT GLOB '*[^a-z0-9-]*'`),
    check('popup_approval_operation', sql`(kind = 'approval') = (operation IS NOT NULL)`),
    check('popup_transfer_inquiry', sql`(operation IS 'transfer') = (inquiry_id IS NOT NULL)`),
    check('popup_approval_bound', sql`kind = 'login' OR (app_id IS NOT NULL AND handle IS NOT NULL)`),
    check(
      'popup_decided',
      sql`(status IN ('approved','redeemed','denied','lapsed')) = (decided_at IS NOT NULL)`,
    ),
    check(
      'popup_decided_by',
      sql`status NOT IN ('approved','redeemed','lapsed') OR (handle IS NOT NULL AND session_id IS NOT NULL)`,
    ),
    check('popup_redeemed', sql`(status = 'redeemed') = (redeemed_op IS NOT NULL)`),
  ],
);
