import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { PayoutGateway, PayoutStatus } from '../../src/features/gateway/gateway.ts';

/** The payouts of a provider that stores them in a file: ids and states, in order of arrival. */
export function payoutsIn(file: string): { id: string; state: 'paid' | 'failed' }[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/**
 * A provider that outlives the calling process. Every fifth payout fails.
 * @param moment called before and after a payout is accepted
 */
export function openFileProvider(file: string, moment: () => void = () => {}): PayoutGateway {
  const known = new Map(payoutsIn(file).map(({ id, state }) => [id, state]));
  const statusOf = (id: string): PayoutStatus => {
    const state = known.get(id);
    return state === undefined ? { state: 'unknown' } : { state, payoutId: `pyt_${id}` };
  };
  return {
    name: 'sandbox',
    listBanks: async () => [],
    inquireAccount: async () => undefined,
    verifyCallback: async () => undefined,
    async createPayout({ id }) {
      moment();
      if (!known.has(id)) {
        const state = known.size % 5 === 4 ? 'failed' : 'paid';
        appendFileSync(file, `${JSON.stringify({ id, state })}\n`);
        known.set(id, state);
      }
      moment();
      return statusOf(id);
    },
    getPayout: async ({ id }) => statusOf(id),
  };
}
