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
const waits = answer(202, 'It waits for a second administrator.', { schema: schemas.proposal });
const moving = [
  'ledger_disabled',
  'ledger_frozen',
  'wallet_frozen',
  'wallet_closed',
  'insufficient_internal_credit',
] as const;

export const adminApi: FeatureApi = {
  tag: 'Administration',
  description:
    'What the identities in ADMIN_PIDS may do, after a sign-in younger than 15 minutes (FRESH_SECONDS). Every change leaves a ' +
    'line in the audit log, with its reason. What is already as it should be is answered as such, and leaves none. Nobody decides ' +
    'about money that comes to them. Above DESK_SECOND_ABOVE a decision about money is a proposal (202): nothing moves until another ' +
    'administrator approves it, within three days.',
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
        'Takes `status` or `level`. Suspending signs the identity out everywhere. The limits of the wallet depend on the level. Nobody ' +
        'suspends or verifies themselves.',
      params: { handle: { description: 'The handle, in lower case.', example: '$other' } },
      answers: [answer(200, 'The current status and level.', { schema: identityStatus })],
      errors: [...desk, 'self_decision', 'identity_not_found', 'identity_final'],
    },
    switchLedger: {
      summary: 'Freeze, disable or open the ledger, and enable or disable withdrawals',
      description:
        'While it is `frozen` or `disabled` no money moves, and reads go on. Without withdrawals nobody can start one; what is held ' +
        'is still paid.',
      answers: [answer(200, 'The current settings.', { schema: schemas.ledgerState })],
      errors: desk,
    },
    setWalletStatus: {
      summary: 'Freeze or unfreeze a wallet',
      description: 'Nobody lets their own wallet work again.',
      params: { handle: { description: 'The handle of its owner.', example: '$other' } },
      answers: [answer(200, 'The status it has now.', { schema: schemas.walletStatus })],
      errors: [...desk, 'self_decision', 'wallet_not_found', 'moved_on'],
    },
    listRestrictedApps: {
      summary: 'List apps that may not use everything they are registered for',
      description:
        'At most 100: the oldest app of each owner first, then the second of each. `not_checked`: it gets no `wallet:` and `fiat:` scopes until the desk checks it (`APPS_MONEY`). ' +
        '`fee_not_covered`: its fee is above what some of its `grants` cover, so its payments need an approval. ' +
        '`not_registered`: a client that nobody registered, identified by the address of its document (`CLIENT_DOCUMENTS`); it can only be suspended.',
      answers: [answer(200, 'The apps.', { schema: schemas.restrictedApps })],
      errors: desk,
    },
    showApp: {
      summary: 'An app as the desk sees it',
      params: { id: { description: "The app's id.", example: '$app' } },
      answers: [answer(200, 'The app.', { schema: schemas.deskApp })],
      errors: [...desk, 'app_not_found'],
    },
    setAppStatus: {
      summary: 'Suspend an app, mark it as checked or first-party, or set its token limit',
      description:
        'What is absent stays as it is. The tokens, secrets and pages of a suspended app stop working at once. `checked` says that ' +
        "somebody checked who is behind its name and addresses; `firstParty` that it is the operator's own, and implies `checked`. " +
        'Both end when its owner changes its name, homepage, redirect URIs or logout address, or adds an origin or a scope. ' +
        'To set either, read the app first and send its `updatedAt` as `seen`: when it changed meanwhile, the answer is `moved_on`. ' +
        '`tokenLimit` is how many requests a minute with its secret each endpoint takes; it counts within a minute.',
      params: { id: { description: "The app's id.", example: '$app' } },
      answers: [answer(200, 'As it is now.', { schema: schemas.deskApp })],
      errors: [...desk, 'self_decision', 'app_not_found', 'client_unregistered', 'moved_on'],
    },
    setAppResource: {
      summary: 'Register or remove a resource of an app',
      description:
        'For one whose origin cannot serve the proof file, such as a private host, or against what a file says. `clients` are the ids of other apps that may name it, ' +
        'and replace those before. With `proven: false` no token is made for it any more.',
      params: { id: { description: "The app's id.", example: '$app' } },
      answers: [answer(200, 'The app as it is now.', { schema: schemas.deskApp })],
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
      description: 'The recipient, the app and the operator give back what they received, fees included.',
      params: { id: { description: "The transfer's id.", example: '$transfer' } },
      answers: [answer(200, 'It is reversed.', { schema: schemas.reversedTransfer }), waits],
      errors: [...desk, ...money, ...moving, 'transaction_not_found', 'moved_on'],
    },
    listReviews: {
      summary: 'List deposits under review',
      description:
        'Those under review, whose `failure` says why: another amount or currency was paid, the wallet is closed, the payment belongs ' +
        'to another deposit, or a part was given back before it was credited. And credited ones: `refund_uncovered` is a refund whose amount the ' +
        'provider does not name, `contradicted` an answer that cannot be true.',
      answers: [answer(200, 'One page, the newest first.', { schema: schemas.reviewPage })],
      errors: desk,
    },
    resolveDeposit: {
      summary: 'Credit or reject a deposit under review',
      description:
        '`credit` takes the fees out of what was paid, by the rules stored at checkout. Of `refund_uncovered` it accepts that the operator bears ' +
        'what was not taken back, and needs `returnedAmount`: what the provider has given back in all. ' +
        'What is rejected is given back at the provider, by hand.',
      params: { id: { description: "The deposit's id.", example: '$deposit' } },
      answers: [answer(200, 'As it is now.', { schema: schemas.reviewedDeposit }), waits],
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
        'The provider took a second payment for an order that was credited, which waits in suspense. `credit` moves it to the wallet, ' +
        'whole and without a fee; `return` takes it out of the books, because the operator gives it back at the provider, by hand. The ' +
        'person gets a mail, and the app of the deposit an event.',
      params: { id: { description: "The second payment's id.", example: '$secondpayment' } },
      answers: [answer(200, 'As it is now.', { schema: secondPayment }), waits],
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
        'After a look at the provider: `paid` for one that it has paid; `failed` gives the money back, for one that is still held, or that ' +
        'the provider has not known for a day, or for which it names the payout of another withdrawal. Of a paid one that the provider denies (`contradicted`), ' +
        '`failed` gives the amount back, and `paid` says again that it was paid. Its owner gets a mail.',
      params: { id: { description: "The withdrawal's id.", example: '$withdrawal' } },
      answers: [answer(200, 'As it is now.', { schema: withdrawal }), waits],
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
        'Needs an `Idempotency-Key`. A repeat with the same key and body returns the same adjustment, with ' +
        '`Idempotent-Replayed: true`. A closed wallet takes up to what it owes, which forgives its debt.',
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
        '`approve` makes the decision, if what it is about is as its maker saw it. Neither its maker nor who gains by it can approve it. ' +
        '`reject` ends it; its maker withdraws it so. The proposals of somebody who is no administrator any more, or suspended, count for nothing.',
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
        'Makes a new version, as that of an app does. The header `If-Match` may name the version that the caller has seen.',
      params: { operation: { description: '`deposit`, `transfer` or `withdrawal`.', example: 'transfer' } },
      answers: [answer(200, 'The version in force, which is also in `ETag`.', { schema: fee })],
      errors: [...desk, 'fee_changed'],
    },
    listUnexplained: {
      summary: 'List all unexplained money',
      description:
        'Deposits to review or contradicted by the provider, second payments, what is stuck, debts, and what else is in suspense, by the kind ' +
        'of movement that put it there: the amounts of second payments and suspense add up to the balance of that account. Each has its age ' +
        'and what ends it. `kind` and `pid` find those of one kind or person.',
      answers: [answer(200, 'The oldest 100, and how many there are.', { schema: schemas.unexplained })],
      errors: desk,
    },
    getOverview: {
      summary: 'Overview of the money in the service',
      description:
        "The switches, what waits for a person, the operator's accounts, and a day's totals to compare with the report of a provider. " +
        '`day` is a date in Jakarta; today unless it is given.',
      answers: [answer(200, 'As it is now.', { schema: schemas.overview })],
      errors: desk,
    },
    ...reconcileOperations,
    listAudit: {
      summary: 'Read the audit log, newest first',
      description:
        '`format=csv` answers all lines that the filter leaves as a CSV file, whose last line has their number: a file that was cut off lacks it.',
      answers: [answer(200, 'One page.', { schema: schemas.auditPage, fileTypes: ['text/csv'] })],
      errors: desk,
    },
  }),
};
