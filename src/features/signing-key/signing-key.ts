import type { JWK } from 'jose';
import { CompactSign } from 'jose/jws/compact/sign';
import { importJWK } from 'jose/key/import';
import type { Database } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { fromBase64url, fromUtf8, toBase64url, utf8 } from '../../lib/encoding.ts';
import { type Algorithm, decryptPrivateKey, type KeyRow, readKeys } from './stored-keys.ts';

const verification = {
  ES256: { parameters: { name: 'ECDSA', hash: 'SHA-256' }, bytes: 64 },
  RS256: { parameters: { name: 'RSASSA-PKCS1-v1_5' }, bytes: 256 },
} as const;

/**
 * The header `typ` for each use of a token, so that no kind is accepted as another (RFC 8725 section 3.11):
 * `pid_access`, an app's access token (RFC 9068), and a logout token (Back-Channel Logout 1.0). ID tokens have none,
 * because OpenID Connect defines none.
 */
const typByUse = { session: 'JWT', app: 'at+jwt', id: undefined, logout: 'logout+jwt' } as const;

export type TokenUse = keyof typeof typByUse;

/**
 * The age at which a process reloads its copy of the keys after a response, and the age at which a request waits for
 * the reload, so that a removed key is rejected everywhere within five minutes.
 */
const reloadAfterMs = 150_000;
const trustedForMs = 300_000;
/** The minimum time between reloads caused by an unknown key or a stale copy. */
const reloadCooldownMs = 2_000;
/**
 * How long after a failed reload no request waits for another, because an unresponsive database takes a long time to
 * fail.
 */
const failureMs = 10_000;

interface SigningKey {
  readonly kid: string;
  readonly alg: Algorithm;
  /** The first part of every token that this key signs for a use, exactly as in the token. */
  readonly headers: Readonly<Record<TokenUse, string>>;
  readonly publicJwk: JWK;
  readonly publicKey: CryptoKey;
  readonly privateKey: CryptoKey;
  readonly signsFrom: number;
  readonly signsUntil: number;
  readonly verifiesUntil: number;
}

interface KeyRing {
  readonly keys: readonly SigningKey[];
  /** The ids of keys that no SECRET_KEY decrypts. */
  readonly unreadable: readonly string[];
  readonly loadedAt: number;
  /** The time of the last reload by a request, and of the last failed reload. */
  reloadedAt: number;
  failedAt: number;
}

/** The keys of each database that this process uses, so that session reads need no database. */
const rings = new WeakMap<Database, KeyRing>();

/** The claims of a verified token, and the key that signed it. */
export interface VerifiedToken {
  readonly kid: string;
  readonly payload: Record<string, unknown>;
}

/** Signs a JWT (RFC 7515, RFC 7519) with these claims, as a session token unless `use` is given. Makes no request. */
export type Signer = (payload: Record<string, unknown>, use?: TokenUse) => Promise<string>;

/**
 * An algorithm's current signer. Call it before changing anything in the database: a change for a token that cannot be
 * signed would be lost to its owner.
 * @throws AppError unavailable if SECRET_KEY decrypts no key and none can be created
 */
export async function requireSigner(deps: Deps, now: number, alg: Algorithm = 'ES256'): Promise<Signer> {
  return signerOf(await getSigningKey(deps, now, alg));
}

/** The same, or null if the algorithm has no key; never creates one. */
export async function findSigner(deps: Deps, now: number, alg: Algorithm): Promise<Signer | null> {
  const key = signerIn(await freshRing(deps, now), alg, now);
  return key ? signerOf(key) : null;
}

function signerOf({ alg, kid, privateKey }: SigningKey): Signer {
  // jose's SignJWT would also copy the claims, and load code that validates them.
  return (payload, use = 'session') =>
    new CompactSign(utf8(JSON.stringify(payload)))
      .setProtectedHeader(headerOf({ alg, kid }, use))
      .sign(privateKey);
}

/**
 * Verifies the signature of one of our JWTs, or returns null.
 *
 * A token is ours only if its header is, byte for byte, one that we write for this use with one of our keys. So there
 * is no algorithm to choose, no `jwk` or `jku` to follow and nothing to parse before the signature is verified (RFC
 * 8725 section 3.1). RS256 signs only tokens for apps, so ID tokens are the only ones of ours that it verifies. The
 * caller checks the payload.
 */
export async function verifyToken(
  deps: Deps,
  token: string,
  now: number,
  use: TokenUse = 'session',
): Promise<VerifiedToken | null> {
  const [header, payload, signature, ...others] = token.split('.');
  if (!header || !payload || !signature || others.length > 0) return null;
  const key = await getVerificationKey(deps, header, use, now);
  return key && verifySignature(key, { header, payload, signature });
}

/** Verifies a token's signature with the key that its header names. */
export async function verifySignature(
  key: Pick<SigningKey, 'kid' | 'alg' | 'publicKey'>,
  {
    header,
    payload,
    signature,
  }: { readonly header: string; readonly payload: string; readonly signature: string },
): Promise<VerifiedToken | null> {
  const bytes = fromBase64url(signature);
  if (bytes?.length !== verification[key.alg].bytes) return null;
  const { parameters } = verification[key.alg];
  const signed = utf8(`${header}.${payload}`);
  if (!(await crypto.subtle.verify(parameters, key.publicKey, bytes, signed))) return null;
  const claims = parseClaims(payload);
  return claims && { kid: key.kid, payload: claims };
}

