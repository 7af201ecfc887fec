import type { Endpoint } from '../../http/endpoint.ts';
import { administrator } from './require-admin.ts';

const schemas = () => import('./schema.ts');
const reads = { method: 'GET', actor: administrator, limit: 60 } as const;
const patches = { method: 'PATCH', actor: administrator, limit: 20 } as const;
const posts = { method: 'POST', actor: administrator, limit: 20 } as const;

export const adminEndpoints = {
  setIdentityStatus: {
    ...patches,
    path: '/v1/admin/identities/:handle',
    body: async () => (await schemas()).identityStatusInput,
  },
  switchLedger: { ...patches, path: '/v1/admin/ledger', body: async () => (await schemas()).ledgerInput },
  setWalletStatus: {
    ...patches,
    path: '/v1/admin/wallets/:handle',
    body: async () => (await schemas()).walletStatusInput,
  },
  listRestrictedApps: { ...reads, path: '/v1/admin/apps' },
  showApp: { ...reads, path: '/v1/admin/apps/:id' },
  setAppStatus: {
    ...patches,
    path: '/v1/admin/apps/:id',
    body: async () => (await schemas()).appMarksInput,
  },
  setAppResource: {
    ...posts,
    path: '/v1/admin/apps/:id/resources',
    body: async () => (await schemas()).appResourceInput,
  },
  reverseTransfer: {
    ...posts,
    path: '/v1/admin/transfers/:id/reverse',
    body: async () => (await schemas()).reasonInput,
  },
  listReviews: {
    ...reads,
    path: '/v1/admin/deposits',
    query: async () => (await schemas()).reviewsQuery,
  },
  resolveDeposit: {
    ...posts,
    path: '/v1/admin/deposits/:id/resolve',
    body: async () => (await schemas()).depositDecision,
  },
  resolveWithdrawal: {
    ...posts,
    path: '/v1/admin/withdrawals/:id/resolve',
    body: async () => (await schemas()).withdrawalDecision,
  },
  adjust: { ...posts, path: '/v1/admin/adjustments', body: async () => (await schemas()).adjustmentInput },
  resolveProposal: {
    ...posts,
    path: '/v1/admin/proposals/:id/resolve',
    body: async () => (await schemas()).proposalDecision,
  },
  setPlatformFee: {
    method: 'PUT',
    path: '/v1/admin/fees/:operation',
    actor: administrator,
    limit: 20,
    body: async () => (await import('../ledger/schema.ts')).platformFeeInput,
  },
  getOverview: {
    ...reads,
    path: '/v1/admin/overview',
    query: async () => (await schemas()).overviewQuery,
  },
  listAudit: { ...reads, path: '/v1/admin/audit', query: async () => (await schemas()).auditQuery },
} as const satisfies Record<string, Endpoint>;
