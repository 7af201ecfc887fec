import type { Endpoint } from '../../http/endpoint.ts';
import { depositReturnPath } from '../../lib/page-paths.ts';
import { caller } from '../grant/require-caller.ts';

const schemas = () => import('./schema.ts');
const deposits = { actor: caller, scope: 'fiat:deposit' } as const;

export const depositEndpoints = {
  checkout: {
    method: 'POST',
    path: '/v1/fiat/deposits/checkout',
    route: '/v1/fiat/deposits/:action',
    ...deposits,
    limit: 10,
    body: async () => (await schemas()).checkoutInput,
  },
  listDeposits: {
    method: 'GET',
    path: '/v1/fiat/deposits',
    ...deposits,
    limit: 60,
    query: async () => (await schemas()).depositsQuery,
  },
  getDeposit: { method: 'GET', path: '/v1/fiat/deposits/:id', ...deposits, limit: 60 },
  syncDeposit: { method: 'POST', path: '/v1/fiat/deposits/:id/sync', ...deposits, limit: 12 },
  cancelDeposit: { method: 'POST', path: '/v1/fiat/deposits/:id/cancel', ...deposits, limit: 20 },
  /** Where the provider sends the person, whoever they are in this browser. */
  returnFromPayment: { method: 'GET', path: depositReturnPath(':id'), limit: 12 },
  notifyGateway: { method: 'POST', path: '/v1/gateways/:provider/webhook', limit: 600 },
} as const satisfies Record<string, Endpoint>;
