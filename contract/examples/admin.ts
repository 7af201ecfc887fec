import { app } from './app.ts';
import type { Examples } from './example.ts';

const at = '2026-11-20T08:15:00.000Z';
const by = { as: 'administrator' } as const;
const reason = 'Asked for by the police of Jakarta, letter 118';
const curious = { title: 'A member', as: 'member', answer: { error: 'admin_only' } } as const;
const state = {
  mode: 'frozen',
  withdrawals: false,
  reason: 'The provider reports another total',
  updatedAt: at,
};

const reviewed = {
  id: '$deposit',
  status: 'review',
  asset: 'IDR',
  amount: 150_000,
  fees: { app: 0, platform: 0, total: 0 },
  netAmount: 150_000,
  method: 'qris',
  provider: 'sandbox',
  checkoutUrl: null,
  failure: 'amount_mismatch',
  returnedAmount: 0,
  appId: null,
  createdAt: at,
  expiresAt: at,
  creditedAt: null,
  pid: '$other@pid',
  paidAmount: 150_001,
  paidCurrency: 'IDR',
};

const secondPayment = {
  ...{ id: '$secondpayment', status: 'credited', depositId: '$paidtwice', pid: '$other@pid' },
  ...{ asset: 'IDR', amount: 50_000, createdAt: at, decidedAt: at },
};

const deskApp = { ...app, owner: '$other@pid', tokenLimit: null, logo: null };

const asked = {
  id: 'prp_06bk3n8q5x7c9v2k4m6r8t0w1y',
  detail: {},
  asset: 'IDR',
  gainers: ['$other@pid'],
  reason,
  maker: '$handle@pid',
  createdAt: at,
  expiresAt: '2026-11-23T08:15:00.000Z',
  outcome: null,
  decidedBy: null,
  decidedAt: null,
};
const moved = {
  action: 'ledger.adjusted',
  target: 'adj_06bk3n8q5x7c9v2k4m6r8t0w1y',
  detail: { from: 'suspense', to: '$other@pid', amount: 25_000_000 },
  amount: 25_000_000,
};
const ended = {
  ...{ ...asked, ...moved, id: '$proposal', maker: 'warden@pid', reason: 'letter 119' },
  decidedBy: '$handle@pid',
  decidedAt: at,
};

const file =
  'Order ID,Transaction ID,Transaction Status,Settlement Time,Gross Amount,Fee,Net Amount,Currency,Payout ID\n' +
  'dep_06bk3n8q5x7c9v2k4m6r8t0w1y,57d5293c-e65f-4a29-95e4-5959c3fa335b,settlement,2026-11-19 14:30:00,150000.00,4440,145560,IDR,P-20261119\n';
const unknown = { outcome: 'unknown_payment', count: 1, gross: 150_000, fee: 4_440 };
const report = {
  id: '$report',
  source: 'midtrans',
  status: 'read',
  sha256: '9b74c9897bac770ffc029102a200c5de4f1a2b3c4d5e6f708192a3b4c5d6e7f8',
  firstDay: '2026-11-19',
  lastDay: '2026-11-19',
  summary: {
    ...{ lines: 1, skipped: 0, outcomes: [unknown] },
    differences: [{ line: 2, outcome: 'unknown_payment', ref: '$deposit', amount: 150_000, currency: 'IDR' }],
  },
  createdAt: at,
  decidedBy: null,
  decidedAt: null,
};
const books = {
  day: '2026-11-19',
  from: '2026-11-19',
  accounts: [
    { name: 'gateway', opening: -50_000, debits: 150_000, credits: 4_440, closing: -195_560 },
    { name: 'provider_fee', opening: 0, debits: 4_440, credits: 0, closing: -4_440 },
    { name: 'wallets', opening: 50_000, debits: 0, credits: 150_000, closing: 200_000 },
  ],
  openCases: 1,
  closedBy: null,
  closedAt: null,
};
const difference = {
  ...{ id: '$case', kind: 'unknown_payment', amount: 150_000, currency: 'IDR', day: '2026-11-19' },
  ...{ ref: '$deposit', since: at, resolvedBy: null, resolvedAt: null, reason: null },
};

