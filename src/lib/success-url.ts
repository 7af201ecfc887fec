interface Outcome {
  /** Whether a newcomer has no PID yet. */
  readonly isNew: boolean;
  /** The provider of which an account was linked. */
  readonly linked?: string | null;
  /** A path of the client; or a whole address, where `startedAt` made it one. */
  readonly returnTo: string | null;
}

/**
 * Where a sign-in, a claim or a link ends: CLIENT_SUCCESS_URL, with `claim=1` for a newcomer, `linked` after a link,
 * and the path to come back to.
 */
export function successUrl(base: string, { isNew, linked, returnTo }: Outcome): string {
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
