import { anyBody, get, lazySchema, post, put } from '../../http/endpoint.ts';
import { caller } from '../grant/require-caller.ts';
import { member } from '../session/require-session.ts';

const schema = lazySchema(() => import('./schema.ts'));

const readsWallet = { actor: caller, scope: 'wallet:read', limit: 60 } as const;

export const ledgerEndpoints = {
  createWallet: post('/v1/wallet', { actor: member, limit: 10, body: anyBody }),
  getWallet: get('/v1/wallet', readsWallet),
  getBalance: get('/v1/wallet/balance', { ...readsWallet, query: schema('balanceQuery') }),
  listTransactions: get('/v1/wallet/transactions', { ...readsWallet, query: schema('transactionsQuery') }),
  getTransaction: get('/v1/wallet/transactions/:id', readsWallet),
  getStatement: get('/v1/wallet/statement', {
    ...readsWallet,
    // A statement may have a million lines.
    limit: 5,
    query: schema('statementQuery'),
  }),
  listFees: get('/v1/apps/:id/fees', { actor: member, limit: 30, query: schema('feesQuery') }),
  setFee: put('/v1/apps/:id/fees/:operation', { actor: member, limit: 20, body: schema('feeInput') }),
  previewFee: get('/v1/apps/:id/fees/:operation/preview', {
    actor: member,
    limit: 60,
    query: schema('previewQuery'),
  }),
  getAppBalance: get('/v1/apps/:id/balance', { actor: member, limit: 60 }),
  sweepApp: post('/v1/apps/:id/sweep', { actor: member, limit: 20, body: schema('sweepInput') }),
};
