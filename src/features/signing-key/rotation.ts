import { calculateJwkThumbprint } from 'jose/jwk/thumbprint';
import { exportJWK } from 'jose/key/export';
import { generateKeyPair } from 'jose/key/generate/keypair';
import { all, first, integer, run, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { isoTime } from '../../lib/id.ts';
import { decrypt, encrypt } from '../../lib/secret.ts';
import { type Algorithm, decryptPrivateKey, type KeyRow, readKeys, sealingKeys } from './stored-keys.ts';

/** RFC 7518 section 3.3 requires at least 2048 bits; larger keys multiply the cost of every signature. */
const rsaBits = 2048;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * The time between a key's publication and its first signature. By then its public part is known everywhere: a process
 * reloads its keys every 5 minutes, and caches keep the key set for 5 minutes (some for up to a day).
 */
const publishedAheadMs = dayMs;
/** How long a key signs if its successor is created in time; otherwise the time below applies. */
const signsForMs = 90 * dayMs;
const reserveMs = 7 * dayMs;
/** Maximum clock skew between nodes that create the first key concurrently. */
const skewMs = 60_000;

/** The ids of the rows that no SECRET_KEY decrypts. */
export async function unreadableKeys(deps: Deps, rows: readonly KeyRow[]): Promise<string[]> {
  const opened = await Promise.all(rows.map((row) => decryptPrivateKey(deps, row)));
  return rows.filter((_, index) => opened[index] === null).map(({ kid }) => kid);
}

/** The time at which a new key starts to sign, and the existing key of the same algorithm that makes it unnecessary. */
interface NewKey {
  readonly alg: Algorithm;
  readonly signsFrom: number;
  /** Another key that starts no later than `beginsBy` and signs beyond `signsBeyond`. */
  readonly unless: {
    readonly beginsBy: number;
    readonly signsBeyond: number;
  };
  /** Keys that are ignored and left unchanged, because no SECRET_KEY here decrypts them. */
  readonly leaveAlone?: readonly string[];
}

/**
 * Creates the key that signs from now on, if there is no current one. The insert is conditional, so of many processes
 * that start concurrently, one creates the key and all use it.
 * @param unreadable keys that no SECRET_KEY here decrypts. They are ignored and left unchanged: another node may sign
 *   with them, and a node started with a wrong SECRET_KEY must not invalidate its tokens
 * @returns the `kid` of the key, or null if one existed
 */
export function addFirstKey(
  deps: Deps,
  now: number,
  unreadable: readonly string[] = [],
  alg: Algorithm = 'ES256',
): Promise<string | null> {
  const unless = { beginsBy: now, signsBeyond: now };
  return addKey(deps, { alg, signsFrom: now - skewMs, unless, leaveAlone: unreadable }, now);
}

/**
 * Publishes the next key, which starts to sign a day later. Only one of any number of processes creates it.
 * @param when `due` creates it only if no key will sign beyond the publication time plus a week; `asked` also earlier,
 *   unless a key is already waiting
 * @returns the `kid` of the key, or null if none was needed
 */
export function addNextKey(
  deps: Deps,
  when: 'due' | 'asked',
  now: number,
  alg: Algorithm = 'ES256',
): Promise<string | null> {
  const signsBeyond = now + (when === 'due' ? reserveMs + publishedAheadMs : signsForMs + reserveMs);
  const unless = { beginsBy: Number.MAX_SAFE_INTEGER, signsBeyond };
  return addKey(deps, { alg, signsFrom: now + publishedAheadMs, unless }, now);
}

/**
 * Replaces a leaked signing key immediately. Verifiers with a cached key set see an unknown key, and must read the set
 * again.
 */
export function replaceKey(deps: Deps, now: number, alg: Algorithm = 'ES256'): Promise<string | null> {
  const never = { beginsBy: -1, signsBeyond: Number.MAX_SAFE_INTEGER };
  return addKey(deps, { alg, signsFrom: now - skewMs, unless: never }, now);
}

async function addKey(deps: Deps, { alg, signsFrom, unless, leaveAlone = [] }: NewKey, now: number) {
  const others = JSON.stringify(leaveAlone);
  const { kid, publicJwk, privateEnc } = await makeKey(deps, alg);
  const signsUntil = signsFrom + signsForMs + reserveMs;
  const tokensLive = deps.config.ACCESS_TTL_SECONDS * 1000 + hourMs;
  const predecessorsSignUntil = Math.max(signsFrom, now) + hourMs;
  const { added } = await run(deps.db, {
    change: [
      statement(sql`INSERT INTO signing_keys
        (kid, generation, alg, public_jwk, private_enc, signs_from, signs_until, verifies_until)
      SELECT ${kid}, coalesce((SELECT max(generation) FROM signing_keys WHERE alg = ${alg}), 0) + 1, ${alg},
        ${publicJwk}, ${privateEnc}, ${signsFrom}, ${signsUntil}, ${signsUntil + tokensLive}
      WHERE NOT EXISTS (SELECT 1 FROM signing_keys
        WHERE alg = ${alg} AND signs_from <= ${unless.beginsBy} AND signs_until > ${unless.signsBeyond}
          AND kid NOT IN (SELECT value FROM json_each(${others})))
      ON CONFLICT (kid) DO NOTHING`),
      // After the new key starts to sign, its predecessor stays valid for as long as its last token may live, plus an
      // hour.
      statement(sql`UPDATE signing_keys SET signs_until = min(signs_until, ${integer(predecessorsSignUntil)}),
        verifies_until = min(verifies_until, ${integer(predecessorsSignUntil + tokensLive)})
      WHERE alg = ${alg} AND kid <> ${kid} AND signs_from <= ${now}
        AND kid NOT IN (SELECT value FROM json_each(${others}))
        AND EXISTS (SELECT 1 FROM signing_keys WHERE kid = ${kid})`),
    ],
    added: statement<{ kid: string }>(sql`SELECT kid FROM signing_keys WHERE kid = ${kid}`),
  });
  if (added.length > 0) deps.log.info('signing_key.added', { kid, alg, signsFrom: isoTime(signsFrom) });
  return added[0]?.kid ?? null;
}

interface MadeKey {
  readonly kid: string;
  readonly publicJwk: string;
  readonly privateEnc: string;
}

async function makeKey(deps: Deps, alg: Algorithm): Promise<MadeKey> {
  const pair = await generateKeyPair(alg, { extractable: true, modulusLength: rsaBits });
  const bare = await exportJWK(pair.publicKey);
  const kid = await calculateJwkThumbprint(bare);
  // A command would read it as an option.
  if (kid.startsWith('-')) return makeKey(deps, alg);
  const privateJwk = JSON.stringify(await exportJWK(pair.privateKey));
  return {
    kid,
    publicJwk: JSON.stringify({ ...bare, kid, alg, use: 'sig' }),
    privateEnc: await encrypt(sealingKeys(deps), privateJwk, kid, deps.randomBytes),
  };
}

/**
 * Creates the first key, and the next ones when they are due. The first key for apps is created when an app needs it.
 */
export async function rotateKeysWhenDue(deps: Deps): Promise<{ added: number }> {
  const now = deps.now();
  const query = statement<{ alg: Algorithm; signs: number; lasts: number }>(sql`SELECT alg,
      max(signs_from <= ${now} AND signs_until > ${now}) AS signs,
      max(signs_until > ${now + reserveMs + publishedAheadMs}) AS lasts
    FROM (SELECT alg, signs_from, signs_until FROM signing_keys UNION ALL SELECT 'ES256', 0, 0) GROUP BY alg`);
  const made: (string | null)[] = [];
  for (const { alg, signs, lasts } of await all(deps.db, query)) {
    if (!signs) {
      const unreadable = await unreadableKeys(deps, await readKeys(deps, now));
      made.push(await addFirstKey(deps, now, unreadable, alg));
    }
    if (!lasts) made.push(await addNextKey(deps, 'due', now, alg));
  }
  return { added: made.filter((kid) => kid !== null).length };
}

/** The SECRET_KEY that encrypts a key, which shows when SECRET_KEY_PREVIOUS is no longer needed. */
export type SealedUnder = 'current' | 'previous' | 'unknown';

/** Returns the SECRET_KEY that encrypts a key. */
export async function sealedUnder(deps: Deps, { private_enc, kid }: KeyRow): Promise<SealedUnder> {
  const [current, ...previous] = sealingKeys(deps);
  if ((await decrypt([current], private_enc, kid)) !== null) return 'current';
  for (const key of previous) if ((await decrypt([key], private_enc, kid)) !== null) return 'previous';
  return 'unknown';
}

/** Encrypts keys of SECRET_KEY_PREVIOUS under SECRET_KEY. */
export async function resealKeys(deps: Deps): Promise<{ resealed: number }> {
  if (deps.config.secretKeys.length === 1) return { resealed: 0 };
  let resealed = 0;
  for (const row of await readKeys(deps, deps.now())) {
    if ((await sealedUnder(deps, row)) !== 'previous') continue;
    const privateJwk = await decryptPrivateKey(deps, row);
    if (privateJwk === null) continue;
    const privateEnc = await encrypt(sealingKeys(deps), privateJwk, row.kid, deps.randomBytes);
    const query = statement(sql`UPDATE signing_keys SET private_enc = ${privateEnc}
        WHERE kid = ${row.kid} AND private_enc = ${row.private_enc}`);
    await all(deps.db, query);
    resealed += 1;
  }
  return { resealed };
}

/**
 * Removes a key. Its tokens are rejected everywhere within five minutes. An algorithm's only current signing key cannot
 * be removed, because the service could then not sign anything that others can verify.
 * @param unreadable keys that no SECRET_KEY here decrypts; even if one of them signs elsewhere, this service cannot use
 *   it
 * @returns true if the key was removed
 */
export async function removeKey(deps: Deps, kid: string, unreadable: readonly string[] = []) {
  const now = deps.now();
  const query = statement<{ kid: string }>(sql`DELETE FROM signing_keys WHERE kid = ${kid} AND EXISTS
      (SELECT 1 FROM signing_keys k WHERE k.alg = signing_keys.alg AND k.kid <> ${kid} AND k.signs_from <= ${now} AND k.signs_until > ${now}
        AND k.kid NOT IN (SELECT value FROM json_each(${JSON.stringify(unreadable)})))
      RETURNING kid`);
  const removed = await first(deps.db, query);
  return removed !== null;
}

/** Removes every key, after a restore that may have brought back a leaked one. */
export function deleteAllKeys(): Statement {
  return statement(sql`DELETE FROM signing_keys`);
}
