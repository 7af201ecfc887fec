/**
 * Where a sign-in or a claim ends: CLIENT_SUCCESS_URL, with `claim=1` for a newcomer who has no PID yet and the
 * path to come back to.
 */
export function successUrl(base: string, outcome: { isNew: boolean; returnTo: string | null }): string {
  const { isNew, returnTo } = outcome;
  const query = new URLSearchParams({ ...(isNew ? { claim: '1' } : {}), ...(returnTo ? { returnTo } : {}) });
  if (query.size === 0) return base;
  const [address = '', fragment] = base.split('#', 2);
  const joined = `${address}${address.includes('?') ? '&' : '?'}${query}`;
  return fragment === undefined ? joined : `${joined}#${fragment}`;
}
