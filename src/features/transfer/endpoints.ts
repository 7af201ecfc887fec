import type { Endpoint } from '../../http/endpoint.ts';
import { caller, callerOrApp, callerOrAsker } from '../grant/require-caller.ts';

const schemas = () => import('./schema.ts');
const pays = { actor: callerOrAsker, openToApps: 'any', scope: 'fiat:transfer' } as const;
const reads = { method: 'GET', actor: callerOrApp, scope: 'fiat:read', limit: 60 } as const;

export const transferEndpoints = {
  createInquiry: {
    method: 'POST',
    path: '/v1/fiat/transfers/inquiry',
    route: '/v1/fiat/transfers/:action',
    ...pays,
    limit: 10,
    body: async () => (await schemas()).inquiryInput,
  },
  getInquiry: {
    method: 'GET',
    path: '/v1/fiat/transfers/inquiry/:id',
    route: '/v1/fiat/transfers/:kind/:id',
    ...pays,
    limit: 60,
  },
  cancelInquiry: {
    method: 'POST',
    path: '/v1/fiat/transfers/inquiry/:id/cancel',
    route: '/v1/fiat/transfers/:kind/:id/:action',
    ...pays,
    limit: 20,
  },
  confirmTransfer: {
    method: 'POST',
    path: '/v1/fiat/transfers/confirm',
    route: '/v1/fiat/transfers/:action',
    ...pays,
    limit: 10,
    body: async () => (await schemas()).confirmInput,
  },
  refundTransfer: {
    method: 'POST',
    path: '/v1/fiat/transfers/:id/refund',
    route: '/v1/fiat/transfers/:id/:action',
    actor: caller,
    scope: 'fiat:refund',
    limit: 10,
    body: async () => (await schemas()).refundInput,
  },
  listTransfers: {
    ...reads,
    path: '/v1/fiat/transfers',
    query: async () => (await schemas()).transfersQuery,
  },
  getTransfer: { ...reads, path: '/v1/fiat/transfers/:id' },
} as const satisfies Record<string, Endpoint>;
