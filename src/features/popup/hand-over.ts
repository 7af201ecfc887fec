import { first, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { stringList } from '../../lib/present.ts';
import { createSecret, secretHash } from '../../lib/secret.ts';
import { redeemableMs } from './popup.ts';

/** The popup's last page gives this only to the registered origin. */
export interface HandOver {
  /** Redeems the request together with its verifier, only once. */
  readonly result: string;
  /** A redirect URI of the app on that origin, without a query, which takes the result when the opener is lost; null without one. */
  readonly returnUrl: string | null;
}

interface Decided {
  readonly id: string;
  /** The session that asks. */
  readonly sessionId: string;
  /** Its person's tag, which the tokens will carry. */
  readonly person: string;
}

/**
 * Makes the result of a sign-in for an app. The `Origin` of a registration may be forged, so the verifier proves nothing
 * about who gets the tokens. Only the session that approved gets the result. A page that is shown again gets a new one, which
 * invalidates the previous one.
 * @returns null when the request asks for no tokens, is not approved, or was approved by another session
 */
export async function handOver(deps: Deps, { id, sessionId, person }: Decided): Promise<HandOver | null> {
  const result = `${createSecret(deps.randomBytes)}.${person}`;
  const row = await first(
    deps.db,
    statement<{
      origin: string;
      uris: string;
    }>(sql`UPDATE popup_requests SET result_hash = ${secretHash(result)}
      WHERE id = ${id} AND status = 'approved' AND session_id = ${sessionId} AND decided_at > ${deps.now() - redeemableMs}
        AND kind = 'login' AND json_extract(params, '$.scopes') IS NOT NULL
      RETURNING origin, (SELECT a.redirect_uris FROM apps a WHERE a.id = popup_requests.app_id) AS uris`),
  );
  if (row === null) return null;
  // With a query, a page that redirects to a URL in the query would pass the fragment on.
  const uri = stringList(row.uris).find(
    (given) => new URL(given).origin === row.origin && !given.includes('?'),
  );
  return { result, returnUrl: uri === undefined ? null : `${uri}#pid_popup=${id}.${result}` };
}
