import type { Config } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import type { AppContext } from '../../http/context.ts';
import { hostCookieName, setHostCookie } from '../../http/host-cookie.ts';
import { attemptTtlSeconds } from './attempt.ts';

/**
 * Contains a link about to start or, with `_` and a short id appended, one sign-in attempt. No sibling subdomain can
 * plant an attempt to sign its visitor in as someone else.
 */
export function oauthCookieName(config: Config): string {
  return hostCookieName(config, 'pid_oauth');
}

/** Stores a sign-in's state, encrypted, in this browser. */
export function setOauthCookie(
  c: AppContext,
  deps: Deps,
  value: string,
  name = oauthCookieName(deps.config),
): void {
  setHostCookie(c, deps, { name, value, maxAgeSeconds: attemptTtlSeconds });
}

export function clearOauthCookie(c: AppContext, deps: Deps, name: string): void {
  setHostCookie(c, deps, { name, value: '', maxAgeSeconds: 0 });
}
