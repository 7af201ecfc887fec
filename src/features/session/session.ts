import { all, first, integer, only, run, sql, statement } from '../../db/database.ts';
import { changeOrExplain, meets, type ReasonOf, type Requirements, verdictOf } from '../../db/decision.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import type { ClientInfo } from '../../http/context.ts';
import { requireSigner, type Signer } from '../signing-key/signing-key.ts';
import { type AccessClaims, signAccessToken } from './access-token.ts';
import { actingHandle } from './acting-session.ts';
import { type CookieScope, createRefreshToken, type RefreshToken } from './refresh-token.ts';
import { endSessions, primaryEmail, type SessionRow, sessionColumns } from './statements.ts';

/** An access token, and the expiry of the session's refresh token (epoch ms). */
export interface IssuedAccess {
  readonly claims: AccessClaims;
  readonly accessToken: string;
  readonly refreshExpiresAt: number;
}

/** The tokens that a browser gets when a session starts or is refreshed. */
export interface IssuedTokens extends IssuedAccess {
  readonly refreshToken: string;
  /**
   * The address with which the person can sign in with a password; null if there is none, or the session is not new.
   */
  readonly account: string | null;
}

/**
 * Signs the access token for a session row. The token expires after ACCESS_TTL_SECONDS, or earlier with the session or
 * its refresh token.
 * @param notAfter the expiry of the token replaced without a refresh (epoch ms): a profile change must not prolong it,
 *   because a stolen access token could otherwise renew itself
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
 * Signs the access token, and returns it with the row's refresh token.
 * @throws AppError unauthenticated if the session was revoked between a batch and its retry, which leaves the row empty
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

/** The reason why a refresh was rejected. Only a revoked session clears the browser's cookies. */
export class RefreshRefused extends AppError {
  readonly sessionEnded: boolean;

  constructor(reason: string, sessionEnded: boolean) {
    super('refresh_refused', null, { reason });
    this.sessionEnded = sessionEnded;
  }
}

/** One attempt to use a refresh token. */
interface Attempt extends RefreshInput {
  readonly successorHash: string;
  readonly now: number;
}

/**
 * Requirements for refreshing the session `s`. `won` means that this request rotated the token itself, but the response
 * was lost.
 */
const requirements = {
  won: ({ successorHash }) => sql`s.token_hash IS NOT ${successorHash}`,
  unknown: sql`s.id IS NOT NULL`,
  revoked: sql`s.revoked_at IS NULL`,
  inactive: sql`(SELECT i.status FROM identities i WHERE i.handle = s.handle) = 'active'`,
  before_restore: sql`s.created_at >= (SELECT sessions_not_before FROM settings WHERE id = 1)`,
  race: ({ presented }) => sql`s.token_hash = ${presented.hash}`,
  expired: ({ now }) => sql`s.token_expires_at > ${now}`,
} satisfies Requirements<Attempt>;

/**
 * Uses a refresh token and issues its successor in one conditional UPDATE, so that only one of any number of requests
 * with the token wins.
 * @throws RefreshRefused for every other request; `explain` decides about replays
 */
export async function refreshSession(deps: Deps, input: RefreshInput): Promise<IssuedTokens> {
  const now = deps.now();
  const sign = await requireSigner(deps, now);
  const { presented, client } = input;
  const successor = createRefreshToken(deps, presented.sessionId, input.scope);
  const ttlMs = deps.config.REFRESH_TTL_SECONDS * 1000;
  const attempt = { ...input, successorHash: successor.hash, now };
  const rotation =
    statement<SessionRow>(sql`UPDATE sessions AS s SET token_hash = ${successor.hash}, previous_hash = token_hash,
      rotated_at = ${now}, token_expires_at = min(${integer(now + ttlMs)}, expires_at),
      last_seen_at = max(last_seen_at, ${integer(now)}), user_agent = ${client.userAgent}, address = ${client.address}
    WHERE s.id = ${presented.sessionId} AND ${meets(requirements, attempt)}
    RETURNING handle, id AS session_id, provider, authenticated_at, expires_at, token_expires_at,
      (SELECT display_name FROM profiles p WHERE p.handle = sessions.handle) AS display_name,
      (SELECT locale FROM profiles p WHERE p.handle = sessions.handle) AS locale,
      ${deps.config.SESSION_EMAIL === 'on' ? primaryEmail(sql`sessions.handle`) : sql`NULL`} AS email`);
  const { row, verdict } = await changeOrExplain(
    'session.refresh',
    () => first(deps.db, rotation),
    () => explain(deps, attempt),
  );
  if (verdict !== 'ok' && verdict !== 'won') throw new RefreshRefused(row.why ?? verdict, verdict !== 'race');
  return issueTokens(deps, sign, row, successor.token, now);
}

/** A row whose columns are null if there is no session. */
interface ExplainedRow extends SessionRow {
  readonly verdict: ReasonOf<typeof requirements> | null;
  /** The reason why the session was revoked or the identity closed. */
  readonly why: string | null;
}

/**
 * Explains why a token was not rotated, and revokes the session if necessary, in one batch.
 *
 * An expired live token revokes the session. The immediate predecessor within REFRESH_GRACE_SECONDS is a race between
 * two tabs and changes nothing. Any other token of the session is a replay: someone else also has a token, so the whole
 * session is revoked (RFC 9700 section 4.14.2).
 */
async function explain(deps: Deps, attempt: Attempt): Promise<ExplainedRow> {
  const { presented, client, successorHash, now } = attempt;
  const raceAfter = now - deps.config.REFRESH_GRACE_SECONDS * 1000;
  const { sessionId, hash } = presented;
  const {
    ended: [ended],
    state,
  } = await run(deps.db, {
    ended: statement<{
      handle: string;
      revoked_reason: string;
    }>(sql`UPDATE sessions SET revoked_at = ${now}, revoked_reason = iif(token_hash = ${hash}, 'expired', 'replay')
      WHERE id = ${sessionId} AND revoked_at IS NULL AND token_hash <> ${successorHash}
        AND iif(token_hash = ${hash}, token_expires_at <= ${now}, NOT (previous_hash IS ${hash} AND rotated_at > ${raceAfter}))
      RETURNING handle, revoked_reason`),
    state:
      statement<ExplainedRow>(sql`SELECT ${sessionColumns}, ${verdictOf(requirements, attempt)} AS verdict,
        coalesce(s.revoked_reason, 'identity_' || nullif(i.status, 'active')) AS why
      FROM settings g LEFT JOIN sessions s ON s.id = ${sessionId} LEFT JOIN identities i ON i.handle = s.handle
        LEFT JOIN profiles p ON p.handle = s.handle WHERE g.id = 1`),
  });
  // Only the request that revoked the session logs it.
  if (ended?.revoked_reason === 'replay')
    deps.log.warn('session.replay', { requestId: client.requestId, sessionId, handle: ended.handle });
  return only(state);
}

/**
 * Permanently revokes a session. Revoking it again, or revoking one that never existed, changes nothing.
 * @param everywhere also revokes all other sessions of its person, if it is live
 */
export async function endSession(
  deps: Deps,
  sessionId: string,
  { everywhere = false }: { everywhere?: boolean | undefined } = {},
): Promise<void> {
  const now = deps.now();
  const where = everywhere ? sql`handle = ${actingHandle(sessionId, now)}` : sql`id = ${sessionId}`;
  const ended = await all(deps.db, endSessions({ where, reason: 'logout', now }));
  for (const { id, handle } of ended)
    deps.log.info('session.ended', { sessionId: id, handle, reason: 'logout' });
}
