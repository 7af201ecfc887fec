import { get, lazySchema, post } from '../../http/endpoint.ts';
import { caller, callerOrApp, callerOrAsker } from '../grant/require-caller.ts';

const schema = lazySchema(() => import('./schema.ts'));

const pays = { actor: callerOrAsker, openToApps: 'any', scope: 'fiat:transfer' } as const;
const ends = {
  route: '/v1/fiat/transfers/:id/:action',
  actor: callerOrApp,
  scope: 'fiat:transfer',
  limit: 20,
} as const;
const reads = { actor: callerOrApp, scope: 'fiat:read', limit: 60 } as const;

export const transferEndpoints = {
  createInquiry: post('/v1/fiat/transfers/inquiry', {
    route: '/v1/fiat/transfers/:action',
    ...pays,
    limit: 10,
    body: schema('inquiryInput'),
  }),
  getInquiry: get('/v1/fiat/transfers/inquiry/:id', {
    route: '/v1/fiat/transfers/:kind/:id',
    ...pays,
    limit: 60,
  }),
  cancelInquiry: post('/v1/fiat/transfers/inquiry/:id/cancel', {
    route: '/v1/fiat/transfers/:kind/:id/:action',
    ...pays,
    limit: 20,
  }),
  confirmTransfer: post('/v1/fiat/transfers/confirm', {
    route: '/v1/fiat/transfers/:action',
    ...pays,
    limit: 10,
    body: schema('confirmInput'),
  }),
  holdTransfer: post('/v1/fiat/transfers/:id/hold', {
    route: '/v1/fiat/transfers/:id/:action',
    ...pays,
    openToApps: 'first_party',
    limit: 20,
    body: schema('holdInput'),
  }),
  captureHold: post('/v1/fiat/transfers/:id/capture', { ...ends, body: schema('captureInput') }),
  releaseHold: post('/v1/fiat/transfers/:id/release', ends),
  refundTransfer: post('/v1/fiat/transfers/:id/refund', {
    route: '/v1/fiat/transfers/:id/:action',
    actor: caller,
    scope: 'fiat:refund',
    limit: 10,
    body: schema('refundInput'),
  }),
  listTransfers: get('/v1/fiat/transfers', { ...reads, query: schema('transfersQuery') }),
  getTransfer: get('/v1/fiat/transfers/:id', reads),
};
