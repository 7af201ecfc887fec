import type { Config } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import type { AppContext } from '../../http/context.ts';
import { hostCookieName, setHostCookie } from '../../http/host-cookie.ts';
import { cookieValues } from '../../lib/cookie.ts';
import { toBase64url } from '../../lib/encoding.ts';
import { getOrInsert } from '../../lib/memoize.ts';
import { deriveKeys, macOf, type SecretKeys, verifyMac } from '../../lib/secret.ts';

/** A browser in which an account has signed in before (OWASP: device cookies). */
export interface Device {
  /** A random id that distinguishes this browser from the account's others. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly issuedAt: number;
}

/** A browser is remembered for the maximum lifetime of cookies. */
export const deviceTtlMs = 400 * 86_400_000;
const linkTtlMs = 86_400_000;
const mostAccounts = 5;
/** The issue time, the browser id, and a MAC over both and the account. */
const entryShape = /^([0-9a-z]{1,9})\.([\w-]{16})\.[\w-]{22}$/;

function cookieName(config: Config): string {
  return hostCookieName(config, 'pid_device');
}

/**
 * This browser, if an account has signed in here before; null otherwise. The cookie grants no access; the browser is
 * only counted separately. Without the account, the cookie does not reveal its owner.
 * @param account the address for signing in with a password, in canonical form
 */
export function readDevice(c: AppContext, deps: Deps, account: string): Device | null {
  return (
    readEntries(c, deps)
      .map((entry) => parseEntry(deps, account, entry))
      .find((device) => device !== null) ?? null
  );
}

/** Remembers that an account has signed in here, along with the last four other accounts. */
export function rememberDevice(c: AppContext, deps: Deps, account: string): void {
  const others = readEntries(c, deps).filter((entry) => parseEntry(deps, account, entry) === null);
  writeEntries(c, deps, [createEntry(deps, account), ...others]);
}

/**
 * Creates the part of a link in an email, valid for a day, that makes the browser in which the account's owner opens it
 * known.
 */
export function createDeviceLink(deps: Deps, account: string): string {
  const entry = createEntry(deps, account);
  return `${entry}.${macOf(keysOf(deps)[0], `link ${entry}`)}`;
}

/** Remembers the browser that opens such a link; anything else changes nothing. */
export function acceptDeviceLink(c: AppContext, deps: Deps, link: string): void {
  const entry = link.slice(0, -23);
  if (!verifyMac(keysOf(deps), `link ${entry}`, link.slice(-22))) return;
  if (issuedAt(entry) + linkTtlMs > deps.now()) writeEntries(c, deps, [entry, ...readEntries(c, deps)]);
}

function createEntry(deps: Deps, account: string): string {
  const body = `${deps.now().toString(36)}.${toBase64url(deps.randomBytes(12))}`;
  return `${body}.${macOf(keysOf(deps)[0], `${account}\n${body}`)}`;
}

function parseEntry(deps: Deps, account: string, entry: string): Device | null {
  const [, , id = ''] = entryShape.exec(entry) ?? [];
  const device = { id, issuedAt: issuedAt(entry) };
  const isOurs = verifyMac(keysOf(deps), `${account}\n${entry.slice(0, -23)}`, entry.slice(-22));
  return isOurs && device.issuedAt + deviceTtlMs > deps.now() ? device : null;
}

function issuedAt(entry: string): number {
  return Number.parseInt(entry, 36);
}

/** Two cookies are treated as none, because it is unclear which one is genuine. */
function readEntries(c: AppContext, deps: Deps): string[] {
  const [value = '', ...others] = cookieValues(c.req.header('Cookie'), cookieName(deps.config));
  if (others.length > 0) return [];
  const entries = value.split('~').slice(0, mostAccounts);
  return entries.filter((entry) => entryShape.test(entry));
}

function writeEntries(c: AppContext, deps: Deps, entries: readonly string[]): void {
  const value = newestFirst(entries).slice(0, mostAccounts).join('~');
  setHostCookie(c, deps, { name: cookieName(deps.config), value, maxAgeSeconds: deviceTtlMs / 1000 });
}

/** A link may be opened twice, or after a newer sign-in to the same account, whose entry then applies. */
function newestFirst(entries: readonly string[]): string[] {
  return [...new Set(entries)].sort((one, other) => issuedAt(other) - issuedAt(one));
}

const derived = new WeakMap<SecretKeys, SecretKeys>();

function keysOf(deps: Deps): SecretKeys {
  const { secretKeys } = deps.config;
  return getOrInsert(derived, secretKeys, () => deriveKeys(secretKeys, 'device'));
}
