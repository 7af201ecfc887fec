import { only, run, type Statement, sql, statement } from '../../../db/database.ts';
import { changeOrExplain } from '../../../db/decision.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../errors.ts';
import { stringList } from '../../../lib/present.ts';
import { parseScopes } from '../../../lib/scopes.ts';
import { secretHash } from '../../../lib/secret.ts';
import { askableScopes, needsCheck } from '../../app/scopes.ts';
import { ownAudience } from '../../grant/app-token.ts';
import { findSigner, requireSigner } from '../../signing-key/signing-key.ts';
import { createAppSecret, parseAppSecret, successorsOf } from '../app-session-secret.ts';
import { type Client, isClient, requireClient } from '../client.ts';
import { refuse } from '../refuse.ts';
import type { TokenAnswer, TokenInput } from '../schema.ts';
import { exchangeToken } from './exchange.ts';
import {
  type AppSessionRow,
  answerSignIn,
  answerWith,
  issueAccess,
  type Narrowed,
  type SignInRow,
} from './issue-tokens.ts';
import { redeemDevice } from './redeem-device.ts';
import { requireField, type TokenRequest } from './request.ts';
import {
  type CodeAttempt,
  explainCode,
  explainRefresh,
  type RefreshAttempt,
  type Replayed,
  rotateToken,
  spendCode,
} from './statements.ts';

/**
 * Handles a token request by its grant type (RFC 6749 section 4).
 * @throws AppError invalid_client, invalid_dpop_proof, invalid_grant, invalid_scope, invalid_target,
 *   unauthorized_client, unsupported_grant_type; those of `redeemDevice`; validation_failed for a missing parameter
 */
export function requestToken(deps: Deps, request: TokenRequest<TokenInput>): Promise<TokenAnswer> {
  switch (request.input.grant_type) {
    case 'authorization_code':
      return exchangeCode(deps, request);
    case 'refresh_token':
      return refreshToken(deps, request);
    case 'client_credentials':
      return issueOwnToken(deps, request);
    case 'urn:ietf:params:oauth:grant-type:token-exchange':
      return exchangeToken(deps, request);
    case 'urn:ietf:params:oauth:grant-type:device_code':
      return redeemDevice(deps, request);
    default:
      throw refuse('unsupported_grant_type');
  }
}

function narrowedBy({ config }: Deps, { scope, resource }: Pick<TokenInput, 'scope' | 'resource'>): Narrowed {
  return { scopes: parseScopes(scope), resource: resource ?? null, own: ownAudience(config) };
}

/** Reasons with their own code. All others are `invalid_grant`, and only the log has the reason. */
const codeByVerdict = {
  client: 'invalid_client',
  proof: 'invalid_dpop_proof',
  key: 'invalid_dpop_proof',
  no_key: 'invalid_dpop_proof',
  scope: 'invalid_scope',
  resource: 'invalid_target',
} as const;

function refusalOf(verdict: string, { revoked_reason: ended }: { revoked_reason: string | null }): AppError {
  const code =
    verdict in codeByVerdict ? codeByVerdict[verdict as keyof typeof codeByVerdict] : 'invalid_grant';
  return refuse(code, verdict === 'revoked' && ended !== null ? ended : verdict);
}

/**
 * Revokes the session of a replayed secret, and reads the reason for the rejection. Only the request that revoked the
 * session logs it.
 */
async function explain<Row>(
  deps: Deps,
  { client, requestId }: TokenRequest<unknown>,
  kind: 'code' | 'refresh_token',
  refused: { readonly replayed: Statement<Replayed>; readonly state: Statement<Row> },
): Promise<Row> {
  const { replayed, state } = await run(deps.db, refused);
  for (const { id, owner } of replayed)
    deps.log.warn('app_session.replay', { requestId, app: client.id, owner, sid: id, kind });
  return only(state);
}

/** Makes a change that requires the request's proof. Returns the changed row, or null. */
async function change<Row>(
  deps: Deps,
  { client, key }: TokenRequest<unknown>,
  now: number,
  one: Statement<Row>,
): Promise<Row | null> {
  const { rows } = await run(deps.db, { proof: key ? [key.use(isClient(client, now))] : [], rows: one });
  return rows[0] ?? null;
}

async function exchangeCode(deps: Deps, request: TokenRequest<TokenInput>): Promise<TokenAnswer> {
  const now = deps.now();
  const { client, input, key } = request;
  const code = requireField(input, 'code');
  const redirectUri = requireField(input, 'redirect_uri');
  const challenge = challengeOf(request);
  const sign = await requireSigner(deps, now);
  const rsa = await findSigner(deps, now, 'RS256');
  const parsed = parseAppSecret(deps, 'code', { value: code, appId: client.id });
  if (parsed === null) return throwUnknown(deps, client, now);
  const next = createAppSecret(deps, 'refresh', { ...parsed, appId: client.id });
  const attempt: CodeAttempt = {
    client,
    codeHash: parsed.hash,
    redirectUri,
    challenge,
    jkt: key?.jkt ?? null,
    proof: key?.isUsed ?? null,
    narrowed: { ...narrowedBy(deps, input), scopes: null },
    nextHash: next.hash,
    hasRsa: rsa !== null,
    now,
  };
  const { row, verdict } = await changeOrExplain(
    'oauth.code',
    () => change(deps, request, now, spendCode(deps, attempt)),
    () => explain(deps, request, 'code', explainCode(attempt)),
  );
  if (verdict === 'signer') {
    // For the first app that needs RS256: the code is not used before a signing key exists.
    await requireSigner(deps, now, 'RS256');
    return exchangeCode(deps, request);
  }
  if (verdict === 'code_verifier') requireField(input, 'code_verifier');
  if (verdict !== 'ok' && verdict !== 'won') throw refusalOf(verdict, row);
  deps.log.info('app_session.began', { app: client.id, handle: row.handle, sid: row.id });
  return answerSignIn(deps, { row: row as SignInRow, sign, rsa, refresh: next.value, jkt: attempt.jkt, now });
}

