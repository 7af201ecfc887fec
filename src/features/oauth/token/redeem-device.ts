import { only, run, sql, statement } from '../../../db/database.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../errors.ts';
import { createId } from '../../../lib/id.ts';
import { askableScopes } from '../../app/scopes.ts';
import { notePoll, type Polled, polledStatement, redeemDeviceRequest } from '../../popup/device.ts';
import { redeemedScopes } from '../../popup/popup.ts';
import { requireSigner } from '../../signing-key/signing-key.ts';
import { createAppSecret } from '../app-session-secret.ts';
import { isClient, requireClient } from '../client.ts';
import { parseDeviceCode } from '../device-code.ts';
import { refuse } from '../refuse.ts';
import type { TokenAnswer, TokenInput } from '../schema.ts';
import { answerSignIn, type SignInRow } from './issue-tokens.ts';
import { requireField, type TokenRequest } from './request.ts';
import { insertPopupSession, signInColumns } from './statements.ts';

/**
 * A device polls for the person's decision (RFC 8628 section 3.4). One batch redeems an approved request, or records
 * the poll.
 * @throws AppError authorization_pending, slow_down, access_denied, expired_token; invalid_client, invalid_dpop_proof,
 *   invalid_grant
 */
export async function redeemDevice(deps: Deps, request: TokenRequest<TokenInput>): Promise<TokenAnswer> {
  const now = deps.now();
  const { client, input, key } = request;
  const value = requireField(input, 'device_code');
  const sign = await requireSigner(deps, now);
  const rsa = await requireSigner(deps, now, 'RS256');
  const device = parseDeviceCode(deps, value, client.id);
  if (device === null) {
    await requireClient(deps, client, now);
    throw refuse('invalid_grant', 'never issued to this client');
  }
  const jkt = key?.jkt ?? null;
  const isProven = key?.isUsed ?? sql`1`;
  const sessionId = createId('aps', now, deps.randomBytes);
  const next = createAppSecret(deps, 'refresh', { sessionId, appId: client.id, person: null });
  const scopes = redeemedScopes(askableScopes(deps.config));
  const isKnown = isClient(client, now);
  const poll = {
    id: device.id,
    codeHash: device.hash,
    appId: client.id,
    when: sql`${isKnown} AND ${isProven}`,
    now,
  };
  const { before, signedIn } = await run(deps.db, {
    proof: key ? [key.use(isKnown)] : [],
    before: polledStatement<{ known: number; proven: number }>(
      poll,
      sql`${isKnown} AS known, ${isProven} AS proven`,
    ),
    change: [
      redeemDeviceRequest(poll, sessionId, scopes),
      insertPopupSession(deps, { id: sessionId, client, tokenHash: next.hash, jkt, scopes, now }),
      notePoll(poll),
    ],
    signedIn: statement<SignInRow>(
      sql`SELECT ${signInColumns} FROM app_sessions WHERE app_sessions.id = ${sessionId}`,
    ),
  });
  const found = only(before);
  if (!found.known) throw refuse('invalid_client', 'wrong secret, type, origin or status');
  if (!found.proven) throw refuse('invalid_dpop_proof', 'used before');
  const [row] = signedIn;
  if (row === undefined) throw refusalOf(found);
  deps.log.info('app_session.began', { app: client.id, handle: row.handle, sid: row.id, device: true });
  return answerSignIn(deps, { row, sign, rsa, refresh: next.value, jkt, now });
}

function refusalOf({ status, is_over: isOver, is_early: isEarly }: Polled): AppError {
  if (status === null || status === 'redeemed') return refuse('invalid_grant', status ?? 'unknown');
  if (status === 'denied') return new AppError('access_denied');
  if (isOver) return new AppError('expired_token');
  // An approved request that yields no tokens: the person has signed out, or has revoked the grant.
  if (status === 'approved')
    return new AppError('access_denied', null, { reason: 'approved, but ended since' });
  return new AppError(isEarly ? 'slow_down' : 'authorization_pending');
}
