import { first, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { stringList } from '../../lib/present.ts';
import { createSecret, secretHash } from '../../lib/secret.ts';
import { redeemableMs } from './popup.ts';

/** The popup's last page sends this only to the registered origin. */
export interface HandOver {
  /** Redeems the request together with its verifier, only once. */
  readonly result: string;
  /**
   * A redirect URI of the app on the same origin, without a query, which receives the result if the opener is lost;
   * null without one.
   */
  readonly returnUrl: string | null;
}

interface Decided {
  readonly id: string;
  /** The requesting session. */
  readonly sessionId: string;
  /** The tag of the session's person, which becomes part of the tokens. */
  readonly person: string;
}

/**
 * Creates the result of a sign-in for an app. The `Origin` of a registration may be forged, so the verifier does not
 * prove who gets the tokens. Only the approving session gets the result. If the page is shown again, it gets a new
 * result, which invalidates the previous one.
 * @returns null if the request is for no tokens, is not approved, or was approved by another session
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
