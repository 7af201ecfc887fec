import { first, type SQL, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { type Credentials, presentedClient } from '../../http/client-key.ts';
import type { AppContext } from '../../http/context.ts';
import { isFirstParty } from '../../lib/origin.ts';
import { secretHash } from '../../lib/secret.ts';
import { isHostActive } from '../app/statements.ts';
import { refuse } from './refuse.ts';

declare module 'hono' {
  interface ContextVariableMap {
    /** The client in the request, as parsed for its rate limit. */
    client: Client;
  }
}

/** A client's unverified credentials. */
export interface Client {
  readonly id: string;
  /** SHA-256 of the client's secret; null for apps that cannot keep one, which use PKCE instead. */
  readonly secretHash: string | null;
  /** The origin of the client's page, if the browser sends it. */
  readonly origin: string | null;
}

/**
 * Parses the credentials of the calling client. The statement that makes the change verifies them.
 * @returns null without an id
 * @throws AppError validation_failed if it authenticates in two ways
 */
export function readClient(c: AppContext, deps: Deps, body: Credentials): Client | null {
  const known = c.get('client');
  if (known) return known;
  const [id, secret] = presentedClient(c, body);
  if (id === '') return null;
  const origin = c.req.header('Origin');
  const client = {
    id,
    secretHash: secret === '' ? null : secretHash(secret),
    origin: origin === undefined || isFirstParty(deps.config, origin) ? null : origin,
  };
  c.set('client', client);
  return client;
}

/**
 * True if the client is authentic: an active app with its secret, or an app without secrets. The origin of a page
 * proves which app it belongs to.
 */
export function isClient({ id, secretHash: hash, origin }: Client, now: number): SQL {
  const proof =
    hash === null
      ? sql`a.type <> 'web'`
      : sql`a.type = 'web' AND EXISTS (SELECT 1 FROM app_secrets k WHERE k.hash = ${hash} AND k.app_id = a.id
          AND (k.expires_at IS NULL OR k.expires_at > ${now}))`;
  const place =
    origin === null
      ? sql``
      : sql` AND EXISTS (SELECT 1 FROM app_origins o WHERE o.origin = ${origin} AND o.app_id = a.id)`;
  return sql`EXISTS (SELECT 1 FROM apps a WHERE a.id = ${id} AND a.status = 'active' AND ${isHostActive(id)} AND ${proof}${place})`;
}

/** For requests that cause no statement. @throws AppError invalid_client */
export async function requireClient(deps: Deps, client: Client, now: number): Promise<void> {
  const query = statement<{ known: number }>(sql`SELECT ${isClient(client, now)} AS known`);
  if (!(await first(deps.db, query))?.known)
    throw refuse('invalid_client', 'wrong secret, type, origin or status');
}
