import { cancelWithdrawal } from '../../features/withdrawal/withdrawal.ts';
import { accountPaths } from '../../lib/page-paths.ts';
import type { Answer } from '../account/member.tsx';
import { withQuery } from '../shared/paths.ts';
import { showWallet } from './overview.tsx';
import { moneyRefusal } from './section.tsx';

/** Cancels a withdrawal that is held; the wallet says why it could not. */
export const cancelHeld: Answer = async (c, deps, member) => {
  const id = c.req.param('id') ?? '';
  try {
    await cancelWithdrawal(deps, { sessionId: member.actor.sessionId, id });
  } catch (error) {
    return showWallet(c, deps, member, moneyRefusal(c, error));
  }
  return c.redirect(withQuery(accountPaths.wallet, { done: 'withdrawalCancelled' }), 303);
};
