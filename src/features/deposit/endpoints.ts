import { get, lazySchema, post } from '../../http/endpoint.ts';
import { depositReturnPath } from '../../lib/page-paths.ts';
import { caller } from '../grant/require-caller.ts';

const schema = lazySchema(() => import('./schema.ts'));

const deposits = { actor: caller, scope: 'fiat:deposit' } as const;

export const depositEndpoints = {
  checkout: post('/v1/fiat/deposits/checkout', {
    route: '/v1/fiat/deposits/:action',
    ...deposits,
    limit: 10,
    body: schema('checkoutInput'),
  }),
  listDeposits: get('/v1/fiat/deposits', { ...deposits, limit: 60, query: schema('depositsQuery') }),
  getDeposit: get('/v1/fiat/deposits/:id', { ...deposits, limit: 60 }),
  syncDeposit: post('/v1/fiat/deposits/:id/sync', { ...deposits, limit: 12 }),
  cancelDeposit: post('/v1/fiat/deposits/:id/cancel', { ...deposits, limit: 20 }),
  /** The provider redirects the person to this address, regardless of who is signed in in the browser. */
  returnFromPayment: get(depositReturnPath(':id'), { limit: 12 }),
  notifyGateway: post('/v1/gateways/:provider/webhook', { limit: 600 }),
};
