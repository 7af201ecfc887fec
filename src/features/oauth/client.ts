import { type SQL, sql } from 'drizzle-orm';
import { first, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import type { AppContext } from '../../http/context.ts';
import { fromBase64, fromUtf8 } from '../../lib/encoding.ts';
import { isFirstParty } from '../../lib/origin.ts';
import { secretHash } from '../../lib/secret.ts';
import { refuse } from './refuse.ts';

declare module 'hono' {
  interface ContextVariableMap {
    /** Who the request says it is from; its limit has read it before. */
    client: Client;
  }
}

/** What a client presents about itself. */
export interface Client {
  readonly id: string;
  /** SHA-256 of its secret; null for apps that cannot keep one, which PKCE protects. */
  readonly secretHash: string | null;
  /** Where its page is from, if a browser says so. */
  readonly origin: string | null;
}

interface Credentials {
  readonly client_id?: unknown;
  readonly client_secret?: unknown;
}

/**
 * Reads who is calling: by HTTP Basic or in the body, not both (RFC 6749 section 2.3.1). Whether it is true is decided by
 * the statement that acts.
 * @returns null without an id
 * @throws AppError validation_failed for two ways at once
 */
export function readClient(c: AppContext, deps: Deps, body: Credentials): Client | null {
  const known = c.get('client');
  if (known) return known;
  const [id, secret] = credentialsOf(c.req.header('Authorization'), body);
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

type IdAndSecret = readonly [id: string, secret: string];

function credentialsOf(header: string | undefined, { client_id, client_secret }: Credentials): IdAndSecret {
  const named = typeof client_id === 'string' ? client_id : '';
  const given = typeof client_secret === 'string' ? client_secret : '';
  if (!/^basic /i.test(header ?? '')) return [named, given];
  const [id, secret] = parseBasic(header?.slice('basic '.length).trim() ?? '');
  if (given !== '' || (named !== '' && named !== id)) {
    throw new AppError('validation_failed', ['client_id must be presented in one way only']);
  }
  return [id, secret];
}

/** Id and secret are form-encoded before they are joined (RFC 6749 section 2.3.1), which not every client does. */
function parseBasic(encoded: string): IdAndSecret {
  const bytes = fromBase64(encoded);
  const [, id = '', secret = ''] = /^([^:]*):(.*)$/s.exec(bytes === null ? '' : fromUtf8(bytes)) ?? [];
  try {
    return [formDecode(id), formDecode(secret)];
  } catch {
    return ['', ''];
  }
}

function formDecode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

/**
 * Whether the client is who it says: an active app with its secret, or one that has none. A page proves by its origin which
 * app it is of.
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
  return sql`EXISTS (SELECT 1 FROM apps a WHERE a.id = ${id} AND a.status = 'active' AND ${proof}${place})`;
}

/** For what names nothing that a statement could act on. @throws AppError invalid_client */
export async function requireClient(deps: Deps, client: Client, now: number): Promise<void> {
  const query = statement<{ known: number }>(sql`SELECT ${isClient(client, now)} AS known`);
  if (!(await first(deps.db, query))?.known)
    throw refuse('invalid_client', 'wrong secret, type, origin or status');
}
