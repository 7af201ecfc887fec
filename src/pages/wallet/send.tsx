import type { Wallet } from '../../features/ledger/schema.ts';
import { getWallet } from '../../features/ledger/wallet.ts';
import { createInquiry, getInquiry } from '../../features/transfer/inquiry.ts';
import { type Inquiry, inquiryInput } from '../../features/transfer/schema.ts';
import { confirmTransfer } from '../../features/transfer/transfer.ts';
import { accountPaths, movementPath, sendPath } from '../../lib/page-paths.ts';
import { withQuery } from '../../lib/with-query.ts';
import { Card, Notice } from '../../ui/components/card.tsx';
import { Field } from '../../ui/components/field.tsx';
import { Actions, Button, Form, LinkButton } from '../../ui/components/form.tsx';
import { Moment } from '../../ui/components/text.tsx';
import { formatAmount } from '../../ui/format.ts';
import { commonTexts } from '../../ui/messages.ts';
import { fill, useTexts, useView } from '../../ui/view.ts';
import { type Explain, memberForm } from '../member/form.tsx';
import type { Answer } from '../member/member.tsx';
import { renderMember } from '../member/page.tsx';
import { errorTexts } from '../messages/errors.ts';
import { walletTexts } from '../messages/wallet.ts';
import { type Entry, fieldOf, parseInput, readAmount, textOf } from '../shared/form.ts';
import { personAt, refusalAt, refusalOrWallet, type WalletSection, walletPage } from './section.tsx';

/** Sending money: a form, then a page that shows recipient, fee and total before anything moves. */
export const sendSection: WalletSection = { action: { path: accountPaths.send, text: 'send' } };

export const showSend: Answer = async (member, refusal) => {
  try {
    const wallet = await getWallet(member.deps, personAt(member.actor));
    const { typed, problems } = refusal ?? {};
    const body = <SendCard {...{ wallet, typed, problems }} />;
    const name = walletTexts[member.locale].send;
    const here = refusal && accountPaths.send;
    return await renderMember(member, { ...{ tab: 'wallet', isStep: true }, name, body, refusal, here });
  } catch (error) {
    return member.c.redirect(walletPage(error), 303);
  }
};

/** The API request body. A handle without `@pid` counts as a PID. */
function inputOf(form: URLSearchParams) {
  const to = textOf(form, 'to').trim();
  return {
    to: to.includes('@') ? to : `${to}@pid`,
    amount: readAmount(textOf(form, 'amount')),
    memo: textOf(form, 'memo'),
  };
}

/** The error texts next to the fields; null if a different entry would not help. */
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

