import { integer, only, type Row, run, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { isoTime } from '../../lib/id.ts';
import { recipientOf } from '../../lib/origin.ts';
import { secretHash } from '../../lib/secret.ts';
import { actingSession } from '../session/acting-session.ts';
import { type AppDoubt, appDoubt, shownName } from './app-doubt.ts';
import type { PageReport, PopupAnswer, PopupInput, PopupKind, PopupState, PopupStatus } from './schema.ts';
import type { popupRequests } from './tables.ts';

/** The time limit for a sign-in (interface section 8). */
const loginTtlMs = 5 * 60_000;
/** How long after its approval a request can be redeemed. */
export const redeemableMs = 30_000;

type PopupRow = Row<typeof popupRequests>;

/** A request as shown on the popup's own pages. */
export interface PopupRequest {
  readonly id: string;
  readonly kind: PopupKind;
  /** The opener's origin: shown to the person, and the only recipient of messages. */
  readonly origin: string;
  /** The registered app of the opener, and the app's name; null for a first party. */
  readonly appId: string | null;
  readonly app: string | null;
  readonly doubt: AppDoubt;
  /** The digest of the content shown to the person, which a decision contains. */
  readonly digest: string;
  /** The provider whose credential is to be linked; null for a sign-in. */
  readonly link: string | null;
  /** The scopes of the requested tokens, as JSON; null if none are requested. */
  readonly scopes: string | null;
  /** `login` if the person has to sign in again, even with a session. */
  readonly prompt: string | null;
  /** The identity that registered the request, if one was signed in. */
  readonly handle: string | null;
  /**
   * The same, for pages that anyone may open. Null for a third-party app, which chooses the id and could therefore
   * reveal its visitor's PID to anyone.
   */
  readonly shownHandle: string | null;
  readonly status: PopupStatus;
  /** The reason why it is invalid. */
  readonly reason: PopupState['reason'];
  /** The remaining time for which the opener waits. */
  readonly secondsLeft: number;
}

/** The status of the request `p`, which may have expired since it was written. */
export function statusAt(now: number): SQL {
  return sql`CASE WHEN p.status IN ('created','opened') AND p.expires_at <= ${now} THEN 'expired'
    WHEN p.kind = 'approval' AND p.status = 'approved' AND p.decided_at <= ${now - redeemableMs} THEN 'lapsed'
    ELSE p.status END`;
}

/** The reason why the request `p` is invalid: its subject has changed, or someone altered the form. */
export function reasonAt(now: number): SQL {
  return sql`iif(p.status <> 'invalid', NULL, iif(EXISTS (SELECT 1 FROM transfers t WHERE t.id = p.inquiry_id
    AND t.status = 'open' AND t.held_at IS NULL AND t.expires_at > ${now}), 'tampered', 'terms_changed'))`;
}

export interface NewRequest extends Pick<PopupInput, 'id' | 'challenge'> {
  /** From the Origin header. */
  readonly origin: string;
  readonly app: string | null;
  readonly link: string | null;
  readonly prompt: string | null;
  /** The scopes of the requested tokens; null for none. */
  readonly scopes: readonly string[] | null;
  /** The person who requested the link or the new sign-in, and the only one who can complete it. */
  readonly handle: string | null;
  /** True if the app may request the scopes now. */
  readonly mayAsk: SQL;
}

/**
 * Registers a login. The same opener may send it again. Anyone else who uses the id is rejected, so that nobody can
 * plant a request for a window about to open.
 * @throws AppError validation_failed for scopes that the app may not request; popup_exists
 */
export async function createPopupRequest(deps: Deps, input: NewRequest): Promise<PopupAnswer> {
  const now = deps.now();
  const { id, origin, app, link, prompt, scopes, handle, mayAsk } = input;
  const params = JSON.stringify({
    origin,
    ...(app && { app }),
    ...(link && { link }),
    ...(prompt && { prompt }),
    ...(scopes && { scopes, host: recipientOf(origin) }),
  });
  const {
    made: [row],
    verdict,
  } = await run(deps.db, {
    made: statement<Pick<PopupRow, 'status' | 'expires_at'>>(sql`INSERT INTO popup_requests
        (id, kind, origin, app_id, verifier_hash, params, digest, handle, created_at, expires_at)
      SELECT ${id}, 'login', ${origin}, ${app}, ${input.challenge}, ${params}, ${secretHash(params)}, ${handle}, ${integer(now)},
        ${integer(now + loginTtlMs)} WHERE ${mayAsk}
      ON CONFLICT (id) DO UPDATE SET id = excluded.id
        WHERE verifier_hash = excluded.verifier_hash AND digest = excluded.digest AND handle IS excluded.handle
          AND status IN ('created','opened') AND expires_at > ${now}
      RETURNING status, expires_at`),
    verdict: statement<{ mayAsk: number }>(sql`SELECT ${mayAsk} AS mayAsk`),
  });
  if (!only(verdict).mayAsk)
    throw new AppError('validation_failed', ['scope must name scopes that the app may ask for']);
  if (!row) throw new AppError('popup_exists');
  return { id, status: row.status, expiresAt: isoTime(row.expires_at) };
}

/** Shows a popup page, which opens a waiting request. Null if there is none (yet). */
export async function viewPopupRequest(deps: Deps, id: string): Promise<PopupRequest | null> {
  const now = deps.now();
  const { page } = await run(deps.db, {
    open: [
      statement(
        sql`UPDATE popup_requests SET status = 'opened', last_seen_at = ${now} WHERE id = ${id} AND ${isPending(now)}`,
      ),
    ],
    page: pageStatement(id, now),
  });
  const [row] = page;
  if (!row) return null;
  const { appId, app: name, doubt } = row;
  return { ...row, app: appId === null || name === null ? null : shownName({ id: appId, name, doubt }) };
}

/** True if a row is still undecided. */
export function isPending(now: number): SQL {
  return sql`status IN ('created','opened') AND expires_at > ${now}`;
}

/** The columns of `PopupRequest`, of the row `p`; `app` is the name as registered. */
export function requestColumns(now: number): SQL {
  return sql`p.id, p.kind, p.origin, p.app_id AS appId, (SELECT a.name FROM apps a WHERE a.id = p.app_id) AS app,
    (SELECT ${appDoubt(now)} FROM apps a WHERE a.id = p.app_id) AS doubt, p.digest,
    json_extract(p.params, '$.link') AS link, json_extract(p.params, '$.prompt') AS prompt,
    json_extract(p.params, '$.scopes') AS scopes, p.handle,
    iif(p.app_id IS NULL OR EXISTS (SELECT 1 FROM apps a WHERE a.id = p.app_id AND a.first_party_at IS NOT NULL), p.handle, NULL)
      AS shownHandle,
    ${statusAt(now)} AS status, ${reasonAt(now)} AS reason,
    max(0, (p.expires_at - ${integer(now)} + 999) / 1000) AS secondsLeft`;
}

function pageStatement(id: string, now: number): Statement<PopupRequest> {
  return statement(sql`SELECT ${requestColumns(now)} FROM popup_requests p WHERE p.id = ${id}`);
}

/**
 * Stores a report from a popup page. The popup cannot report while it is at a provider, so it is then treated as
 * present until the request ends.
 * @throws AppError popup_not_found
 */
export async function reportPopupPage(deps: Deps, id: string, report: PageReport): Promise<void> {
  const now = deps.now();
  const away = report.away ?? null;
  const seen = report.closed ? sql`0` : away === null ? integer(now) : sql`expires_at`;
  const { found } = await run(deps.db, {
    change: [
      statement(sql`UPDATE popup_requests SET status = 'opened', last_seen_at = ${seen},
        opener_lost = max(opener_lost, ${integer(report.openerLost ? 1 : 0)}), away_to = coalesce(${away}, away_to),
        asked_at = iif(${away} IS NULL, asked_at, NULL) WHERE id = ${id} AND ${isPending(now)}`),
    ],
    found: statement<{ id: string }>(sql`SELECT id FROM popup_requests WHERE id = ${id}`),
  });
  if (found.length === 0) throw new AppError('popup_not_found');
}

interface Decision {
  readonly id: string;
  readonly decision: 'approved' | 'denied';
  /** The digest of the content shown to the person. */
  readonly digest: string;
  /** The deciding session. A sign-in may be denied without one. */
  readonly sessionId: string | null;
}

/**
 * Approves a sign-in for someone who is already signed in, or denies it. A decided request never changes. A link is
 * never approved here, but only by completing it, and a request for a new sign-in is approved only by that sign-in.
 *
 * One conditional UPDATE decides; the following read explains a rejection.
 * @throws AppError popup_not_found, popup_altered, popup_expired
 * @throws AppError unauthenticated if the session has been revoked; the request stays open
 */
export async function decidePopupRequest(deps: Deps, input: Decision): Promise<void> {
  const now = deps.now();
  const { id, decision, digest, sessionId } = input;
  const acting = (column: SQL) => sql`(SELECT ${column} FROM ${actingSession(sessionId, now)})`;
  const session = acting(sql`id`);
  const mayDecide =
    decision === 'denied'
      ? sql`1`
      : sql`${session} IS NOT NULL AND coalesce(json_extract(params, '$.link'), json_extract(params, '$.prompt')) IS NULL`;
  const {
    decided,
    page: [row],
  } = await run(deps.db, {
    decided: statement<{
      id: string;
    }>(sql`UPDATE popup_requests SET status = ${decision}, decided_at = ${now},
        handle = coalesce(${acting(sql`handle`)}, handle), session_id = ${session}
      WHERE id = ${id} AND kind = 'login' AND status = 'opened' AND expires_at > ${now} AND digest = ${digest}
        AND ${mayDecide} RETURNING id`),
    page: pageStatement(id, now),
  });
  if (!row) throw new AppError('popup_not_found');
  if (decided.length > 0) {
    deps.log.info('popup.decided', { decision, origin: row.origin, handle: row.handle });
    return;
  }
  if (row.digest !== digest || (row.link ?? row.prompt) !== null) throw new AppError('popup_altered');
  if (row.status === 'expired') throw new AppError('popup_expired');
  if (row.status === 'opened')
    throw new AppError('unauthenticated', null, { reason: 'the session has ended' });
}

interface Answered {
  /** The request; if null, the statement changes nothing. */
  readonly popup: string | null;
  /** The session that the batch has created, or that acts in it. Without a session nothing is approved. */
  readonly sessionId: string;
  readonly now: number;
  /** For a link: the provider of the credential, and whether it is linked to the identity of session `s`. */
  readonly link?: { readonly provider: string; readonly when: SQL };
}

/**
 * True if a sign-in of the session `s` may approve the request `p` for tokens. A shared sign-in URL with the id of a
 * popup skips its page, so either the app must have been checked, or the person must have allowed everything in the
 * request on this host.
 */
function needsNoConsent(now: number): SQL {
  return sql`(json_extract(p.params, '$.scopes') IS NULL
    OR EXISTS (SELECT 1 FROM apps c WHERE c.id = p.app_id AND c.checked_at IS NOT NULL)
    OR EXISTS (SELECT 1 FROM live_grants g WHERE g.app_id = p.app_id AND g.handle = s.handle AND g.live_until > ${now}
      AND NOT EXISTS (SELECT 1 FROM json_each(p.params, '$.scopes') o
        WHERE coalesce(json_extract(p.params, '$.host'), '') || ' ' || o.value NOT IN (SELECT value FROM json_each(g.hosts)))))`;
}

/**
 * Approves the popup request of a sign-in, a claim or a link. In the batch it comes after the statements that create
 * the session. A request that none of our pages has shown is never approved. A request for more than the person has
 * allowed stays open, and its page requests consent.
 */
export function approvePopupStatement({ popup, sessionId, now, link }: Answered): Statement {
  const asked =
    link === undefined
      ? sql`json_extract(p.params, '$.link') IS NULL AND coalesce(p.handle, s.handle) = s.handle AND ${needsNoConsent(now)}`
      : sql`json_extract(p.params, '$.link') = ${link.provider} AND p.handle = s.handle AND ${link.when}`;
  return statement(sql`UPDATE popup_requests SET status = 'approved', decided_at = ${now}, session_id = ${sessionId},
      handle = (SELECT handle FROM sessions WHERE id = ${sessionId})
    WHERE id = ${popup} AND EXISTS (SELECT 1 FROM popup_requests p JOIN live_sessions s ON s.id = ${sessionId}
      WHERE p.id = ${popup} AND p.kind = 'login' AND p.status = 'opened' AND p.expires_at > ${now} AND ${asked})`);
}

interface Redemption {
  readonly id: string;
  readonly verifierHash: string;
  /** SHA-256 of the result that the popup's last page sent to the origin. */
  readonly resultHash: string;
  readonly appId: string;
  readonly origin: string | null;
  /** Its scopes under the grant `g` of the app `a`, as JSON. */
  readonly scopes: SQL;
  /** The id of the redeeming operation; made once per request. */
  readonly redeemedBy: string;
  readonly when: SQL;
  readonly now: number;
}

/** The scopes of the request `p` that the grant `g` covers and the app may still request. */
export function redeemedScopes(askable: SQL): SQL {
  return sql`(SELECT json_group_array(s.value) FROM json_each(g.scopes) s
    WHERE s.value IN (SELECT o.value FROM json_each(p.params, '$.scopes') o)
      AND s.value IN (SELECT q.value FROM json_each(${askable}) q))`;
}

/**
 * Redeems a sign-in for its app, only once, if a live grant and session still allow it, and at least one scope remains.
 */
export function redeemPopupStatement(input: Redemption): Statement {
  const { id, verifierHash, resultHash, appId, origin, scopes, redeemedBy, when, now } = input;
  return statement(sql`UPDATE popup_requests AS p SET status = 'redeemed', redeemed_op = ${redeemedBy}
    WHERE id = ${id} AND verifier_hash = ${verifierHash} AND result_hash = ${resultHash} AND kind = 'login' AND app_id = ${appId}
      AND origin = coalesce(${origin}, origin) AND status = 'approved' AND decided_at > ${now - redeemableMs} AND ${when}
      AND json_extract(params, '$.link') IS NULL
      AND EXISTS (SELECT 1 FROM live_grants g JOIN apps a ON a.id = g.app_id
        WHERE g.app_id = p.app_id AND g.handle = p.handle AND g.live_until > ${now} AND ${scopes} <> '[]')
      AND EXISTS (SELECT 1 FROM live_sessions s WHERE s.id = p.session_id AND s.expires_at > ${now})`);
}
