import { all, first, integer, only, run, sql, statement } from '../../db/database.ts';
import { changeOrExplain, meets, type ReasonOf, type Requirements, verdictOf } from '../../db/decision.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import type { ClientInfo } from '../../http/context.ts';
import { requireSigner, type Signer } from '../signing-key/signing-key.ts';
import { type AccessClaims, signAccessToken } from './access-token.ts';
import { type CookieScope, createRefreshToken, type RefreshToken } from './refresh-token.ts';
import { endSessions, primaryEmail, type SessionRow, sessionColumns } from './statements.ts';

/** An access token, and when the session's refresh token expires (epoch ms). */
export interface IssuedAccess {
  readonly claims: AccessClaims;
  readonly accessToken: string;
  readonly refreshExpiresAt: number;
}

/** The tokens that a browser gets when a session begins or is refreshed. */
export interface IssuedTokens extends IssuedAccess {
  readonly refreshToken: string;
  /** The address with which the person could sign in with a password; null when there is none, or the session is not new. */
  readonly account: string | null;
}

/**
 * Signs the access token for a session row. It lasts ACCESS_TTL_SECONDS, and no longer than the session
 * or its refresh token.
 * @param notAfter when the token that it replaces without a refresh expires: a profile change must not prolong
 *   anything, or a stolen access token could keep itself alive (epoch ms)
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
 * @throws AppError unauthenticated when the session ended between a batch and its retry, which leaves the row empty
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

/** Why a refresh was refused. Only an ended session clears the browser's cookies. */
export class RefreshRefused extends AppError {
  readonly sessionEnded: boolean;

  constructor(reason: string, sessionEnded: boolean) {
    super('refresh_refused', null, { reason });
    this.sessionEnded = sessionEnded;
  }
}

/** One attempt to spend a refresh token. */
interface Attempt extends RefreshInput {
  readonly successorHash: string;
  readonly now: number;
}

/** Requirements for refreshing the session `s`. `won` means that this request rotated the token itself, but its response was lost. */
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
 * Spends a refresh token and issues its successor in one conditional UPDATE, so that of any number of requests with
 * one token exactly one wins.
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
  /** Why the session or its identity has ended. */
  readonly why: string | null;
}

/**
 * Explains why a token did not rotate, and ends the session if necessary, in one batch.
 *
 * An expired live token ends the session. The immediate predecessor within REFRESH_GRACE_SECONDS is a
 * race between two tabs: nothing changes. Any other token of the session is a replay: someone else also has a token,
 * so the whole session ends (RFC 9700 section 4.14.2).
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
  // Only the request that ended the session logs it.
  if (ended?.revoked_reason === 'replay')
    deps.log.warn('session.replay', { requestId: client.requestId, sessionId, handle: ended.handle });
  return only(state);
}

/** Permanently ends a session. Ending one that has ended or never existed changes nothing. */
export async function endSession(deps: Deps, sessionId: string): Promise<void> {
  const where = sql`id = ${sessionId}`;
  const ended = await all(deps.db, endSessions({ where, reason: 'logout', now: deps.now() }));
  for (const { handle } of ended) deps.log.info('session.ended', { sessionId, handle, reason: 'logout' });
}
