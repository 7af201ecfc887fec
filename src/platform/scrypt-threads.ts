import type { Scrypt, ScryptCost } from '../deps.ts';
import { toBase64url } from '../lib/encoding.ts';
import { startThread, type Thread } from './thread.ts';

/** Bytes are base64url here and in the response. */
export interface HashOrder {
  readonly password: string;
  readonly salt: string;
  readonly keyBytes: number;
  readonly cost: ScryptCost;
}

export type HashAnswer = { readonly key: string } | { readonly failure: string };

/**
 * scrypt in threads of low priority, started on first use: with hashes in the runtime's own pool, short requests would
 * wait until the scheduler preempts a hash (docs/performance.md has the figures). The number of threads is the highest
 * number of concurrent hashes so far, which the caller limits.
 */
export function createScryptThreads(): Scrypt {
  const idle: Thread<HashOrder, HashAnswer>[] = [];
  return async (password, salt, keyBytes, cost) => {
    const thread = idle.pop() ?? startThread('./scrypt-thread.ts');
    const answer = await thread.ask({
      password: toBase64url(password),
      salt: toBase64url(salt),
      keyBytes,
      cost,
    });
    idle.push(thread);
    if ('key' in answer) return new Uint8Array(Buffer.from(answer.key, 'base64url'));
    throw new Error(answer.failure);
  };
}
