import { type SQL, type Statement, sql, statement } from '../../../db/database.ts';
import type { Deps } from '../../../deps.ts';
import { recipientOf } from '../../../lib/origin.ts';
import { mayAsk } from '../../app/scopes.ts';
import { mayTarget } from '../../grant/statements.ts';
import { actingSession } from '../../session/acting-session.ts';
import { scopesAt } from '../../session/granted-session.ts';
import type { WaitingRequest } from './waiting-request.ts';

/** Stored in place of a challenge if the code is bound to a nonce (trigger app_session_challenge). */
const nonceInstead = '';

/** A code's lifetime. The row stays longer, so that a replay is recognised. */
const codeMs = 60_000;
const unusedMs = 86_400_000;

interface NewCode {
  readonly request: WaitingRequest;
  readonly sessionId: string | null;
  readonly codeHash: string;
  readonly now: number;
}

/**
 * Inserts the code of a request only once, if the session is live, the app may request it, and a live grant covers
 * scopes, resource and host.
 */
export function insertCode(deps: Deps, { request, sessionId, codeHash, now }: NewCode): Statement {
  const { clientId, redirectUri, codeChallenge, dpopJkt, resource, nonce } = request;
  const scopes = JSON.stringify(request.scopes);
  const host = recipientOf(redirectUri);
  return statement(sql`INSERT INTO app_sessions (id, grant_id, app_id, handle, session_id, scopes, resource, nonce, provider,
      authenticated_at, code_hash, code_until, redirect_uri, code_challenge, dpop_jkt, host, created_at, expires_at)
    SELECT ${request.appSessionId}, g.id, g.app_id, g.handle, s.id, ${scopes}, ${resource}, ${nonce}, s.provider,
      s.authenticated_at, ${codeHash}, ${now + codeMs}, ${redirectUri}, ${codeChallenge ?? nonceInstead}, ${dpopJkt}, ${host}, ${now}, ${now + unusedMs}
    FROM ${actingSession(sessionId, now)} s
    JOIN live_grants g ON g.app_id = ${clientId} AND g.handle = s.handle AND g.live_until > ${now}
    WHERE NOT EXISTS (SELECT 1 FROM json_each(${scopes}) WHERE value NOT IN (SELECT value FROM json_each(${scopesAt(host)})))
      AND ${mayAsk(deps, clientId, request.scopes)}
      AND ${mayOmitChallenge(request)} AND (s.provider = 'passkey' OR ${Number(!request.needsPasskey)})
      AND ${mayTarget(sql`g.id`, sql`${resource}`, sql`${host}`)}
    ON CONFLICT (id) DO NOTHING`);
}

/** True if the request has a challenge, or its app still accepts a nonce in its place. */
function mayOmitChallenge({ clientId, codeChallenge }: WaitingRequest): SQL {
  if (codeChallenge !== null) return sql`1`;
  return sql`EXISTS (SELECT 1 FROM apps WHERE id = ${clientId} AND pkce = 'nonce')`;
}
