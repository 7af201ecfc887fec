import { maxNotificationBytes, readBody } from '../../http/body.ts';
import { clientInfo } from '../../http/context.ts';
import { markReplayed } from '../../http/idempotency.ts';
import { routesOf } from '../../http/serve.ts';
import { takeCallback } from './callback.ts';
import { withdrawalEndpoints } from './endpoints.ts';
import { confirmWithdrawal, listBanks, quoteWithdrawal } from './quote.ts';
import { cancelWithdrawal, getWithdrawal, listWithdrawals, syncWithdrawal } from './withdrawal.ts';

/** Withdrawals to bank accounts: a quote with cost and payee first, then the withdrawal. */
export const withdrawalRoutes = routesOf(withdrawalEndpoints, {
  /** The available banks. */
  listBanks: ({ deps, actor: { sessionId } }) => listBanks(deps, sessionId),

  /** The cost and the payee of a withdrawal, fixed for five minutes. */
  quoteWithdrawal: ({ deps, actor: { sessionId }, body }) => quoteWithdrawal(deps, sessionId, body),

  /** Holds the money of a quote, only once. 403 unless the sign-in is recent. */
  confirmWithdrawal: async ({ c, deps, actor: { sessionId }, body: { withdrawalId: id } }) => {
    const confirmation = { sessionId, id, client: clientInfo(c) };
    const { answer, isReplayed } = await confirmWithdrawal(deps, confirmation);
    markReplayed(c, isReplayed);
    return answer;
  },

  /** Withdrawals, newest first. */
  listWithdrawals: ({ deps, actor: { sessionId }, query }) => listWithdrawals(deps, sessionId, query),

  /** One withdrawal. */
  getWithdrawal: ({ deps, actor: { sessionId }, params: { id } }) => getWithdrawal(deps, { sessionId, id }),

  /** Queries the provider about a withdrawal. */
  syncWithdrawal: ({ deps, actor: { sessionId }, params: { id } }) => syncWithdrawal(deps, { sessionId, id }),

  /** Returns the held money, unless the payout may have been sent. Safe to repeat. */
  cancelWithdrawal: ({ deps, actor: { sessionId }, params: { id } }) =>
    cancelWithdrawal(deps, { sessionId, id }),

  /** A provider's callback, which only identifies the payout to check. */
  notifyPayout: async ({ c, deps, params: { provider } }) => {
    await takeCallback(deps, provider, await readBody(c, maxNotificationBytes), c.req.raw.headers);
    return { received: true };
  },
});
