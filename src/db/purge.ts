import { type SQL, sql } from 'drizzle-orm';
import { integer, type Statement, statement } from './database.ts';

/** A bucket that nobody touched for so long is full again, so its row says nothing. */
const bucketIdleMs = 10 * 60_000;

export interface PurgeTimes {
  readonly now: number;
  /** Activity up to this moment is forgotten. */
  readonly activityBefore: number;
}

/** The outcome of a popup is asked for while its opener lives; an hour later nobody does. */
const popupKeptMs = 60 * 60_000;
/** So long after its end a mail still counts against what its address may get in an hour. */
const mailCountedMs = 60 * 60_000;

/** How many rows of each table one batch deletes at most. */
export const purgeLimit = 500;

/**
 * One bounded DELETE for each table whose rows end by themselves, named after the table. Each finds its rows by
 * an index and answers one row for each it deleted, because nothing else tells the count on both engines.
 */
export function purgeStatements({ now, activityBefore }: PurgeTimes): Record<string, Statement> {
  return {
    usedOnce: expired(sql`used_once`, sql`hash`, sql`expires_at`, now),
    claimTickets: expired(sql`claim_tickets`, sql`hash`, sql`expires_at`, now),
    passkeyChallenges: expired(sql`passkey_challenges`, sql`hash`, sql`expires_at`, now),
    emailCodes: expired(sql`email_codes`, sql`purpose, email, bound_to`, sql`expires_at`, now),
    secretTries: expired(sql`secret_tries`, sql`key`, sql`resets_at`, now),
    sessions: expired(sql`sessions`, sql`id`, sql`expires_at`, now),
    signingKeys: expired(sql`signing_keys`, sql`kid`, sql`verifies_until`, now),
    // What was redeemed stays, as the record of a consent.
    popupRequests: statement(sql`DELETE FROM popup_requests WHERE id IN
      (SELECT id FROM popup_requests WHERE status <> 'redeemed' AND expires_at <= ${now - popupKeptMs}
        ORDER BY expires_at LIMIT ${integer(purgeLimit)}) RETURNING 1 AS gone`),
    mails: expired(sql`mails`, sql`id`, sql`expires_at`, now - mailCountedMs),
    rateBuckets: expired(sql`rate_buckets`, sql`key`, sql`at`, now - bucketIdleMs),
    // Activity is in the order of time; the oldest lines are looked at, and those that are old enough go.
    activity: statement(sql`DELETE FROM activity WHERE seq IN
      (SELECT seq FROM (SELECT seq, at FROM activity ORDER BY seq LIMIT ${integer(purgeLimit)})
        WHERE at <= ${activityBefore}) RETURNING 1 AS gone`),
  };
}

function expired(table: SQL, key: SQL, time: SQL, now: number): Statement {
  return statement(sql`DELETE FROM ${table} WHERE (${key}) IN
    (SELECT ${key} FROM ${table} WHERE ${time} <= ${now} ORDER BY ${time} LIMIT ${integer(purgeLimit)})
    RETURNING 1 AS gone`);
}
