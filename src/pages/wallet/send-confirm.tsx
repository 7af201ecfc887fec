import { topUpFor } from '../../features/deposit/checkout.ts';
import type { Wallet } from '../../features/ledger/schema.ts';
import { getWallet } from '../../features/ledger/wallet.ts';
import { getInquiry } from '../../features/transfer/inquiry.ts';
import type { Inquiry } from '../../features/transfer/schema.ts';
import { confirmTransfer } from '../../features/transfer/transfer.ts';
import { accountPaths, sendPath } from '../../lib/page-paths.ts';
import { withQuery } from '../../lib/with-query.ts';
import { Card, Notice } from '../../ui/components/card.tsx';
import { Actions, Button, Form, LinkButton } from '../../ui/components/form.tsx';
import { Foreign, Moment } from '../../ui/components/text.tsx';
import { formatAmount } from '../../ui/format.ts';
import { commonTexts } from '../../ui/messages.ts';
import { fill, useTexts, useView } from '../../ui/view.ts';
import { memberForm } from '../member/form.tsx';
import type { Answer } from '../member/member.tsx';
import { renderMember } from '../member/page.tsx';
import { approvalTexts } from '../messages/popup.ts';
import { movementTexts, walletTexts } from '../messages/wallet.ts';
import { PartyRow, sentPath } from './movement.tsx';
import { availableIn, personAt, refusalAt } from './section.tsx';

/** The cost of a transfer, before any money moves. */
export const showConfirm: Answer = async (member, refusal) => {
  const { c, deps, actor, id, locale } = member;
  const caller = personAt(actor);
  const [inquiry, wallet] = await Promise.all([getInquiry(deps, caller, id), getWallet(deps, caller)]);
  if (inquiry.status === 'confirmed') return c.redirect(sentPath(id), 303);
  const missing = inquiry.totalDebit - availableIn(wallet);
  const topUp = missing > 0 ? await topUpFor(deps, missing) : null;
  const body = <ConfirmCard {...{ inquiry, wallet, topUp }} />;
  const name = walletTexts[locale].confirmTitle;
  const here = sendPath(id);
  return renderMember(member, { ...{ tab: 'wallet', isStep: true }, name, body, refusal, here });
};

/** Sends the money only once; a retry finds the completed transfer. */
export const confirmSend = memberForm({
  again: showConfirm,
  onError: (member, error) =>
    refusalAt(member, error, sendPath(member.id), async () => {
      const { deps, actor, id } = member;
      return (await getInquiry(deps, personAt(actor), id)).totalDebit;
    }),
  async act({ deps, actor, id }) {
    await confirmTransfer(deps, personAt(actor), { inquiryId: id });
    return sentPath(id);
  },
});

interface ConfirmProps {
  readonly inquiry: Inquiry;
  readonly wallet: Wallet;
  /** The top-up that covers the shortfall; null if there is no way to top up. */
  readonly topUp: number | null;
}

/** Shows the recipient and the cost, and sends the money after confirmation. */
export function ConfirmCard({ inquiry, ...funds }: ConfirmProps) {
  const texts = useTexts(walletTexts);
  return (
    <Card title={texts.confirmTitle} id="confirm">
      <Parties inquiry={inquiry} wallet={funds.wallet} />
      <Ending {...{ inquiry, ...funds }} />
    </Card>
  );
}

/** The recipient chooses the name, so it is set apart from the surrounding text, and the PID identifies them. */
function Parties({ inquiry, wallet }: Pick<ConfirmProps, 'inquiry' | 'wallet'>) {
  const texts = useTexts(walletTexts);
  const { balanceAfter } = useTexts(movementTexts);
  const { to, amount, fees, totalDebit, netAmount, memo, status, sufficientFunds } = inquiry;
  const canSend = status === 'open' && sufficientFunds !== false;
  const { locale } = useView();
  const rows: readonly (readonly [string, string])[] = [
    ...(fees.payer === 0
      ? []
      : [
          [texts.amount, formatAmount(locale, amount)] as const,
          [texts.fee, formatAmount(locale, fees.payer)] as const,
        ]),
    ...(netAmount === amount ? [] : [[texts.received, formatAmount(locale, netAmount)] as const]),
    ...(fees.payer === 0 ? [] : [[texts.total, formatAmount(locale, totalDebit)] as const]),
    ...(canSend
      ? [[balanceAfter, formatAmount(locale, (wallet.balances[0]?.balance ?? 0) - totalDebit)] as const]
      : []),
  ];
  return (
    <>
      <p class="amount">{formatAmount(locale, totalDebit)}</p>
      <PartyRow {...to} />
      <p class="hint">{texts.checkPid}</p>
      <dl class="facts">
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
              <Foreign text={memo} />
            </dd>
          </>
        )}
      </dl>
    </>
  );
}

/** The button that sends the money, or the reason why there is none. */
function Ending({ inquiry, wallet, topUp }: ConfirmProps) {
  const texts = useTexts(walletTexts);
  const { topUp: topUpOf } = useTexts(approvalTexts);
  const { locale } = useView();
  const total = formatAmount(locale, inquiry.totalDebit);
  const back = <LinkButton href={accountPaths.wallet} text={texts.toWallet} />;
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
    const available = availableIn(wallet);
    const missing = formatAmount(locale, inquiry.totalDebit - available);
    const values = { total, available: formatAmount(locale, available) };
    return (
      <>
        <Notice
          kind="warning"
          title={fill(texts.missing, { missing })}
          text={fill(texts.tooLittleAdvice, values)}
        />
        <Actions>
          {topUp !== null && (
            <LinkButton
              href={withQuery(accountPaths.topUp, { amount: String(topUp) })}
              look="main"
              text={fill(topUpOf, { amount: formatAmount(locale, topUp) })}
            />
          )}
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
