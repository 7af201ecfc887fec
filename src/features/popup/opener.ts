import {
  first,
  integer,
  type Row,
  run,
  type SQL,
  type Statement,
  sql,
  statement,
} from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { isoTime } from '../../lib/id.ts';
import { secretHash } from '../../lib/secret.ts';
import type { AccessClaims } from '../session/access-token.ts';
import { isPending, reasonAt, redeemableMs, statusAt } from './popup.ts';
import type { PopupState } from './schema.ts';
import type { popupRequests } from './tables.ts';

/**
 * A page is treated as closed this long after its last report; a page without its opener reports every three seconds.
 */
const reportTimeoutMs = 10_000;

/** An opener, which has the verifier, and the registered origin if a browser sends one. */
interface Opener {
  readonly id: string;
  readonly verifier: string;
  readonly origin: string | null;
}

type StateRow = Pick<
  Row<typeof popupRequests>,
  'kind' | 'status' | 'opener_lost' | 'last_seen_at' | 'away_to' | 'expires_at'
> &
  Pick<PopupState, 'reason'>;

/** Returns the state of a request. @throws AppError popup_not_found, including for another verifier or origin */
export async function pollPopupRequest(deps: Deps, opener: Opener): Promise<PopupState> {
  const now = deps.now();
  const { state } = await run(deps.db, {
    change: [
      statement(sql`UPDATE popup_requests SET asked_at = ${now}
        WHERE ${isOf(opener)} AND away_to IS NOT NULL AND asked_at IS NULL`),
    ],
    state: stateStatement(opener, now),
  });
  return stateOf(deps, state, now);
}

/** Cancels a request for its opener; a decided request stays unchanged. @throws AppError popup_not_found */
export async function cancelPopupRequest(deps: Deps, opener: Opener): Promise<PopupState> {
  const now = deps.now();
  const { state } = await run(deps.db, {
    change: [
      statement(
        sql`UPDATE popup_requests SET status = 'cancelled' WHERE ${isOf(opener)} AND ${isPending(now)}`,
      ),
    ],
    state: stateStatement(opener, now),
  });
  return stateOf(deps, state, now);
}

function isOf({ id, verifier, origin }: Opener): SQL {
  return sql`id = ${id} AND verifier_hash = ${secretHash(verifier)} AND origin = coalesce(${origin}, origin)`;
}

function stateStatement(opener: Opener, now: number): Statement<StateRow> {
  return statement(sql`SELECT kind, ${statusAt(now)} AS status, ${reasonAt(now)} AS reason, opener_lost, last_seen_at,
      away_to, iif(p.kind = 'approval' AND p.status = 'approved', p.decided_at + ${integer(redeemableMs)}, p.expires_at)
        AS expires_at FROM popup_requests p WHERE ${isOf(opener)}`);
}

async function stateOf(deps: Deps, [row]: readonly StateRow[], now: number): Promise<PopupState> {
  if (!row) throw new AppError('popup_not_found');
  const seenAt = row.last_seen_at ?? 0;
  return {
    status: row.status,
    kind: row.kind,
    reason: row.reason,
    openerLost: row.opener_lost === 1 && seenAt + reportTimeoutMs > now,
    closed: row.last_seen_at === 0,
    seversOpener: row.away_to !== null && (await cutsOpener(deps, row.away_to, now)),
    expiresAt: isoTime(row.expires_at),
  };
}

/** How long a report is valid; after the time below, a new report replaces it. */
const countsForMs = 7 * 86_400_000;
const renewedAfterMs = 86_400_000;

/** One key per provider. The value is a time, and reveals nothing about anyone. */
const keyOf = (provider: string) => `popup:severs:${provider}`;

/**
 * Returns whether a provider's pages are known to sever popups from their openers, so that the window may look closed.
 */
export async function cutsOpener(deps: Deps, provider: string, now: number): Promise<boolean> {
  return Number((await deps.kv.get(keyOf(provider))) ?? 0) > now;
}

/**
 * Records that a popup returned from a provider without its opener. The report is accepted only from someone who has
 * signed in there since the request started, and only while the opener is alive, that is, polled while its window
 * seemed closed. A false report therefore requires an account and an app's origin, and only makes other openers wait
 * longer before they treat a window as closed.
 */
export async function reportCutOpener(deps: Deps, id: string, claims: AccessClaims): Promise<void> {
  const now = deps.now();
  const { provider, authenticatedAt } = claims;
  const query = statement<{ id: string }>(sql`SELECT id FROM popup_requests
      WHERE id = ${id} AND away_to = ${provider} AND asked_at IS NOT NULL
        AND created_at < ${authenticatedAt + 1000} AND expires_at > ${now}`);
  const request = await first(deps.db, query);
  if (request === null) return;
  const until = Number((await deps.kv.get(keyOf(provider))) ?? 0);
  if (until > now + countsForMs - renewedAfterMs) return;
  await deps.kv.put(keyOf(provider), String(now + countsForMs));
  deps.log.info('popup.severed', { provider, handle: claims.handle });
}
