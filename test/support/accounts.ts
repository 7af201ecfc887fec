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
 * Goes to a provider and proves an account there: `idp` is the one outside, the other two are the sandbox. There the
 * address decides who it is.
 * @param start where the navigation begins, as POST /v1/credentials/link answers it
 * @returns the callback's path, not opened yet
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

/** Goes to the server that plays GitHub, which then knows the account as given. */
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

/** Begins to link: what POST /v1/credentials/link answers. */
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

/** Links an account of a provider to who is signed in; answers what the callback answered. */
export async function link(
  target: Target,
  browser: Browser,
  provider: ProviderName,
  account: Account,
): Promise<Response> {
  const start = await beginLink(browser, provider);
  return browser.navigate(await prove(target, browser, provider, { account, start }));
}
