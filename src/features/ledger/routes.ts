import { idempotencyKey, markReplayed } from '../../http/idempotency.ts';
import { routesOf } from '../../http/serve.ts';
import { sendStream } from '../../http/stream.ts';
import { ledgerEndpoints } from './endpoints.ts';
import { listFees, previewFee, readOperation, setFee } from './fees.ts';
import { streamStatement, toCsv, toJson } from './statement.ts';
import { getAppBalance, sweepApp } from './sweep.ts';
import { getTransaction, listTransactions } from './transactions.ts';
import { createWallet, getBalance, getBalanceAt, getWallet } from './wallet.ts';

/** A person's wallet, and the fees charged and collected by apps. */
export const ledgerRoutes = routesOf(ledgerEndpoints, {
  /** Opens the wallet. A retry returns the same wallet. */
  createWallet: ({ deps, actor: { sessionId } }) => createWallet(deps, sessionId),

  /** The wallet and its balance. */
  getWallet: ({ deps, actor }) => getWallet(deps, actor),

  /** The wallet's balance, now or at a given time. 400 for a time in the future. */
  getBalance: ({ deps, actor, query: { at } }) =>
    at === undefined ? getBalance(deps, actor) : getBalanceAt(deps, actor, at),

  /** One line per movement, newest first. */
  listTransactions: ({ deps, actor, query }) => listTransactions(deps, actor, query),

  /** One line, with its legs. */
  getTransaction: ({ deps, actor, params: { id } }) => getTransaction(deps, actor, id),

  /** A period with its opening and closing balance, streamed as JSON or CSV. */
  getStatement: async ({ c, deps, actor, query }) => {
    const statement = await streamStatement(deps, actor, query);
    if (query.format === 'json')
      return sendStream(c, deps, 'application/json; charset=utf-8', toJson(statement));
    c.header('Content-Disposition', `attachment; filename="peridot-${actor.handle}.csv"`);
    return sendStream(c, deps, 'text/csv; charset=utf-8', toCsv(deps, statement));
  },

  /** The current fees of an app and the operator, or their versions. */
  listFees: ({ deps, actor: { sessionId }, params: { id: appId }, query: { history } }) =>
    listFees(deps, { sessionId, appId }, history === 'true'),

  /** Creates a new version of a fee. 409 if `If-Match` does not match the current version. */
  setFee: async ({ c, deps, actor: { sessionId }, params, body: input }) => {
    const change = { operation: readOperation(params.operation), input, ifMatch: c.req.header('If-Match') };
    const fee = await setFee(deps, { sessionId, appId: params.id }, change);
    c.header('ETag', `"${fee.version}"`);
    return fee;
  },

  /** The cost of a movement. */
  previewFee: ({ deps, actor: { sessionId }, params, query: { amount } }) =>
    previewFee(deps, { sessionId, appId: params.id }, { operation: readOperation(params.operation), amount }),

  /** The fees collected by an app. */
  getAppBalance: ({ deps, actor: { sessionId }, params: { id: appId } }) =>
    getAppBalance(deps, { sessionId, appId }),

  /** Moves an app's fees to its owner's wallet. */
  sweepApp: async ({ c, deps, actor: { sessionId }, params: { id: appId }, body: { amount = null } }) => {
    const swept = await sweepApp(deps, { sessionId, appId, amount, key: idempotencyKey(c) });
    markReplayed(c, swept.isReplayed);
    return swept.sweep;
  },
});
