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
    "A deposit is paid on a provider's page. The amount collected by the provider is credited exactly once, " +
    "whether it is reported by a notification, by the person's return, by `sync`, or by the scheduled job. " +
    'An app needs the scope `fiat:deposit` to start deposits, and sees only its own.',
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
        "Returns the URL of the provider's page. The fees are deducted from the amount. With an " +
        '`Idempotency-Key`, a retry with the same body returns the same deposit, with `Idempotent-Replayed: ' +
        "true`. The provider redirects the person to `returnUrl`, or to the deposit's page. A person can start " +
        '100 deposits a day at all apps of one owner together.',
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
      summary: 'Query the provider about a deposit',
      description:
        'Credits the deposit if it was paid. A final deposit is returned unchanged. While the ledger is frozen, ' +
        'the response is 503 only if money would move.',
      params: depositId,
      answers: [answer(200, 'The state according to the provider.', { schema: schemas.syncedDeposit })],
      errors: [...acting, ...asking, 'transaction_not_found', 'ledger_disabled', 'ledger_frozen'],
    },
    cancelDeposit: {
      summary: 'Cancel an unpaid deposit',
      description: 'Late payments are still credited.',
      params: depositId,
      answers: [answer(200, 'Expired. Safe to repeat.', { schema: schemas.deposit })],
      errors: [...acting, ...asking, 'transaction_not_found', 'deposit_final'],
    },
    returnFromPayment: {
      isHosted: true,
      summary: 'Return page for payment providers',
      description: 'Queries the provider about the deposit, and redirects the person.',
      params: depositId,
      answers: [
        answer(303, "A redirect to `returnUrl`, or to the deposit's page.", {
          location: '/account/wallet/deposits/:id',
        }),
      ],
    },
    notifyGateway: {
      summary: 'Notification from a payment provider',
      description:
        'Only for the provider, which signs it. A notification only identifies the order to check: the state is ' +
        'always read from the provider. An unknown order gets the same response as a known one.',
      params: { provider: { description: 'The name of the provider.', example: 'sandbox' } },
      answers: [answer(200, 'Received.', { schema: received })],
      errors: ['invalid_signature', 'not_found', 'body_too_large'],
    },
  }),
};
