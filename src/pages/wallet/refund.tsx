import { getReceipt, type Receipt } from '../../features/transfer/receipt.ts';
import { refundInput } from '../../features/transfer/schema.ts';
import { refundTransfer } from '../../features/transfer/transfer.ts';
import { movementPath } from '../../lib/page-paths.ts';
import { createSecret } from '../../lib/secret.ts';
import { withQuery } from '../../lib/with-query.ts';
import { Card } from '../../ui/components/card.tsx';
import { Field } from '../../ui/components/field.tsx';
import { Actions, Button, Form, LinkButton } from '../../ui/components/form.tsx';
import { formatAmount, formatNumber } from '../../ui/format.ts';
import { commonTexts } from '../../ui/messages.ts';
import { fill, useTexts, useView } from '../../ui/view.ts';
import { type Explain, memberForm } from '../member/form.tsx';
import type { Answer } from '../member/member.tsx';
import { renderMember } from '../member/page.tsx';
import { errorTexts } from '../messages/errors.ts';
import { movementTexts, walletTexts } from '../messages/wallet.ts';
import { type Entry, fieldOf, parseInput, readAmount, textOf } from '../shared/form.ts';
import { PartyLines } from './movement.tsx';
import { moneyRefusal, personAt } from './section.tsx';

/** Refunding a received payment, in full or in part. */
export const showRefund: Answer = async (member, refusal) => {
  const { c, deps, actor, id, locale } = member;
  const receipt = await getReceipt(deps, personAt(actor), id);
  const { transfer, line } = receipt;
  if (!refusal && (line.direction === 'out' || (transfer?.refundable ?? 0) === 0))
    return c.redirect(movementPath(id), 303);
  const { typed, problems } = refusal ?? {};
  const token = typed?.get('token') ?? createSecret(deps.randomBytes);
  const body = <RefundCard {...{ receipt, token, typed, problems }} />;
  const name = movementTexts[locale].refund;
  return renderMember(member, {
    ...{ tab: 'wallet', isStep: true },
    name,
    body,
    refusal,
    here: movementPath(id, 'refund'),
  });
};

const problemsOf: Explain = ({ code, texts }, _form, locale) => {
  if (code === 'validation_failed') {
    const isMemo = [texts].flat().some((problem) => problem.startsWith('memo'));
    return isMemo ? { memo: [walletTexts[locale].badMemo] } : { amount: [walletTexts[locale].badAmount] };
  }
  const isAmount =
    code === 'refund_exceeds' || code === 'insufficient_internal_credit' || code === 'amount_too_large';
  return isAmount ? { amount: [errorTexts[locale][code]] } : null;
};

/** Refunds only once, because a second click repeats the form's token. */
export const giveBack = memberForm({
  again: showRefund,
  explain: problemsOf,
  onError: moneyRefusal,
  async act({ deps, actor, id }, form) {
    const amount = readAmount(textOf(form, 'amount'));
    const input = parseInput(refundInput, { amount, memo: textOf(form, 'memo') });
    const key = textOf(form, 'token').slice(0, 255);
    await refundTransfer(deps, personAt(actor), { ...input, transfer: id, key });
    return withQuery(movementPath(id), { done: 'refunded' });
  },
});

interface RefundProps extends Entry {
  readonly receipt: Receipt;
  /** Identifies one submission of the form. */
  readonly token: string;
}

export function RefundCard({ receipt: { line, transfer }, token, ...entry }: RefundProps) {
  const texts = useTexts(movementTexts);
  const { amount, memo, memoHint, to } = useTexts(walletTexts);
  const { locale } = useView();
  const { cancel } = useTexts(commonTexts);
  const refundable = transfer?.refundable ?? 0;
  const most = fill(texts.refundMost, { amount: formatAmount(locale, refundable) });
  return (
    <Card title={texts.refundTitle} lead={texts.refundLead} id="refund">
      <dl>
        <dt>{to}</dt>
        <dd>{line.counterparty !== null && <PartyLines {...line.counterparty} />}</dd>
      </dl>
      <Form action={movementPath(line.id, 'refund')} hidden={{ token }}>
        <Field
          {...fieldOf(entry, 'amount', formatNumber(locale, refundable))}
          label={amount}
          hint={most}
          input={{ required: true, inputmode: 'numeric' }}
        />
        <Field {...fieldOf(entry, 'memo')} label={memo} hint={memoHint} input={{ maxlength: 140 }} />
        <Actions>
          <Button look="main" text={texts.refund} />
          <LinkButton href={movementPath(line.id)} text={cancel} />
        </Actions>
      </Form>
    </Card>
  );
}
