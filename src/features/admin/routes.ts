import { idempotencyKey, markReplayed } from '../../http/idempotency.ts';
import { routesOf } from '../../http/serve.ts';
import { readOperation } from '../ledger/fees.ts';
import { setApp } from './apps.ts';
import { listAudit } from './audit.ts';
import { resolveWithdrawal } from './documents.ts';
import { adminEndpoints } from './endpoints.ts';
import { setIdentityStatus } from './identity-status.ts';
import { setWallet, switchLedger } from './ledger-switch.ts';
import { adjustAccounts, reverseTransfer, setPlatformFee } from './money.ts';
import { readOverview } from './overview.ts';
import { listReviews, resolveDeposit } from './reviews.ts';

/** What the identities in ADMIN_PIDS may do, with a recent sign-in. Every change leaves a line in the audit log. */
export const adminRoutes = routesOf(adminEndpoints, {
  /**
   * Suspends an identity, which signs it out everywhere, or reactivates it. 403 unless an administrator whose sign-in
   * is recent, 404 for an unknown handle, 409 for a closed identity.
   */
  setIdentityStatus: ({ deps, actor: { sessionId }, body, params: { handle } }) =>
    setIdentityStatus(deps, { sessionId, handle, ...body }),

  /** Freezes, disables or opens the ledger, and turns withdrawals on or off. */
  switchLedger: ({ deps, actor, body }) => switchLedger(deps, actor, body),

  /** Freezes a wallet, or lets it work again. 404 for an unknown one, 409 for a closed one. */
  setWalletStatus: ({ deps, actor, body, params: { handle } }) => setWallet(deps, actor, { handle, ...body }),

  /** Suspends an app, marks it as checked or as the operator's own, and sets its limit. 404 for an unknown one. */
  setAppStatus: ({ deps, actor, body, params: { id } }) => setApp(deps, actor, { id, ...body }),

  /** Takes a transfer back whole. 409 when it was reversed or refunded. */
  reverseTransfer: ({ deps, actor, body, params: { id } }) => reverseTransfer(deps, actor, { id, ...body }),

  /** Deposits that wait for a person. */
  listReviews: ({ deps, actor, query }) => listReviews(deps, actor, query),

  /** Credits what was paid, or rejects a deposit. 409 when there is nothing to decide. */
  resolveDeposit: ({ deps, actor, body, params: { id } }) => resolveDeposit(deps, actor, { id, ...body }),

  /** Ends a withdrawal that the provider cannot tell about. 409 when there is nothing to decide. */
  resolveWithdrawal: ({ deps, actor, body, params: { id } }) =>
    resolveWithdrawal(deps, actor, { id, ...body }),

  /** Moves money by hand between two accounts, once for each `Idempotency-Key`. */
  adjust: async ({ c, deps, actor, body }) => {
    const { answer, isReplayed } = await adjustAccounts(deps, actor, { ...body, key: idempotencyKey(c) });
    markReplayed(c, isReplayed);
    return answer;
  },

  /** Sets the operator's own fee. 409 when `If-Match` names another version than the one in force. */
  setPlatformFee: async ({ c, deps, actor, params, body: { reason, ...input } }) => {
    const change = { operation: readOperation(params.operation), input, ifMatch: c.req.header('If-Match') };
    const fee = await setPlatformFee(deps, actor, { ...change, reason });
    c.header('ETag', `"${fee.version}"`);
    return fee;
  },

  /** The switches, what waits for a person, and the totals of a day. */
  getOverview: ({ deps, actor, query: { day } }) => readOverview(deps, actor, day),

  /** What was done at the desk and found by the scheduled work. */
  listAudit: ({ deps, actor, query }) => listAudit(deps, actor, query),
});
