import { importJWK } from 'jose/key/import';
import { first, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { fromBase64url } from '../../lib/encoding.ts';
import { headersOf, type VerifiedToken, verifySignature, verifyToken } from './signing-key.ts';
import type { KeyRow } from './stored-keys.ts';

/**
 * Verifies the signature of one of our ID tokens of any age (OpenID Connect Core section 3.1.2.1), or returns null. A
 * key stays in the database without its private part for a year after its last token has expired; a key that was
 * removed verifies nothing.
 */
export async function verifyOldIdToken(
  deps: Deps,
  token: string,
  now: number,
): Promise<VerifiedToken | null> {
  const verified = await verifyToken(deps, token, now, 'id');
  if (verified !== null) return verified;
  const [header, payload, signature, ...others] = token.split('.');
  if (!header || !payload || !signature || others.length > 0) return null;
  const key = await findArchivedKey(deps, header, now);
  if (key === null) return null;
  const publicKey = (await importJWK(JSON.parse(key.public_jwk), key.alg)) as CryptoKey;
  return verifySignature({ ...key, publicKey }, { header, payload, signature });
}

/** The key that an ID token's header names, byte for byte as we write it. */
async function findArchivedKey(deps: Deps, header: string, now: number) {
  // The parts that we write are ASCII, so they have the same length in Latin-1.
  const text = String.fromCharCode(...(fromBase64url(header.slice(0, 200)) ?? []));
  const [, kid] = /"kid":"([\w-]{43})"/.exec(text) ?? [];
  if (kid === undefined) return null;
  const key = await first(
    deps.db,
    statement<Pick<KeyRow, 'kid' | 'alg' | 'public_jwk'>>(sql`SELECT kid, alg, public_jwk FROM signing_keys
      WHERE kid = ${kid} AND verifies_until <= ${now}`),
  );
  return key && headersOf(key).id === header ? key : null;
}
