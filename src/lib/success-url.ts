import { claimPath } from './page-paths.ts';

interface Outcome {
  /** Whether a newcomer has no PID yet. */
  readonly isNew: boolean;
  /** The provider whose account was linked. */
  readonly linked?: string | null;
  /** A path of the client, or an absolute address from `startedAt`. */
  readonly returnTo: string | null;
}

/** A page of ours in `returnTo`; other values are paths of the client. */
const ownPath = /^self:(\/account(?:\/[a-z]+)?)$/;

/**
 * The hosted page of a `returnTo` such as `self:/account/sessions`; null for other values. These pages require a
 * session themselves, so a redirect to them reveals nothing.
 */
export function hostedPath(returnTo: string | null | undefined): string | null {
  return ownPath.exec(returnTo ?? '')?.[1] ?? null;
}

/**
 * Where a sign-in, a claim or a link ends: CLIENT_SUCCESS_URL with `claim=1` for a newcomer, `linked` after a link,
 * and the path to return to; or the hosted page it began on, for a newcomer after the hosted claim.
 */
export function successUrl(base: string, { isNew, linked, returnTo }: Outcome): string {
  const own = hostedPath(returnTo);
  if (own !== null && returnTo !== null)
    return isNew ? `${claimPath}?${new URLSearchParams({ returnTo })}` : own;
  const page = returnTo?.startsWith('/') === false ? new URL(returnTo) : null;
  if (page !== null) {
    const path = page.href.slice(page.origin.length);
    return successUrl(`${page.origin}/`, {
      isNew,
      linked: linked ?? null,
      returnTo: path === '/' ? null : path,
    });
  }
  const query = new URLSearchParams({
    ...(isNew ? { claim: '1' } : {}),
    ...(linked ? { linked } : {}),
    ...(returnTo ? { returnTo } : {}),
  });
  if (query.size === 0) return base;
  const [address = '', fragment] = base.split('#', 2);
  const joined = `${address}${address.includes('?') ? '&' : '?'}${query}`;
  return fragment === undefined ? joined : `${joined}#${fragment}`;
}
