import { all, type Row, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { decrypt, deriveKeys, type SecretKeys } from '../../lib/secret.ts';
import type { signingKeys } from './tables.ts';

/**
 * ES256 signs everything that this service and back ends verify. EdDSA costs about the same on both runtimes, but fewer
 * of the libraries for back ends support it (docs/performance.md has the figures). RS256 signs only for apps, whose ID
 * tokens every OpenID Connect client must be able to verify (Discovery 1.0 section 3). Each has its own keys and
 * generations, and RS256 has none before an app needs one.
 */
export type Algorithm = 'ES256' | 'RS256';

/** A stored key; `private_enc` is encrypted under SECRET_KEY. */
export type KeyRow = Readonly<Omit<Row<typeof signingKeys>, 'generation'>>;

/** The keys that are or will be valid for verification, oldest first. */
export function readKeys(deps: Deps, now: number): Promise<KeyRow[]> {
  const query =
    statement<KeyRow>(sql`SELECT kid, alg, public_jwk, private_enc, signs_from, signs_until, verifies_until
      FROM signing_keys WHERE verifies_until > ${now} ORDER BY generation`);
  return all(deps.db, query);
}

/** A row's private key as JWK text, or null if no SECRET_KEY decrypts it. */
export function decryptPrivateKey(deps: Deps, row: KeyRow): Promise<string | null> {
  return decrypt(sealingKeys(deps), row.private_enc, row.kid);
}

/** The keys under which private keys are encrypted. */
export function sealingKeys(deps: Deps): SecretKeys {
  return deriveKeys(deps.config.secretKeys, 'signing-key');
}
