import { type SQL, sql } from 'drizzle-orm';
import { first, integer, type Statement, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { secretHash } from '../../lib/secret.ts';
import { isoTime } from '../../lib/time.ts';
import type { Beat, PopupAnswer, PopupInput, PopupState, PopupStatus } from './schema.ts';
import { seversOpener } from './severing.ts';

/** How long a person may take to sign in (interface section 8). */
const loginTtlMs = 5 * 60_000;
/** A page without its opener reports every three seconds; one that was not heard for longer than this is gone. */
const beatPatienceMs = 10_000;

/** A request as the popup's own pages see it. */
export interface PopupRequest {
  readonly id: string;
  /** The opener's, to be shown, and the only one to which messages go. */
  readonly origin: string;
  /** What the person sees, as a digest: a decision names it. */
  readonly digest: string;
  /** The provider whose credential is to be linked; null for a sign-in. */
  readonly link: string | null;
  /** Whose request it is, where that is fixed from the beginning. */
  readonly handle: string | null;
  readonly status: PopupStatus;
  /** How long the opener still waits. */
  readonly secondsLeft: number;
}

/** A row's status with the time taken into account. */
function statusAt(now: number): SQL {
  return sql`CASE WHEN status IN ('created','opened') AND expires_at <= ${now} THEN 'expired' ELSE status END`;
}

interface NewRequest extends Pick<PopupInput, 'id' | 'challenge'> {
  /** From the Origin header. */
  readonly origin: string;
  readonly link: string | null;
  /** Who asks for a link: nobody else's credential comes of it. */
  readonly handle: string | null;
}

/**
 * Registers a login. The same opener may send it again; whoever else uses the id is refused, so that nobody can lay
 * a request in wait for a window that is about to open.
 * @throws AppError popup_exists
 */
export async function createPopupRequest(deps: Deps, input: NewRequest): Promise<PopupAnswer> {
  const now = deps.now();
  const { id, origin, link, handle } = input;
  const params = JSON.stringify({ origin, ...(link === null ? {} : { link }) });
  const row = await first(
    deps.db,
    statement<{ status: PopupStatus; expires_at: number }>(sql`INSERT INTO popup_requests
        (id, kind, origin, verifier_hash, params, digest, handle, created_at, expires_at)
      VALUES (${id}, 'login', ${origin}, ${input.challenge}, ${params}, ${secretHash(params)}, ${handle}, ${now},
        ${now + loginTtlMs})
      ON CONFLICT (id) DO UPDATE SET id = excluded.id
        WHERE verifier_hash = excluded.verifier_hash AND digest = excluded.digest AND handle IS excluded.handle
          AND status IN ('created','opened') AND expires_at > ${now}
      RETURNING status, expires_at`),
  );
  if (row === null) throw new AppError('popup_exists');
  return { id, status: row.status, expiresAt: isoTime(row.expires_at) };
}

interface PageRow {
  origin: string;
  digest: string;
  link: string | null;
  handle: string | null;
  status: PopupStatus;
  secondsLeft: number;
}

/** The popup shows a page: a request that waits is open from now on. Null when there is none (yet). */
export async function openPopupRequest(deps: Deps, id: string): Promise<PopupRequest | null> {
  const now = deps.now();
  const [, [row]] = await deps.db.batch([
    statement(sql`UPDATE popup_requests SET status = 'opened', last_seen_at = ${now}
      WHERE id = ${id} AND status IN ('created','opened') AND expires_at > ${now}`),
    pageStatement(id, now),
  ]);
  return row ? { id, ...row } : null;
}

function pageStatement(id: string, now: number): Statement<PageRow> {
  return statement(sql`SELECT origin, digest, json_extract(params, '$.link') AS link, handle, ${statusAt(now)} AS status,
      max(0, (expires_at - ${integer(now)} + 999) / 1000) AS secondsLeft FROM popup_requests WHERE id = ${id}`);
}

/**
 * Keeps what a page of the popup reports. At a provider it cannot report at all, so it is believed to be there until
 * the request ends.
 * @throws AppError popup_not_found
 */
export async function beatPopupRequest(deps: Deps, id: string, beat: Beat): Promise<void> {
  const now = deps.now();
  const away = beat.away ?? null;
  const seen = beat.closed ? sql`0` : away === null ? integer(now) : sql`expires_at`;
  const [, [row]] = await deps.db.batch([
    statement(sql`UPDATE popup_requests SET status = 'opened', last_seen_at = ${seen},
        opener_lost = max(opener_lost, ${integer(beat.openerLost ? 1 : 0)}), away_to = coalesce(${away}, away_to),
        asked_at = iif(${away} IS NULL, asked_at, NULL)
      WHERE id = ${id} AND status IN ('created','opened') AND expires_at > ${now}`),
    statement<{ id: string }>(sql`SELECT id FROM popup_requests WHERE id = ${id}`),
  ]);
  if (!row) throw new AppError('popup_not_found');
}

interface Decision {
  readonly id: string;
  readonly decision: 'approved' | 'denied';
  /** Of what the person saw. */
  readonly digest: string;
  /** The session that decides. A sign-in may be denied without one. */
  readonly sessionId: string | null;
}

/**
 * Decides a sign-in for somebody who is signed in already, or denies it. A request that was decided stays as it is.
 * What is to be linked is never decided here: only the link itself approves it.
 * @throws AppError popup_not_found, popup_altered, popup_expired
 * @throws AppError unauthenticated when the session has ended; the request stays open
 */
export async function decidePopupRequest(deps: Deps, input: Decision): Promise<void> {
  const now = deps.now();
  const { id, decision, digest, sessionId } = input;
  const session = sql`(SELECT id FROM live_sessions WHERE id = ${sessionId} AND expires_at > ${now})`;
  const handle = sql`(SELECT handle FROM live_sessions WHERE id = ${sessionId} AND expires_at > ${now})`;
  const mayDecide =
    decision === 'denied' ? sql`1` : sql`${session} IS NOT NULL AND json_extract(params, '$.link') IS NULL`;
  const [[decided], [row]] = await deps.db.batch([
    statement<{ id: string }>(sql`UPDATE popup_requests SET status = ${decision}, decided_at = ${now},
        handle = coalesce(${handle}, handle), session_id = ${session}
      WHERE id = ${id} AND kind = 'login' AND status = 'opened' AND expires_at > ${now} AND digest = ${digest}
        AND ${mayDecide} RETURNING id`),
    pageStatement(id, now),
  ]);
  if (!row) throw new AppError('popup_not_found');
  if (decided) {
    deps.log.info('popup.decided', { decision, origin: row.origin, handle: row.handle });
    return;
  }
  if (row.digest !== digest || row.link !== null) throw new AppError('popup_altered');
  if (row.status === 'expired') throw new AppError('popup_expired');
  if (row.status === 'opened')
    throw new AppError('unauthenticated', null, { reason: 'the session has ended' });
}

interface Answered {
  /** The request, or null: then the statement changes nothing. */
  readonly popup: string | null;
  /** The session that the batch has made, or that acts in it. Without it nothing is approved. */
  readonly sessionId: string;
  readonly now: number;
  /** For a link: the provider of the credential, and whether it is linked to the identity of session `s`. */
  readonly link?: { readonly provider: string; readonly when: SQL };
}

/**
 * Approves the request that a sign-in, a claim or a link answers; it stands in their own batch, behind what makes the
 * session. A request that no page of ours has shown to the person is never approved.
 */
export function approvePopupStatement({ popup, sessionId, now, link }: Answered): Statement {
  const asked =
    link === undefined
      ? sql`json_extract(p.params, '$.link') IS NULL`
      : sql`json_extract(p.params, '$.link') = ${link.provider} AND p.handle = s.handle AND ${link.when}`;
  return statement(sql`UPDATE popup_requests SET status = 'approved', decided_at = ${now}, session_id = ${sessionId},
      handle = (SELECT handle FROM sessions WHERE id = ${sessionId})
    WHERE id = ${popup} AND EXISTS (SELECT 1 FROM popup_requests p JOIN live_sessions s ON s.id = ${sessionId}
      WHERE p.id = ${popup} AND p.kind = 'login' AND p.status = 'opened' AND p.expires_at > ${now} AND ${asked})`);
}

/** Who asks from outside: whoever has the verifier, from the origin that registered if a browser says which. */
interface Opener {
  readonly id: string;
  readonly verifier: string;
  readonly origin: string | null;
}

interface StateRow {
  kind: 'login' | 'approval';
  status: PopupStatus;
  opener_lost: number;
  last_seen_at: number | null;
  away_to: string | null;
  expires_at: number;
}

/** How a request stands. @throws AppError popup_not_found, also for another's verifier or from another origin */
export async function pollPopupRequest(deps: Deps, opener: Opener): Promise<PopupState> {
  const now = deps.now();
  const [, [row]] = await deps.db.batch([
    statement(sql`UPDATE popup_requests SET asked_at = ${now}
      WHERE ${isOpeners(opener)} AND away_to IS NOT NULL AND asked_at IS NULL`),
    stateStatement(opener, now),
  ]);
  return stateOf(deps, row ?? null, now);
}

/** The opener gives up; what is decided already stays decided. @throws AppError popup_not_found */
export async function cancelPopupRequest(deps: Deps, opener: Opener): Promise<PopupState> {
  const now = deps.now();
  const [, [row]] = await deps.db.batch([
    statement(sql`UPDATE popup_requests SET status = 'cancelled'
      WHERE ${isOpeners(opener)} AND status IN ('created','opened') AND expires_at > ${now}`),
    stateStatement(opener, now),
  ]);
  return stateOf(deps, row ?? null, now);
}

function isOpeners({ id, verifier, origin }: Opener): SQL {
  return sql`id = ${id} AND verifier_hash = ${secretHash(verifier)} AND origin = coalesce(${origin}, origin)`;
}

function stateStatement(opener: Opener, now: number): Statement<StateRow> {
  return statement(sql`SELECT kind, ${statusAt(now)} AS status, opener_lost, last_seen_at, away_to, expires_at
    FROM popup_requests WHERE ${isOpeners(opener)}`);
}

async function stateOf(deps: Deps, row: StateRow | null, now: number): Promise<PopupState> {
  if (row === null) throw new AppError('popup_not_found');
  const seenAt = row.last_seen_at ?? 0;
  return {
    status: row.status,
    kind: row.kind,
    reason: null,
    openerLost: row.opener_lost === 1 && seenAt + beatPatienceMs > now,
    closed: row.last_seen_at === 0,
    seversOpener: row.away_to !== null && (await seversOpener(deps, row.away_to, now)),
    expiresAt: isoTime(row.expires_at),
  };
}
