import type { Deps } from '../../deps.ts';
import { jsonBody } from '../../http/body.ts';
import type { AppContext } from '../../http/context.ts';
import type { CountedBy, CountedKey, Limit } from '../../http/rate-limit.ts';
import { canonicalEmail } from '../../lib/email.ts';
import { secretHash } from '../../lib/secret.ts';
import { readDevice } from '../session/device-cookie.ts';

const readBody = jsonBody();

/**
 * Counts by the account in the JSON body, before the rest of the body is checked. A request whose body cannot be read
 * or contains no account is counted by its network address.
 */
const byAccount: CountedBy = {
  per: 'account',
  async key(c, deps) {
    await readBody(c, async () => {});
    const body: { email?: unknown } | null = await c.req.json();
    return accountKey(c, deps, body?.email);
  },
};

/**
 * The counter key for an email address as typed, or null if it is invalid. A browser in which the account has signed in
 * before is counted separately, from any network, so that strangers cannot exhaust its limit.
 */
export function accountKey(c: AppContext, deps: Deps, email: unknown): CountedKey | null {
  const address = typeof email === 'string' ? canonicalEmail(email) : null;
  if (address === null) return null;
  const device = readDevice(c, deps, address);
  return device ? `device ${secretHash(address)} ${device.id}` : `account ${secretHash(address)}`;
}

/** Counts both the account and the network address, so that having many of either does not help a guesser. */
export const guessable = { requests: 10, by: byAccount, ceiling: 10, storeDown: 'refuse' } satisfies Limit;
