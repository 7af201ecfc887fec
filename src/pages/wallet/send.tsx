import { getWallet } from '../../features/ledger/wallet.ts';
import { createInquiry, getInquiry } from '../../features/transfer/inquiry.ts';
import { inquiryInput } from '../../features/transfer/schema.ts';
import { confirmTransfer } from '../../features/transfer/transfer.ts';
import { accountPaths, sendPath } from '../../lib/page-paths.ts';
import { doneAt, type Explain, memberForm } from '../member/form.tsx';
import type { Answer } from '../member/member.tsx';
import { renderMember } from '../member/page.tsx';
import { errorTexts } from '../messages/errors.ts';
import { walletTexts } from '../messages/wallet.ts';
import { parseInput } from '../shared/parse-input.ts';
import { readAmount } from '../shared/read-amount.ts';
import { personAt, refusalAt, refusalOrWallet, type WalletSection, walletPage } from './section.tsx';
import { ConfirmCard, SendCard } from './send-cards.tsx';

/** Sending money: a form, then a page that shows recipient, fee and total before anything moves. */
export const sendSection: WalletSection = { action: { path: accountPaths.send, text: 'send' } };

export const showSend: Answer = async (member, refusal) => {
  try {
    const wallet = await getWallet(member.deps, personAt(member.actor));
    const { typed, problems } = refusal ?? {};
    const body = <SendCard {...{ wallet, typed, problems }} />;
    const name = walletTexts[member.locale].send;
    return await renderMember(member, {
      tab: 'wallet',
      name,
      body,
      refusal,
      here: refusal && accountPaths.send,
    });
  } catch (error) {
    return member.c.redirect(walletPage(error), 303);
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
const problemsOf: Explain = (error, _form, locale) => {
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
};

/** Makes the inquiry, whose numbers hold for five minutes, and shows it. */
export const prepareSend = memberForm({
  again: showSend,
  explain: problemsOf,
  refuse: refusalOrWallet,
  async act({ deps, actor }, form) {
    const { id } = await createInquiry(deps, personAt(actor), parseInput(inquiryInput, inputOf(form)));
    return sendPath(id);
  },
});

export const showConfirm: Answer = async (member, refusal) => {
  const { deps, actor, id, locale } = member;
  const caller = personAt(actor);
  const [inquiry, wallet] = await Promise.all([getInquiry(deps, caller, id), getWallet(deps, caller)]);
  const body = <ConfirmCard {...{ inquiry, wallet }} />;
  const name = walletTexts[locale].confirmTitle;
  return renderMember(member, { tab: 'wallet', name, body, refusal, here: sendPath(id) });
};

/** Sends the money, once: a repeat finds it sent. */
export const confirmSend = memberForm({
  again: showConfirm,
  refuse: (member, error) =>
    refusalAt(member, error, sendPath(member.id), async () => {
      const { deps, actor, id } = member;
      return (await getInquiry(deps, personAt(actor), id)).totalDebit;
    }),
  async act({ deps, actor, id }) {
    await confirmTransfer(deps, personAt(actor), { inquiryId: id });
    return doneAt('wallet', 'moneySent');
  },
});
