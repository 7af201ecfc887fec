import type { Scrypt } from '../../src/deps.ts';

export { scrypt } from '../../src/platform/scrypt.ts';

/**
 * Makes the full cost, that of every password the service stores, next to nothing. Any other cost stays as it is: a
 * test that needs a hash to take a while stores one.
 */
export function withoutFullCost(scrypt: Scrypt): Scrypt {
  return (password, salt, keyBytes, cost) =>
    scrypt(password, salt, keyBytes, cost.N === 2 ** 14 && cost.p === 5 ? { ...cost, N: 16, p: 1 } : cost);
}
