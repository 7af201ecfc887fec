import { adminEndpoints } from '../src/features/admin/endpoints.ts';
import { identityStatus, identityStatusInput } from '../src/features/admin/identity-schema.ts';
import * as schemas from '../src/features/admin/schema.ts';
import { secondPayment } from '../src/features/deposit/schema.ts';
import { fee, platformFeeInput } from '../src/features/ledger/schema.ts';
import { withdrawal } from '../src/features/withdrawal/schema.ts';
import { adminExamples } from './examples/admin.ts';
import { answer, type FeatureApi, operationsOf } from './operation.ts';
import { reconcileOperations, reconcileSchemas } from './reconcile.ts';

const desk = ['admin_only', 'not_fresh'] as const;
const money = ['self_decision', 'no_second_administrator'] as const;
const waits = answer(202, 'Waiting for a second administrator.', { schema: schemas.proposal });
const reversing = [
  'ledger_disabled',
  'ledger_frozen',
  'wallet_closed',
  'insufficient_internal_credit',
] as const;
const moving = [...reversing, 'wallet_frozen'] as const;

export const adminApi: FeatureApi = {
  tag: 'Administration',
  description:
    'For the identities in ADMIN_PIDS, after a sign-in less than 15 minutes old (FRESH_SECONDS). Every ' +
    'change adds a line with its reason to the audit log; a request that changes nothing succeeds and adds ' +
    'none. Administrators cannot decide on money that goes to them. Above DESK_SECOND_ABOVE, a decision on ' +
    'money is only a proposal (202): no money moves until another administrator approves it, within three ' +
    'days.',
  examples: adminExamples,
  schemas: {
    IdentityStatusInput: identityStatusInput,
    IdentityStatus: identityStatus,
    LedgerInput: schemas.ledgerInput,
    LedgerState: schemas.ledgerState,
    WalletStatusInput: schemas.walletStatusInput,
    WalletStatus: schemas.walletStatus,
    AppMarksInput: schemas.appMarksInput,
    DeskApp: schemas.deskApp,
    RestrictedApps: schemas.restrictedApps,
    AppResourceInput: schemas.appResourceInput,
    ReasonInput: schemas.reasonInput,
    ReversedTransfer: schemas.reversedTransfer,
    ReviewPage: schemas.reviewPage,
    ReviewedDeposit: schemas.reviewedDeposit,
    DepositDecision: schemas.depositDecision,
    SecondPaymentDecision: schemas.secondPaymentDecision,
    SecondPayment: secondPayment,
    Unexplained: schemas.unexplained,
    WithdrawalDecision: schemas.withdrawalDecision,
    ProposalDecision: schemas.proposalDecision,
    Proposal: schemas.proposal,
    AdjustmentInput: schemas.adjustmentInput,
    Adjustment: schemas.adjustment,
    PlatformFeeInput: platformFeeInput,
    Overview: schemas.overview,
    ...reconcileSchemas,
    AuditPage: schemas.auditPage,
  },
  operations: operationsOf(adminEndpoints, {
    setIdentityStatus: {
      summary: 'Suspend or reactivate an identity, or verify its person',
      description:
        'Accepts `status` or `level`. Suspension signs the identity out everywhere. The level determines the ' +
        'wallet limits. Administrators cannot suspend or verify themselves.',
      params: { handle: { description: 'The handle, in lower case.', example: '$other' } },
      answers: [answer(200, 'The current status and level.', { schema: identityStatus })],
      errors: [...desk, 'self_decision', 'identity_not_found', 'identity_final'],
    },
    switchLedger: {
      summary: 'Freeze, disable or open the ledger, and enable or disable withdrawals',
      description:
        'While it is `frozen` or `disabled`, no money moves, but reads still work. While withdrawals are ' +
        'disabled, nobody can start one; held ones are still paid.',
      answers: [answer(200, 'The current settings.', { schema: schemas.ledgerState })],
      errors: desk,
    },
    setWalletStatus: {
      summary: 'Freeze or unfreeze a wallet',
      description: 'Administrators cannot unfreeze their own wallet.',
      params: { handle: { description: 'The handle of its owner.', example: '$other' } },
      answers: [answer(200, 'The current status.', { schema: schemas.walletStatus })],
      errors: [...desk, 'self_decision', 'wallet_not_found', 'moved_on'],
    },
    listRestrictedApps: {
      summary: 'List apps with restrictions',
      description:
        "At most 100: each owner's oldest app first, then each owner's second. `not_checked`: the app gets no " +
        '`wallet:` or `fiat:` scopes until an administrator checks it (`APPS_MONEY`). `fee_not_covered`: the fee ' +
        "exceeds what some of the app's `grants` cover, so its payments need an approval. `not_registered`: an " +
        'unregistered client, identified by the URL of its document (`CLIENT_DOCUMENTS`), which can only be ' +
        'suspended.',
      answers: [answer(200, 'The apps.', { schema: schemas.restrictedApps })],
      errors: desk,
    },
    showApp: {
      summary: 'Get an app with the details to review',
      params: { id: { description: "The app's id.", example: '$app' } },
      answers: [answer(200, 'The app.', { schema: schemas.deskApp })],
      errors: [...desk, 'app_not_found'],
    },
    setAppStatus: {
      summary: 'Suspend an app, mark it as checked or first-party, or set its token limit',
      description:
        "Absent fields stay unchanged. A suspended app's tokens, secrets and pages stop working immediately. " +
        'The id may be the address of a host, such as `https://agent.example.com/`, whose unregistered clients all ' +
        'stop, including later ones. ' +
        "`checked` means that an administrator has verified who is behind the app's name and addresses; " +
        '`firstParty` means that the app belongs to the operator, and implies `checked`. Both are cleared when ' +
        'the owner changes the name, homepage, redirect URIs or logout address, or adds an origin or a scope. To ' +
        'set either, read the app first and send its `updatedAt` as `seen`: if the app has changed in the ' +
        'meantime, the response is `moved_on`. `tokenLimit` is the number of requests per minute that each ' +
        "endpoint accepts with the app's secret; it applies within a minute.",
      params: { id: { description: "The app's id.", example: '$app' } },
      answers: [answer(200, 'The current state.', { schema: schemas.deskApp })],
      errors: [...desk, 'self_decision', 'app_not_found', 'client_unregistered', 'moved_on'],
    },
    setAppResource: {
      summary: 'Register or remove a resource of an app',
      description:
        'For a resource whose origin cannot serve the proof file, such as a private host, or to override a file. ' +
        '`clients` are the ids of other apps that may request the resource, and replace the previous ones. With ' +
        '`proven: false`, no more tokens are issued for it.',
      params: { id: { description: "The app's id.", example: '$app' } },
      answers: [answer(200, 'The current state of the app.', { schema: schemas.deskApp })],
      errors: [
        ...desk,
        'self_decision',
        'app_not_found',
        'client_unregistered',
        'resource_taken',
        'too_many_resources',
      ],
    },
    reverseTransfer: {
      summary: 'Reverse a whole transfer',
      description:
        'The recipient, the app and the operator return what they received, including fees, also from and to a ' +
        'frozen wallet.',
      params: { id: { description: "The transfer's id.", example: '$transfer' } },
      answers: [answer(200, 'The transfer is reversed.', { schema: schemas.reversedTransfer }), waits],
      errors: [...desk, ...money, ...reversing, 'transaction_not_found', 'moved_on'],
    },
    listReviews: {
      summary: 'List deposits under review',
      description:
        'Deposits under review, with the reason in `failure`: a different amount or currency was paid, the ' +
        'wallet is closed, the payment belongs to another deposit, or part of it was refunded before it was ' +
        'credited. Also credited deposits: `refund_uncovered` is a refund whose amount the provider does not ' +
        'report, and `contradicted` an impossible response.',
      answers: [answer(200, 'One page, newest first.', { schema: schemas.reviewPage })],
      errors: desk,
    },
    resolveDeposit: {
      summary: 'Credit or reject a deposit under review',
      description:
        '`credit` deducts the fees from the paid amount, according to the rules stored at checkout. For ' +
        '`refund_uncovered`, it means that the operator bears the part that was not debited, and requires ' +
        '`returnedAmount`, the total that the provider has refunded. Rejected payments are refunded manually at ' +
        'the provider.',
      params: { id: { description: "The deposit's id.", example: '$deposit' } },
      answers: [answer(200, 'The current state.', { schema: schemas.reviewedDeposit }), waits],
      errors: [
        ...desk,
        ...money,
        ...([
          'ledger_disabled',
          'ledger_frozen',
          'wallet_frozen',
          'wallet_closed',
          'transaction_not_found',
          'moved_on',
        ] as const),
        ...(['amount_too_small', 'amount_too_large'] as const),
      ],
    },
    resolveSecondPayment: {
      summary: 'Credit or return a second payment of a deposit',
      description:
        'The provider accepted a second payment for a credited order, which is in suspense. `credit` moves it to ' +
        'the wallet in full, without a fee; `return` removes it from the books, because the operator refunds it ' +
        "manually at the provider. The person is notified by email, and the deposit's app by an event.",
      params: { id: { description: "The second payment's id.", example: '$secondpayment' } },
      answers: [answer(200, 'The current state.', { schema: secondPayment }), waits],
      errors: [
        ...desk,
        ...money,
        ...(['ledger_disabled', 'ledger_frozen', 'wallet_frozen', 'wallet_closed'] as const),
        ...(['transaction_not_found', 'moved_on'] as const),
      ],
    },
    resolveWithdrawal: {
      summary: 'Settle a withdrawal whose outcome the provider cannot report',
      description:
        'Check the provider first. Use `paid` for a withdrawal that the provider has paid, and `failed`, which ' +
        'returns the money, for one that is still held, that the provider has not known for a day, or for which ' +
        "the provider returns another withdrawal's payout. For a paid withdrawal that the provider denies " +
        '(`contradicted`), `failed` returns the amount, and `paid` confirms the payment. The owner is notified ' +
        'by email.',
      params: { id: { description: "The withdrawal's id.", example: '$withdrawal' } },
      answers: [answer(200, 'The current state.', { schema: withdrawal }), waits],
      errors: [
        ...desk,
        ...money,
        ...([
          'ledger_disabled',
          'ledger_frozen',
          'wallet_frozen',
          'transaction_not_found',
          'moved_on',
        ] as const),
      ],
    },
    adjust: {
      summary: 'Move money manually between two accounts',
      description:
        'Needs an `Idempotency-Key`. A retry with the same key and body returns the same adjustment, with ' +
        '`Idempotent-Replayed: true`. A closed wallet accepts at most the amount of its debt, which this ' +
        'forgives.',
      answers: [answer(200, 'The adjustment.', { schema: schemas.adjustment }), waits],
      errors: [
        ...desk,
        ...money,
        'moved_on',
        ...moving,
        'idempotency_key_required',
        'idempotency_key_reused',
        'wallet_not_found',
        'amount_too_large',
      ],
    },
    resolveProposal: {
      summary: 'Approve or reject another administrator’s proposal',
      description:
        '`approve` makes the decision, unless its subject has changed since the proposal. Neither the author nor ' +
        'a beneficiary can approve it. `reject` closes the proposal; the author uses it to withdraw the ' +
        'proposal. Proposals by suspended or former administrators are void.',
      params: { id: { description: "The proposal's id.", example: '$proposal' } },
      answers: [answer(200, 'The proposal, with its outcome.', { schema: schemas.proposal })],
      errors: [
        ...desk,
        ...moving,
        ...(['self_decision', 'proposal_not_found', 'moved_on', 'transaction_not_found'] as const),
        ...(['wallet_not_found', 'amount_too_small', 'amount_too_large', 'idempotency_key_reused'] as const),
      ],
    },
    setPlatformFee: {
      summary: "Set the operator's own fee",
      description:
        "Creates a new version, like an app's fee. The header `If-Match` may contain the version known to the " +
        'caller.',
      params: { operation: { description: '`deposit`, `transfer` or `withdrawal`.', example: 'transfer' } },
      answers: [answer(200, 'The current version, which is also in `ETag`.', { schema: fee })],
      errors: [...desk, 'fee_changed'],
    },
    listUnexplained: {
      summary: 'List all unexplained money',
      description:
        'Deposits that are under review or contradicted by the provider, second payments, stuck transactions, ' +
        'debts, and the rest of suspense by the kind of movement that put it there: second payments and suspense ' +
        'add up to the balance of that account. Each case has its age and the endpoint that closes it. `kind` ' +
        'and `pid` filter the cases.',
      answers: [answer(200, 'The oldest 100, and the total number.', { schema: schemas.unexplained })],
      errors: desk,
    },
    getOverview: {
      summary: 'Overview of the money in the service',
      description:
        "The switches, the open decisions, the operator's accounts, and a day's totals to compare with a " +
        "provider's report. `day` is a date in Jakarta; the default is today.",
      answers: [answer(200, 'The current state.', { schema: schemas.overview })],
      errors: desk,
    },
    ...reconcileOperations,
    listAudit: {
      summary: 'Read the audit log, newest first',
      description:
        '`format=csv` returns all filtered lines as a CSV file. Its last line contains the number of lines, ' +
        'which a truncated file lacks.',
      answers: [answer(200, 'One page.', { schema: schemas.auditPage, fileTypes: ['text/csv'] })],
      errors: desk,
    },
  }),
};
