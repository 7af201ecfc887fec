import { loginInput } from '../../features/idp/schema.ts';
import { hostedPath } from '../../lib/success-url.ts';

/**
 * Where to come back to, as a page's query or form names it: a path of the client, or `self:` and a hosted page of
 * ours. Null for anything else.
 */
export function readReturnTo(value: string | null | undefined): string | null {
  if (hostedPath(value) !== null) return value ?? null;
  return loginInput.shape.returnTo.safeParse(value ?? undefined).data ?? null;
}

/** The sign-in page, from which one comes back to a hosted page. */
export function signInFor(path: string): string {
  return `/signin?${new URLSearchParams({ returnTo: `self:${path}` })}`;
}
