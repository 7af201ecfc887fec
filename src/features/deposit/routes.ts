import { maxNotificationBytes, readBody } from '../../http/body.ts';
import { idempotencyKey, markReplayed } from '../../http/idempotency.ts';
import { routesOf } from '../../http/serve.ts';
import { cancelDeposit } from './cancel.ts';
import { checkout } from './checkout.ts';
import { getDeposit, listDeposits, returnAddress, syncDeposit } from './deposit.ts';
import { depositEndpoints } from './endpoints.ts';
import { takeNotification } from './notification.ts';

/** Deposits: what people pay in through a provider of payments. */
export const depositRoutes = routesOf(depositEndpoints, {
  /** Opens the provider's page, where the person pays. */
  checkout: async ({ c, deps, actor, body }) => {
    const { answer, isReplayed } = await checkout(deps, actor, { ...body, key: idempotencyKey(c) });
    markReplayed(c, isReplayed);
    return answer;
  },

  /** Deposits, the newest first. */
  listDeposits: ({ deps, actor, query }) => listDeposits(deps, actor, query),

  /** One deposit. */
  getDeposit: ({ deps, actor, params: { id } }) => getDeposit(deps, actor, id),

  /** Asks the provider about a deposit. */
  syncDeposit: ({ deps, actor, params: { id } }) => syncDeposit(deps, actor, id),

  /** Ends a deposit that nobody has paid. */
  cancelDeposit: ({ deps, actor, params: { id } }) => cancelDeposit(deps, actor, id),

  /** Looks at the deposit, so that a lost notification heals, and leads the person on. */
  returnFromPayment: async ({ c, deps, params: { id } }) => c.redirect(await returnAddress(deps, id), 303),

  /** A notification of a provider: it says only which order to ask about. */
  notifyGateway: async ({ c, deps, params: { provider } }) => {
    await takeNotification(deps, provider, await readBody(c, maxNotificationBytes), c.req.raw.headers);
    return { received: true };
  },
});
