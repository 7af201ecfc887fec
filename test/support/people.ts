import { handleSkeleton } from '../../src/lib/look-alike.ts';
import { type Browser, json, openBrowser } from './browser.ts';
import { makeCode, type Scenario } from './provider-driver.ts';
import type { Reachable, Target } from './target.ts';

let counter = 0;

/** A provider account that nobody else in this test run has. */
export function somebody(): { sub: string; email: string; name: string } {
  counter += 1;
  const unique = `${counter}.${Math.floor(performance.now() * 1000) % 1_000_000_000}`;
  return { sub: `subject-${unique}`, email: `person.${unique}@example.com`, name: `Person ${unique}` };
}

/** Starts a sign-in and lets the provider respond; returns the callback's URL, not yet opened. */
export async function startSignIn(
  target: Reachable,
  browser: Browser,
  scenario: Scenario = {},
  start = '/v1/auth/idp',
): Promise<{ callback: string; code: string; authorizeUrl: URL }> {
  const started = await browser.navigate(start);
  const authorizeUrl = started.headers.get('Location') ?? '';
  if (started.status !== 302)
    throw new Error(`the sign-in did not start: ${started.status} ${await started.text()}`);
  const now = Math.floor(target.now() / 1000);
  const issuer = new URL(authorizeUrl).href.split('/authorize')[0] ?? '';
  const { code, callbackUrl = '' } = await makeCode(issuer, { authorizeUrl, now, ...scenario });
  return { callback: callbackUrl.slice(target.origin.length), code, authorizeUrl: new URL(authorizeUrl) };
}

/** Signs in at the provider and opens the callback. */
export async function signIn(
  target: Reachable,
  browser: Browser,
  claims: Record<string, unknown> = somebody(),
): Promise<Response> {
  const { callback } = await startSignIn(target, browser, { claims: { email_verified: true, ...claims } });
  return browser.navigate(callback);
}

let handles = 0;

/** A handle that is no look-alike of any other in this run. */
export function freshHandle(): string {
  handles += 1;
  const letters = [...String(handles)].map((digit) => 'abcdefghjk'[Number(digit)]).join('');
  return `person-${letters}${'xyz'[Math.floor(performance.now()) % 3]}`;
}

export interface Member {
  readonly browser: Browser;
  readonly handle: string;
  readonly claims: { sub: string; email: string; name: string };
}

/** A person who has just signed in for the first time and claimed a handle. */
export async function newMember(target: Reachable, handle = freshHandle()): Promise<Member> {
  const browser = openBrowser(target);
  const claims = somebody();
  await signIn(target, browser, claims);
  const claimed = await browser.fetch('/v1/auth/claim', json('POST', { handle }));
  if (claimed.status !== 200) throw new Error(`the claim failed: ${claimed.status} ${await claimed.text()}`);
  return { browser, handle, claims };
}

/** The owner of a handle in ADMIN_PIDS, which nobody can claim, created like the operator's command. */
export async function newAdmin(target: Target, handle: string, claims = somebody()): Promise<Member> {
  const now = target.now();
  await target.rows('INSERT INTO identities (handle, skeleton, ticket, created_at) VALUES (?, ?, ?, ?)', [
    handle,
    handleSkeleton(handle),
    `restored:${handle}`,
    now,
  ]);
  await target.rows('INSERT INTO profiles (handle, display_name, updated_at) VALUES (?, ?, ?)', [
    handle,
    claims.name,
    now,
  ]);
  await target.rows(
    `INSERT INTO credentials (id, handle, provider, provider_user_id, linked_at, last_login_at)
      VALUES (?, ?, 'idp', ?, ?, ?)`,
    [`crd_${handle}`, handle, claims.sub, now, now],
  );
  const browser = openBrowser(target);
  await signIn(target, browser, claims);
  return { browser, handle, claims };
}
