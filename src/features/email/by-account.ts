import { jsonBody } from '../../http/body.ts';
import type { CountedBy, Limit } from '../../http/rate-limit.ts';
import { canonicalEmail } from '../../lib/email.ts';
import { secretHash } from '../../lib/secret.ts';

const readBody = jsonBody();

/**
 * Counts by the account that the JSON body names, before the rest of the body is checked. A request whose body cannot be
 * read, or names nobody, counts for its network address.
 */
const byAccount: CountedBy = {
  per: 'account',
  async key(c) {
    await readBody(c, async () => {});
    const body: { email?: unknown } | null = await c.req.json();
    return accountKey(body?.email);
  },
};

/** The counter's key for what somebody typed as an email address, or null unless it is one. */
export function accountKey(email: unknown): `account ${string}` | null {
  const address = typeof email === 'string' ? canonicalEmail(email) : null;
  return address === null ? null : `account ${secretHash(address)}`;
}

/** Both the account and the network address count, so that many of either do not help a guesser. */
export const guessable = { requests: 10, by: byAccount, ceiling: 10, storeDown: 'refuse' } satisfies Limit;
