import { jsonBody } from '../../http/body.ts';
import type { CountedBy, Limit } from '../../http/rate-limit.ts';
import { canonicalEmail } from '../../lib/email.ts';
import { secretHash } from '../../lib/secret.ts';

const readBody = jsonBody();

/**
 * Counts by the account that the JSON body names, before the body is judged any further. A body that cannot be read,
 * or names nobody, counts for its address.
 */
const byAccount: CountedBy = {
  per: 'account',
  async key(c) {
    await readBody(c, async () => {});
    const body: { email?: unknown } | null = await c.req.json();
    return accountKey(body?.email);
  },
};

/** Whom to count for an email address that somebody typed; nobody, unless it is one. */
export function accountKey(email: unknown): `account ${string}` | null {
  const address = typeof email === 'string' ? canonicalEmail(email) : null;
  return address === null ? null : `account ${secretHash(address)}`;
}

/** Both the account and the address count, so that neither many accounts nor many addresses help a guesser. */
export const guessable = { requests: 10, by: byAccount, ceiling: 10, storeDown: 'refuse' } satisfies Limit;
