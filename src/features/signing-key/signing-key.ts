import { sql } from 'drizzle-orm';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { all, type Database, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { fromBase64url, fromUtf8, toBase64url, utf8 } from '../../lib/encoding.ts';
import { deriveKeys, open, seal } from '../../lib/secret.ts';

/** ES256 verifies as fast as EdDSA and is known to every JWT library a back end may use. */
const signingAlgorithm = 'ES256';
const signatureParameters = { name: 'ECDSA', hash: 'SHA-256' };

const dayMs = 86_400_000;
/** A key signs for 90 days and verifies for a day longer than any token it signed lives. */
const signsForMs = 90 * dayMs;
const verifiesAfterMs = 2 * dayMs;
/** How long a process trusts its copy of the keys, and how soon an unknown `kid` may make it look again. */
const reloadAfterMs = 300_000;
const reloadCooldownMs = 10_000;

interface SigningKey {
  readonly kid: string;
  /** The first part of every token this key signs, as it stands in the token. */
  readonly header: string;
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

/** What a verified token says, and the key it was signed with. */
export interface VerifiedToken {
  readonly kid: string;
  readonly payload: Record<string, unknown>;
}

/**
 * Signs a JWT (RFC 7515, RFC 7519) with the key that signs now.
 * @throws AppError unavailable when no key can be opened with SECRET_KEY
 */
export async function signToken(deps: Deps, payload: Record<string, unknown>, now: number): Promise<string> {
  const key = await getSigningKey(deps, now);
  return new SignJWT(payload).setProtectedHeader(headerOf(key.kid)).sign(key.privateKey);
}

/**
 * Verifies the signature of a JWT of our own, or answers null.
 *
 * A token is ours only if its header is, byte for byte, the one we write for a key of ours. So there is no
 * algorithm to choose, no `jwk` or `jku` to follow and nothing to parse before the signature holds
 * (RFC 8725 section 3.1). What the payload says is for the caller to judge.
 */
export async function verifyToken(deps: Deps, token: string, now: number): Promise<VerifiedToken | null> {
  const [header, payload, signature, ...others] = token.split('.');
  if (!header || !payload || !signature || others.length > 0) return null;
  const key = await getVerificationKey(deps, header, now);
  const bytes = fromBase64url(signature);
  if (!key || bytes?.length !== 64) return null;
  const signed = utf8(`${header}.${payload}`);
  if (!(await crypto.subtle.verify(signatureParameters, key.publicKey, bytes, signed))) return null;
  const claims = parseClaims(payload);
  return claims && { kid: key.kid, payload: claims };
}

/** The claims set, which must be a JSON object (RFC 7519 section 7.2). */
function parseClaims(payload: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(fromUtf8(fromBase64url(payload) ?? new Uint8Array()));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/**
 * The key that signs now. The first one ever is made here: the insert is conditional, so of many processes
 * that start at once one makes it and all use it.
 */
async function getSigningKey(deps: Deps, now: number): Promise<SigningKey> {
  const key = signerIn(await freshRing(deps, now), now) ?? signerIn(await addKey(deps, now), now);
  if (!key) throw new AppError('unavailable', null, { reason: 'no signing key opens with SECRET_KEY' });
  return key;
}

/** The key a token's header belongs to. An unknown one makes the process look for newer keys, at most every 10 s. */
async function getVerificationKey(deps: Deps, header: string, now: number): Promise<SigningKey | null> {
  const ring = await freshRing(deps, now);
  const known = verifierIn(ring, header, now);
  if (known || now - ring.loadedAt < reloadCooldownMs) return known;
  return verifierIn(await loadRing(deps, now), header, now);
}

/** Whether a key, found earlier, still verifies; answered from memory. */
export function stillVerifies(deps: Deps, kid: string, now: number): boolean {
  const ring = rings.get(deps.db);
  if (ring === undefined || now - ring.loadedAt >= reloadAfterMs) return false;
  return ring.keys.some((key) => key.kid === kid && key.verifiesUntil > now);
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

function verifierIn(ring: KeyRing, header: string, now: number): SigningKey | null {
  return ring.keys.find((key) => key.header === header && key.verifiesUntil > now) ?? null;
}

function headerOf(kid: string): { alg: string; kid: string; typ: string } {
  return { alg: signingAlgorithm, kid, typ: 'JWT' };
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
    header: toBase64url(utf8(JSON.stringify(headerOf(row.kid)))),
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
