import { type SQL, sql } from '../../../db/database.ts';
import { isDocumentId } from '../../app/document.ts';
import type { Client } from '../client.ts';

/** A client and the thumbprint of the key whose DPoP proof it presents (RFC 9449); null without one. */
interface Proven {
  readonly client: Client;
  readonly jkt: string | null;
}

/** True if the session, once its code is used, has a refresh token. */
export const hasRefresh = sql`'offline_access' IN (SELECT value FROM json_each(app_sessions.scopes))`;

/**
 * Returns whether a client gets a refresh token only with a proof: an unregistered client, whose id is the address of
 * its document. It has no owner who could revoke a stolen token.
 */
export function mustProveKey({ id }: Pick<Client, 'id'>): boolean {
  return isDocumentId(id);
}

/** True if the proof is of the key to which the session is bound, or the session is bound to none. */
export function hasKey({ jkt }: Pick<Proven, 'jkt'>): SQL {
  return sql`dpop_jkt IS NULL OR dpop_jkt = ${jkt}`;
}

/**
 * The same for a refresh token. One of a client with a secret is bound to that secret instead, so that the client may
 * change its key (RFC 9449 section 5).
 */
export function hasClientKey({ client, jkt }: Proven): SQL | null {
  return client.secretHash === null ? hasKey({ jkt }) : null;
}

/** The key to which the refresh tokens of a sign-in that begins now become bound. */
export function keyToBind({ client, jkt }: Proven): string | null {
  return client.secretHash === null ? jkt : null;
}
