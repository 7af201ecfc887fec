import { idempotencyKey, markReplayed } from '../../http/idempotency.ts';
import { routesOf } from '../../http/serve.ts';
import { transferEndpoints } from './endpoints.ts';
import { captureHold, releaseHold } from './hold.ts';
import { cancelInquiry, createInquiry, getInquiry } from './inquiry.ts';
import { getTransfer, listTransfers } from './read.ts';
import { confirmTransfer, refundTransfer } from './transfer.ts';

/** Transfers between wallets: an inquiry first, then the transfer, then refunds. */
export const transferRoutes = routesOf(transferEndpoints, {
  /** The cost of a transfer, fixed for five minutes. */
  createInquiry: ({ deps, actor, body }) => createInquiry(deps, actor, body),

  /** An inquiry, readable for a day. */
  getInquiry: ({ deps, actor, params: { id } }) => getInquiry(deps, actor, id),

  /** Cancels an open inquiry. */
  cancelInquiry: ({ deps, actor, params: { id } }) => cancelInquiry(deps, actor, id),

  /** Moves the money of an inquiry, only once. A retry returns the same transfer. */
  confirmTransfer: async ({ c, deps, actor, body }) => {
    const { answer, isReplayed } = await confirmTransfer(deps, actor, body);
    markReplayed(c, isReplayed);
    return answer;
  },

  /** Holds the money of an inquiry for 7 days. A retry returns the same hold. */
  holdTransfer: async ({ c, deps, actor, params: { id }, body }) => {
    const { answer, isReplayed } = await confirmTransfer(deps, actor, { ...body, inquiryId: id }, true);
    markReplayed(c, isReplayed);
    return answer;
  },

  /** Pays from a hold, and releases the rest. */
  captureHold: ({ deps, actor, params: { id }, body }) => captureHold(deps, actor, { ...body, id }),

  /** Releases a hold. */
  releaseHold: ({ deps, actor, params: { id } }) => releaseHold(deps, actor, id),

  /** Refunds all or part of a transfer. Requires an `Idempotency-Key`. */
  refundTransfer: async ({ c, deps, actor, params: { id: transfer }, body }) => {
    const request = { ...body, transfer, key: idempotencyKey(c) };
    const { answer, isReplayed } = await refundTransfer(deps, actor, request);
    markReplayed(c, isReplayed);
    return answer;
  },

  /** Transfers and refunds, newest first. */
  listTransfers: ({ deps, actor, query }) => listTransfers(deps, actor, query),

  /** One transfer or refund. */
  getTransfer: ({ deps, actor, params: { id } }) => getTransfer(deps, actor, id),
});
