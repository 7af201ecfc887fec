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
    'Money to a bank account, unless the operator has switched withdrawals off. The person alone can withdraw: no app can, whatever its ' +
    'grant says. A withdrawal is `held`, then `submitted`, before the provider hears of it; `paid` is not always the end, because a ' +
    'bank may return the money.',
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
      summary: 'List the banks that withdrawals can be sent to',
      answers: [answer(200, 'Codes and names.', { schema: schemas.bankList })],
      errors: ['session_ended', 'withdrawals_disabled', ...asking],
    },
    quoteWithdrawal: {
      summary: 'Quote a withdrawal: fee, total and account holder',
      description:
        'Holds for five minutes. Asks the provider only if the wallet has the money, and for at most 20 quotes a day ' +
        'that the person does not use.',
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
        'Holds the money of a quote, once; it is paid out within minutes. Needs a recent sign-in; above the ' +
        '`stepUpAmount` of the person, one after the quote. A quote that was confirmed before answers its withdrawal, with `Idempotent-Replayed: true`.',
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
      summary: 'Update a withdrawal from the provider',
      description: 'The scheduled work asks too, so this only makes it sooner.',
      params: id,
      answers: [answer(200, 'The withdrawal after the update.', { schema: schemas.withdrawal })],
      errors: [...own, 'ledger_disabled', 'ledger_frozen', ...asking],
    },
    cancelWithdrawal: {
      summary: 'Cancel a withdrawal while it is held',
      params: id,
      answers: [answer(200, 'Cancelled; the money is back. Safe to repeat.', { schema: schemas.withdrawal })],
      errors: [...own, 'ledger_disabled', 'ledger_frozen', 'withdrawal_final'],
    },
    notifyPayout: {
      summary: 'Callback from a payout provider',
      description:
        'For the provider alone, which signs it. It says only which payout to ask about: the state is always read from the provider. ' +
        'An unknown payout is answered like a known one.',
      params: { provider: { description: 'The name of the provider.', example: 'sandbox' } },
      answers: [answer(200, 'Received.', { schema: received })],
      errors: ['invalid_signature', 'not_found', 'body_too_large'],
    },
  }),
};
