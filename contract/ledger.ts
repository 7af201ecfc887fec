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
      description: 'A repeat returns the same wallet. Apps cannot open one.',
      bodyOptional: true,
      answers: [answer(200, 'The wallet.', { schema: schemas.wallet })],
      errors: ['session_ended'],
    },
    getWallet: {
      summary: 'The wallet',
      description:
        'With its `limits` and what is left of each, while the operator sets some (`WALLET_LIMITS`). Fees count; days and months are those in ' +
        'Jakarta.',
      answers: [answer(200, 'The wallet and what it holds.', { schema: schemas.wallet })],
      errors: reading,
    },
    getBalance: {
      summary: 'Get the balance, now or at a given time',
      description:
        '`at` answers the balance after the last movement at or before that time, 0 before the first. What was held then is ' +
        'not kept.',
      answers: [answer(200, 'The balance.', { schema: schemas.walletBalance })],
      errors: reading,
    },
    listTransactions: {
      summary: 'List transactions, newest first',
      description: 'One line for each movement, with its sum, the fees in it and the balance after it.',
      answers: [answer(200, 'One page.', { schema: schemas.transactionPage })],
      errors: reading,
    },
    getTransaction: {
      summary: 'Get a transaction, with its legs',
      params: { id: { description: 'Its id, as a list showed it.', example: '$transfer' } },
      answers: [answer(200, 'The line.', { schema: schemas.transactionDetail })],
      errors: [...reading, 'transaction_not_found'],
    },
    getStatement: {
      summary: 'Get a statement for a period, with opening and closing balance',
      description:
        'The last 31 days unless `from` and `to` are given; `to` is not included. `format=csv` returns a CSV file instead ' +
        '(RFC 4180), with times on the clock of `TIME_ZONE`, in which a cell that begins like a formula has an apostrophe in front. A period of any length is sent as ' +
        'it is read. After an error midway the JSON does not end, and the CSV lacks its last line, of the kind `closing`.',
      answers: [
        answer(200, 'The statement, the oldest line first.', {
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
        answer(200, 'Those in force, or with `history=true` the newest 1,000 versions.', {
          schema: schemas.feeList,
        }),
      ],
      errors: ofApp,
    },
    setFee: {
      summary: 'Set a fee of an app',
      description:
        'Makes a new version, which the next inquiry uses; setting what is in force makes none. The fee is the share `bps` of ' +
        'the amount, rounded up, plus `fixed`, at least `min` and at most `max`. The header `If-Match` may name the version ' +
        'that the caller has seen, as `"3"`. A person may make 100 new versions a day, of all their apps together.',
      params: { id, operation },
      answers: [answer(200, 'The version in force, which is also in `ETag`.', { schema: schemas.fee })],
      errors: [...ofApp, 'app_suspended', 'fee_too_high', 'fee_changed', 'rate_limited'],
    },
    previewFee: {
      summary: 'Preview the fees of an amount',
      params: { id, operation },
      answers: [answer(200, 'The fees, who bears them and who gets them.', { schema: schemas.feePreview })],
      errors: [...ofApp, ...priced],
    },
    getAppBalance: {
      summary: 'Get the fees that an app has collected',
      params: { id },
      answers: [answer(200, 'Its balance.', { schema: schemas.balance })],
      errors: ofApp,
    },
    sweepApp: {
      summary: "Move an app's revenue to its owner's wallet",
      description:
        'Sweeps everything unless `amount` is given. A repeat with the same `Idempotency-Key` and body returns the same sweep, with ' +
        '`Idempotent-Replayed: true`.',
      params: { id },
      bodyOptional: true,
      answers: [answer(200, 'The sweep.', { schema: schemas.sweep })],
      errors: ['idempotency_key_reused', ...errorsIn(sweepRequirements), 'amount_too_large'],
    },
  }),
};
