import { depositEndpoints } from '../src/features/deposit/endpoints.ts';
import * as schemas from '../src/features/deposit/schema.ts';
import { depositRequirements } from '../src/features/deposit/statements.ts';
import { received } from '../src/features/gateway/schema.ts';
import { depositExamples } from './examples/deposit.ts';
import { answer, errorsIn, type FeatureApi, operationsOf } from './operation.ts';

const depositId = { id: { description: "The deposit's id.", example: '$deposit' } };
const acting = ['session_ended', 'missing_scope', 'grant_expired', 'grant_revoked'] as const;
const asking = ['gateway_not_configured', 'gateway_unavailable'] as const;

export const depositApi: FeatureApi = {
  tag: 'Deposits',
  description:
    'A deposit is paid on the page of a provider. What the provider has taken is credited exactly once, however it becomes ' +
    'known: by its notification, by the return of the person, by `sync`, or by the scheduled work. An app starts deposits, ' +
    'and sees those it started, with the scope `fiat:deposit`.',
  examples: depositExamples,
  schemas: {
    CheckoutInput: schemas.checkoutInput,
    Deposit: schemas.deposit,
    SyncedDeposit: schemas.syncedDeposit,
    DepositPage: schemas.depositPage,
    NotificationReceived: received,
  },
  operations: operationsOf(depositEndpoints, {
    checkout: {
      summary: 'Start a deposit',
      description:
        "Answers the address of the provider's page. The fees are taken out of the amount. With an `Idempotency-Key` a repeat " +
        'with the same body answers the same deposit, with `Idempotent-Replayed: true`. The provider sends the person back ' +
        'to `returnUrl`, or to a page of the deposit. A person can make 100 a day at all apps of one owner together.',
      answers: [answer(200, 'The deposit, ready to be paid.', { schema: schemas.deposit })],
      errors: [
        ...acting,
        ...asking,
        ...errorsIn(depositRequirements),
        'deposit_too_small',
        'amount_too_small',
        'amount_too_large',
        'idempotency_key_reused',
      ],
    },
    listDeposits: {
      summary: 'List deposits, newest first',
      answers: [answer(200, 'One page.', { schema: schemas.depositPage })],
      errors: acting,
    },
    getDeposit: {
      summary: 'Get a deposit',
      params: depositId,
      answers: [answer(200, 'The deposit.', { schema: schemas.deposit })],
      errors: [...acting, 'transaction_not_found'],
    },
    syncDeposit: {
      summary: 'Update a deposit from the provider',
      description:
        'Credits it if it was paid. A deposit about which nothing can change is answered as it is. While the ledger is ' +
        'frozen it answers 503 only if money would move.',
      params: depositId,
      answers: [answer(200, 'As the provider says.', { schema: schemas.syncedDeposit })],
      errors: [...acting, ...asking, 'transaction_not_found', 'ledger_disabled', 'ledger_frozen'],
    },
    cancelDeposit: {
      summary: 'Cancel a deposit that nobody has paid',
      description: 'Money that comes all the same is credited.',
      params: depositId,
      answers: [answer(200, 'It has expired. Safe to repeat.', { schema: schemas.deposit })],
      errors: [...acting, ...asking, 'transaction_not_found', 'deposit_final'],
    },
    returnFromPayment: {
      isHosted: true,
      summary: 'Return page for payment providers',
      description: 'Asks the provider about the deposit, and leads on.',
      params: depositId,
      answers: [
        answer(303, "On to `returnUrl`, or to the deposit's page.", {
          location: '/account/wallet/deposits/:id',
        }),
      ],
    },
    notifyGateway: {
      summary: 'Notification from a payment provider',
      description:
        'For the provider alone, which signs it. It says only which order to ask about: the state is always read from the ' +
        'provider. An unknown order is answered like a known one.',
      params: { provider: { description: 'The name of the provider.', example: 'sandbox' } },
      answers: [answer(200, 'Received.', { schema: received })],
      errors: ['invalid_signature', 'not_found', 'body_too_large'],
    },
  }),
};
