import { transferEndpoints } from '../src/features/transfer/endpoints.ts';
import { captureRequirements, releaseRequirements } from '../src/features/transfer/hold-statements.ts';
import { refundRequirements } from '../src/features/transfer/refund-statements.ts';
import * as schemas from '../src/features/transfer/schema.ts';
import { confirmRequirements } from '../src/features/transfer/statements.ts';
import { transferExamples } from './examples/transfer.ts';
import { answer, errorsIn, type FeatureApi, operationsOf } from './operation.ts';

const inquiryId = { id: { description: "The inquiry's id.", example: '$inquiry' } };
const transferId = { id: { description: "The transfer's id.", example: '$transfer' } };
const acting = ['session_ended', 'missing_scope', 'grant_expired', 'grant_revoked'] as const;
const moving = ['ledger_disabled', 'ledger_frozen', 'wallet_frozen', 'recipient_unavailable'] as const;
/** The requirements for confirming and holding. */
const { for_hold, not_for_hold, not_fresh, ...ofBoth } = confirmRequirements;
const consent = ['wallet_closed', ...errorsIn(ofBoth), 'limit_payment', 'limit_day', 'limit_month'] as const;

export const transferApi: FeatureApi = {
  tag: 'Transfers',
  description:
    'A transfer takes two steps: an inquiry returns the cost, and confirming it executes exactly that ' +
    "inquiry. An app pays with the scope `fiat:transfer`, within its grant's limits or with an approval.",
  examples: transferExamples,
  schemas: {
    InquiryInput: schemas.inquiryInput,
    Inquiry: schemas.inquiry,
    ConfirmInput: schemas.confirmInput,
    Transfer: schemas.transfer,
    TransferPage: schemas.transferPage,
    HoldInput: schemas.holdInput,
    CaptureInput: schemas.captureInput,
    RefundInput: schemas.refundInput,
    Refund: schemas.refunded,
  },
  operations: operationsOf(transferEndpoints, {
    createInquiry: {
      summary: 'Quote a transfer',
      description:
        'Valid for five minutes. Insufficient funds are not an error: see `sufficientFunds`, which is null for ' +
        "an app that may not read the wallet. A third-party app's page needs an access token for an inquiry with " +
        '`hold`.',
      answers: [answer(200, 'The inquiry.', { schema: schemas.inquiry })],
      errors: [
        ...acting,
        ...moving,
        'wallet_not_found',
        'own_wallet',
        'amount_too_small',
        'amount_too_large',
      ],
    },
    getInquiry: {
      summary: 'Get an inquiry',
      description: 'Readable for a day after it expires.',
      params: inquiryId,
      answers: [answer(200, 'The inquiry.', { schema: schemas.inquiry })],
      errors: [...acting, 'transaction_not_found'],
    },
    cancelInquiry: {
      summary: 'Cancel an open inquiry',
      params: inquiryId,
      answers: [answer(200, 'Cancelled. Safe to repeat.', { schema: schemas.inquiry })],
      errors: [...acting, 'transaction_not_found', 'inquiry_not_open'],
    },
    confirmTransfer: {
      summary: 'Transfer',
      description:
        'Moves the money only once. If the inquiry is already confirmed, returns its transfer, with ' +
        '`Idempotent-Replayed: true`. Above their `stepUpAmount`, a person has to sign in again after the ' +
        'inquiry, and an app needs an approval. An app whose grant does not cover the transfer sends the ' +
        'approval and its verifier.',
      answers: [answer(200, 'The transfer.', { schema: schemas.transfer })],
      errors: [...acting, ...moving, 'not_fresh', 'for_hold', ...consent],
    },
    holdTransfer: {
      summary: 'Hold the money of an inquiry',
      description:
        'For an inquiry with `hold`. The money is reserved for 7 days, within which the app captures or releases ' +
        'it; after that it is released automatically. Needs an approval in the same cases as a confirmation; a ' +
        "hold counts in full against the grant's limits. A retry returns the same hold, with " +
        '`Idempotent-Replayed: true`.',
      params: inquiryId,
      bodyOptional: true,
      answers: [answer(200, 'The hold.', { schema: schemas.transfer })],
      errors: [...acting, ...moving, 'not_for_hold', ...consent],
    },
    captureHold: {
      summary: 'Capture a hold',
      description:
        'By the app, for the person or with its own token (`client_credentials`), in both cases with the scope ' +
        "`fiat:transfer`. Pays once: everything, or `amount` with the fees for that amount under the inquiry's " +
        'rules. The rest is released.',
      params: transferId,
      bodyOptional: true,
      answers: [answer(200, 'The transfer.', { schema: schemas.transfer })],
      errors: [...acting, 'app_suspended', ...errorsIn(captureRequirements), 'amount_too_small'],
    },
    releaseHold: {
      summary: 'Release a hold',
      description: 'With the same tokens as a capture. A released or expired hold stays unchanged.',
      params: transferId,
      answers: [answer(200, 'The hold.', { schema: schemas.transfer })],
      errors: [...acting, 'app_suspended', ...errorsIn(releaseRequirements)],
    },
    refundTransfer: {
      summary: 'Refund a transfer',
      description:
        "By the payee, or by the transfer's app with the scope `fiat:refund`. Without `amount`, it refunds the " +
        'remainder; several refunds never exceed the received amount. Fees are kept. Needs an `Idempotency-Key`: ' +
        'a retry with the same body returns the same refund, with `Idempotent-Replayed: true`.',
      params: transferId,
      bodyOptional: true,
      answers: [answer(200, 'The refund.', { schema: schemas.refunded })],
      errors: [
        ...acting,
        ...moving,
        'wallet_closed',
        'idempotency_key_required',
        ...errorsIn(refundRequirements),
        'idempotency_key_reused',
        'amount_too_large',
      ],
    },
    listTransfers: {
      summary: 'List transfers and refunds, newest first',
      description:
        'An app sees its own transfers and their refunds, with the scope `fiat:read`. With its own token ' +
        '(`client_credentials`), it sees the transfers that it made for any person, in the order of its ' +
        'requests; refunds made by a recipient are in `refundedTotal`. With a token for a person, a page covers ' +
        "1,000 of the wallet's movements, so it may be shorter than `limit` or even empty; the list ends when " +
        '`nextCursor` is null.',
      answers: [answer(200, 'One page.', { schema: schemas.transferPage })],
      errors: [...acting, 'app_suspended'],
    },
    getTransfer: {
      summary: 'Get a transfer or refund',
      params: transferId,
      answers: [answer(200, 'The transfer.', { schema: schemas.transfer })],
      errors: [...acting, 'app_suspended', 'transaction_not_found'],
    },
  }),
};
