import { AppError } from '../errors.ts';
import { fromBase64, fromUtf8 } from '../lib/encoding.ts';
import { secretHash } from '../lib/secret.ts';
import { type AppContext, headerOf } from './context.ts';
import type { CountedKey } from './rate-limit.ts';

/** The client parameters of a body. */
export interface Credentials {
  readonly client_id?: unknown;
  readonly client_secret?: unknown;
}

type IdAndSecret = readonly [id: string, secret: string];

/**
 * The client credentials in a request, with HTTP Basic or in the body, not both (RFC 6749 section 2.3.1). Missing
 * values are empty.
 * @throws AppError validation_failed if it authenticates in two ways
 */
export function presentedClient(c: AppContext, { client_id, client_secret }: Credentials): IdAndSecret {
  const header = headerOf(c, 'Authorization');
  const named = typeof client_id === 'string' ? client_id : '';
  const given = typeof client_secret === 'string' ? client_secret : '';
  if (!/^basic /i.test(header)) return [named, given];
  const [id, secret] = parseBasic(header.slice('basic '.length).trim());
  if (given !== '' || (named !== '' && named !== id)) {
    throw new AppError('validation_failed', ['client_id must be presented in one way only']);
  }
  return [id, secret];
}

/** Id and secret are form-encoded before they are joined (RFC 6749 section 2.3.1), but not by every client. */
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
 * Keys a bucket by the secret presented by an app, so that only the holder can exhaust it. Null without an id and a
 * secret: the secret alone belongs to no app and is not checked.
 */
export function clientKey(c: AppContext, body: Credentials): CountedKey | null {
  const [id, secret] = presentedClient(c, body);
  return id === '' || secret === '' ? null : `client ${secretHash(secret)}`;
}
