import { integer, type SQL, type Statement, sql, statement } from '../../../db/database.ts';
import { meets, type ReasonOf, type Requirements, verdictOf } from '../../../db/decision.ts';
import type { Deps } from '../../../deps.ts';
import { mayTarget } from '../../grant/statements.ts';
import { primaryEmail } from '../../session/statements.ts';
import { type Client, isClient } from '../client.ts';
import { hasClientKey, hasKey, hasRefresh, keyToBind, mustProveKey } from './bound-key.ts';
import type { AppSessionRow, Narrowed, SignInRow } from './issue-tokens.ts';

/**
 * The app session is live: the sign-in, its grant, the app and the person are active, and it was created after the last
 * restore.
 */
export function isLive(now: number): SQL {
  return sql`EXISTS (SELECT 1 FROM live_app_sessions l WHERE l.id = app_sessions.id AND l.live_until > ${now})`;
}

/** The person has not signed out since, because no logout token would reach a later sign-in. */
function isSignedIn(now: number): SQL {
  return sql`EXISTS (SELECT 1 FROM live_sessions s WHERE s.id = app_sessions.session_id AND s.expires_at > ${now})`;
}

/** The columns of an `AppSessionRow`. */
export const sessionColumns: SQL = sql`app_sessions.id AS id, app_sessions.grant_id AS grant_id,
  app_sessions.app_id AS app_id, app_sessions.handle AS handle, app_sessions.scopes AS scopes,
  app_sessions.resource AS resource, app_sessions.authenticated_at AS authenticated_at,
  app_sessions.expires_at AS expires_at`;
/** The columns of a `SignInRow`. */
export const signInColumns: SQL = sql`${sessionColumns}, nonce, provider,
  (SELECT display_name FROM profiles p WHERE p.handle = app_sessions.handle) AS display_name,
  ${primaryEmail(sql`app_sessions.handle`)} AS email,
  (SELECT id_token_alg FROM apps a WHERE a.id = app_sessions.app_id) AS alg`;

/** True if the session covers the requested scopes. */
function hasScopes({ scopes }: Narrowed): SQL | null {
  return scopes === null
    ? null
    : sql`NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(scopes)})
        WHERE value NOT IN (SELECT value FROM json_each(app_sessions.scopes)))`;
}

/** RFC 8707 section 2.2: the sign-in's resource, as long as the app may still request it. */
function hasResource({ resource, own }: Narrowed): SQL {
  const isNamed = resource === null ? sql`1` : sql`coalesce(app_sessions.resource, ${own}) = ${resource}`;
  return sql`(${isNamed} AND ${maySignInFor(sql`app_sessions.resource`)})`;
}

/** True if the app of an app session may get a token for a resource; NULL is this service. */
export function maySignInFor(resource: SQL): SQL {
  return mayTarget(sql`app_sessions.grant_id`, resource, sql`app_sessions.host`);
}

/** A code as presented. */
export interface CodeAttempt {
  readonly client: Client;
  readonly codeHash: string;
  readonly redirectUri: string;
  /** The verifier's digest (S256); empty without a verifier. */
  readonly challenge: string;
  /** The thumbprint of the key whose proof accompanies it. */
  readonly jkt: string | null;
  /** True if this request has consumed its proof; null without one. */
  readonly proof: SQL | null;
  readonly narrowed: Narrowed;
  /**
   * The digest of the session's new refresh token. It also identifies this request, so that a retry recognises its own
   * change.
   */
  readonly nextHash: string;
  readonly hasRsa: boolean;
  readonly now: number;
}

/** `won` means that this request used the code itself, but the response was lost. */
export const codeRequirements = {
  client: ({ client, now }) => isClient(client, now),
  proof: ({ proof }) => proof,
  unknown: sql`app_sessions.id IS NOT NULL`,
  another_client: ({ client }) => sql`app_sessions.app_id = ${client.id}`,
  won: ({ nextHash }) => sql`used_by IS NOT ${nextHash} OR revoked_at IS NOT NULL`,
  revoked: sql`revoked_at IS NULL`,
  used: sql`used_by IS NULL`,
  expired: ({ now }) => sql`code_until > ${now}`,
  redirect_uri: ({ redirectUri }) => sql`redirect_uri = ${redirectUri}`,
  code_verifier: ({ challenge }) => sql`code_challenge = ${challenge}`,
  key: hasKey,
  no_key: ({ client, jkt }) => (jkt === null && mustProveKey(client) ? sql`NOT ${hasRefresh}` : null),
  resource: ({ narrowed }) => hasResource(narrowed),
  grant: ({ now }) => isLive(now),
  signed_out: ({ now }) => isSignedIn(now),
  signer: ({ hasRsa }) =>
    hasRsa
      ? null
      : sql`'openid' NOT IN (SELECT value FROM json_each(app_sessions.scopes))
          OR (SELECT id_token_alg FROM apps WHERE id = app_sessions.app_id) <> 'RS256'`,
} satisfies Requirements<CodeAttempt>;