/** Maximum clock skew between nodes. */
const skewSeconds = 30;

/** Returns whether a token with these claims is valid at this time (RFC 7519 sections 4.1.4 to 4.1.6). */
export function isCurrent({ exp, iat, nbf }: Readonly<Record<string, unknown>>, now: number): boolean {
  const seconds = now / 1000;
  if (typeof exp !== 'number' || exp <= seconds) return false;
  if (typeof iat !== 'number' || iat > seconds + skewSeconds) return false;
  return nbf === undefined || (typeof nbf === 'number' && nbf <= seconds + skewSeconds);
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

/** An algorithm's current signing key. Creates a key if none exists or none can be decrypted. */
async function getSigningKey(deps: Deps, now: number, alg: Algorithm): Promise<SigningKey> {
  const known = await freshRing(deps, now);
  // Another process may have created the key since this one checked, and creating an RSA key costs far more than a
  // check.
  const isCurrent = signerIn(known, alg, now) !== undefined || known.loadedAt === now;
  const ring = isCurrent ? known : await loadRing(deps, now);
  const found = signerIn(ring, alg, now);
  if (found) return found;
  const { addFirstKey } = await import('./rotation.ts');
  await addFirstKey(deps, now, ring.unreadable, alg);
  const key = signerIn(await loadRing(deps, now), alg, now);
  if (!key) throw new AppError('unavailable', null, { reason: 'SECRET_KEY decrypts no signing key' });
  return key;
}

/** The key in a token's header. An unknown key id makes the process look for newer keys, but not every time. */
async function getVerificationKey(
  deps: Deps,
  header: string,
  use: TokenUse,
  now: number,
): Promise<SigningKey | null> {
  const ring = await freshRing(deps, now);
  const known = verifierIn(ring, header, use, now);
  if (known || (ring.keys.length > 0 && now - ring.reloadedAt < reloadCooldownMs)) return known;
  return verifierIn(await reload(deps, ring, now), header, use, now);
}

/** Returns whether a previously found key is still valid for verification, without a database read. */
export function stillVerifies(deps: Deps, kid: string, now: number): boolean {
  const ring = rings.get(deps.db);
  if (ring === undefined || now - ring.loadedAt >= reloadAfterMs) return false;
  return ring.keys.some((key) => key.kid === kid && key.verifiesUntil > now);
}

/** The public keys as a JWK Set (RFC 7517), for back ends that verify `pid_access`, and apps that verify ID tokens. */
export async function getPublicKeys(deps: Deps, now: number): Promise<{ keys: JWK[] }> {
  await getSigningKey(deps, now, 'ES256');
  const ring = await freshRing(deps, now);
  return { keys: ring.keys.filter((key) => key.verifiesUntil > now).map((key) => key.publicJwk) };
}

function signerIn(ring: KeyRing, alg: Algorithm, now: number): SigningKey | undefined {
  return ring.keys.findLast((key) => key.alg === alg && key.signsFrom <= now && now < key.signsUntil);
}

function verifierIn(ring: KeyRing, header: string, use: TokenUse, now: number): SigningKey | null {
  const isOf = ({ alg, headers, verifiesUntil }: SigningKey) =>
    headers[use] === header && verifiesUntil > now && (alg === 'ES256' || use === 'id');
  return ring.keys.find(isOf) ?? null;
}

function headerOf({ alg, kid }: Pick<KeyRow, 'alg' | 'kid'>, use: TokenUse) {
  const typ = typByUse[use];
  return { alg, kid, ...(typ && { typ }) };
}

/** The first part of every token that a key signs for a use, exactly as in the token. */
export function headersOf(row: Pick<KeyRow, 'alg' | 'kid'>): Record<TokenUse, string> {
  const header = (use: TokenUse) => toBase64url(utf8(JSON.stringify(headerOf(row, use))));
  return { session: header('session'), app: header('app'), id: header('id'), logout: header('logout') };
}

/**
 * The keys known to this process. A stale copy is reloaded after the response to one request. A very stale copy is
 * reloaded first, by each request that finds it, because on Workers no request may wait for another's I/O. While the
 * database does not respond, the old copy is used.
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
  const opened = await Promise.all(rows.map((row) => decryptKey(deps, row)));
  const keys = opened.filter((key) => key !== null);
  const unreadable = rows.filter((_, index) => opened[index] === null).map(({ kid }) => kid);
  const ring = { keys, unreadable, loadedAt: now, reloadedAt: now, failedAt: Number.NEGATIVE_INFINITY };
  rings.set(deps.db, ring);
  return ring;
}

async function decryptKey(deps: Deps, row: KeyRow): Promise<SigningKey | null> {
  const privateJwk = await decryptPrivateKey(deps, row);
  if (privateJwk === null) {
    deps.log.error('signing_key.unreadable', { kid: row.kid, reason: 'encrypted under another SECRET_KEY' });
    return null;
  }
  const publicJwk: JWK = JSON.parse(row.public_jwk);
  return {
    kid: row.kid,
    alg: row.alg,
    headers: headersOf(row),
    publicJwk,
    publicKey: (await importJWK(publicJwk, row.alg)) as CryptoKey,
    privateKey: (await importJWK(JSON.parse(privateJwk), row.alg)) as CryptoKey,
    signsFrom: row.signs_from,
    signsUntil: row.signs_until,
    verifiesUntil: row.verifies_until,
  };
}
