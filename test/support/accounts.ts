import { inject } from 'vitest';
import type { Browser } from './browser.ts';
import type { GithubAccount, GithubReport } from './github-server.ts';
import { startSignIn } from './people.ts';
import { choose } from './sandbox.ts';
import type { Target } from './target.ts';

/** An account at a provider. */
export interface Account {
  readonly sub: string;
  readonly email: string;
  readonly name: string;
}

export const providers = ['idp', 'google', 'github'] as const;
export type ProviderName = (typeof providers)[number];

/**
 * Visits a provider and proves an account there: `idp` is the external one, the other two are the sandbox, where the
 * address identifies the account.
 * @param start the start of the navigation, as returned by POST /v1/credentials/link
 * @returns the callback's path, not yet opened
 */
export async function prove(
  target: Target,
  browser: Browser,
  provider: ProviderName,
  { account, start = `/v1/auth/${provider}` }: { account: Account; start?: string },
): Promise<string> {
  if (provider === 'idp') {
    const claims = { email_verified: true, ...account };
    return (await startSignIn(target, browser, { claims }, start)).callback;
  }
  const callback = await choose(browser, { name: account.name, email: account.email }, start);
  return callback.slice(target.origin.length);
}

/** Visits the server that imitates GitHub, which then knows the given account. */
export async function proveAtGithub(
  target: Target,
  browser: Browser,
  account: GithubAccount,
  start = '/v1/auth/github',
): Promise<{ callback: string; code: string }> {
  const started = await browser.navigate(start);
  const authorizeUrl = started.headers.get('Location');
  const answer = await fetch(`${inject('github').baseUrl}/control/authorize`, {
    method: 'POST',
    body: JSON.stringify({ authorizeUrl, account }),
  });
  const { callback, code } = (await answer.json()) as { callback: string; code: string };
  return { callback: callback.slice(target.origin.length), code };
}

export async function reportGithub(code: string): Promise<GithubReport> {
  const answer = await fetch(`${inject('github').baseUrl}/control/report?code=${code}`);
  return (await answer.json()) as GithubReport;
}

/** Starts a link; returns the response to POST /v1/credentials/link. */
export async function beginLink(
  browser: Browser,
  provider: ProviderName,
  body: Record<string, unknown> = {},
): Promise<string> {
  const answer = await browser.fetch('/v1/credentials/link', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ provider, ...body }),
  });
  if (answer.status !== 200)
    throw new Error(`the link did not begin: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { url: string }).url;
}

/** Links a provider account to the signed-in person; returns the callback's response. */
export async function link(
  target: Target,
  browser: Browser,
  provider: ProviderName,
  account: Account,
): Promise<Response> {
  const start = await beginLink(browser, provider);
  return browser.navigate(await prove(target, browser, provider, { account, start }));
}
