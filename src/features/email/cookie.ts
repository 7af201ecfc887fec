import type { Config } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import { type AppContext, localeOf } from '../../http/context.ts';
import { hostCookieName, setHostCookie } from '../../http/host-cookie.ts';
import { cookieValues } from '../../lib/cookie.ts';
import { createSecret, decrypt, deriveKeys, encrypt, secretHash } from '../../lib/secret.ts';
import type { MailLocale } from '../mail/kinds.ts';

/** The lifetime of a code. */
const maxAgeSeconds = 600;
const shape = /^[\w-]{43}\.[\w.-]+$/;

/** A browser that requested a code, and the address in the request. */
interface EmailCookie {
  readonly secret: string;
  readonly sealedEmail: string;
}

/** A browser that requests a code. */
export interface Asking {
  readonly email: string;
  /** The digest of the browser's cookie. */
  readonly boundTo: string;
  readonly locale: MailLocale;
}

/**
 * Identifies the browser that requested a code. If a sibling subdomain could plant this cookie, a victim's code would
 * confirm an attacker's password.
 */
export function emailCookieName(config: Config): string {
  return hostCookieName(config, 'pid_email');
}

/**
 * Requests a code in this browser, and then sets the cookie that the code is bound to. An existing cookie keeps its
 * secret, so that a new code replaces the old one.
 */
export async function askForCode(
  c: AppContext,
  deps: Deps,
  email: string,
  ask: (asking: Asking) => Promise<void>,
): Promise<void> {
  const secret = readCookie(c, deps)?.secret ?? createSecret(deps.randomBytes);
  await ask({ email, boundTo: secretHash(secret), locale: localeOf(c) });
  const sealedEmail = await encrypt(keysOf(deps), email, 'pid_email', deps.randomBytes);
  setCookie(c, deps, `${secret}.${sealedEmail}`, maxAgeSeconds);
}

/** Returns the value that this browser's codes are bound to, or null if it requested none. */
export function emailBinding(c: AppContext, deps: Deps): string | null {
  const cookie = readCookie(c, deps);
  return cookie && secretHash(cookie.secret);
}

/** The address for which this browser last requested a code, for the next page. */
export async function askedEmail(c: AppContext, deps: Deps): Promise<string | null> {
  const cookie = readCookie(c, deps);
  return cookie && decrypt(keysOf(deps), cookie.sealedEmail, 'pid_email');
}

export function clearEmailCookie(c: AppContext, deps: Deps): void {
  setCookie(c, deps, '', 0);
}

/** Two cookies are treated as none, because it is unclear which one is genuine. */
function readCookie(c: AppContext, deps: Deps): EmailCookie | null {
  const [value = '', ...others] = cookieValues(c.req.header('Cookie'), emailCookieName(deps.config));
  if (others.length > 0 || !shape.test(value)) return null;
  return { secret: value.slice(0, 43), sealedEmail: value.slice(44) };
}

function setCookie(c: AppContext, deps: Deps, value: string, seconds: number): void {
  setHostCookie(c, deps, { name: emailCookieName(deps.config), value, maxAgeSeconds: seconds });
}

function keysOf(deps: Deps) {
  return deriveKeys(deps.config.secretKeys, 'email-code');
}