export const adminExamples = {
  setIdentityStatus: [
    {
      title: 'Suspend',
      as: 'administrator',
      params: { handle: '$other' },
      body: { status: 'suspended', reason: 'Reported for impersonation' },
      answer: {
        status: 200,
        body: { pid: '$other@pid', handle: '$other', status: 'suspended', level: 'unverified' },
      },
    },
    {
      title: 'Verify',
      as: 'administrator',
      params: { handle: '$other' },
      body: { level: 'verified', reason: 'Saw the identity card' },
      answer: {
        status: 200,
        body: { pid: '$other@pid', handle: '$other', status: 'active', level: 'verified' },
      },
    },
    {
      title: 'An unknown person',
      as: 'administrator',
      params: { handle: 'nobody.at.all' },
      body: { status: 'suspended', reason: 'Reported for impersonation' },
      answer: { error: 'identity_not_found' },
    },
    {
      title: 'Without a reason',
      as: 'administrator',
      params: { handle: '$other' },
      body: { status: 'suspended', reason: ' ' },
      answer: { error: 'validation_failed', message: ['reason must not be empty'] },
    },
    {
      title: 'A member',
      as: 'member',
      params: { handle: '$handle' },
      body: { status: 'suspended', reason: 'Curiosity' },
      answer: { error: 'admin_only' },
    },
    {
      title: 'Nobody',
      as: 'nobody',
      params: { handle: 'ketut' },
      body: { status: 'suspended', reason: 'Curiosity' },
      answer: { error: 'unauthenticated' },
    },
  ],
  switchLedger: [
    {
      title: 'Freeze',
      ...by,
      body: { mode: 'frozen', reason: state.reason },
      answer: { status: 200, body: state },
    },
    {
      title: 'Unfreeze, and allow withdrawals',
      ...by,
      body: { mode: 'open', withdrawals: true, reason: 'The totals agree' },
      answer: { status: 200, body: { ...state, mode: 'open', withdrawals: true, reason: null } },
    },
    {
      title: 'Without a switch',
      ...by,
      body: { reason },
      answer: { error: 'validation_failed', message: ['mode or withdrawals must be given'] },
    },
    { ...curious, body: { mode: 'frozen', reason } },
  ],
  setWalletStatus: [
    {
      title: 'Freeze',
      ...by,
      params: { handle: '$other' },
      body: { status: 'frozen', reason },
      answer: { status: 200, body: { pid: '$other@pid', status: 'frozen' } },
    },
    {
      title: 'A person without a wallet',
      ...by,
      params: { handle: 'nobody.at.all' },
      body: { status: 'frozen', reason },
      answer: { error: 'wallet_not_found' },
    },
    { ...curious, params: { handle: 'ketut' }, body: { status: 'frozen', reason } },
  ],
  listRestrictedApps: [
    {
      title: 'Two apps',
      ...by,
      answer: {
        status: 200,
        body: {
          data: [
            { id: '$app', name: 'Corner Shop', reason: 'fee_not_covered', grants: 12 },
            {
              id: 'app_06bk3n8q5x7c9v2k4m6r8t0w2z',
              name: 'Warung Kopi',
              reason: 'not_checked',
              grants: null,
            },
          ],
        },
      },
    },
    curious,
  ],
  showApp: [
    { title: 'An app', ...by, params: { id: '$app' }, answer: { status: 200, body: deskApp } },
    {
      title: 'A nonexistent app',
      ...by,
      params: { id: 'app_of_nobody' },
      answer: { error: 'app_not_found' },
    },
    { ...curious, params: { id: 'app_of_nobody' } },
  ],
  setAppStatus: [
    {
      title: 'Suspend',
      ...by,
      params: { id: '$app' },
      body: { status: 'suspended', reason },
      answer: {
        status: 200,
        body: { ...deskApp, status: 'suspended' },
      },
    },
    {
      title: "The operator's own app",
      ...by,
      params: { id: '$app' },
      body: { firstParty: true, tokenLimit: 2_000, seen: '$updated', reason },
      answer: {
        status: 200,
        body: { ...deskApp, checked: true, firstParty: true, tokenLimit: 2_000 },
      },
    },
    {
      title: 'Its owner has changed it since',
      ...by,
      params: { id: '$app' },
      body: { checked: true, seen: '2026-11-19T08:15:00.000Z', reason },
      answer: { error: 'moved_on' },
    },
    {
      title: 'A nonexistent app',
      ...by,
      params: { id: 'app_of_nobody' },
      body: { status: 'suspended', reason },
      answer: { error: 'app_not_found' },
    },
    { ...curious, params: { id: 'app_of_nobody' }, body: { status: 'suspended', reason } },
  ],
  setAppResource: [
    {
      title: 'A private API and its permitted clients',
      ...by,
      params: { id: '$app' },
      body: { resource: 'https://api.intranet/$app', proven: true, reason },
      answer: {
        status: 200,
        body: {
          ...deskApp,
          resources: [{ resource: 'https://api.intranet/$app', clients: [], provenBy: 'desk' }],
        },
      },
    },
    {
      title: 'A nonexistent app',
      ...by,
      params: { id: 'app_of_nobody' },
      body: { resource: 'https://api.intranet/', proven: false, reason },
      answer: { error: 'app_not_found' },
    },
    {
      ...curious,
      params: { id: 'app_of_nobody' },
      body: { resource: 'https://api.intranet/', proven: true, reason },
    },
  ],
  reverseTransfer: [
    {
      title: 'A transfer',
      ...by,
      params: { id: '$transfer' },
      body: { reason },
      answer: { status: 200, body: { id: '$transfer', status: 'reversed', reversedAt: at } },
    },
    {
      title: 'More than one administrator may move alone',
      as: 'administrator with a proposal',
      params: { id: '$transfer' },
      body: { reason },
      answer: {
        status: 202,
        body: { ...asked, action: 'transfer.reversed', target: '$transfer', amount: 15_000_000 },
      },
    },
    {
      title: 'One that does not exist',
      ...by,
      params: { id: 'trf_of_nobody' },
      body: { reason },
      answer: { error: 'transaction_not_found' },
    },
    { ...curious, params: { id: 'trf_of_nobody' }, body: { reason } },
  ],
  listReviews: [
    {
      title: 'The first page',
      ...by,
      query: { limit: '1' },
      answer: { status: 200, body: { data: [reviewed], nextCursor: null } },
    },
    curious,
  ],
  resolveDeposit: [
    {
      title: 'Credit the payment',
      ...by,
      params: { id: '$deposit' },
      body: { decision: 'credit', reason },
      answer: {
        status: 200,
        body: {
          ...reviewed,
          status: 'credited',
          failure: null,
          amount: 150_001,
          netAmount: 150_001,
          creditedAt: at,
        },
      },
    },
    {
      title: 'More than one administrator may move alone',
      as: 'administrator with a proposal',
      params: { id: '$deposit' },
      body: { decision: 'credit', reason },
      answer: {
        status: 202,
        body: {
          ...{ ...asked, action: 'deposit.resolved', target: '$deposit', amount: 150_000_001 },
          detail: { decision: 'credit', pid: '$other@pid', failure: 'amount_mismatch', paid: 150_000_001 },
        },
      },
    },
    {
      title: 'One that does not exist',
      ...by,
      params: { id: 'dep_of_nobody' },
      body: { decision: 'reject', reason },
      answer: { error: 'transaction_not_found' },
    },
    { ...curious, params: { id: 'dep_of_nobody' }, body: { decision: 'reject', reason } },
  ],
  resolveSecondPayment: [
    {
      title: 'Credit it',
      ...by,
      params: { id: '$secondpayment' },
      body: { decision: 'credit', reason },
      answer: { status: 200, body: secondPayment },
    },
    {
      title: 'More than one administrator may move alone',
      as: 'administrator with a proposal',
      params: { id: '$secondpayment' },
      body: { decision: 'return', reason },
      answer: {
        status: 202,
        body: {
          ...{ ...asked, action: 'second_payment.resolved', target: '$secondpayment', amount: 50_000_000 },
          detail: { decision: 'return', pid: '$other@pid', deposit: '$paidtwice' },
        },
      },
    },
    {
      title: 'One that does not exist',
      ...by,
      params: { id: 'adj_of_nobody' },
      body: { decision: 'return', reason },
      answer: { error: 'transaction_not_found' },
    },
    { ...curious, params: { id: 'adj_of_nobody' }, body: { decision: 'return', reason } },
  ],
  resolveWithdrawal: [
    {
      title: 'One that is held',
      ...by,
      params: { id: '$withdrawal' },
      body: { outcome: 'failed', reason },
      answer: {
        status: 200,
        body: {
          id: '$withdrawal',
          status: 'cancelled',
          asset: 'IDR',
          amount: 20_000,
          fees: { payer: 0, payee: 0, app: 0, platform: 0, total: 0 },
          totalDebit: 20_000,
          destination: 'BCA ••••7895',
          provider: 'sandbox',
          failure: null,
          waitsFor: null,
          createdAt: at,
          endedAt: at,
          returnedAt: null,
        },
      },
    },
    {
      title: 'More than one administrator may move alone',
      as: 'administrator with a proposal',
      params: { id: '$withdrawal' },
      body: { outcome: 'failed', reason },
      answer: {
        status: 202,
        body: {
          ...{ ...asked, action: 'withdrawal.resolved', target: '$withdrawal', amount: 20_000_000 },
          detail: { outcome: 'failed' },
        },
      },
    },
    {
      title: 'One that does not exist',
      ...by,
      params: { id: 'wdr_of_nobody' },
      body: { outcome: 'paid', reason },
      answer: { error: 'transaction_not_found' },
    },
    {
      title: 'Neither',
      ...by,
      params: { id: 'wdr_of_nobody' },
      body: { outcome: 'lost', reason },
      answer: { error: 'validation_failed', message: ['outcome must be paid or failed'] },
    },
    { ...curious, params: { id: 'wdr_of_nobody' }, body: { outcome: 'paid', reason } },
  ],
  adjust: [
    {
      title: 'An unattributed payment',
      ...by,
      headers: { 'Idempotency-Key': 'letter-118' },
      body: { from: 'suspense', to: '$other@pid', amount: 25_000, reason },
      answer: {
        status: 200,
        body: {
          id: 'adj_06bk3n8q5x7c9v2k4m6r8t0w1y',
          from: 'suspense',
          to: '$other@pid',
          asset: 'IDR',
          amount: 25_000,
          createdAt: at,
        },
      },
    },
    {
      title: 'More than one administrator may move alone',
      as: 'administrator with a proposal',
      headers: { 'Idempotency-Key': 'letter-119' },
      body: { from: 'suspense', to: '$other@pid', amount: 25_000_000, reason },
      answer: { status: 202, body: { ...asked, ...moved } },
    },
    {
      title: 'To the administrator’s own wallet',
      ...by,
      headers: { 'Idempotency-Key': 'letter-120' },
      body: { from: 'suspense', to: '$handle@pid', amount: 25_000, reason },
      answer: { error: 'self_decision' },
    },
    {
      title: 'Without a key',
      ...by,
      body: { from: 'suspense', to: '$other@pid', amount: 25_000, reason },
      answer: { error: 'idempotency_key_required' },
    },
    { ...curious, body: { from: 'suspense', to: 'ketut@pid', amount: 25_000, reason } },
  ],
  resolveProposal: [
    {
      title: 'Approve',
      as: 'administrator with a proposal',
      params: { id: '$proposal' },
      body: { decision: 'approve', reason: 'The bank confirmed it' },
      answer: {
        status: 200,
        body: { ...ended, outcome: 'approved' },
      },
    },
    {
      title: 'Reject',
      as: 'administrator with a proposal',
      params: { id: '$proposal' },
      body: { decision: 'reject', reason: 'The bank knows nothing of it' },
      answer: {
        status: 200,
        body: { ...ended, outcome: 'rejected' },
      },
    },
    {
      title: 'One that does not exist',
      ...by,
      params: { id: 'prp_of_nobody' },
      body: { decision: 'approve', reason },
      answer: { error: 'proposal_not_found' },
    },
    { ...curious, params: { id: 'prp_of_nobody' }, body: { decision: 'approve', reason } },
  ],
  setPlatformFee: [
    {
      title: 'Half a percent of a deposit',
      ...by,
      params: { operation: 'deposit' },
      body: { fixed: 0, bps: 50, reason: 'Since November' },
      answer: {
        status: 200,
        body: {
          operation: 'deposit',
          fixed: 0,
          bps: 50,
          min: 0,
          max: null,
          payer: 'payer',
          version: 1,
          createdAt: at,
        },
      },
    },
    {
      title: 'From a version that is no longer current',
      ...by,
      params: { operation: 'deposit' },
      headers: { 'If-Match': '"7"' },
      body: { fixed: 100, bps: 0, reason },
      answer: { error: 'fee_changed' },
    },
    { ...curious, params: { operation: 'deposit' }, body: { fixed: 0, bps: 50, reason } },
  ],
  listUnexplained: [
    {
      title: 'A deposit that was paid twice',
      ...by,
      query: { kind: 'second_payment', pid: '$other@pid' },
      answer: {
        status: 200,
        body: {
          count: 1,
          data: [
            {
              ...{ kind: 'second_payment', id: 'adj_06bk3n8q5x7c9v2k4m6r8t0w1y', status: 'open' },
              ...{ asset: 'IDR', amount: 50_000, pid: '$other@pid', since: at },
              resolve: '/v1/admin/second-payments/adj_06bk3n8q5x7c9v2k4m6r8t0w1y/resolve',
            },
          ],
        },
      },
    },
    curious,
  ],
  getOverview: [
    {
      title: 'A day',
      ...by,
      query: { day: '2026-11-20' },
      answer: {
        status: 200,
        body: {
          ledger: state,
          reviews: 0,
          stuck: [],
          stuckWithdrawals: [],
          proposals: [],
          lastViolation: null,
          queues: { mails: 0, events: 3 },
          accounts: [{ kind: 'platform', balance: 1_250_000 }],
          day: '2026-11-20',
          totals: [{ kind: 'deposit', count: 118, amount: 23_450_000 }],
        },
      },
    },
    {
      title: 'An invalid day',
      ...by,
      query: { day: 'today' },
      answer: { error: 'validation_failed', message: ['day must be a date such as 2026-11-22'] },
    },
    curious,
  ],
  importReport: [
    {
      title: 'A report from Midtrans',
      ...by,
      query: { source: 'midtrans' },
      file,
      answer: { status: 200, body: report },
    },
    {
      title: 'A truncated one',
      ...by,
      query: { source: 'midtrans' },
      file: file.slice(0, -5),
      answer: {
        error: 'validation_failed',
        message: [
          'line 2: the file ends in the middle of a line: it is truncated, or its last line has no line break',
        ],
      },
    },
    { ...curious, query: { source: 'midtrans' }, file },
  ],
  listReports: [
    {
      title: 'The first page',
      as: 'administrator with a report',
      query: { limit: '1' },
      answer: { status: 200, body: { data: [report], nextCursor: null } },
    },
    curious,
  ],
  resolveReport: [
    {
      title: 'Accept',
      as: 'administrator with a report',
      params: { id: '$report' },
      body: { decision: 'accept', reason: 'It is that of the provider' },
      answer: {
        status: 200,
        body: { ...report, status: 'posted', decidedBy: '$handle', decidedAt: at },
      },
    },
    {
      title: 'One that does not exist',
      ...by,
      params: { id: '$report' },
      body: { decision: 'reject', reason },
      answer: { error: 'report_not_found' },
    },
    { ...curious, params: { id: '$report' }, body: { decision: 'reject', reason } },
  ],
  listCases: [
    {
      title: 'The first page',
      as: 'administrator with a case',
      query: { limit: '1' },
      answer: { status: 200, body: { data: [difference], nextCursor: null } },
    },
    curious,
  ],
  resolveCase: [
    {
      title: 'Explain',
      as: 'administrator with a case',
      params: { id: '$case' },
      body: { reason: 'Paid at the counter of another shop' },
      answer: {
        status: 200,
        body: {
          ...difference,
          resolvedBy: '$handle',
          resolvedAt: at,
          reason: 'Paid at the counter of another shop',
        },
      },
    },
    {
      title: 'One that does not exist',
      ...by,
      params: { id: '$case' },
      body: { reason },
      answer: { error: 'case_not_found' },
    },
    { ...curious, params: { id: '$case' }, body: { reason } },
  ],
  getDay: [
    { title: 'A day', ...by, params: { day: '2026-11-19' }, answer: { status: 200, body: books } },
    { ...curious, params: { day: '2026-11-19' } },
  ],
  closeDay: [
    {
      title: 'One that is not over',
      ...by,
      params: { day: '2999-12-31' },
      body: { reason: 'Compared with the report' },
      answer: { error: 'day_open', message: 'Day cannot be closed yet: the day is not over' },
    },
    {
      title: 'One that matches',
      as: 'administrator at the end of a day',
      params: { day: '$day' },
      body: { reason: 'Compared with the report' },
      answer: { status: 200, body: { ...books, openCases: 0, closedBy: '$handle', closedAt: at } },
    },
    { ...curious, params: { day: '2026-11-19' }, body: { reason } },
  ],
  getJournal: [
    { title: 'As CSV', ...by, query: { month: '2026-11' }, answer: { status: 200 } },
    { ...curious, query: { month: '2026-11' } },
  ],
  listAudit: [
    {
      title: 'The first page',
      ...by,
      query: { limit: '1' },
      answer: {
        status: 200,
        body: {
          data: [
            {
              at,
              actor: '$handle',
              action: 'ledger.mode',
              target: 'ledger',
              detail: { mode: 'frozen', reason: state.reason },
            },
          ],
          nextCursor: 'MTE4',
        },
      },
    },
    curious,
  ],
} satisfies Examples;
