import {
  GatewayAmbiguous,
  GatewayRefused,
  GatewayUnavailable,
  type Payout,
  type PayoutGateway,
  type PayoutStatus,
} from '../../src/features/gateway/gateway.ts';

/**
 * The fate of a call that creates a payout: it does not arrive, its response is lost, it is rejected, or it gets a
 * response.
 */
export type Fault = 'not taken' | 'answer lost' | 'call lost' | 'refused' | 'none';

/** The later state of an accepted payout. */
export type Outcome = PayoutStatus['state'] & ('pending' | 'paid' | 'failed');

interface Kept {
  readonly amount: number;
  state: PayoutStatus['state'];
}

/** An in-memory payout provider that acts as planned by a test. It creates one payout for all calls with one id. */
export interface PayoutProvider {
  readonly gateway: PayoutGateway;
  /** Every accepted payout. */
  readonly payouts: ReadonlyMap<string, Kept>;
  /** Ids of the calls that created a payout, including those that did not arrive. */
  readonly sent: string[];
  /** Plans the fate of the next calls that create a payout, and the outcome of accepted ones. */
  plan(faults: readonly Fault[], outcome?: Outcome): void;
  /** Changes an accepted payout. */
  turn(id: string, state: PayoutStatus['state']): void;
  /** True if calls that query a payout get a response. */
  isUp: boolean;
}

export function createPayoutProvider(name = 'sandbox'): PayoutProvider {
  const payouts = new Map<string, Kept>();
  const sent: string[] = [];
  let faults: Fault[] = [];
  let outcome: Outcome = 'paid';
  const statusOf = (id: string): PayoutStatus => {
    const state = payouts.get(id)?.state ?? 'unknown';
    return {
      state,
      ...(state === 'unknown' ? {} : { payoutId: `pyt_${id}` }),
      ...(state === 'failed' ? { failure: 'The account is closed' } : {}),
    };
  };
  const provider: PayoutProvider = {
    payouts,
    sent,
    isUp: true,
    plan(next, become = 'paid') {
      faults = [...next];
      outcome = become;
    },
    turn(id, state) {
      const kept = payouts.get(id);
      if (!kept) throw new Error(`no payout ${id}`);
      kept.state = state;
    },
    gateway: {
      name,
      listBanks: async () => [],
      inquireAccount: async () => 'Budi Santoso',
      verifyCallback: async () => undefined,
      async createPayout({ id, amount }: Payout) {
        sent.push(id);
        const fault = faults.shift() ?? 'none';
        if (fault === 'not taken') throw new GatewayUnavailable('down');
        if (fault === 'call lost') throw new GatewayAmbiguous('timeout');
        const known = payouts.get(id);
        if (fault === 'refused' && !known) throw new GatewayRefused('The account is blocked');
        if (known && known.amount !== amount) throw new GatewayRefused('another amount');
        if (!known) payouts.set(id, { amount, state: outcome });
        if (fault === 'answer lost') throw new GatewayAmbiguous('timeout');
        return statusOf(id);
      },
      async getPayout({ id }) {
        if (!provider.isUp) throw new GatewayUnavailable('down');
        return statusOf(id);
      },
    },
  };
  return provider;
}
