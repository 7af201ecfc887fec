import { get, lazySchema, post } from '../../http/endpoint.ts';
import { member } from '../session/require-session.ts';

const schema = lazySchema(() => import('./schema.ts'));

/** Only the person: no grant lets an app withdraw. */
const reads = { actor: member, limit: 60 } as const;
const changes = { actor: member, limit: 5 } as const;

export const withdrawalEndpoints = {
  listBanks: get('/v1/fiat/banks', reads),
  quoteWithdrawal: post('/v1/fiat/withdrawals/inquiry', {
    ...changes,
    route: '/v1/fiat/withdrawals/:action',
    body: schema('withdrawalInput'),
  }),
  confirmWithdrawal: post('/v1/fiat/withdrawals/confirm', {
    ...changes,
    route: '/v1/fiat/withdrawals/:action',
    body: schema('withdrawalConfirmation'),
  }),
  listWithdrawals: get('/v1/fiat/withdrawals', { ...reads, query: schema('withdrawalsQuery') }),
  getWithdrawal: get('/v1/fiat/withdrawals/:id', reads),
  syncWithdrawal: post('/v1/fiat/withdrawals/:id/sync', changes),
  notifyPayout: post('/v1/gateways/:provider/payout-webhook', { limit: 600 }),
  cancelWithdrawal: post('/v1/fiat/withdrawals/:id/cancel', changes),
};
