import { only, run, sql, statement } from '../../../db/database.ts';
import type { Deps } from '../../../deps.ts';
import { pidOf } from '../../../lib/id.ts';
import { present, stringList } from '../../../lib/present.ts';
import { type AppClaims, ownAudience, readAppToken } from '../../grant/app-token.ts';
import { revokeByApp } from '../../grant/statements.ts';
import { parseAppSecret } from '../app-session-secret.ts';
import { type Client, isClient } from '../client.ts';
import { refuse } from '../refuse.ts';
import type { Introspection, OwnTokenInput } from '../schema.ts';
import type { TokenRequest } from './request.ts';
import { endAppSession, isLive, maySignInFor } from './statements.ts';

type OwnToken = TokenRequest<OwnTokenInput>;

/** A token's session and claims; null if the client may not see them. */
interface Known {
  readonly sessionId: string | null;
  readonly access: AppClaims | null;
  /** The digest of a refresh token. */
  readonly refresh: string | null;
}

/** @param mayRead selects the readable access tokens */
async function readToken(
  deps: Deps,
  { client, input }: OwnToken,
  now: number,
  mayRead: (claims: AppClaims) => boolean,
): Promise<Known> {
  const refresh = parseAppSecret(deps, 'refresh', { value: input.token, appId: client.id });
  if (refresh) return { sessionId: refresh.sessionId, access: null, refresh: refresh.hash };
  const claims = await readAppToken(deps, input.token, now);
  const access = claims && mayRead(claims) ? claims : null;
  return { sessionId: access?.sessionId ?? null, access, refresh: null };
}

/**
 * Revokes the app session of a refresh or access token (RFC 7009); with the hint `grant`, the whole grant, for which a
 * client without a secret needs its live refresh token. It also needs that to revoke a session bound to a key by a
 * refresh token; a proof is not required, because client libraries send none here. Another client's token is not an
 * error; neither is one that such a client got for a resource, whose owner has it, too.
 * @throws AppError invalid_client
 */
export async function revokeToken(deps: Deps, request: OwnToken): Promise<void> {
  const now = deps.now();
  const { client, input } = request;
  const own = ownAudience(deps.config);
  const mayRevoke = ({ appId, audience }: AppClaims) =>
    appId === client.id && (client.secretHash !== null || audience === own);
  const { sessionId, refresh } = await readToken(deps, request, now, mayRevoke);
  const isGrant = input.token_type_hint === 'grant';
  // Any resource that received an access token could impersonate a client without a secret.
  const mayEndGrant = client.secretHash === null ? sql`token_hash = ${refresh}` : sql`1`;
  const { state } = await run(deps.db, {
    change:
      sessionId === null
        ? []
        : [
            ...(isGrant
              ? [
                  revokeByApp({
                    id: sql`(SELECT grant_id FROM app_sessions WHERE id = ${sessionId} AND app_id = ${client.id}
                      AND ${mayEndGrant})`,
                    when: isClient(client, now),
                    now,
                  }),
                ]
              : []),
            endAppSession(client, { sessionId, refresh }, now),
          ],
    state: statement<{ known: number }>(sql`SELECT ${isClient(client, now)} AS known`),
  });
  if (!only(state).known) throw refuse('invalid_client', 'wrong secret, type, origin or status');
  if (sessionId) deps.log.info('app_session.revoked', { app: client.id, sid: sessionId, grant: isGrant });
}

interface LiveRow {
  known: number;
  live: string | null;
  grant_id: string;
  handle: string;
  scopes: string;
  created_at: number;
  expires_at: number;
}

/**
 * Returns whether a token of this client, or for a resource that it owns, is still valid, and its claims (RFC 7662).
 * Refresh tokens of a client without a secret are always inactive: whoever stole one would learn when its owner has
 * rotated it, and get the same successor within the grace period without being noticed.
 * @throws AppError invalid_client
 */
export async function introspectToken(deps: Deps, request: OwnToken): Promise<Introspection> {
  const now = deps.now();
  const { client } = request;
  const own = ownAudience(deps.config);
  const { sessionId, access, refresh } = await readToken(
    ...([deps, request, now] as const),
    ({ appId, audience }) => appId === client.id || audience !== own,
  );
  const isOwn = access === null || access.appId === client.id;
  const resource = access === null || access.audience === own ? null : access.audience;
  const isLiveToken =
    refresh === null
      ? maySignInFor(sql`${resource}`)
      : sql`${client.secretHash} IS NOT NULL AND token_hash = ${refresh} AND expires_at > ${now} AND ${maySignInFor(sql`app_sessions.resource`)}`;
  const mayKnow = isOwn
    ? sql`1`
    : sql`EXISTS (SELECT 1 FROM app_resources r WHERE r.resource = ${resource} AND r.app_id = ${client.id})`;
  const { state } = await run(deps.db, {
    state:
      statement<LiveRow>(sql`SELECT ${isClient(client, now)} AS known, app_sessions.id AS live, grant_id, handle,
        scopes, created_at, expires_at FROM settings
      LEFT JOIN app_sessions ON app_sessions.id = ${sessionId} AND ${mayKnow} AND ${isLiveToken} AND ${isLive(now)}
      WHERE settings.id = 1`),
  });
  const { known, live, ...row } = only(state);
  if (!known) throw refuse('invalid_client', 'wrong secret, type, origin or status');
  const isActive = (isOwn && access?.handle === null) || live !== null;
  if (!isActive) return { active: false };
  return access
    ? describeAccess(deps, access)
    : describeRefresh(deps, client, { ...row, live: present(live, 'the session of a live token') });
}

function describeAccess({ config }: Deps, access: AppClaims): Introspection {
  const { appId, handle, scopes, grantId, sessionId, jkt, authenticatedAt } = access;
  return {
    active: true,
    token_type: jkt === null ? 'Bearer' : 'DPoP',
    client_id: appId,
    sub: handle === null ? appId : pidOf(handle),
    scope: scopes.join(' '),
    aud: access.audience,
    iss: config.origin,
    exp: access.expiresAt / 1000,
    iat: access.issuedAt / 1000,
    jti: access.tokenId,
    ...(jkt !== null && { cnf: { jkt } }),
    ...(authenticatedAt !== null && { auth_time: authenticatedAt / 1000 }),
    ...(grantId !== null && { grant_id: grantId }),
    ...(sessionId !== null && { sid: sessionId }),
  };
}

function describeRefresh(
  { config }: Deps,
  client: Client,
  row: Omit<LiveRow, 'known' | 'live'> & { live: string },
): Introspection {
  return {
    active: true,
    token_type: 'refresh_token',
    client_id: client.id,
    sub: pidOf(row.handle),
    scope: stringList(row.scopes).join(' '),
    iss: config.origin,
    exp: Math.floor(row.expires_at / 1000),
    iat: Math.floor(row.created_at / 1000),
    grant_id: row.grant_id,
    sid: row.live,
  };
}
