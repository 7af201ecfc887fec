import { ledgerEndpoints } from '../src/features/ledger/endpoints.ts';
import * as schemas from '../src/features/ledger/schema.ts';
import { sweepRequirements } from '../src/features/ledger/sweep.ts';
import { ledgerExamples } from './examples/ledger.ts';
import { answer, errorsIn, type FeatureApi, operationsOf } from './operation.ts';

const id = { description: "The app's id.", example: '$app' };
const operation = { description: 'deposit, transfer or withdrawal.', example: 'transfer' };
const reading = [
  'session_ended',
  'wallet_not_found',
  'missing_scope',
  'grant_expired',
  'grant_revoked',
] as const;
const ofApp = ['session_ended', 'app_not_found'] as const;
const priced = ['amount_too_small', 'amount_too_large'] as const;

/** The wallet and its lines, then apps' fees. */
export const ledgerApi: FeatureApi = {
  tag: 'Wallet',
  description:
    'Amounts are whole numbers of minor units; IDR, the only asset, has no decimals. An app needs the scope `wallet:read`.',
  examples: ledgerExamples,
  schemas: {
    Wallet: schemas.wallet,
    WalletBalance: schemas.walletBalance,
    Transaction: schemas.transaction,
    TransactionDetail: schemas.transactionDetail,
    TransactionPage: schemas.transactionPage,
    WalletStatement: schemas.walletStatement,
    Fee: schemas.fee,
    FeeInput: schemas.feeInput,
    FeeList: schemas.feeList,
    FeePreview: schemas.feePreview,
    AppBalance: schemas.balance,
    SweepInput: schemas.sweepInput,
    Sweep: schemas.sweep,
  },
  operations: operationsOf(ledgerEndpoints, {
    createWallet: {
      summary: 'Open the wallet',
      description: 'A retry returns the same wallet. Apps cannot open one.',
      bodyOptional: true,
      answers: [answer(200, 'The wallet.', { schema: schemas.wallet })],
      errors: ['session_ended'],
    },
    getWallet: {
      summary: 'The wallet',
      description:
        'With its `limits` and the remaining amounts, if the operator sets any (`WALLET_LIMITS`). Fees are ' +
        'included; days and months are in Jakarta time.',
      answers: [answer(200, 'The wallet and its balance.', { schema: schemas.wallet })],
      errors: reading,
    },
    getBalance: {
      summary: 'Get the balance, now or at a given time',
      description:
        '`at` returns the balance after the last movement at or before that time, and 0 before the first ' +
        'movement. Held amounts have no history.',
      answers: [answer(200, 'The balance.', { schema: schemas.walletBalance })],
      errors: reading,
    },
    listTransactions: {
      summary: 'List transactions, newest first',
      description: 'One line per movement, with its total, its fees and the resulting balance.',
      answers: [answer(200, 'One page.', { schema: schemas.transactionPage })],
      errors: reading,
    },
    getTransaction: {
      summary: 'Get a transaction, with its legs',
      params: { id: { description: 'The id from a list.', example: '$transfer' } },
      answers: [answer(200, 'The line.', { schema: schemas.transactionDetail })],
      errors: [...reading, 'transaction_not_found'],
    },
    getStatement: {
      summary: 'Get a statement for a period, with opening and closing balance',
      description:
        'The last 31 days by default; `from` is inclusive, `to` is exclusive. `format=csv` returns a CSV file ' +
        '(RFC 4180), with times in `TIME_ZONE`; a cell that starts like a formula gets a leading apostrophe. A ' +
        'period of any length is streamed. After an error midway the JSON is incomplete, and the CSV lacks its ' +
        'last line, of the kind `closing`.',
      answers: [
        answer(200, 'The statement, oldest line first.', {
          schema: schemas.walletStatement,
          fileTypes: ['text/csv'],
        }),
      ],
      errors: reading,
    },
    listFees: {
      summary: "An app's fees and the operator's own",
      params: { id },
      answers: [
        answer(200, 'The current fees, or with `history=true` the newest 1,000 versions.', {
          schema: schemas.feeList,
        }),
      ],
      errors: ofApp,
    },
    setFee: {
      summary: "Set an app's fee",
      description:
        'Creates a new version, which applies from the next inquiry; an unchanged fee creates none. The fee is ' +
        'the share `bps` of the amount, rounded up, plus `fixed`, at least `min` and at most `max`. The header ' +
        '`If-Match` may contain the version known to the caller, as `"3"`. A person may create 100 new versions ' +
        'a day across all their apps.',
      params: { id, operation },
      answers: [answer(200, 'The current version, which is also in `ETag`.', { schema: schemas.fee })],
      errors: [...ofApp, 'app_suspended', 'fee_too_high', 'fee_changed', 'rate_limited'],
    },
    previewFee: {
      summary: 'Preview the fees for an amount',
      params: { id, operation },
      answers: [
        answer(200, 'The fees, who pays them and who receives them.', { schema: schemas.feePreview }),
      ],
      errors: [...ofApp, ...priced],
    },
    getAppBalance: {
      summary: 'Get the fees that an app has collected',
      params: { id },
      answers: [answer(200, 'The balance.', { schema: schemas.balance })],
      errors: ofApp,
    },
    sweepApp: {
      summary: "Move an app's revenue to its owner's wallet",
      description:
        'Sweeps everything unless `amount` is given. A retry with the same `Idempotency-Key` and body returns ' +
        'the same sweep, with `Idempotent-Replayed: true`.',
      params: { id },
      bodyOptional: true,
      answers: [answer(200, 'The sweep.', { schema: schemas.sweep })],
      errors: ['idempotency_key_reused', ...errorsIn(sweepRequirements), 'amount_too_large'],
    },
  }),
};
