import { AppError } from '../../errors.ts';
import { cancelDeposit } from '../../features/deposit/cancel.ts';
import { checkout } from '../../features/deposit/checkout.ts';
import { getDeposit, listDeposits, syncDeposit } from '../../features/deposit/deposit.ts';
import { checkoutInput } from '../../features/deposit/schema.ts';
import { getWallet } from '../../features/ledger/wallet.ts';
import { readForm } from '../../http/body.ts';
import { localeOf } from '../../http/locale.ts';
import { accountPaths, depositPath } from '../../lib/page-paths.ts';
import { createSecret } from '../../lib/secret.ts';
import { refused } from '../account/actions.tsx';
import type { Answer } from '../account/member.tsx';
import { renderAccount } from '../account/views.tsx';
import { depositTexts } from '../messages/deposit.ts';
import { errorTexts } from '../messages/errors.ts';
import { walletTexts } from '../messages/wallet.ts';
import { parseInput } from '../shared/parse-input.ts';
import { readAmount } from '../shared/read-amount.ts';
import { DepositCard, DepositsCard, TopUpCard } from './deposit-cards.tsx';
import { moneyRefusal, personAt, type WalletSection } from './section.tsx';
import { walletPage } from './send.tsx';

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

export const showTopUp: Answer = async (c, deps, member) => {
  try {
    await getWallet(deps, personAt(member.actor));
  } catch (error) {
    return c.redirect(walletPage(error), 303);
  }
  const provider = deps.config.gateways.payments?.name ?? null;
  const body = <TopUpCard {...{ provider, token: createSecret(deps.randomBytes) }} />;
  return renderAccount(c, deps, member, { tab: 'wallet', name: walletTexts[localeOf(c)].topUp, body });
};

/** Opens a deposit, and shows its page. A second click finds the first one's. */
export const beginTopUp: Answer = async (c, deps, member) => {
  const form = await readForm(c);
  const typed = form.get('amount') ?? '';
  const method = form.get('method') || 'auto';
  const key = [form.get('token') ?? '', typed, method].join(' ').slice(0, 255);
  try {
    const input = parseInput(checkoutInput, { amount: readAmount(typed), method });
    const { answer } = await checkout(deps, personAt(member.actor), { ...input, key });
    return c.redirect(depositPath(answer.id), 303);
  } catch (error) {
    if (error instanceof AppError && error.code === 'wallet_not_found')
      return c.redirect(accountPaths.wallet, 303);
    const texts = problemsOf(error, localeOf(c));
    const refusal = texts === null ? moneyRefusal(c, error) : refused(c, error);
    const provider = deps.config.gateways.payments?.name ?? null;
    const problems = texts === null ? {} : { amount: texts };
    const body = (
      <TopUpCard {...{ provider, token: createSecret(deps.randomBytes), typed: form, problems }} />
    );
    const name = walletTexts[localeOf(c)].topUp;
    return renderAccount(c, deps, member, { tab: 'wallet', name, body, refusal, here: accountPaths.topUp });
  }
};

/** The texts beside the amount; null if another one would not help. */
function problemsOf(error: unknown, locale: ReturnType<typeof localeOf>): string[] | null {
  if (!(error instanceof AppError)) return null;
  if (error.code === 'validation_failed') return [depositTexts[locale].badAmount];
  return /^(deposit|amount)_too_/.test(error.code) ? [errorTexts[locale][error.code]] : null;
}

export const showDeposit: Answer = async (c, deps, member, refusal) => {
  const id = c.req.param('id') ?? '';
  const deposit = await getDeposit(deps, personAt(member.actor), id);
  const body = <DepositCard deposit={deposit} />;
  const name = walletTexts[localeOf(c)].topUp;
  return renderAccount(c, deps, member, { tab: 'wallet', name, body, refusal, here: depositPath(id) });
};

/** Asks the provider again, or cancels. */
export const changeDeposit: Answer = async (c, deps, member) => {
  const id = c.req.param('id') ?? '';
  const form = await readForm(c);
  const change = form.get('do') === 'cancel' ? cancelDeposit : syncDeposit;
  try {
    await change(deps, personAt(member.actor), id);
  } catch (error) {
    return showDeposit(c, deps, member, moneyRefusal(c, error));
  }
  return c.redirect(depositPath(id), 303);
};