/**
 * Uses a code. Every requirement is a condition, so only one of any number of requests with the code wins. The session
 * gets a refresh token only with `offline_access`, and expires after REFRESH_TTL_SECONDS.
 */
export function spendCode(deps: Deps, attempt: CodeAttempt): Statement<SignInRow> {
  const { codeHash, nextHash, now } = attempt;
  const endsAt = now + deps.config.REFRESH_TTL_SECONDS * 1000;
  return statement(sql`UPDATE app_sessions SET used_by = ${nextHash}, last_used_at = ${now}, expires_at = ${endsAt},
      dpop_jkt = coalesce(dpop_jkt, ${keyToBind(attempt)}), token_hash = iif(${hasRefresh}, ${nextHash}, NULL)
    WHERE code_hash = ${codeHash} AND ${meets(codeRequirements, attempt)} RETURNING ${signInColumns}`);
}

/** A row with the reason why nothing changed; its columns are null if there is no such session. */
type Refused<Row, List> = { [Name in keyof Row]: Row[Name] | null } & {
  readonly revoked_reason: string | null;
  readonly verdict: ReasonOf<List> | null;
};

/** A session revoked by a replay, and the owner of its app. */
export interface Replayed {
  readonly id: string;
  readonly owner: string;
}

const ownerOfSession = sql`(SELECT a.owner FROM apps a WHERE a.id = app_sessions.app_id)`;

/**
 * The reason why a code was not accepted. If its own client presents it again with its verifier, the session is revoked.
 * Without the verifier it is worthless to its finder, who has it from a browser's history, and would otherwise sign the
 * person out. The key does not matter: a thief who also has the verifier may have bound the session to his own.
 */
export function explainCode(attempt: CodeAttempt) {
  const { client, codeHash, nextHash, challenge, proof, now } = attempt;
  return {
    replayed: statement<Replayed>(sql`UPDATE app_sessions SET revoked_at = ${now}, revoked_reason = 'replay'
      WHERE code_hash = ${codeHash} AND app_id = ${client.id} AND used_by <> ${nextHash} AND revoked_at IS NULL
        AND code_challenge = ${challenge} AND ${isClient(client, now)} AND ${proof ?? sql`1`} RETURNING id, ${ownerOfSession} AS owner`),
    state: statement<Refused<SignInRow, typeof codeRequirements>>(sql`SELECT ${signInColumns}, revoked_reason,
        ${verdictOf(codeRequirements, attempt)} AS verdict
      FROM settings LEFT JOIN app_sessions ON code_hash = ${codeHash} WHERE settings.id = 1`),
  };
}

/** A refresh token as presented. */
export interface RefreshAttempt {
  readonly client: Client;
  readonly sessionId: string;
  readonly presentedHash: string;
  /** The digests of its successor, the first of which becomes the live token. */
  readonly nextHashes: readonly [string, ...string[]];
  readonly jkt: string | null;
  /** True if this request has consumed its proof; null without one. */
  readonly proof: SQL | null;
  readonly narrowed: Narrowed;
  /** A successor that became the live token at this time or later is returned again. */
  readonly graceSince: number;
  readonly now: number;
}

/** A session, and which successor is its live token. */
export interface RotatedRow extends AppSessionRow {
  readonly token_hash: string | null;
}

/** The live token is the successor of the one presented, and became so within the grace period. */
function isRepeated({ nextHashes, graceSince }: RefreshAttempt): SQL {
  const successors = nextHashes.map((hash) => sql`${hash}`);
  return sql`(token_hash IN (${sql.join(successors, sql`, `)}) AND last_used_at >= ${integer(graceSince)})`;
}

/**
 * `won` means that a request with the same token has rotated it within the grace period, such as this one, but the
 * response was lost. All other requirements apply to it too.
 */
export const refreshRequirements = {
  client: ({ client, now }) => isClient(client, now),
  proof: ({ proof }) => proof,
  unknown: sql`app_sessions.id IS NOT NULL`,
  revoked: sql`revoked_at IS NULL`,
  key: hasClientKey,
  used: (attempt) => sql`token_hash = ${attempt.presentedHash} OR ${isRepeated(attempt)}`,
  expired: ({ now }) => sql`expires_at > ${now}`,
  scope: ({ narrowed }) => hasScopes(narrowed),
  resource: ({ narrowed }) => hasResource(narrowed),
  grant: ({ now }) => isLive(now),
  won: ({ presentedHash }) => sql`token_hash = ${presentedHash}`,
} satisfies Requirements<RefreshAttempt>;

