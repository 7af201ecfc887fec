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
    'A transfer takes two steps: an inquiry returns the cost, and confirming it executes exactly that inquiry. An app pays with the ' +
    'scope `fiat:transfer`, within the limits of its grant or with an approval.',
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
        'Holds for five minutes. It does not fail for lack of money: `sufficientFunds` says so, and is null for an app that ' +
        'may not read the wallet. The page of an app that is not first-party asks with `hold` by an access token.',
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
      description: 'Can be read for a day after it expired.',
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
        'Moves the money once. An inquiry that was confirmed before returns its transfer, with `Idempotent-Replayed: true`. ' +
        'Above their `stepUpAmount` a person signs in again after the inquiry, and an app needs an approval. ' +
        'An app whose grant does not cover the transfer adds the approval and its verifier.',
      answers: [answer(200, 'The transfer.', { schema: schemas.transfer })],
      errors: [...acting, ...moving, 'not_fresh', 'for_hold', ...consent],
    },
    holdTransfer: {
      summary: 'Hold the money of an inquiry',
      description:
        'For an inquiry that was made with `hold`. The money is reserved for 7 days, in which the app captures or releases it; ' +
        'then it is released by itself. Takes an approval as confirming does; a hold counts in full against the limits of a grant. ' +
        'A repeat returns the same hold, with `Idempotent-Replayed: true`.',
      params: inquiryId,
      bodyOptional: true,
      answers: [answer(200, 'The hold.', { schema: schemas.transfer })],
      errors: [...acting, ...moving, 'not_for_hold', ...consent],
    },
    captureHold: {
      summary: 'Capture a hold',
      description:
        'By its app, for the person or with a token of its own (`client_credentials`), both with the scope `fiat:transfer`. Pays once: all of it, or `amount` and the ' +
        'fees of that amount by the rules of the inquiry. The rest is released.',
      params: transferId,
      bodyOptional: true,
      answers: [answer(200, 'The transfer.', { schema: schemas.transfer })],
      errors: [...acting, 'app_suspended', ...errorsIn(captureRequirements), 'amount_too_small'],
    },
    releaseHold: {
      summary: 'Release a hold',
      description: 'As for capturing. One that was released or has expired stays as it is.',
      params: transferId,
      answers: [answer(200, 'The hold.', { schema: schemas.transfer })],
      errors: [...acting, 'app_suspended', ...errorsIn(releaseRequirements)],
    },
    refundTransfer: {
      summary: 'Refund a transfer',
      description:
        'By who was paid, or by the app of the transfer with the scope `fiat:refund`. What is left unless `amount` is given; ' +
        'several refunds never exceed what was received. Fees are kept. Needs an `Idempotency-Key`: a repeat with the same body ' +
        'answers the same refund, with `Idempotent-Replayed: true`.',
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
        'An app sees its own and their refunds, with the scope `fiat:read`. With a token of its own (`client_credentials`) it ' +
        'sees those that it made for anybody, in the order in which it asked for them; refunds that a recipient made are in ' +
        '`refundedTotal`. With a token for a person, a page looks at 1,000 of the wallet’s movements, so it may be shorter than `limit`, ' +
        'even empty; the list ends where `nextCursor` is null.',
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
