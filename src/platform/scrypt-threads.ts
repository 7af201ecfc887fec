import type { Scrypt, ScryptCost } from '../deps.ts';
import { startThread, type Thread } from './thread.ts';

/** What a thread is asked for. */
export interface HashOrder {
  readonly password: Uint8Array;
  readonly salt: Uint8Array;
  readonly keyBytes: number;
  readonly cost: ScryptCost;
}

export type HashAnswer = { readonly key: Uint8Array } | { readonly failure: string };

/**
 * scrypt in threads of low priority, started when first needed: beside hashes of the runtime's own pool, a request
 * that takes a tenth of a millisecond waits until the scheduler takes a core from a hash (docs/performance.md has the
 * figures). There are as many threads as hashes were ever asked for at once, so the caller bounds them.
 */
export function createScryptThreads(): Scrypt {
  const idle: Thread<HashOrder, HashAnswer>[] = [];
  return async (password, salt, keyBytes, cost) => {
    const thread = idle.pop() ?? startThread('./scrypt-thread.ts');
    const answer = await thread.ask({ password, salt, keyBytes, cost });
    idle.push(thread);
    if ('key' in answer) return answer.key;
    throw new Error(answer.failure);
  };
}
