import { all, first, integer, run, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import type { ClientInfo } from '../../http/context.ts';
import { requireSigner, type Signer } from '../signing-key/signing-key.ts';
import { type AccessClaims, signAccessToken } from './access-token.ts';
import { type CookieScope, createRefreshToken, type RefreshToken } from './refresh-token.ts';
import { endSessions, primaryEmail, type SessionRow, sessionColumns } from './statements.ts';

/** An access token, and until when the session's refresh token lasts (epoch ms). */
export interface IssuedAccess {
  readonly claims: AccessClaims;
  readonly accessToken: string;
  readonly refreshExpiresAt: number;
}

/** What a browser gets when a session begins or is refreshed. */
export interface IssuedTokens extends IssuedAccess {
  readonly refreshToken: string;
  /** The address with which the person could sign in by password; null when there is none, or the session is not new. */
  readonly account: string | null;
}

/**
 * Signs the access token that belongs to a session row. It lives ACCESS_TTL_SECONDS, and no longer than the session
 * or its refresh token.
 * @param notAfter the end of the token it replaces without a refresh: a profile change must not prolong
 *   anything, or a stolen access token would keep itself alive (epoch ms)
 */
export async function issueAccess(
  deps: Deps,
  sign: Signer,
  row: SessionRow,
  now: number,
  notAfter = Number.POSITIVE_INFINITY,
): Promise<IssuedAccess> {
  const ownEnd = Math.floor(now / 1000) * 1000 + deps.config.ACCESS_TTL_SECONDS * 1000;
  const claims: AccessClaims = {
    handle: row.handle,
    sessionId: row.session_id,
    provider: row.provider,
    authenticatedAt: row.authenticated_at,
    sessionExpiresAt: row.expires_at,
    displayName: row.display_name,
    locale: row.locale,
    email: deps.config.SESSION_EMAIL === 'on' ? row.email : null,
    expiresAt: Math.min(ownEnd, row.expires_at, row.token_expires_at, notAfter),
  };
  const accessToken = await signAccessToken(deps, sign, claims, now);
  return { claims, accessToken, refreshExpiresAt: row.token_expires_at };
}

/**
 * The same, paired with the row's refresh token.
 * @throws AppError unauthenticated when the session ended between a batch and its repeat, which leaves the row empty
 */
export async function issueTokens(
  deps: Deps,
  sign: Signer,
  row: SessionRow & { readonly account?: string | null },
  refreshToken: string,
  now: number,
): Promise<IssuedTokens> {
  if (!row.handle) throw new AppError('unauthenticated', null, { reason: 'the session has ended since' });
  const { account = null } = row;
  return { ...(await issueAccess(deps, sign, row, now)), refreshToken, account };
}

interface RefreshInput {
  readonly presented: RefreshToken;
  readonly scope: CookieScope;
  readonly client: ClientInfo;
}

/** Why a refresh was refused. Only an ended session lets the browser forget its cookies. */
export class RefreshRefused extends AppError {
  readonly sessionEnded: boolean;

  constructor(reason: string, sessionEnded: boolean) {
    super('refresh_refused', null, { reason });
    this.sessionEnded = sessionEnded;
  }
}

/**
 * Spends a refresh token and issues its successor: one conditional UPDATE, so of any number of requests with
 * one token exactly one wins.
 * @throws RefreshRefused for every other request; what a replay means is decided by `refuseRefresh`
 */
export async function refreshSession(deps: Deps, input: RefreshInput): Promise<IssuedTokens> {
  const now = deps.now();
  const sign = await requireSigner(deps, now);
  const { presented, client } = input;
  const successor = createRefreshToken(deps, presented.sessionId, input.scope);
  const ttlMs = deps.config.REFRESH_TTL_SECONDS * 1000;
  const rotated = await first(
    deps.db,
    statement<SessionRow>(sql`UPDATE sessions SET token_hash = ${successor.hash}, previous_hash = token_hash,
        rotated_at = ${now}, token_expires_at = min(${integer(now + ttlMs)}, expires_at),
        last_seen_at = max(last_seen_at, ${integer(now)}), user_agent = ${client.userAgent}, address = ${client.address}
      WHERE id = ${presented.sessionId} AND token_hash = ${presented.hash} AND revoked_at IS NULL
        AND token_expires_at > ${now} AND created_at >= (SELECT sessions_not_before FROM settings WHERE id = 1)
        AND (SELECT status FROM identities i WHERE i.handle = sessions.handle) = 'active'
      RETURNING handle, id AS session_id, provider, authenticated_at, expires_at, token_expires_at,
        (SELECT display_name FROM profiles p WHERE p.handle = sessions.handle) AS display_name,
        (SELECT locale FROM profiles p WHERE p.handle = sessions.handle) AS locale,
        ${deps.config.SESSION_EMAIL === 'on' ? primaryEmail(sql`sessions.handle`) : sql`NULL`} AS email`),
  );
  const row = rotated ?? (await refuseRefresh(deps, input, successor.hash, now));
  return issueTokens(deps, sign, row, successor.token, now);
}

interface RefusedRow extends SessionRow {
  verdict: string;
  token_hash: string;
}

/**
 * Explains why a token did not rotate, and ends the session if it must end, in one batch.
 *
 * The live token past its time ends the session. The immediate predecessor within REFRESH_GRACE_SECONDS is a
 * race between two tabs: nothing changes. Every other token of the session is a replay: somebody else has one too,
 * so the whole session ends (RFC 9700 section 4.14.2).
 * @returns the row when the rotation was ours after all and only its answer was lost
 */
async function refuseRefresh(
  deps: Deps,
  { presented, client: { requestId } }: RefreshInput,
  successorHash: string,
  now: number,
): Promise<SessionRow> {
  const raceAfter = now - deps.config.REFRESH_GRACE_SECONDS * 1000;
  const { sessionId, hash } = presented;
  const {
    ended: [ended],
    state: [row],
  } = await run(deps.db, {
    ended: statement<{
      revoked_reason: string;
    }>(sql`UPDATE sessions SET revoked_at = ${now}, revoked_reason = iif(token_hash = ${hash}, 'expired', 'replay')
      WHERE id = ${sessionId} AND revoked_at IS NULL AND token_hash <> ${successorHash}
        AND iif(token_hash = ${hash}, token_expires_at <= ${now}, NOT (previous_hash IS ${hash} AND rotated_at > ${raceAfter}))
      RETURNING revoked_reason`),
    state: statement<RefusedRow>(sql`SELECT ${sessionColumns}, s.token_hash, CASE
        WHEN s.revoked_at IS NOT NULL THEN s.revoked_reason
        WHEN i.status <> 'active' THEN 'identity_' || i.status
        WHEN s.created_at < g.sessions_not_before THEN 'before_restore'
        ELSE 'race' END AS verdict
      FROM settings g JOIN sessions s ON s.id = ${sessionId} JOIN identities i ON i.handle = s.handle
        LEFT JOIN profiles p ON p.handle = s.handle WHERE g.id = 1`),
  });
  if (row?.token_hash === successorHash) return row;
  const verdict = row?.verdict ?? 'unknown';
  // Logged once, by the request that ended the session.
  if (ended?.revoked_reason === 'replay')
    deps.log.warn('session.replay', { requestId, sessionId, handle: row?.handle });
  throw new RefreshRefused(verdict, verdict !== 'race');
}

/** Ends a session for good. Ending one that has ended, or that never was, changes nothing. */
export async function endSession(deps: Deps, sessionId: string): Promise<void> {
  const where = sql`id = ${sessionId}`;
  const ended = await all(deps.db, endSessions({ where, reason: 'logout', now: deps.now() }));
  for (const { handle } of ended) deps.log.info('session.ended', { sessionId, handle, reason: 'logout' });
}
