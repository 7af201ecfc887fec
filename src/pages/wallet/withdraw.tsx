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
import { clientInfo } from '../../http/context.ts';
import { accountPaths, withdrawPath } from '../../lib/page-paths.ts';
import { present } from '../../lib/present.ts';
import { formatAmount } from '../../ui/format.ts';
import { fill } from '../../ui/view.ts';
import { doneAt, type Explain, memberForm } from '../member/form.tsx';
import type { Answer } from '../member/member.tsx';
import { renderMember } from '../member/page.tsx';
import { errorTexts } from '../messages/errors.ts';
import { walletTexts, withdrawalTexts } from '../messages/wallet.ts';
import { parseInput, readAmount, textOf } from '../shared/form.ts';
import { personAt, refusalAt, type WalletSection, walletPage } from './section.tsx';
import { ConfirmWithdrawalCard, WithdrawalsCard, WithdrawCard } from './withdraw-cards.tsx';

/**
 * Withdrawing: a form, then a page that shows holder, fee and total before any money moves; and the latest withdrawals.
 */
export const withdrawSection: WalletSection = {
  async show({ deps, caller: { sessionId } }) {
    const id = present(sessionId, 'the session of a page');
    const [isOffered, { data: withdrawals }] = await Promise.all([
      mayWithdraw(deps, id),
      listWithdrawals(deps, id, { limit: 5 }),
    ]);
    return isOffered || withdrawals.length > 0 ? <WithdrawalsCard {...{ withdrawals, isOffered }} /> : null;
  },
};

export const showWithdraw: Answer = async (member, refusal) => {
  const { c, deps, actor, sessionId, locale } = member;
  try {
    const [{ data: banks }, wallet] = await Promise.all([
      listBanks(deps, sessionId),
      getWallet(deps, personAt(actor)),
    ]);
    const { typed, problems } = refusal ?? {};
    const body = <WithdrawCard {...{ wallet, banks, typed, problems }} />;
    const name = withdrawalTexts[locale].title;
    const here = refusal && accountPaths.withdraw;
    return await renderMember(member, { ...{ tab: 'wallet', isStep: true }, name, body, refusal, here });
  } catch (error) {
    return c.redirect(walletPage(error), 303);
  }
};

/** The API request body. People write account numbers in groups. */
function inputOf(form: URLSearchParams) {
  const accountNumber = textOf(form, 'account').replaceAll(/[\s.-]/g, '');
  return {
    amount: readAmount(textOf(form, 'amount')),
    destination: { bankCode: textOf(form, 'bank'), accountNumber },
  };
}

/** The error texts next to the fields; null if a different entry would not help. */
const problemsOf: Explain = (error, _form, locale) => {
  const { badAccount, tooSmall } = withdrawalTexts[locale];
  switch (error.code) {
    case 'bank_account_unknown':
      return { account: [errorTexts[locale].bank_account_unknown] };
    case 'amount_too_small':
      return { amount: [fill(tooSmall, { amount: formatAmount(locale, minWithdrawal) })] };
    case 'amount_too_large':
    case 'insufficient_internal_credit':
      return { amount: [errorTexts[locale][error.code]] };
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
};

/** Creates the quote, which is valid for five minutes, and shows it. */
export const prepareWithdraw = memberForm({
  again: showWithdraw,
  explain: problemsOf,
  onError(_member, error) {
    throw error;
  },
  async act({ deps, sessionId }, form) {
    const quote = await quoteWithdrawal(deps, sessionId, parseInput(withdrawalInput, inputOf(form)));
    return withdrawPath(quote.withdrawalId);
  },
});

export const showConfirmWithdraw: Answer = async (member, refusal) => {
  const { deps, actor, sessionId, id, locale } = member;
  const [quote, wallet] = await Promise.all([
    readQuote(deps, { sessionId, id }),
    getWallet(deps, personAt(actor)),
  ]);
  const body = <ConfirmWithdrawalCard {...{ quote, wallet }} />;
  const name = withdrawalTexts[locale].confirmTitle;
  const here = withdrawPath(id);
  return renderMember(member, { ...{ tab: 'wallet', isStep: true }, name, body, refusal, here });
};

/** Holds the money only once; a retry finds the held money. */
export const confirmWithdraw = memberForm({
  again: showConfirmWithdraw,
  onError: (member, error) =>
    refusalAt(member, error, withdrawPath(member.id), async () => {
      const { deps, sessionId, id } = member;
      return (await readQuote(deps, { sessionId, id }))?.totalDebit ?? 0;
    }),
  async act({ c, deps, sessionId, id }) {
    await confirmWithdrawal(deps, { sessionId, id, client: clientInfo(c) });
    return doneAt('wallet', 'withdrawalHeld');
  },
});
