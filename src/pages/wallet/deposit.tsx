import { cancelDeposit } from '../../features/deposit/cancel.ts';
import { checkout } from '../../features/deposit/checkout.ts';
import { getDeposit, listDeposits, syncDeposit } from '../../features/deposit/deposit.ts';
import { checkoutInput } from '../../features/deposit/schema.ts';
import { getWallet } from '../../features/ledger/wallet.ts';
import { accountPaths, depositPath } from '../../lib/page-paths.ts';
import { createSecret } from '../../lib/secret.ts';
import { type Explain, memberForm } from '../member/form.tsx';
import type { Answer } from '../member/member.tsx';
import { renderMember } from '../member/page.tsx';
import { depositTexts } from '../messages/deposit.ts';
import { errorTexts } from '../messages/errors.ts';
import { walletTexts } from '../messages/wallet.ts';
import { parseInput } from '../shared/parse-input.ts';
import { readAmount } from '../shared/read-amount.ts';
import { DepositCard, DepositsCard, TopUpCard } from './deposit-cards.tsx';
import { moneyRefusal, personAt, refusalOrWallet, type WalletSection, walletPage } from './section.tsx';

/** How many deposits the wallet's page lists. */
const shownDeposits = 5;

/** Topping up: a form, then a page of the deposit that leads to the provider and shows what becomes of it. */
export const topUpSection: WalletSection = {
  action: { path: accountPaths.topUp, text: 'topUp' },
  async show({ deps, caller }) {
    const { data } = await listDeposits(deps, caller, { limit: shownDeposits });
    return data.length === 0 ? null : <DepositsCard deposits={data} />;
  },
};

export const showTopUp: Answer = async (member, refusal) => {
  const { c, deps, actor, locale } = member;
  try {
    await getWallet(deps, personAt(actor));
  } catch (error) {
    return c.redirect(walletPage(error), 303);
  }
  const provider = deps.config.gateways.payments?.name ?? null;
  const { typed, problems } = refusal ?? {};
  const body = <TopUpCard {...{ provider, token: createSecret(deps.randomBytes), typed, problems }} />;
  const name = walletTexts[locale].topUp;
  return renderMember(member, { tab: 'wallet', name, body, refusal, here: refusal && accountPaths.topUp });
};

/** The texts beside the amount; null if another one would not help. */
const problemsOf: Explain = ({ code }, _form, locale) => {
  if (code === 'validation_failed') return { amount: [depositTexts[locale].badAmount] };
  return /^(deposit|amount)_too_/.test(code) ? { amount: [errorTexts[locale][code]] } : null;
};

/** Opens a deposit, and shows its page. A second click finds the first one's. */
export const beginTopUp = memberForm({
  again: showTopUp,
  explain: problemsOf,
  refuse: refusalOrWallet,
  async act({ deps, actor }, form) {
    const typed = form.get('amount') ?? '';
    const method = form.get('method') || 'auto';
    const key = [form.get('token') ?? '', typed, method].join(' ').slice(0, 255);
    const input = parseInput(checkoutInput, { amount: readAmount(typed), method });
    const { answer } = await checkout(deps, personAt(actor), { ...input, key });
    return depositPath(answer.id);
  },
});

export const showDeposit: Answer = async (member, refusal) => {
  const { deps, actor, id, locale } = member;
  const body = <DepositCard deposit={await getDeposit(deps, personAt(actor), id)} />;
  const name = walletTexts[locale].topUp;
  return renderMember(member, { tab: 'wallet', name, body, refusal, here: depositPath(id) });
};

/** Asks the provider again, or cancels. */
export const changeDeposit = memberForm({
  again: showDeposit,
  refuse: moneyRefusal,
  async act({ deps, actor, id }, form) {
    const change = form.get('do') === 'cancel' ? cancelDeposit : syncDeposit;
    await change(deps, personAt(actor), id);
    return depositPath(id);
  },
});
