import { scrypt as derive } from 'node:crypto';
import type { Scrypt } from '../deps.ts';

/**
 * The runtime's scrypt. On workerd it blocks the isolate, so other requests get a turn before each hash; otherwise
 * queued hashes would run without a pause, and the queue limit could not count new ones.
 */
export const scrypt: Scrypt = async (password, salt, keyBytes, cost) => {
  await new Promise((resolve) => setImmediate(resolve));
  return new Promise((resolve, reject) => {
    derive(password, salt, keyBytes, cost, (error, key) => (error ? reject(error) : resolve(key)));
  });
};
