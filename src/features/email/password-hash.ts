import { timingSafeEqual } from 'node:crypto';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { fromBase64url, toBase64url, utf8 } from '../../lib/encoding.ts';
import { createGate } from '../../lib/gate.ts';
import { present } from '../../lib/present.ts';

/** The cost of a hash (RFC 7914): N is 2 to the power of `ln`. */
interface Cost {
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/** 16 MiB and about a tenth of a second: one of the equivalent settings that OWASP recommends. */
const currentCost: Cost = { ln: 14, r: 8, p: 5 };
const saltBytes = 16;
const keyBytes = 32;
/** The highest accepted cost of a stored hash. */
const highestCost: Cost = { ln: 17, r: 16, p: 16 };

/**
 * Hashes in this process: two concurrently, because each occupies a core. While fifty are waiting, further ones are
 * rejected.
 */
const gate = createGate({ atOnce: 2, maxWaiting: 50 });

export interface Verified {
  readonly fits: boolean;
  /** The hash was made at an outdated cost. */
  readonly isOutdated: boolean;
}

/**
 * Hashes a password at the current cost with a random salt. The result contains both.
 * @throws AppError unavailable if too many hashes are already waiting
 */
export async function hashPassword(deps: Deps, password: string): Promise<string> {
  const salt = deps.randomBytes(saltBytes);
  return format(currentCost, salt, await derive(deps, password, salt, currentCost));
}

/**
 * Verifies a password against a stored hash. Without a stored hash it does the same work at the current cost, so that
 * the timing does not reveal the difference.
 * @throws AppError unavailable if too many hashes are already waiting
 */
export async function verifyPassword(deps: Deps, password: string, stored: string | null): Promise<Verified> {
  const known = stored === null ? null : parse(stored);
  if (stored !== null && known === null) throw new Error('a stored password hash cannot be read');
  const { cost, salt, key } = known ?? { cost: currentCost, salt: deps.randomBytes(saltBytes), key: null };
  const derived = await derive(deps, password, salt, cost);
  const isOutdated = format(cost, salt, derived) !== format(currentCost, salt, derived);
  return { fits: key !== null && timingSafeEqual(key, derived), isOutdated };
}

/** Normalises the password first (NFC), because keyboards compose characters differently. */
function derive(deps: Deps, password: string, salt: Uint8Array, cost: Cost): Promise<Uint8Array> {
  const N = 2 ** cost.ln;
  const { r, p } = cost;
  const limits = { N, r, p, maxmem: 2 * 128 * r * (N + p) };
  const derived = gate(() => {
    deps.log.debug('password.hash', { cost: describe(cost) });
    return deps.scrypt(utf8(password.normalize('NFC')), salt, keyBytes, limits);
  });
  if (derived) return derived;
  throw new AppError('unavailable', null, { reason: 'too many passwords at once', retryAfterSeconds: 2 });
}

function format(cost: Cost, salt: Uint8Array, key: Uint8Array): string {
  return `$scrypt$${describe(cost)}$${toBase64url(salt)}$${toBase64url(key)}`;
}

function describe({ ln, r, p }: Cost): string {
  return `ln=${ln},r=${r},p=${p}`;
}

function parse(text: string): { cost: Cost; salt: Uint8Array; key: Uint8Array } | null {
  const match = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w-]+)\$([\w-]+)$/.exec(text);
  if (!match) return null;
  const cost = { ln: Number(match[1]), r: Number(match[2]), p: Number(match[3]) };
  const salt = fromBase64url(present(match[4], 'the salt'));
  const key = fromBase64url(present(match[5], 'the key'));
  const isBounded = cost.ln <= highestCost.ln && cost.r <= highestCost.r && cost.p <= highestCost.p;
  return salt && key && key.length === keyBytes && isBounded ? { cost, salt, key } : null;
}