/** Creates the inquiry, whose numbers are valid for five minutes, and shows it. */
export const prepareSend = memberForm({
  again: showSend,
  explain: problemsOf,
  onError: refusalOrWallet,
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
  const here = sendPath(id);
  return renderMember(member, { ...{ tab: 'wallet', isStep: true }, name, body, refusal, here });
};

/** Sends the money only once: a retry finds it already sent. */
export const confirmSend = memberForm({
  again: showConfirm,
  onError: (member, error) =>
    refusalAt(member, error, sendPath(member.id), async () => {
      const { deps, actor, id } = member;
      return (await getInquiry(deps, personAt(actor), id)).totalDebit;
    }),
  async act({ deps, actor, id }) {
    const { answer } = await confirmTransfer(deps, personAt(actor), { inquiryId: id });
    return withQuery(movementPath(answer.id), { done: 'moneySent' });
  },
});

/** Asks for the recipient and the amount. */
export function SendCard({ wallet, ...entry }: Entry & { readonly wallet: Wallet }) {
  const texts = useTexts(walletTexts);
  const available = formatAmount(useView().locale, availableIn(wallet));
  const field = (id: 'to' | 'amount' | 'memo') => ({
    ...fieldOf(entry, id),
    label: texts[id],
    hint: texts[`${id}Hint`],
  });
  return (
    <Card title={texts.send} lead={fill(texts.sendLead, { available })} id="send">
      <Form action={accountPaths.send}>
        <Field {...field('to')} input={{ required: true, autocapitalize: 'none', spellcheck: 'false' }} />
        <Field {...field('amount')} input={{ required: true, inputmode: 'numeric' }} />
        <Field {...field('memo')} input={{ maxlength: 140 }} />
        <Actions>
          <Button look="main" text={texts.next} />
          <LinkButton href={accountPaths.wallet} text={useTexts(commonTexts).cancel} />
        </Actions>
      </Form>
    </Card>
  );
}

export function availableIn({ balances: [balance] }: Wallet): number {
  return balance?.available ?? 0;
}

interface ConfirmProps {
  readonly inquiry: Inquiry;
  readonly wallet: Wallet;
}

/** Shows who gets the money and what it costs, and sends it once confirmed. */
export function ConfirmCard({ inquiry, wallet }: ConfirmProps) {
  const texts = useTexts(walletTexts);
  return (
    <Card title={texts.confirmTitle} id="confirm">
      <Parties inquiry={inquiry} />
      <Ending {...{ inquiry, wallet }} />
    </Card>
  );
}

/** The recipient chooses the name, so it is set apart from the surrounding text, and the PID identifies them. */
function Parties({ inquiry: { to, amount, fees, totalDebit, netAmount, memo } }: { inquiry: Inquiry }) {
  const texts = useTexts(walletTexts);
  const { locale } = useView();
  const rows: readonly (readonly [string, string])[] = [
    ...(fees.payer === 0
      ? []
      : [
          [texts.amount, formatAmount(locale, amount)] as const,
          [texts.fee, formatAmount(locale, fees.payer)] as const,
        ]),
    ...(netAmount === amount ? [] : [[texts.received, formatAmount(locale, netAmount)] as const]),
    [texts.total, formatAmount(locale, totalDebit)],
  ];
  return (
    <dl>
      <dt>{texts.recipient}</dt>
      <dd>
        <bdi>{to.displayName}</bdi>
        <div>
          <strong class="mono">{to.pid}</strong>
        </div>
        <div class="quiet">{texts.checkPid}</div>
      </dd>
      {rows.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd class="number">{value}</dd>
        </>
      ))}
      {memo !== null && (
        <>
          <dt>{texts.message}</dt>
          <dd>
            <bdi>{memo}</bdi>
          </dd>
        </>
      )}
    </dl>
  );
}

/** The button that sends the money, or the reason why there is none. */
function Ending({ inquiry, wallet }: ConfirmProps) {
  const texts = useTexts(walletTexts);
  const { locale } = useView();
  const total = formatAmount(locale, inquiry.totalDebit);
  const back = <LinkButton href={accountPaths.wallet} text={texts.toWallet} />;
  if (inquiry.status === 'confirmed')
    return (
      <>
        <Notice title={texts.sent} text={texts.sentAdvice} />
        <Actions>
          <LinkButton href={accountPaths.wallet} look="main" text={texts.toWallet} />
        </Actions>
      </>
    );
  if (inquiry.status !== 'open')
    return (
      <>
        <Notice kind="warning" title={texts.gone} text={texts.goneAdvice} />
        <Actions>
          <LinkButton href={accountPaths.send} look="main" text={texts.again} />
          {back}
        </Actions>
      </>
    );
  if (inquiry.sufficientFunds === false) {
    const available = formatAmount(locale, availableIn(wallet));
    return (
      <>
        <Notice
          kind="warning"
          title={texts.tooLittle}
          text={fill(texts.tooLittleAdvice, { total, available })}
        />
        <Actions>
          <LinkButton href={accountPaths.topUp} look="main" text={texts.topUp} />
          {back}
        </Actions>
      </>
    );
  }
  return (
    <>
      <p class="quiet">
        <Moment text={texts.valid} at={inquiry.expiresAt} />
      </p>
      <Form action={sendPath(inquiry.id)} class="act">
        <Button look="main" text={fill(texts.confirm, { amount: total })} />
        <LinkButton href={accountPaths.wallet} text={useTexts(commonTexts).cancel} />
      </Form>
    </>
  );
}
