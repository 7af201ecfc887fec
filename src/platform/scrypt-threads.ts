import type { Scrypt, ScryptCost } from '../deps.ts';
import { toBase64url } from '../lib/encoding.ts';
import { startThread, type Thread } from './thread.ts';

/** What a thread is asked for; bytes are base64url here and in its answer. */
export interface HashOrder {
  readonly password: string;
  readonly salt: string;
  readonly keyBytes: number;
  readonly cost: ScryptCost;
}

export type HashAnswer = { readonly key: string } | { readonly failure: string };

/**
 * scrypt in threads of low priority, started when first needed: beside hashes of the runtime's own pool, a request
 * that takes a tenth of a millisecond waits until the scheduler takes a core from a hash (docs/performance.md has the
 * figures). There are as many threads as hashes were ever asked for at once, so the caller bounds them.
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