const isOwn = ({ client, sessionId }: RefreshAttempt) =>
  sql`app_sessions.id = ${sessionId} AND app_sessions.app_id = ${client.id}`;

/**
 * Rotates the refresh token. Only one of any number of requests with the token changes the row. A proof does not bind a
 * session that has no key: a thief could bind it to his own, and then the owner's replay would not revoke it.
 */
export function rotateToken(attempt: RefreshAttempt): Statement<RotatedRow> {
  const { nextHashes, now } = attempt;
  return statement(sql`UPDATE app_sessions SET token_hash = ${nextHashes[0]}, last_used_at = max(last_used_at, ${integer(now)})
    WHERE ${isOwn(attempt)} AND ${meets(refreshRequirements, attempt)} RETURNING ${sessionColumns}, token_hash`);
}

/**
 * The reason why a token was not rotated. Any token but the live one revokes the session, because someone else also has
 * a token, except the immediate predecessor within the grace period. Once its successor has been used, the predecessor
 * is a replay, too. A token that is bound to a key revokes nothing without a proof of the key: it is worthless to its
 * finder, who would otherwise sign the person out with it.
 */
export function explainRefresh(attempt: RefreshAttempt) {
  const { client, presentedHash, proof, now } = attempt;
  return {
    replayed: statement<Replayed>(sql`UPDATE app_sessions SET revoked_at = ${now}, revoked_reason = 'replay'
      WHERE ${isOwn(attempt)} AND token_hash <> ${presentedHash} AND NOT ${isRepeated(attempt)}
        AND revoked_at IS NULL AND ${isClient(client, now)} AND ${proof ?? sql`1`}
        AND (${hasClientKey(attempt) ?? sql`1`})
      RETURNING id, ${ownerOfSession} AS owner`),
    state: statement<
      Refused<RotatedRow, typeof refreshRequirements>
    >(sql`SELECT ${sessionColumns}, token_hash, revoked_reason,
        ${verdictOf(refreshRequirements, attempt)} AS verdict
      FROM settings LEFT JOIN app_sessions ON ${isOwn(attempt)} WHERE settings.id = 1`),
  };
}

/**
 * Revokes an app session at the client's own request. A client without a secret needs the live refresh token of a
 * session that is bound to a key, because an older one is worthless to its finder (as in `explainRefresh`).
 * @param refresh the digest of the refresh token; null for an access token
 */
export function endAppSession(
  client: Client,
  { sessionId, refresh }: { readonly sessionId: string; readonly refresh: string | null },
  now: number,
): Statement {
  const mayEnd =
    client.secretHash === null && refresh !== null
      ? sql`(dpop_jkt IS NULL OR token_hash = ${refresh})`
      : sql`1`;
  return statement(sql`UPDATE app_sessions SET revoked_at = ${now}, revoked_reason = 'revoked'
    WHERE id = ${sessionId} AND app_id = ${client.id} AND revoked_at IS NULL AND ${mayEnd} AND ${isClient(client, now)}`);
}

/** The app session of a popup request. */
interface PopupSession {
  readonly id: string;
  readonly client: Client;
  readonly tokenHash: string;
  readonly jkt: string | null;
  /** Its scopes under the grant `g` of the app `a`, as JSON. */
  readonly scopes: SQL;
  readonly now: number;
}

/** Inserts the app session of a popup request that this batch has redeemed. */
export function insertPopupSession(
  deps: Deps,
  { id, client, tokenHash, jkt, scopes, now }: PopupSession,
): Statement {
  const endsAt = now + deps.config.REFRESH_TTL_SECONDS * 1000;
  return statement(sql`INSERT INTO app_sessions (id, grant_id, app_id, handle, session_id, scopes, provider, host,
      authenticated_at, used_by, token_hash, dpop_jkt, created_at, last_used_at, expires_at)
    SELECT ${id}, g.id, g.app_id, g.handle, s.id, ${scopes}, s.provider, json_extract(p.params, '$.host'), s.authenticated_at, ${tokenHash},
      iif('offline_access' IN (SELECT o.value FROM json_each(${scopes}) o), ${tokenHash}, NULL), ${keyToBind({ client, jkt })}, ${now}, ${now}, ${endsAt}
    FROM popup_requests p JOIN live_grants g ON g.app_id = p.app_id AND g.handle = p.handle
      JOIN live_sessions s ON s.id = p.session_id JOIN apps a ON a.id = g.app_id
    WHERE p.redeemed_op = ${id} ON CONFLICT (id) DO NOTHING`);
}
