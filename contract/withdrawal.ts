import { received } from '../src/features/gateway/schema.ts';
import { withdrawalEndpoints } from '../src/features/withdrawal/endpoints.ts';
import * as schemas from '../src/features/withdrawal/schema.ts';
import { holdRequirements } from '../src/features/withdrawal/statements.ts';
import { withdrawalExamples } from './examples/withdrawal.ts';
import { answer, errorsIn, type FeatureApi, operationsOf } from './operation.ts';

const id = { id: { description: "The withdrawal's id.", example: '$withdrawal' } };
const closed = ['session_ended', 'ledger_disabled', 'ledger_frozen'] as const;
const asking = ['gateway_not_configured', 'gateway_unavailable'] as const;
const own = ['session_ended', 'transaction_not_found'] as const;

export const withdrawalApi: FeatureApi = {
  tag: 'Withdrawals',
  description:
    'Withdrawals to a bank account, unless the operator has disabled them. Only the person can withdraw: no ' +
    'grant lets an app do so. A withdrawal is `held`, then `submitted`, before the provider is called; ' +
    '`paid` is not always final, because the bank may return the money.',
  examples: withdrawalExamples,
  schemas: {
    BankList: schemas.bankList,
    WithdrawalInput: schemas.withdrawalInput,
    WithdrawalQuote: schemas.withdrawalQuote,
    WithdrawalConfirmation: schemas.withdrawalConfirmation,
    Withdrawal: schemas.withdrawal,
    WithdrawalPage: schemas.withdrawalPage,
  },
  operations: operationsOf(withdrawalEndpoints, {
    listBanks: {
      summary: 'List the banks for withdrawals',
      answers: [answer(200, 'Codes and names.', { schema: schemas.bankList })],
      errors: ['session_ended', 'withdrawals_disabled', ...asking],
    },
    quoteWithdrawal: {
      summary: 'Quote a withdrawal: fee, total and account holder',
      description:
        'Valid for five minutes. Queries the provider only if the wallet has the money, and for at most 20 ' +
        'unused quotes a day.',
      answers: [answer(200, 'The quote.', { schema: schemas.withdrawalQuote })],
      errors: [
        ...closed,
        'withdrawals_disabled',
        'wallet_not_found',
        'wallet_frozen',
        'amount_too_small',
        'amount_too_large',
        'insufficient_internal_credit',
        'rate_limited',
        'bank_account_unknown',
        ...asking,
      ],
    },
    confirmWithdrawal: {
      summary: 'Withdraw',
      description:
        'Holds the money of a quote, only once; it is paid out within minutes. Needs a recent sign-in; above the ' +
        "person's `stepUpAmount`, one after the quote. If the quote is already confirmed, returns its " +
        'withdrawal, with `Idempotent-Replayed: true`.',
      answers: [answer(200, 'The withdrawal.', { schema: schemas.withdrawal })],
      errors: [...errorsIn(holdRequirements), 'limit_payment', 'limit_day', 'limit_month'],
    },
    listWithdrawals: {
      summary: 'List withdrawals, newest first',
      answers: [answer(200, 'One page.', { schema: schemas.withdrawalPage })],
      errors: ['session_ended'],
    },
    getWithdrawal: {
      summary: 'Get a withdrawal',
      params: id,
      answers: [answer(200, 'The withdrawal.', { schema: schemas.withdrawal })],
      errors: own,
    },
    syncWithdrawal: {
      summary: 'Query the provider about a withdrawal',
      description: 'The scheduled job also queries the provider, so this only makes it happen sooner.',
      params: id,
      answers: [answer(200, 'The withdrawal after the update.', { schema: schemas.withdrawal })],
      errors: [...own, 'ledger_disabled', 'ledger_frozen', ...asking],
    },
    cancelWithdrawal: {
      summary: 'Cancel a withdrawal while it is held',
      params: id,
      answers: [
        answer(200, 'Cancelled, and the money is returned. Safe to repeat.', { schema: schemas.withdrawal }),
      ],
      errors: [...own, 'ledger_disabled', 'ledger_frozen', 'withdrawal_final'],
    },
    notifyPayout: {
      summary: 'Callback from a payout provider',
      description:
        'Only for the provider, which signs it. A callback only identifies the payout to check: the state is ' +
        'always read from the provider. An unknown payout gets the same response as a known one.',
      params: { provider: { description: 'The name of the provider.', example: 'sandbox' } },
      answers: [answer(200, 'Received.', { schema: received })],
      errors: ['invalid_signature', 'not_found', 'body_too_large'],
    },
  }),
};
