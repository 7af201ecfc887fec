import { only, run, sql, statement } from '../../../db/database.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../errors.ts';
import { createId } from '../../../lib/id.ts';
import { stringList } from '../../../lib/present.ts';
import { parseScopes } from '../../../lib/scopes.ts';
import { secretHash } from '../../../lib/secret.ts';
import { askableScopes } from '../../app/scopes.ts';
import { ownAudience, readAppToken } from '../../grant/app-token.ts';
import { redeemedScopes, redeemPopupStatement } from '../../popup/popup.ts';
import { requireSigner } from '../../signing-key/signing-key.ts';
import { createAppSecret } from '../app-session-secret.ts';
import { isClient } from '../client.ts';
import { refuse } from '../refuse.ts';
import type { ExchangeInput, TokenAnswer } from '../schema.ts';
import { type AppSessionRow, answerWith, issueAccess } from './issue-tokens.ts';
import { requireField, type TokenRequest } from './request.ts';
import { insertPopupSession, isLive, maySignInFor, sessionColumns } from './statements.ts';

const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token';
const popupType = 'urn:pid:token-type:popup-request';

type Exchange = TokenRequest<ExchangeInput>;

/**
 * Token exchange (RFC 8693): an approved popup request for tokens, or an access token for a narrower one.
 * @throws AppError invalid_client, invalid_dpop_proof, invalid_grant, invalid_scope, invalid_target; validation_failed
 */
export async function exchangeToken(deps: Deps, request: Exchange): Promise<TokenAnswer> {
  const { input } = request;
  const type = requireField(input, 'subject_token_type');
  if (input.actor_token !== undefined)
    throw new AppError('validation_failed', ['actor_token is not supported']);
  if ((input.requested_token_type ?? accessTokenType) !== accessTokenType) {
    throw new AppError('validation_failed', [`requested_token_type must be ${accessTokenType}`]);
  }
  if (type !== popupType && type !== accessTokenType) {
    throw new AppError('validation_failed', [
      `subject_token_type must be ${popupType} or ${accessTokenType}`,
    ]);
  }
  const answer = await (type === popupType ? redeemPopup(deps, request) : narrowToken(deps, request));
  return { ...answer, issued_token_type: accessTokenType };
}

/**
 * The popup sign-in of an app that cannot see our cookies: redeemed once, within 30 seconds of the approval, with the
 * result that the popup sent to the app's origin.
 */
async function redeemPopup(deps: Deps, { client, input, key }: Exchange): Promise<TokenAnswer> {
  const now = deps.now();
  if (input.resource !== undefined || input.audience !== undefined) throw refuse('invalid_target', 'a popup');
  // The popup's last page has put the person's tag into the result.
  const [popup = '', verifier = '', secret = '', person = ''] = requireField(input, 'subject_token').split(
    '.',
  );
  const sign = await requireSigner(deps, now);
  const jkt = key?.jkt ?? null;
  const isProven = key?.isUsed ?? sql`1`;
  const sessionId = createId('aps', now, deps.randomBytes);
  const next = createAppSecret(deps, 'refresh', { sessionId, appId: client.id, person });
  const verifierHash = secretHash(verifier);
  const scopes = redeemedScopes(askableScopes(deps.config));
  const {
    state: [row],
  } = await run(deps.db, {
    redeem: [
      ...(key ? [key.use(isClient(client, now))] : []),
      redeemPopupStatement({
        id: popup,
        verifierHash,
        resultHash: secretHash(`${secret}.${person}`),
        appId: client.id,
        origin: client.origin,
        scopes,
        redeemedBy: sessionId,
        when: sql`${isClient(client, now)} AND ${isProven}`,
        now,
      }),
      insertPopupSession(deps, { id: sessionId, client, tokenHash: next.hash, jkt, scopes, now }),
    ],
    state: statement<
      AppSessionRow & { known: number; proven: number; popup: string | null }
    >(sql`SELECT ${sessionColumns},
        ${isClient(client, now)} AS known, ${isProven} AS proven, p.status AS popup FROM settings
      LEFT JOIN app_sessions ON app_sessions.id = ${sessionId}
      LEFT JOIN popup_requests p ON p.id = ${popup} AND p.verifier_hash = ${verifierHash} WHERE settings.id = 1`),
  });
  if (!row?.known) throw refuse('invalid_client', 'wrong secret, type, origin or status');
  if (!row.proven) throw refuse('invalid_dpop_proof', 'used before');
  if (row.id === null)
    throw refuse(
      'invalid_grant',
      `the popup is ${row.popup ?? 'unknown'}, late, not handed over, or has no scope left`,
    );
  deps.log.info('app_session.began', { app: client.id, handle: row.handle, sid: row.id, popup });
  const answer = await issueAccess(deps, sign, row, { scopes: null, jkt }, now);
  const isOffline = stringList(row.scopes).includes('offline_access');
  return { ...answer, ...(isOffline && { refresh_token: next.value }) };
}

/**
 * A token for this app with fewer scopes or another audience that expires no later than the original, and cannot itself
 * be exchanged. A token that is bound to a key needs a proof of it, so that nobody else gets an unbound one.
 */
async function narrowToken(deps: Deps, { client, input, key }: Exchange): Promise<TokenAnswer> {
  const now = deps.now();
  const sign = await requireSigner(deps, now);
  const subject = await readAppToken(deps, requireField(input, 'subject_token'), now);
  const sid = subject?.appId === client.id ? subject.sessionId : null;
  const own = ownAudience(deps.config);
  const named = input.resource ?? input.audience;
  const audience = named ?? subject?.audience ?? own;
  const resource = audience === own ? null : audience;
  const { state } = await run(deps.db, {
    proof: key ? [key.use(isClient(client, now))] : [],
    state: statement<{
      known: number;
      proven: number;
      live: string | null;
      mayName: number | null;
    }>(sql`SELECT ${isClient(client, now)} AS known, ${key?.isUsed ?? sql`1`} AS proven, app_sessions.id AS live, ${maySignInFor(sql`${resource}`)} AS mayName
      FROM settings LEFT JOIN app_sessions ON app_sessions.id = ${sid} AND ${isLive(now)} WHERE settings.id = 1`),
  });
  const { known, proven, live, mayName } = only(state);
  if (!known) throw refuse('invalid_client', 'wrong secret, type, origin or status');
  if (!proven) throw refuse('invalid_dpop_proof', 'used before');
  if (subject === null || live === null) throw refuse('invalid_grant', 'no live access token of this client');
  if (subject.actor !== null) throw refuse('invalid_grant', 'exchanged already');
  const jkt = key?.jkt ?? null;
  if (subject.jkt !== null && subject.jkt !== jkt) throw refuse('invalid_dpop_proof', 'another key');
  const scopes = parseScopes(input.scope) ?? subject.scopes;
  if (scopes.some((scope) => !subject.scopes.includes(scope))) throw refuse('invalid_scope');
  if (!mayName) throw refuse('invalid_target', 'a resource that the app may not name');
  if ((input.audience ?? named) !== named) throw refuse('invalid_target', 'two resources');
  // A resource that received the token may know the id of an app without a secret.
  if (audience !== subject.audience && subject.audience !== own)
    throw refuse('invalid_target', 'a token for another resource');
  const ownEnd = now + deps.config.ACCESS_TTL_SECONDS * 1000;
  const expiresAt = Math.min(ownEnd, subject.expiresAt);
  return answerWith(deps, sign, { ...subject, scopes, audience, actor: client.id, jkt, expiresAt }, now);
}
