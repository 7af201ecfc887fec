import { loginInput } from '../features/idp/schema.ts';

/** A path of the client to come back to, as a page's query or form names it; null for anything else. */
export function readReturnTo(value: string | null | undefined): string | null {
  return loginInput.shape.returnTo.safeParse(value ?? undefined).data ?? null;
}
