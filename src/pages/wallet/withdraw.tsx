import { AppError } from '../../errors.ts';
import { getWallet } from '../../features/ledger/wallet.ts';
import {
  confirmWithdrawal,
  listBanks,
  mayWithdraw,
  quoteWithdrawal,
  readQuote,
} from '../../features/withdrawal/quote.ts';
import { minWithdrawal, withdrawalInput } from '../../features/withdrawal/schema.ts';
import { listWithdrawals } from '../../features/withdrawal/withdrawal.ts';
import { readForm } from '../../http/body.ts';
import { clientInfo } from '../../http/context.ts';
import { type Locale, localeOf } from '../../http/locale.ts';
import { accountPaths, withdrawPath } from '../../lib/page-paths.ts';
import { formatAmount } from '../../ui/format.ts';
import { fill } from '../../ui/view.ts';
import { refused } from '../account/actions.tsx';
import type { Answer } from '../account/member.tsx';
import { renderAccount } from '../account/views.tsx';
import { errorTexts } from '../messages/errors.ts';
import { walletTexts } from '../messages/wallet.ts';
import { withdrawalTexts } from '../messages/withdrawal.ts';
import type { FormProblems } from '../shared/form-lines.ts';
import { parseInput } from '../shared/parse-input.ts';
import { withQuery } from '../shared/paths.ts';
import { readAmount } from '../shared/read-amount.ts';
import { personAt, refusalAt, type WalletSection } from './section.tsx';
import { ConfirmWithdrawalCard, WithdrawalsCard, WithdrawCard } from './withdraw-cards.tsx';

/** Withdrawing: a form, then a page that shows holder, fee and total before anything moves; and the latest ones. */
export const withdrawSection: WalletSection = {
  async show({ deps, caller: { sessionId } }) {
    const id = sessionId ?? '';
    const [isOffered, { data: withdrawals }] = await Promise.all([
      mayWithdraw(deps, id),
      listWithdrawals(deps, id, { limit: 5 }),
    ]);
    return isOffered || withdrawals.length > 0 ? <WithdrawalsCard {...{ withdrawals, isOffered }} /> : null;
  },
};

export const showWithdraw: Answer = async (c, deps, member) => {
  const { sessionId } = member.actor;
  try {
    const [{ data: banks }, wallet] = await Promise.all([
      listBanks(deps, sessionId),
      getWallet(deps, personAt(member.actor)),
    ]);
    const name = withdrawalTexts[localeOf(c)].title;
    const body = <WithdrawCard {...{ wallet, banks }} />;
    return await renderAccount(c, deps, member, { tab: 'wallet', name, body });
  } catch (error) {
    if (error instanceof AppError && error.code === 'wallet_not_found')
      return c.redirect(accountPaths.wallet, 303);
    throw error;
  }
};

/** Makes the quote, which holds for five minutes, and shows it. */
export const prepareWithdraw: Answer = async (c, deps, member) => {
  const { sessionId } = member.actor;
  const form = await readForm(c);
  try {
    const quote = await quoteWithdrawal(deps, sessionId, parseInput(withdrawalInput, inputOf(form)));
    return c.redirect(withdrawPath(quote.withdrawalId), 303);
  } catch (error) {
    const problems = problemsOf(error, localeOf(c));
    if (problems === null) throw error;
    const [{ data: banks }, wallet] = await Promise.all([
      listBanks(deps, sessionId),
      getWallet(deps, personAt(member.actor)),
    ]);
    const body = <WithdrawCard {...{ wallet, banks, problems, typed: form }} />;
    const name = withdrawalTexts[localeOf(c)].title;
    const refusal = refused(c, error);
    return renderAccount(c, deps, member, {
      tab: 'wallet',
      name,
      body,
      refusal,
      here: accountPaths.withdraw,
    });
  }
};

/** The body of the API's route. People write account numbers in groups. */
function inputOf(form: URLSearchParams) {
  const accountNumber = (form.get('account') ?? '').replaceAll(/[\s.-]/g, '');
  return {
    amount: readAmount(form.get('amount') ?? ''),
    destination: { bankCode: form.get('bank') ?? '', accountNumber },
  };
}

/** The texts of a refusal beside the fields; null if another entry would not help. */
function problemsOf(error: unknown, locale: Locale): FormProblems | null {
  if (!(error instanceof AppError)) return null;
  const { badAccount, tooSmall } = withdrawalTexts[locale];
  switch (error.code) {
    case 'bank_account_unknown':
      return { account: [errorTexts[locale].bank_account_unknown] };
    case 'amount_too_small':
      return { amount: [fill(tooSmall, { amount: formatAmount(locale, minWithdrawal) })] };
    case 'amount_too_large':
      return { amount: [errorTexts[locale].amount_too_large] };
    case 'validation_failed': {
      const has = (field: string) => [error.texts].flat().some((problem) => problem.startsWith(field));
      return {
        ...(has('destination') && { account: [badAccount] }),
        ...(has('amount') && { amount: [walletTexts[locale].badAmount] }),
      };
    }
    default:
      return null;
  }
}

export const showConfirmWithdraw: Answer = async (c, deps, member, refusal) => {
  const id = c.req.param('id') ?? '';
  const [quote, wallet] = await Promise.all([
    readQuote(deps, { sessionId: member.actor.sessionId, id }),
    getWallet(deps, personAt(member.actor)),
  ]);
  const body = <ConfirmWithdrawalCard {...{ quote, wallet }} />;
  const name = withdrawalTexts[localeOf(c)].confirmTitle;
  return renderAccount(c, deps, member, { tab: 'wallet', name, body, refusal, here: withdrawPath(id) });
};

/** Holds the money, once: a repeat finds it held. */
export const confirmWithdraw: Answer = async (c, deps, member) => {
  const id = c.req.param('id') ?? '';
  try {
    await confirmWithdrawal(deps, { sessionId: member.actor.sessionId, id, client: clientInfo(c) });
  } catch (error) {
    const { sessionId } = member.actor;
    const refusal = await refusalAt(c, error, {
      deps,
      sessionId,
      path: withdrawPath(id),
      total: async () => (await readQuote(deps, { sessionId, id }))?.totalDebit ?? 0,
    });
    return showConfirmWithdraw(c, deps, member, refusal);
  }
  return c.redirect(withQuery(accountPaths.wallet, { done: 'withdrawalHeld' }), 303);
};
