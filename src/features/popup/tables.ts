import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** What a popup was opened for, and what came of it: the truth that the opener asks for. Nothing refers to it. */
export const popupRequests = sqliteTable(
  'popup_requests',
  {
    /** The channel id: 128 bits, public, made by the opener. */
    id: text().primaryKey(),
    kind: text().notNull(),
    appId: text('app_id'),
    /** The opener's, from its Origin header. */
    origin: text().notNull(),
    /** SHA-256 of the opener's verifier: who has it may ask, cancel and redeem. */
    verifierHash: text('verifier_hash').notNull(),
    operation: text(),
    /** Canonical JSON of what is asked for, as it is shown. */
    params: text().notNull().default('{}'),
    inquiryId: text('inquiry_id'),
    /** SHA-256 of `params`: what was decided is what was shown. */
    digest: text().notNull(),
    handle: text(),
    sessionId: text('session_id'),
    status: text().notNull().default('created'),
    openerLost: integer('opener_lost').notNull().default(0),
    /** When the popup last reported, or until when it cannot: it is at a provider then. 0 once it said that it closes. */
    lastSeenAt: integer('last_seen_at'),
    /** The provider that the popup last left for. */
    awayTo: text('away_to'),
    /** When the opener first asked since then: it was alive. */
    askedAt: integer('asked_at'),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    decidedAt: integer('decided_at'),
    redeemedOp: text('redeemed_op').unique(),
  },
  (table) => [
    index('popup_requests_expiry').on(table.expiresAt).where(sql`status <> 'redeemed'`),
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
