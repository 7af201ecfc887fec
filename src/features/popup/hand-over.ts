import { type SQL, sql } from 'drizzle-orm';
import { first, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { createSecret, secretHash } from '../../lib/secret.ts';
import { redeemableMs } from './popup.ts';

/** What the popup's last page gives to the registered origin alone. */
export interface HandOver {
  /** Redeems the request together with its verifier, once. */
  readonly result: string;
  /** A redirect URI of the app on that origin, which takes the result when the opener is lost; null without one. */
  readonly returnUrl: string | null;
}

/** The `Origin` of a registration may be forged, so the verifier alone proves nothing about who gets the tokens. */
const needsHandOver: SQL = sql`popup_requests.kind = 'login' AND json_extract(popup_requests.params, '$.scopes') IS NOT NULL
  AND EXISTS (SELECT 1 FROM apps a WHERE a.id = popup_requests.app_id AND a.type <> 'web' AND a.status = 'active')`;

/**
 * Makes the result of a sign-in whose app has no secret. Only the session that approved gets it. A page that is shown again
 * gets a new one, and the one before is void.
 * @returns null when the request has none, or not for this session
 */
export async function handOver(deps: Deps, id: string, sessionId: string): Promise<HandOver | null> {
  const result = createSecret(deps.randomBytes);
  const row = await first(
    deps.db,
    statement<{
      origin: string;
      uris: string;
    }>(sql`UPDATE popup_requests SET result_hash = ${secretHash(result)}
      WHERE id = ${id} AND status = 'approved' AND session_id = ${sessionId} AND decided_at > ${deps.now() - redeemableMs}
        AND ${needsHandOver}
      RETURNING origin, (SELECT a.redirect_uris FROM apps a WHERE a.id = popup_requests.app_id) AS uris`),
  );
  if (row === null) return null;
  const uri = (JSON.parse(row.uris) as string[]).find((given) => new URL(given).origin === row.origin);
  return { result, returnUrl: uri === undefined ? null : `${uri}#pid_popup=${id}.${result}` };
}
