import { maxNotificationBytes, readBody } from '../../http/body.ts';
import { idempotencyKey, markReplayed } from '../../http/idempotency.ts';
import { routesOf } from '../../http/serve.ts';
import { cancelDeposit } from './cancel.ts';
import { checkout } from './checkout.ts';
import { getDeposit, listDeposits, returnAddress, syncDeposit } from './deposit.ts';
import { depositEndpoints } from './endpoints.ts';
import { takeNotification } from './notification.ts';

/** Deposits: money that people pay in through a payment provider. */
export const depositRoutes = routesOf(depositEndpoints, {
  /** Opens the provider's payment page. */
  checkout: async ({ c, deps, actor, body }) => {
    const { answer, isReplayed } = await checkout(deps, actor, { ...body, key: idempotencyKey(c) });
    markReplayed(c, isReplayed);
    return answer;
  },

  /** Deposits, newest first. */
  listDeposits: ({ deps, actor, query }) => listDeposits(deps, actor, query),

  /** One deposit. */
  getDeposit: ({ deps, actor, params: { id } }) => getDeposit(deps, actor, id),

  /** Queries the provider about a deposit. */
  syncDeposit: ({ deps, actor, params: { id } }) => syncDeposit(deps, actor, id),

  /** Cancels an unpaid deposit. */
  cancelDeposit: ({ deps, actor, params: { id } }) => cancelDeposit(deps, actor, id),

  /** Checks the deposit, in case a notification was lost, and redirects the person. */
  returnFromPayment: async ({ c, deps, params: { id } }) => c.redirect(await returnAddress(deps, id), 303),

  /** A provider notification, which only identifies the order to check. */
  notifyGateway: async ({ c, deps, params: { provider } }) => {
    await takeNotification(deps, provider, await readBody(c, maxNotificationBytes), c.req.raw.headers);
    return { received: true };
  },
});
