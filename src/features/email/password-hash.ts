import { type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { fromBase64url, toBase64url, utf8 } from '../../lib/encoding.ts';

/** What a hash costs (RFC 7914): N is 2 to the power of `ln`. */
interface Cost {
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/** 16 MiB and about a tenth of a second: one of the equivalent settings that OWASP recommends. */
const currentCost: Cost = { ln: 14, r: 8, p: 5 };
const saltBytes = 16;
const keyBytes = 32;
/** A stored hash never makes the service work harder than this, whoever wrote it. */
const highestCost: Cost = { ln: 17, r: 16, p: 16 };

/**
 * Hashes in this process at once: each takes a core and 16 MiB for a while, and everybody else needs the rest.
 * Those that wait take no more than a few seconds all together; who comes then is sent away.
 */
const maxAtOnce = 2;
const maxWaiting = 50;
let running = 0;
const waiting: (() => void)[] = [];

/** How a verification went. */
export interface Verified {
  readonly fits: boolean;
  /** The hash was made at a cost that is no longer the current one. */
  readonly isOutdated: boolean;
}

/**
 * Hashes a password under the current cost and a salt of its own. The text says by itself how it was made.
 * @throws AppError unavailable when too many hashes wait already
 */
export async function hashPassword(deps: Deps, password: string): Promise<string> {
  const salt = deps.randomBytes(saltBytes);
  return format(currentCost, salt, await derive(deps, password, salt, currentCost));
}

/**
 * Verifies a password against a stored hash. Without one it does the same work at the current cost and answers
 * that it does not fit, so that nobody learns from the time whether there was one.
 * @throws AppError unavailable when too many hashes wait already
 */
export async function verifyPassword(deps: Deps, password: string, stored: string | null): Promise<Verified> {
  const known = stored === null ? null : parse(stored);
  if (stored !== null && known === null) throw new Error('a stored password hash cannot be read');
  const { cost, salt, key } = known ?? { cost: currentCost, salt: deps.randomBytes(saltBytes), key: null };
  const derived = await derive(deps, password, salt, cost);
  const isOutdated = format(cost, salt, derived) !== format(currentCost, salt, derived);
  return { fits: key !== null && timingSafeEqual(key, derived), isOutdated };
}

/** One spelling of a password for every keyboard: its bytes after Unicode normalisation (NFC). */
async function derive(deps: Deps, password: string, salt: Uint8Array, cost: Cost): Promise<Uint8Array> {
  await enter();
  try {
    deps.log.debug('password.hash', { cost: describe(cost) });
    const N = 2 ** cost.ln;
    const { r, p } = cost;
    const maxmem = 2 * 128 * r * (N + p);
    return await runScrypt(utf8(password.normalize('NFC')), salt, { N, r, p, maxmem });
  } finally {
    leave();
  }
}

function runScrypt(password: Uint8Array, salt: Uint8Array, options: ScryptOptions): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, keyBytes, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

async function enter(): Promise<void> {
  if (running < maxAtOnce) {
    running += 1;
    return;
  }
  if (waiting.length >= maxWaiting) {
    throw new AppError('unavailable', null, { reason: 'too many passwords at once', retryAfterSeconds: 2 });
  }
  await new Promise<void>((resolve) => waiting.push(resolve));
}

/** Whoever waits longest takes the place over, so that `running` stays as it is. */
function leave(): void {
  const next = waiting.shift();
  if (next) next();
  else running -= 1;
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
  const salt = fromBase64url(match[4] ?? '');
  const key = fromBase64url(match[5] ?? '');
  const isBounded = cost.ln <= highestCost.ln && cost.r <= highestCost.r && cost.p <= highestCost.p;
  return salt && key && key.length === keyBytes && isBounded ? { cost, salt, key } : null;
}
