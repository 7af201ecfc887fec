import { scrypt as derive } from 'node:crypto';
import type { Scrypt } from '../deps.ts';

/**
 * scrypt as the runtime runs it: on workerd within the isolate, so that its other requests wait meanwhile. They get
 * their turn before each hash; else those that wait for one would follow each other without a pause, nobody who came
 * meanwhile would be seen, and too many could not be told from few.
 */
export const scrypt: Scrypt = async (password, salt, keyBytes, cost) => {
  await new Promise((resolve) => setImmediate(resolve));
  return new Promise((resolve, reject) => {
    derive(password, salt, keyBytes, cost, (error, key) => (error ? reject(error) : resolve(key)));
  });
};
