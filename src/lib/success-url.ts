import { type FirstParties, isFirstParty, originOfAddress } from './origin.ts';
import { claimPath } from './page-paths.ts';
import { withQuery } from './with-query.ts';

/** The settings that determine the allowed redirect targets. */
interface Clients extends FirstParties {
  readonly CLIENT_SUCCESS_URL: string;
}

interface Outcome {
  /** True if a newcomer has no PID yet. */
  readonly isNew: boolean;
  /** The provider whose account was linked. */
  readonly linked?: string | null;
  /** A path on the client, a URL, or a hosted page as `self:` and its path. */
  readonly returnTo: string | null;
}

/** One of our pages in `returnTo`, or an app's waiting authorization request; other values are paths on the client. */
const ownPath =
  /^self:(\/admin(?:\/[a-z]+(?:\/[a-z0-9._-]{3,30})?)?|\/account(?:\/[a-z-]+){0,3}(?:\/[a-z]{3}_[0-9a-z_.]{1,40})?|\/developers(?:\/register|\/apps\/app_[0-9a-z]{26}(?:\/[a-z]{4,8})?)?|\/account\/wallet\/send\?[\w.*+%&=-]{1,380}|\/v1\/auth\/authorize\?continue=[\w-]{8})$/;

/**
 * The hosted page of a `returnTo` such as `self:/account/sessions`; null for other values. These pages require a
 * session themselves, so a redirect to them reveals nothing.
 */
export function hostedPath(returnTo: string | null | undefined): string | null {
  return ownPath.exec(returnTo ?? '')?.[1] ?? null;
}

/**
 * Returns the final redirect target of a sign-in, a claim or a link: the address in `returnTo`, if its origin is
 * first-party; the hosted page where it started, for a newcomer after the hosted claim; or CLIENT_SUCCESS_URL, with
 * `returnTo` if it is a path. Each has `claim=1` for a newcomer and `linked` after a link. Every redirect to a client
 * uses this function.
 */
export function successUrl(config: Clients, { isNew, linked, returnTo }: Outcome): string {
  const own = hostedPath(returnTo);
  if (own !== null && returnTo !== null) return isNew ? withQuery(claimPath, { returnTo }) : own;
  const origin = returnTo === null ? null : originOfAddress(returnTo);
  const address = origin !== null && isFirstParty(config, origin) ? returnTo : null;
  const path = origin === null ? returnTo : null;
  return withQuery(address ?? config.CLIENT_SUCCESS_URL, {
    claim: isNew ? '1' : null,
    linked,
    returnTo: path,
  });
}
