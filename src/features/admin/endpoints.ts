import { get, lazySchema, patch, post, put } from '../../http/endpoint.ts';
import { administrator, support } from './require-admin.ts';

const schema = lazySchema(() => import('./schema.ts'));
const reconcile = lazySchema(() => import('../reconcile/schema.ts'));

const reads = { actor: administrator, limit: 60 } as const;
const changes = { actor: administrator, limit: 20 } as const;

const person = lazySchema(() => import('./person-schema.ts'));

export const adminEndpoints = {
  findPeople: get('/v1/admin/identities', { actor: support, limit: 60, query: person('peopleQuery') }),
  showPerson: get('/v1/admin/identities/:handle', { actor: support, limit: 60 }),
  endSessionsOf: post('/v1/admin/identities/:handle/end-sessions', {
    ...{ actor: support, limit: 20, body: person('endSessionsInput') },
    endsSessions: true,
  }),
  sendRecovery: post('/v1/admin/identities/:handle/send-recovery', {
    ...{ actor: support, limit: 20, body: schema('reasonInput') },
  }),
  setIdentityStatus: patch('/v1/admin/identities/:handle', {
    ...changes,
    body: lazySchema(() => import('./identity-schema.ts'))('identityStatusInput'),
    endsSessions: true,
  }),
  switchLedger: patch('/v1/admin/ledger', { ...changes, body: schema('ledgerInput') }),
  setWalletStatus: patch('/v1/admin/wallets/:handle', { ...changes, body: schema('walletStatusInput') }),
  listRestrictedApps: get('/v1/admin/apps', reads),
  showApp: get('/v1/admin/apps/:id', reads),
  setAppStatus: patch('/v1/admin/apps/:id', { ...changes, body: schema('appMarksInput') }),
  setAppResource: post('/v1/admin/apps/:id/resources', { ...changes, body: schema('appResourceInput') }),
  reverseTransfer: post('/v1/admin/transfers/:id/reverse', { ...changes, body: schema('reasonInput') }),
  listReviews: get('/v1/admin/deposits', { ...reads, query: schema('reviewsQuery') }),
  resolveDeposit: post('/v1/admin/deposits/:id/resolve', { ...changes, body: schema('depositDecision') }),
  resolveSecondPayment: post('/v1/admin/second-payments/:id/resolve', {
    ...changes,
    body: schema('secondPaymentDecision'),
  }),
  resolveWithdrawal: post('/v1/admin/withdrawals/:id/resolve', {
    ...changes,
    body: schema('withdrawalDecision'),
  }),
  adjust: post('/v1/admin/adjustments', { ...changes, body: schema('adjustmentInput') }),
  resolveProposal: post('/v1/admin/proposals/:id/resolve', { ...changes, body: schema('proposalDecision') }),
  setPlatformFee: put('/v1/admin/fees/:operation', {
    ...changes,
    body: lazySchema(() => import('../ledger/schema.ts'))('platformFeeInput'),
  }),
  listUnexplained: get('/v1/admin/unexplained', {
    ...reads,
    query: lazySchema(() => import('./unexplained-schema.ts'))('unexplainedQuery'),
  }),
  getOverview: get('/v1/admin/overview', { ...reads, query: schema('overviewQuery') }),
  importReport: post('/v1/admin/reports', { ...changes, query: reconcile('reportQuery') }),
  listReports: get('/v1/admin/reports', { ...reads, query: reconcile('reportsQuery') }),
  resolveReport: post('/v1/admin/reports/:id/resolve', { ...changes, body: reconcile('reportDecision') }),
  listCases: get('/v1/admin/cases', { ...reads, query: reconcile('casesQuery') }),
  resolveCase: post('/v1/admin/cases/:id/resolve', { ...changes, body: schema('reasonInput') }),
  getDay: get('/v1/admin/days/:day', reads),
  closeDay: post('/v1/admin/days/:day/close', { ...changes, body: schema('reasonInput') }),
  getJournal: get('/v1/admin/journal', { ...reads, query: reconcile('journalQuery') }),
  listAudit: get('/v1/admin/audit', { ...reads, query: schema('auditQuery') }),
};
