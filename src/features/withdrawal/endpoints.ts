import type { Endpoint } from '../../http/endpoint.ts';
import { member } from '../session/require-session.ts';

const schemas = () => import('./schema.ts');
/** The person alone: no grant lets an app withdraw. */
const reads = { method: 'GET', actor: member, limit: 60 } as const;
const changes = { method: 'POST', actor: member, limit: 5 } as const;

export const withdrawalEndpoints = {
  listBanks: { ...reads, path: '/v1/fiat/banks' },
  quoteWithdrawal: {
    ...changes,
    path: '/v1/fiat/withdrawals/inquiry',
    route: '/v1/fiat/withdrawals/:action',
    body: async () => (await schemas()).withdrawalInput,
  },
  confirmWithdrawal: {
    ...changes,
    path: '/v1/fiat/withdrawals/confirm',
    route: '/v1/fiat/withdrawals/:action',
    body: async () => (await schemas()).withdrawalConfirmation,
  },
  listWithdrawals: {
    ...reads,
    path: '/v1/fiat/withdrawals',
    query: async () => (await schemas()).withdrawalsQuery,
  },
  getWithdrawal: { ...reads, path: '/v1/fiat/withdrawals/:id' },
  syncWithdrawal: { ...changes, path: '/v1/fiat/withdrawals/:id/sync' },
  notifyPayout: { method: 'POST', path: '/v1/gateways/:provider/payout-webhook', limit: 600 },
  cancelWithdrawal: { ...changes, path: '/v1/fiat/withdrawals/:id/cancel' },
} as const satisfies Record<string, Endpoint>;
