import { integer, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import { secretHash } from '../../lib/secret.ts';
import { actingSession } from '../session/acting-session.ts';
import { type AppDoubt, appDoubt } from './app-doubt.ts';
import { isPending } from './popup.ts';
import type { PopupStatus } from './schema.ts';

/** The lifetime of a device's request (RFC 8628 section 3.2). */
export const deviceTtlMs = 10 * 60_000;
/** The seconds between two polls, and those added after an early one (section 3.5). */
export const pollSeconds = 5;
const slowestSeconds = 60;
/** A poll may be this early, because network delays vary. */
const earlyMs = 1000;
/** How often a code may be typed: a person may start with the wrong account, but no code is for many people. */
const mostTyped = 5;

/** The entry for a device in a grant's `hosts`. No host and no URI scheme of an app has this name. */
export const deviceHost = 'device:';

interface NewDeviceRequest {
  readonly id: string;
  readonly appId: string;
  /** SHA-256 of the device code. */
  readonly codeHash: string;
  readonly userCodeMac: string;
  readonly scopes: readonly string[];
  /** The device's country, if the runtime knows it. */
  readonly country: string | null;
  readonly when: SQL;
  readonly now: number;
}

/** Inserts the request of a device, once. */
export function insertDeviceRequest(request: NewDeviceRequest): Statement {
  const { id, appId, codeHash, userCodeMac, scopes, country, when, now } = request;
  const params = JSON.stringify({ scopes, host: deviceHost, country });
  return statement(sql`INSERT INTO popup_requests
      (id, kind, origin, app_id, verifier_hash, params, digest, user_code_mac, poll_seconds, created_at, expires_at)
    SELECT ${id}, 'login', '', ${appId}, ${codeHash}, ${params}, ${secretHash(params)}, ${userCodeMac},
      ${integer(pollSeconds)}, ${integer(now)}, ${integer(now + deviceTtlMs)} WHERE ${when} ON CONFLICT DO NOTHING`);
}

/** A device that polls, and the client that started its request. */
export interface Poll {
  readonly id: string;
  readonly codeHash: string;
  readonly appId: string;
  /** True if the client is authenticated. */
  readonly when: SQL;
  readonly now: number;
}

const isOf = ({ id, codeHash, appId }: Poll) =>
  sql`p.id = ${id} AND p.verifier_hash = ${codeHash} AND p.app_id = ${appId}`;

/** A request as a poll finds it. */
export interface Polled {
  readonly status: PopupStatus | null;
  readonly is_over: number | null;
  readonly is_early: number | null;
}

/** Reads the request before the poll changes it; the columns are null if there is none. */
export function polledStatement<More extends object>(poll: Poll, more: SQL): Statement<Polled & More> {
  const { now } = poll;
  return statement(sql`SELECT ${more}, p.status, p.expires_at <= ${now} AS is_over,
      coalesce(p.polled_at + p.poll_seconds * 1000 - ${integer(earlyMs)} > ${now}, 0) AS is_early
    FROM settings LEFT JOIN popup_requests p ON ${isOf(poll)} WHERE settings.id = 1`);
}

/** Records the poll of a pending request. An early one increases the interval (RFC 8628 section 3.5). */
export function notePoll(poll: Poll): Statement {
  const { now, when } = poll;
  return statement(sql`UPDATE popup_requests AS p SET polled_at = ${now},
      poll_seconds = iif(polled_at + poll_seconds * 1000 - ${integer(earlyMs)} > ${now},
        min(poll_seconds + ${integer(pollSeconds)}, ${integer(slowestSeconds)}), poll_seconds)
    WHERE ${isOf(poll)} AND ${isPending(now)} AND ${when}`);
}

/**
 * Redeems an approved request for its client, only once, if a live grant and session still allow it, and at least one
 * scope remains.
 * @param scopes its scopes under the grant `g` of the app `a`, as JSON
 */
export function redeemDeviceRequest(poll: Poll, redeemedBy: string, scopes: SQL): Statement {
  const { now, when } = poll;
  return statement(sql`UPDATE popup_requests AS p SET status = 'redeemed', redeemed_op = ${redeemedBy}
    WHERE ${isOf(poll)} AND p.user_code_mac IS NOT NULL AND status = 'approved' AND expires_at > ${now} AND ${when}
      AND EXISTS (SELECT 1 FROM live_grants g JOIN apps a ON a.id = g.app_id AND a.device_flow = 1
        WHERE g.app_id = p.app_id AND g.handle = p.handle AND g.live_until > ${now} AND ${scopes} <> '[]')
      AND EXISTS (SELECT 1 FROM live_sessions s WHERE s.id = p.session_id AND s.expires_at > ${now})`);
}

/** The code that a person typed. */
export interface Typed {
  /** Its MACs under each of our keys. */
  readonly macs: readonly string[];
  readonly now: number;
}

const isTyped = ({ macs, now }: Typed) =>
  sql`user_code_mac IN (SELECT value FROM json_each(${JSON.stringify(macs)})) AND ${isPending(now)}`;

/** Counts how often a code was typed; a code that was typed too often no longer works. */
export function openDeviceRequest(typed: Typed, when: SQL): Statement<{ id: string }> {
  return statement(sql`UPDATE popup_requests SET status = 'opened', typed = typed + 1
    WHERE ${isTyped(typed)} AND typed < ${integer(mostTyped)} AND ${when} RETURNING id`);
}

/** A device's request as shown to the person. */
export interface DeviceRow {
  readonly id: string;
  readonly digest: string;
  readonly appId: string;
  readonly app: string;
  readonly doubt: AppDoubt;
  /** JSON. */
  readonly scopes: string;
  readonly country: string | null;
  readonly createdAt: number;
}

/** Reads a pending request whose code was typed, and whose app is active and has the device flow. */
export function deviceRequest(typed: Typed): Statement<DeviceRow> {
  return statement(sql`SELECT p.id, p.digest, a.id AS appId, a.name AS app, ${appDoubt(typed.now)} AS doubt,
      json_extract(p.params, '$.scopes') AS scopes, json_extract(p.params, '$.country') AS country,
      p.created_at AS createdAt
    FROM popup_requests p JOIN apps a ON a.id = p.app_id AND a.status = 'active' AND a.device_flow = 1
    WHERE p.id = (SELECT id FROM popup_requests WHERE ${isTyped(typed)} AND status = 'opened')`);
}

/** True if the owner of the app has allowed devices to sign people in. */
export function hasDeviceFlow(appId: string): SQL {
  return sql`EXISTS (SELECT 1 FROM apps WHERE id = ${appId} AND device_flow = 1)`;
}

interface DeviceDecision {
  readonly id: string;
  readonly digest: string;
  readonly decision: 'approved' | 'denied';
  readonly sessionId: string;
  readonly when: SQL;
  readonly now: number;
}

/** Decides a device's request for the acting session's person, once. */
export function decideDeviceRequest(decided: DeviceDecision): Statement {
  const { id, digest, decision, sessionId, when, now } = decided;
  const acting = sql`(SELECT handle FROM ${actingSession(sessionId, now)})`;
  return statement(sql`UPDATE popup_requests SET status = ${decision}, decided_at = ${now}, handle = ${acting}, session_id = ${sessionId}
    WHERE id = ${id} AND digest = ${digest} AND user_code_mac IS NOT NULL AND status = 'opened' AND expires_at > ${now}
      AND ${acting} IS NOT NULL AND ${when}`);
}

/** True if this session has made this decision. */
export function isDecidedBy({
  id,
  decision,
  sessionId,
}: Pick<DeviceDecision, 'id' | 'decision' | 'sessionId'>): SQL {
  return sql`EXISTS (SELECT 1 FROM popup_requests WHERE id = ${id} AND status = ${decision} AND session_id = ${sessionId})`;
}
