import type { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { depositEndpoints } from '../../features/deposit/endpoints.ts';
import { ledgerEndpoints } from '../../features/ledger/endpoints.ts';
import { transferEndpoints } from '../../features/transfer/endpoints.ts';
import { withdrawalEndpoints } from '../../features/withdrawal/endpoints.ts';
import type { AppEnv } from '../../http/context.ts';
import { Routes } from '../../http/routes.ts';
import {
  confirmSendPath,
  depositPagePath,
  depositPath,
  movementPath,
  movementPaths,
  accountPaths as paths,
  sendPath,
  withdrawPath,
  withdrawPaths,
} from '../../lib/page-paths.ts';
import { membersAt } from '../member/member.tsx';
import { askedPath } from './asked.ts';
import { beginTopUp, changeDeposit, showDeposit, showTopUp } from './deposit.tsx';
import { mailMovement, showMovement } from './movement.tsx';
import { cancelHeld, openWallet, showWallet } from './overview.tsx';
import { giveBack, showRefund } from './refund.tsx';
import { showRequest } from './request.tsx';
import { prepareSend, showSend } from './send.tsx';
import { confirmSend, showConfirm } from './send-confirm.tsx';
import { confirmWithdraw, prepareWithdraw, showConfirmWithdraw, showWithdraw } from './withdraw.tsx';

/** `/account/wallet`: a person's balance, and the ways to move money. Each page uses the limit of its API route. */
export function walletPages(deps: Deps): Hono<AppEnv> {
  const pages = new Routes();
  const wallet = membersAt(deps, paths.wallet);
  const send = membersAt(deps, (_id, query) => askedPath(query));
  const request = membersAt(deps, paths.request);
  const [topUp, withdraw] = [membersAt(deps, paths.topUp), membersAt(deps, paths.withdraw)];
  const [confirm, deposit] = [membersAt(deps, sendPath), membersAt(deps, depositPath)];
  const confirmed = membersAt(deps, (id) => withdrawPath(id));
  const [movement, refund] = [
    membersAt(deps, (id) => movementPath(id)),
    membersAt(deps, (id) => movementPath(id, 'refund')),
  ];

  pages.get(paths.wallet, wallet(ledgerEndpoints.listTransactions, showWallet));
  pages.post(paths.wallet, wallet(ledgerEndpoints.createWallet, openWallet));
  pages.get(movementPaths.show, movement(ledgerEndpoints.getTransaction, showMovement));
  pages.post(movementPaths.show, movement(transferEndpoints.refundTransfer, mailMovement));
  pages.get(movementPaths.refund, refund(ledgerEndpoints.getTransaction, showRefund));
  pages.post(movementPaths.refund, refund(transferEndpoints.refundTransfer, giveBack));
  pages.get(paths.send, send(ledgerEndpoints.getWallet, showSend));
  pages.get(paths.request, request(ledgerEndpoints.getWallet, showRequest));
  pages.post(paths.send, send(transferEndpoints.createInquiry, prepareSend));
  pages.get(confirmSendPath, confirm(transferEndpoints.getInquiry, showConfirm));
  pages.post(confirmSendPath, confirm(transferEndpoints.confirmTransfer, confirmSend));
  pages.get(paths.topUp, topUp(ledgerEndpoints.getWallet, showTopUp));
  pages.post(paths.topUp, topUp(depositEndpoints.checkout, beginTopUp));
  pages.get(depositPagePath, deposit(depositEndpoints.getDeposit, showDeposit));
  pages.post(depositPagePath, deposit(depositEndpoints.syncDeposit, changeDeposit));

  pages.get(paths.withdraw, withdraw(withdrawalEndpoints.listBanks, showWithdraw));
  pages.post(paths.withdraw, withdraw(withdrawalEndpoints.quoteWithdrawal, prepareWithdraw));
  pages.get(withdrawPaths.confirm, confirmed(withdrawalEndpoints.getWithdrawal, showConfirmWithdraw));
  pages.post(withdrawPaths.confirm, confirmed(withdrawalEndpoints.confirmWithdrawal, confirmWithdraw));
  pages.post(withdrawPaths.cancel, wallet(withdrawalEndpoints.cancelWithdrawal, cancelHeld));

  return pages;
}
