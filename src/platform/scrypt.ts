import { scrypt as derive } from 'node:crypto';
import type { Scrypt } from '../deps.ts';

/** scrypt as the runtime runs it: on workerd within the isolate, so that its other requests wait meanwhile. */
export const scrypt: Scrypt = (password, salt, keyBytes, cost) =>
  new Promise((resolve, reject) => {
    derive(password, salt, keyBytes, cost, (error, key) => (error ? reject(error) : resolve(key)));
  });
