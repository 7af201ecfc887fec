import type { LoginOptions, RegistrationOptions } from '../../src/features/passkey/schema.ts';
import { type Authenticator, createAuthenticator, type Lies } from './authenticator.ts';
import { type Browser, json, openBrowser } from './browser.ts';
import { freshHandle } from './people.ts';
import type { Reachable } from './target.ts';

/** Requests login options. */
export async function askLogin(browser: Browser, body: unknown = {}): Promise<LoginOptions> {
  return ask(browser, '/v1/auth/passkey/options', body);
}

/** Requests the options for a first credential or, for a member, another one. */
export async function askRegistration(
  browser: Browser,
  of: 'newcomer' | 'member',
): Promise<RegistrationOptions> {
  return ask(
    browser,
    of === 'newcomer' ? '/v1/auth/passkey/register/options' : '/v1/credentials/passkey/options',
  );
}

async function ask<Options>(browser: Browser, path: string, body: unknown = {}): Promise<Options> {
  const answer = await browser.fetch(path, json('POST', body));
  if (answer.status !== 200) throw new Error(`no options: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Options;
}

export function sendLogin(browser: Browser, assertion: unknown): Promise<Response> {
  return browser.fetch('/v1/auth/passkey/verify', json('POST', assertion));
}

export function sendRegistration(
  browser: Browser,
  of: 'newcomer' | 'member',
  registration: unknown,
): Promise<Response> {
  const path = of === 'newcomer' ? '/v1/auth/passkey/register/verify' : '/v1/credentials/passkey/verify';
  return browser.fetch(path, json('POST', registration));
}

/** A complete login, with the given false values from the authenticator. */
export async function login(
  browser: Browser,
  authenticator: Authenticator,
  lies: Lies = {},
): Promise<Response> {
  return sendLogin(browser, await authenticator.get(await askLogin(browser), lies));
}

/** Another passkey for a signed-in person. */
export async function addPasskey(
  browser: Browser,
  authenticator: Authenticator,
  extra: { name?: string } = {},
): Promise<Response> {
  const registration = await authenticator.create(await askRegistration(browser, 'member'));
  return sendRegistration(browser, 'member', { ...registration, ...extra });
}

export interface PasskeyMember {
  readonly browser: Browser;
  readonly authenticator: Authenticator;
  readonly handle: string;
}

/** A person whose first and only credential is a passkey. */
export async function newPasskeyMember(target: Reachable, handle = freshHandle()): Promise<PasskeyMember> {
  const browser = openBrowser(target);
  const authenticator = createAuthenticator(target.origin);
  const registration = await authenticator.create(await askRegistration(browser, 'newcomer'));
  await sendRegistration(browser, 'newcomer', registration);
  const claimed = await browser.fetch('/v1/auth/claim', json('POST', { handle }));
  if (claimed.status !== 200) throw new Error(`the claim failed: ${claimed.status} ${await claimed.text()}`);
  return { browser, authenticator, handle };
}

/** The passkeys in a person's list of credentials. */
export async function listPasskeys(
  browser: Browser,
): Promise<{ id: string; name: string | null; lastUsedAt: string; backedUp: boolean }[]> {
  const all = (await (await browser.fetch('/v1/credentials')).json()) as { id: string; provider: string }[];
  return all.filter(({ provider }) => provider === 'passkey') as never;
}
