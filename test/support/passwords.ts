import { scryptSync } from 'node:crypto';
import { type Browser, json, openBrowser } from './browser.ts';
import { codeTo } from './mailbox.ts';
import { freshHandle } from './people.ts';
import type { Target } from './target.ts';

/** Two different passwords that every rule accepts. */
export const goodPassword = 'merpati hijau naik kereta';
export const otherPassword = 'kopi tubruk tanpa gula';

let counter = 0;

/** An address that nobody else in this run has. */
export function freshEmail(): string {
  counter += 1;
  return `reader.${counter}.${Math.floor(performance.timeOrigin + performance.now() * 1000)}@example.com`;
}

export interface PasswordMember {
  readonly browser: Browser;
  readonly handle: string;
  readonly email: string;
  readonly password: string;
}

/** Requests a code as a newcomer; returns the emailed code. */
export async function register(
  target: Target,
  browser: Browser,
  email: string,
  password = goodPassword,
): Promise<string> {
  const answer = await browser.fetch('/v1/auth/email/register', json('POST', { email, password }));
  if (answer.status !== 204) throw new Error(`no code: ${answer.status} ${await answer.text()}`);
  return codeTo(target, email);
}

/** A person who has registered, verified the address and claimed a handle, all in one browser. */
export async function newPasswordMember(target: Target, email = freshEmail()): Promise<PasswordMember> {
  const browser = openBrowser(target);
  const code = await register(target, browser, email);
  const verified = await browser.fetch('/v1/auth/email/verify', json('POST', { email, code }));
  if (verified.status !== 200)
    throw new Error(`the code was refused: ${verified.status} ${await verified.text()}`);
  const handle = freshHandle();
  const claimed = await browser.fetch('/v1/auth/claim', json('POST', { handle }));
  if (claimed.status !== 200) throw new Error(`the claim failed: ${claimed.status} ${await claimed.text()}`);
  return { browser, handle, email, password: goodPassword };
}

export function login(browser: Browser, email: string, password: string): Promise<Response> {
  return browser.fetch('/v1/auth/email/login', json('POST', { email, password }));
}

/** The cost of each password hash in a log. */
export function hashesIn(log: string[]): string[] {
  const lines = log.filter((line) => line.includes('"password.hash"'));
  return lines.map((line) => (JSON.parse(line) as { cost: string }).cost);
}

/** Replaces the stored hash with a nearly free one of the same password, for tests that guess often. */
export function makeCheap(target: Target, member: PasswordMember): Promise<unknown> {
  return rehash(target, member, { ln: 10, p: 1 });
}

/** Replaces the stored hash with one that takes some tenths of a second, for tests of concurrent events. */
export function makeSlow(target: Target, member: PasswordMember): Promise<unknown> {
  return rehash(target, member, { ln: 15, p: 8 });
}

function rehash(target: Target, { email, password }: PasswordMember, { ln, p }: { ln: number; p: number }) {
  const salt = Uint8Array.from({ length: 16 }, (_, index) => index);
  const key = scryptSync(password, salt, 32, { N: 2 ** ln, r: 8, p, maxmem: 2 ** (ln + 11) });
  return target.rows('UPDATE credentials SET password_hash = ? WHERE provider_user_id = ?', [
    `$scrypt$ln=${ln},r=8,p=${p}$${Buffer.from(salt).toString('base64url')}$${key.toString('base64url')}`,
    email,
  ]);
}
