import { importJWK, type JWK, SignJWT } from 'jose';
import type { Database } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { fromBase64url, fromUtf8, toBase64url, utf8 } from '../../lib/encoding.ts';
import { addFirstKey, type KeyRow, openPrivateKey, readKeys, signingAlgorithm } from './stored-keys.ts';

const signatureParameters = { name: 'ECDSA', hash: 'SHA-256' };

/**
 * The age at which a process reloads its copy of the keys after a response, and the age at which a request waits for
 * the reload: a removed key is refused everywhere within five minutes.
 */
const reloadAfterMs = 150_000;
const trustedForMs = 300_000;
/** The minimum time between reloads caused by an unknown key or by a request that finds an old copy. */
const reloadCooldownMs = 2_000;
/** How long after a failed reload no request waits for the next one: a silent database takes long to fail. */
const failureMs = 10_000;

interface SigningKey {
  readonly kid: string;
  /** The first part of every token this key signs, as the token spells it. */
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
  /** Names of keys that no SECRET_KEY opens. */
  readonly unreadable: readonly string[];
  readonly loadedAt: number;
  /** When a request last began to reload the keys, and when a reload last failed. */
  reloadedAt: number;
  failedAt: number;
}

/** The keys of each database this process talks to, so that reading a session needs no database. */
const rings = new WeakMap<Database, KeyRing>();

/** What a verified token says, and the key it was signed with. */
export interface VerifiedToken {
  readonly kid: string;
  readonly payload: Record<string, unknown>;
}

/** Signs a JWT (RFC 7515, RFC 7519) with these claims. Makes no request. */
export type Signer = (payload: Record<string, unknown>) => Promise<string>;

/**
 * The current signer. Get it before anything is changed in the database: a change made for a token that cannot be
 * signed would be lost to its owner.
 * @throws AppError unavailable when no key can be opened with SECRET_KEY and none can be made
 */
export async function requireSigner(deps: Deps, now: number): Promise<Signer> {
  const { kid, privateKey } = await getSigningKey(deps, now);
  return (payload) => new SignJWT(payload).setProtectedHeader(headerOf(kid)).sign(privateKey);
}

/**
 * Verifies the signature of a JWT of our own, or answers null.
 *
 * A token is ours only if its header is, byte for byte, the one we write for a key of ours. So there is no
 * algorithm to choose, no `jwk` or `jku` to follow and nothing to parse before the signature holds
 * (RFC 8725 section 3.1). The caller checks the payload.
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

/** The key that signs now. Makes one if there is none, or none that can be opened. */
async function getSigningKey(deps: Deps, now: number): Promise<SigningKey> {
  const ring = await freshRing(deps, now);
  const known = signerIn(ring, now);
  if (known) return known;
  await addFirstKey(deps, now, ring.unreadable);
  const key = signerIn(await loadRing(deps, now), now);
  if (!key) throw new AppError('unavailable', null, { reason: 'no signing key opens with SECRET_KEY' });
  return key;
}

/** The key a token's header belongs to. An unknown one makes the process look for newer keys, but not every time. */
async function getVerificationKey(deps: Deps, header: string, now: number): Promise<SigningKey | null> {
  const ring = await freshRing(deps, now);
  const known = verifierIn(ring, header, now);
  if (known || (ring.keys.length > 0 && now - ring.reloadedAt < reloadCooldownMs)) return known;
  return verifierIn(await reload(deps, ring, now), header, now);
}

/** Whether a key, found earlier, still verifies; answered from memory. */
export function stillVerifies(deps: Deps, kid: string, now: number): boolean {
  const ring = rings.get(deps.db);
  if (ring === undefined || now - ring.loadedAt >= reloadAfterMs) return false;
  return ring.keys.some((key) => key.kid === kid && key.verifiesUntil > now);
}

/** The public keys as a JWK Set (RFC 7517), for backends that verify `pid_access` themselves. */
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

/**
 * The keys as this process knows them. An old copy is reloaded after the response of one request; a very old one is
 * reloaded first, by each request that finds it, because on Workers no request may wait for another's I/O. While the
 * database does not answer, the old copy is used.
 */
async function freshRing(deps: Deps, now: number): Promise<KeyRing> {
  const ring = rings.get(deps.db);
  if (!ring) return loadRing(deps, now);
  const age = Math.abs(now - ring.loadedAt);
  const isRecent = (time: number) => Math.abs(now - time) < reloadCooldownMs;
  if (age >= trustedForMs && Math.abs(now - ring.failedAt) >= failureMs) return reload(deps, ring, now);
  if (age >= reloadAfterMs && !isRecent(ring.reloadedAt)) deps.background(reload(deps, ring, now));
  return ring;
}

async function reload(deps: Deps, ring: KeyRing, now: number): Promise<KeyRing> {
  ring.reloadedAt = now;
  try {
    return await loadRing(deps, now);
  } catch (error) {
    ring.failedAt = deps.now();
    deps.log.error('signing_key.reload_failed', { error });
    return ring;
  }
}

async function loadRing(deps: Deps, now: number): Promise<KeyRing> {
  const rows = await readKeys(deps, now);
  const opened = await Promise.all(rows.map((row) => openKey(deps, row)));
  const keys = opened.filter((key) => key !== null);
  const unreadable = rows.filter((_, index) => opened[index] === null).map(({ kid }) => kid);
  const ring = { keys, unreadable, loadedAt: now, reloadedAt: now, failedAt: Number.NEGATIVE_INFINITY };
  rings.set(deps.db, ring);
  return ring;
}

async function openKey(deps: Deps, row: KeyRow): Promise<SigningKey | null> {
  const privateJwk = await openPrivateKey(deps, row);
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
