import { AppError } from '../../errors.ts';
import { getWallet } from '../../features/ledger/wallet.ts';
import { createInquiry, getInquiry } from '../../features/transfer/inquiry.ts';
import { inquiryInput } from '../../features/transfer/schema.ts';
import { confirmTransfer } from '../../features/transfer/transfer.ts';
import { readForm } from '../../http/body.ts';
import { type Locale, localeOf } from '../../http/locale.ts';
import { accountPaths, sendPath } from '../../lib/page-paths.ts';
import { refused } from '../account/actions.tsx';
import type { Answer } from '../account/member.tsx';
import { renderAccount } from '../account/views.tsx';
import { errorTexts } from '../messages/errors.ts';
import { walletTexts } from '../messages/wallet.ts';
import type { FormProblems } from '../shared/form-lines.ts';
import { parseInput } from '../shared/parse-input.ts';
import { withQuery } from '../shared/paths.ts';
import { readAmount } from '../shared/read-amount.ts';
import { moneyRefusal, personAt, refusalAt, type WalletSection } from './section.tsx';
import { ConfirmCard, SendCard } from './send-cards.tsx';

/** Sending money: a form, then a page that shows recipient, fee and total before anything moves. */
export const sendSection: WalletSection = { action: { path: accountPaths.send, text: 'send' } };

export const showSend: Answer = async (c, deps, member) => {
  try {
    const wallet = await getWallet(deps, personAt(member.actor));
    const name = walletTexts[localeOf(c)].send;
    return await renderAccount(c, deps, member, { tab: 'wallet', name, body: <SendCard wallet={wallet} /> });
  } catch (error) {
    return c.redirect(walletPage(error), 303);
  }
};

/** The page that offers to open a wallet. @throws any other error */
export function walletPage(error: unknown): string {
  if (error instanceof AppError && error.code === 'wallet_not_found') return accountPaths.wallet;
  throw error;
}

/** Makes the inquiry, whose numbers hold for five minutes, and shows it. */
export const prepareSend: Answer = async (c, deps, member) => {
  const caller = personAt(member.actor);
  const form = await readForm(c);
  try {
    const { id } = await createInquiry(deps, caller, parseInput(inquiryInput, inputOf(form)));
    return c.redirect(sendPath(id), 303);
  } catch (error) {
    const name = walletTexts[localeOf(c)].send;
    const problems = problemsOf(error, localeOf(c));
    const wallet = await getWallet(deps, caller).catch(() => null);
    if (wallet === null) return c.redirect(walletPage(error), 303);
    const refusal = problems === null ? moneyRefusal(c, error) : refused(c, error);
    const body = <SendCard {...{ wallet, typed: form, problems: problems ?? {} }} />;
    return renderAccount(c, deps, member, { tab: 'wallet', name, body, refusal, here: accountPaths.send });
  }
};

/** The body of the API's route. A handle without `@pid` is meant as a PID. */
function inputOf(form: URLSearchParams) {
  const to = (form.get('to') ?? '').trim();
  return {
    to: to.includes('@') ? to : `${to}@pid`,
    amount: readAmount(form.get('amount') ?? ''),
    memo: form.get('memo') ?? '',
  };
}

/** The texts of a refusal beside the fields; null if another entry would not help. */
function problemsOf(error: unknown, locale: Locale): FormProblems | null {
  if (!(error instanceof AppError)) return null;
  const { badAmount, badMemo } = walletTexts[locale];
  const text = errorTexts[locale][error.code];
  switch (error.code) {
    case 'own_wallet':
    case 'recipient_unavailable':
      return { to: [text] };
    case 'amount_too_small':
    case 'amount_too_large':
      return { amount: [text] };
    case 'validation_failed': {
      const has = (field: string) => [error.texts].flat().some((problem) => problem.startsWith(field));
      return { ...(has('amount') && { amount: [badAmount] }), ...(has('memo') && { memo: [badMemo] }) };
    }
    default:
      return null;
  }
}

export const showConfirm: Answer = async (c, deps, member, refusal) => {
  const id = c.req.param('id') ?? '';
  const caller = personAt(member.actor);
  const [inquiry, wallet] = await Promise.all([getInquiry(deps, caller, id), getWallet(deps, caller)]);
  const body = <ConfirmCard {...{ inquiry, wallet }} />;
  const name = walletTexts[localeOf(c)].confirmTitle;
  return renderAccount(c, deps, member, { tab: 'wallet', name, body, refusal, here: sendPath(id) });
};

/** Sends the money, once: a repeat finds it sent. */
export const confirmSend: Answer = async (c, deps, member) => {
  const inquiryId = c.req.param('id') ?? '';
  try {
    await confirmTransfer(deps, personAt(member.actor), { inquiryId });
  } catch (error) {
    const caller = personAt(member.actor);
    const refusal = await refusalAt(c, error, {
      deps,
      sessionId: member.actor.sessionId,
      path: sendPath(inquiryId),
      total: async () => (await getInquiry(deps, caller, inquiryId)).totalDebit,
    });
    return showConfirm(c, deps, member, refusal);
  }
  return c.redirect(withQuery(accountPaths.wallet, { done: 'moneySent' }), 303);
};
