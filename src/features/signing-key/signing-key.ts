import { sql } from 'drizzle-orm';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { all, type Database, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { deriveKeys, open, seal } from '../../lib/secret.ts';

/** ES256 signs and verifies as fast as EdDSA here and is known to every JWT library a back end may use. */
export const signingAlgorithm = 'ES256';

const dayMs = 86_400_000;
/** A key signs for 90 days and verifies for a day longer than any token it signed lives. */
const signsForMs = 90 * dayMs;
const verifiesAfterMs = 2 * dayMs;
/** How long a process trusts its copy of the keys, and how soon an unknown `kid` may make it look again. */
const reloadAfterMs = 300_000;
const reloadCooldownMs = 10_000;

export interface SigningKey {
  readonly kid: string;
  readonly publicJwk: JWK;
  readonly publicKey: CryptoKey;
  readonly privateKey: CryptoKey;
  readonly signsFrom: number;
  readonly signsUntil: number;
  readonly verifiesUntil: number;
}

interface KeyRing {
  readonly keys: readonly SigningKey[];
  readonly loadedAt: number;
}

interface KeyRow {
  kid: string;
  public_jwk: string;
  private_enc: string;
  signs_from: number;
  signs_until: number;
  verifies_until: number;
}

/** The keys of each database this process talks to, so that reading a session asks no database. */
const rings = new WeakMap<Database, KeyRing>();

/**
 * The key that signs now. The first one ever is made here: the insert is conditional, so of many processes
 * that start at once one makes it and all use it.
 * @throws AppError unavailable when no key can be opened with SECRET_KEY
 */
export async function getSigningKey(deps: Deps, now: number): Promise<SigningKey> {
  const key = signerIn(await freshRing(deps, now), now) ?? signerIn(await addKey(deps, now), now);
  if (!key) throw new AppError('unavailable', null, { reason: 'no signing key opens with SECRET_KEY' });
  return key;
}

/** The key a token names, or null. An unknown name makes the process look for newer keys, at most every 10 s. */
export async function getVerificationKey(deps: Deps, kid: string, now: number): Promise<SigningKey | null> {
  const ring = await freshRing(deps, now);
  const known = verifierIn(ring, kid, now);
  if (known || now - ring.loadedAt < reloadCooldownMs) return known;
  return verifierIn(await loadRing(deps, now), kid, now);
}

/** Whether a key, found earlier, still verifies; answered from memory. */
export function stillVerifies(deps: Deps, kid: string, now: number): boolean {
  const ring = rings.get(deps.db);
  return ring !== undefined && now - ring.loadedAt < reloadAfterMs && verifierIn(ring, kid, now) !== null;
}

/** The public keys as a JWK Set (RFC 7517), for back ends that verify `pid_access` themselves. */
export async function getPublicKeys(deps: Deps, now: number): Promise<{ keys: JWK[] }> {
  await getSigningKey(deps, now);
  const ring = await freshRing(deps, now);
  return { keys: ring.keys.filter((key) => key.verifiesUntil > now).map((key) => key.publicJwk) };
}

function signerIn(ring: KeyRing, now: number): SigningKey | undefined {
  return ring.keys.findLast((key) => key.signsFrom <= now && now < key.signsUntil);
}

function verifierIn(ring: KeyRing, kid: string, now: number): SigningKey | null {
  return ring.keys.find((key) => key.kid === kid && key.verifiesUntil > now) ?? null;
}

async function freshRing(deps: Deps, now: number): Promise<KeyRing> {
  const ring = rings.get(deps.db);
  return ring && Math.abs(now - ring.loadedAt) < reloadAfterMs ? ring : loadRing(deps, now);
}

async function loadRing(deps: Deps, now: number): Promise<KeyRing> {
  const rows = await all(
    deps.db,
    statement<KeyRow>(sql`SELECT kid, public_jwk, private_enc, signs_from, signs_until, verifies_until
      FROM signing_keys WHERE verifies_until > ${now} ORDER BY generation`),
  );
  const keys = await Promise.all(rows.map((row) => openKey(deps, row)));
  const ring = { keys: keys.filter((key) => key !== null), loadedAt: now };
  rings.set(deps.db, ring);
  return ring;
}

async function openKey(deps: Deps, row: KeyRow): Promise<SigningKey | null> {
  const keys = deriveKeys(deps.config.secretKeys, 'signing-key');
  const privateJwk = await open(keys, row.private_enc, row.kid);
  if (privateJwk === null) {
    deps.log.error('signing_key.unreadable', { kid: row.kid, reason: 'sealed under another SECRET_KEY' });
    return null;
  }
  const publicJwk: JWK = JSON.parse(row.public_jwk);
  return {
    kid: row.kid,
    publicJwk,
    publicKey: (await importJWK(publicJwk, signingAlgorithm)) as CryptoKey,
    privateKey: (await importJWK(JSON.parse(privateJwk), signingAlgorithm)) as CryptoKey,
    signsFrom: row.signs_from,
    signsUntil: row.signs_until,
    verifiesUntil: row.verifies_until,
  };
}

/** Adds a key unless one already signs now, then reads them all again. */
async function addKey(deps: Deps, now: number): Promise<KeyRing> {
  const pair = await generateKeyPair(signingAlgorithm, { extractable: true });
  const bare = await exportJWK(pair.publicKey);
  const kid = await calculateJwkThumbprint(bare);
  const publicJwk = { ...bare, kid, alg: signingAlgorithm, use: 'sig' };
  const keys = deriveKeys(deps.config.secretKeys, 'signing-key');
  const privateEnc = await seal(
    keys,
    JSON.stringify(await exportJWK(pair.privateKey)),
    kid,
    deps.randomBytes,
  );
  await all(
    deps.db,
    statement(sql`INSERT INTO signing_keys
      (kid, generation, alg, public_jwk, private_enc, signs_from, signs_until, verifies_until)
      SELECT ${kid}, coalesce((SELECT max(generation) FROM signing_keys), 0) + 1, ${signingAlgorithm},
        ${JSON.stringify(publicJwk)}, ${privateEnc}, ${now}, ${now + signsForMs}, ${now + signsForMs + verifiesAfterMs}
      WHERE NOT EXISTS (SELECT 1 FROM signing_keys WHERE signs_from <= ${now} AND signs_until > ${now})
      ON CONFLICT (kid) DO NOTHING`),
  );
  return loadRing(deps, now);
}
