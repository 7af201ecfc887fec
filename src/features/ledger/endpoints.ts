import { anyBody, type Endpoint } from '../../http/endpoint.ts';
import { caller } from '../grant/require-caller.ts';
import { member } from '../session/require-session.ts';

const schemas = () => import('./schema.ts');
const readsWallet = { method: 'GET', actor: caller, scope: 'wallet:read', limit: 60 } as const;
const ofMember = { actor: member } as const;

export const ledgerEndpoints = {
  createWallet: { method: 'POST', path: '/v1/wallet', ...ofMember, limit: 10, body: anyBody },
  getWallet: { ...readsWallet, path: '/v1/wallet' },
  getBalance: {
    ...readsWallet,
    path: '/v1/wallet/balance',
    query: async () => (await schemas()).balanceQuery,
  },
  listTransactions: {
    ...readsWallet,
    path: '/v1/wallet/transactions',
    query: async () => (await schemas()).transactionsQuery,
  },
  getTransaction: { ...readsWallet, path: '/v1/wallet/transactions/:id' },
  getStatement: {
    ...readsWallet,
    path: '/v1/wallet/statement',
    // One may hold a million lines.
    limit: 5,
    query: async () => (await schemas()).statementQuery,
  },
  listFees: {
    method: 'GET',
    path: '/v1/apps/:id/fees',
    ...ofMember,
    limit: 30,
    query: async () => (await schemas()).feesQuery,
  },
  setFee: {
    method: 'PUT',
    path: '/v1/apps/:id/fees/:operation',
    ...ofMember,
    limit: 20,
    body: async () => (await schemas()).feeInput,
  },
  previewFee: {
    method: 'GET',
    path: '/v1/apps/:id/fees/:operation/preview',
    ...ofMember,
    limit: 60,
    query: async () => (await schemas()).previewQuery,
  },
  getAppBalance: { method: 'GET', path: '/v1/apps/:id/balance', ...ofMember, limit: 60 },
  sweepApp: {
    method: 'POST',
    path: '/v1/apps/:id/sweep',
    ...ofMember,
    limit: 20,
    body: async () => (await schemas()).sweepInput,
  },
} as const satisfies Record<string, Endpoint>;