/**
 * The challenge that matches the presented verifier. Without a verifier it is empty, like that of a code bound to a
 * nonce, which only the client's secret can redeem.
 * @throws AppError validation_failed for a verifier that is not 43 to 128 unreserved characters (RFC 7636 section 4.1)
 */
function challengeOf({ client, input }: TokenRequest<TokenInput>): string {
  if (input.code_verifier === undefined && client.secretHash !== null) return '';
  const verifier = requireField(input, 'code_verifier');
  if (/^[\w.~-]{43,128}$/.test(verifier)) return secretHash(verifier);
  throw new AppError('validation_failed', ['code_verifier must be 43 to 128 letters, digits or -._~']);
}

async function throwUnknown(deps: Deps, client: Client, now: number): Promise<never> {
  await requireClient(deps, client, now);
  throw refuse('invalid_grant', 'never issued to this client');
}

async function refreshToken(deps: Deps, request: TokenRequest<TokenInput>): Promise<TokenAnswer> {
  const now = deps.now();
  const { client, input, key } = request;
  const value = requireField(input, 'refresh_token');
  const sign = await requireSigner(deps, now);
  const parsed = parseAppSecret(deps, 'refresh', { value, appId: client.id });
  if (parsed === null) return throwUnknown(deps, client, now);
  const [next, ...others] = successorsOf(deps, value, { ...parsed, appId: client.id });
  const attempt: RefreshAttempt = {
    client,
    sessionId: parsed.sessionId,
    presentedHash: parsed.hash,
    nextHashes: [next.hash, ...others.map(({ hash }) => hash)],
    jkt: key?.jkt ?? null,
    proof: key?.isUsed ?? null,
    narrowed: narrowedBy(deps, input),
    graceSince: now - deps.config.REFRESH_GRACE_SECONDS * 1000,
    now,
  };
  const { row, verdict } = await changeOrExplain(
    'oauth.refresh',
    () => change(deps, request, now, rotateToken(attempt)),
    () => explain(deps, request, 'refresh_token', explainRefresh(attempt)),
  );
  if (verdict !== 'ok' && verdict !== 'won') throw refusalOf(verdict, row);
  const issued = { ...attempt.narrowed, jkt: attempt.jkt };
  const answer = await issueAccess(deps, sign, row as AppSessionRow, issued, now);
  const { value: live } = others.find(({ hash }) => hash === row.token_hash) ?? next;
  return { ...answer, refresh_token: live };
}

/**
 * Scopes that a registered app may have for itself: reading its transfers and capturing holds. Reading its events needs
 * none.
 */
const ownScopes = ['fiat:read', 'fiat:transfer'];

/**
 * Issues an access token to the app itself (RFC 6749 section 4.4), for its own events and records.
 * @throws AppError unauthorized_client for an app that cannot keep a secret, invalid_client, invalid_scope,
 *   invalid_target
 */
export async function issueOwnToken(
  deps: Deps,
  { client, input, key }: TokenRequest<Pick<TokenInput, 'scope' | 'resource'>>,
): Promise<TokenAnswer> {
  const now = deps.now();
  if (client.secretHash === null) throw refuse('unauthorized_client', 'no secret');
  const sign = await requireSigner(deps, now);
  const { apps } = await run(deps.db, {
    proof: key ? [key.use(isClient(client, now))] : [],
    apps: statement<{
      known: number;
      proven: number;
      registered: string;
      askable: string;
    }>(sql`SELECT ${isClient(client, now)} AS known, ${key?.isUsed ?? sql`1`} AS proven,
      coalesce(a.scopes, '[]') AS registered, coalesce(${askableScopes(deps.config)}, '[]') AS askable
      FROM settings x LEFT JOIN apps a ON a.id = ${client.id} WHERE x.id = 1`),
  });
  const { known, proven, registered, askable } = only(apps);
  if (!known) throw refuse('invalid_client', 'wrong secret, type, origin or status');
  if (!proven) throw refuse('invalid_dpop_proof', 'used before');
  const ownIn = (list: string) => ownScopes.filter((scope) => stringList(list).includes(scope));
  const [allowed, all] = [ownIn(askable), ownIn(registered)];
  const scopes = parseScopes(input.scope) ?? allowed;
  if (scopes.some((scope) => !all.includes(scope))) throw refuse('invalid_scope');
  if (scopes.some((scope) => !allowed.includes(scope))) throw new AppError('invalid_scope', needsCheck);
  const audience = ownAudience(deps.config);
  if ((input.resource ?? audience) !== audience) throw refuse('invalid_target');
  const expiresAt = now + deps.config.ACCESS_TTL_SECONDS * 1000;
  const nobody = {
    handle: null,
    grantId: null,
    sessionId: null,
    actor: null,
    authenticatedAt: null,
    jkt: key?.jkt ?? null,
  };
  return answerWith(deps, sign, { appId: client.id, ...nobody, scopes, audience, expiresAt }, now);
}
