import type { Scrypt } from '../../src/deps.ts';

export { scrypt } from '../../src/platform/scrypt.ts';

/**
 * Makes the default cost, which applies to every stored password, nearly free. Any other cost is unchanged, so a test
 * that needs a slow hash can store one.
 */
export function withoutFullCost(scrypt: Scrypt): Scrypt {
  return (password, salt, keyBytes, cost) =>
    scrypt(password, salt, keyBytes, cost.N === 2 ** 14 && cost.p === 5 ? { ...cost, N: 16, p: 1 } : cost);
}
