import type { Deps } from '../../deps.ts';
import { noteForeignOrigin } from '../../http/origin.ts';
import { isFirstParty, originOfAddress } from '../../lib/origin.ts';
import { hostedPath } from '../../lib/success-url.ts';
import { loginInput } from './schema.ts';

/**
 * The `returnTo` of a query or form: a path on the client, a URL on a first-party origin, or `self:` and one of our
 * pages. Null for anything else.
 */
export function readReturnTo(deps: Deps, value: string | null | undefined): string | null {
  if (hostedPath(value) !== null) return value ?? null;
  const returnTo = loginInput.shape.returnTo.safeParse(value ?? undefined).data ?? null;
  const origin = returnTo === null ? null : originOfAddress(returnTo);
  if (origin === null || isFirstParty(deps.config, origin)) return returnTo;
  noteForeignOrigin(deps, origin);
  return null;
}
