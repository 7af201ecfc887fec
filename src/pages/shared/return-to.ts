import { loginInput } from '../../features/idp/schema.ts';
import { signInPath } from '../../lib/page-paths.ts';
import { hostedPath } from '../../lib/success-url.ts';
import { withQuery } from './paths.ts';

/**
 * The `returnTo` of a query or form: a path of the client, or `self:` and one of our pages. Null for anything else.
 */
export function readReturnTo(value: string | null | undefined): string | null {
  if (hostedPath(value) !== null) return value ?? null;
  return loginInput.shape.returnTo.safeParse(value ?? undefined).data ?? null;
}

/** The sign-in page that returns to one of our pages. */
export function signInFor(path: string): string {
  return withQuery(signInPath, { returnTo: `self:${path}` });
}
