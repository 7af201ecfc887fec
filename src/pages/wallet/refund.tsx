import { AppError } from '../../errors.ts';
import type { Wallet } from '../../features/ledger/schema.ts';
import { getWallet } from '../../features/ledger/wallet.ts';
import { getReceipt, type Receipt } from '../../features/transfer/receipt.ts';
import { type RefundInput, refundInput } from '../../features/transfer/schema.ts';
import { refundTransfer } from '../../features/transfer/transfer.ts';
import type { AppContext, Locale } from '../../http/context.ts';
import { movementPath } from '../../lib/page-paths.ts';
import { createSecret } from '../../lib/secret.ts';
import { withQuery } from '../../lib/with-query.ts';
import { Card } from '../../ui/components/card.tsx';
import { Field } from '../../ui/components/field.tsx';
import { Actions, Button, Form, LinkButton } from '../../ui/components/form.tsx';
import { Foreign } from '../../ui/components/text.tsx';
import { formatAmount, formatNumber } from '../../ui/format.ts';
import { commonTexts } from '../../ui/messages.ts';
import { fill, useTexts, useView } from '../../ui/view.ts';
import { type Explain, memberForm } from '../member/form.tsx';
import type { Answer } from '../member/member.tsx';
import { renderMember } from '../member/page.tsx';
import { errorTexts } from '../messages/errors.ts';
import { movementTexts, walletTexts } from '../messages/wallet.ts';
import { armingScript } from '../scripts/arming.ts';
import { type Entry, type FormProblems, fieldOf, parseInput, readAmount, textOf } from '../shared/form.ts';
import { PartyLines, PartyRow } from './movement.tsx';
import { moneyRefusal, personAt } from './section.tsx';

/**
 * Refunding a received payment, in full or in part: a form, then its review, whose entries are in the query. A link back
 * from the review shows the form with the same entries.
 */
export const showRefund: Answer = async (member, refusal) => {
  const { c, deps, actor, id, locale } = member;
  const receipt = await getReceipt(deps, personAt(actor), id);
  const { transfer, line } = receipt;
  const refundable = transfer?.refundable ?? 0;
  if (!refusal && (line.direction === 'out' || refundable === 0)) return c.redirect(movementPath(id), 303);
  const typed = refusal?.typed ?? queryOf(c);
  const problems = refusal?.problems ?? checkEntry(typed, refundable, locale);
  const isReview =
    !refusal && typed !== undefined && Object.keys(problems).length === 0 && !c.req.query('change');
  const token = refusal?.typed?.get('token') ?? createSecret(deps.randomBytes);
  const body = isReview ? (
    <RefundReview {...{ receipt, token, typed, wallet: await getWallet(deps, personAt(actor)) }} />
  ) : (
    <RefundCard {...{ receipt, typed, problems }} />
  );
  return renderMember(member, {
    ...{ tab: 'wallet', isStep: true },
    name: movementTexts[locale][isReview ? 'refundReview' : 'refund'],
    ...{ body, refusal, here: refusal && movementPath(id, 'refund') },
    // The payer can link to this page with entries of their choice.
    ...(isReview ? { script: armingScript } : {}),
  });
};

/** The entries of the form, which become those of the review. */
function queryOf(c: AppContext): URLSearchParams | undefined {
  const { amount, memo = '' } = c.req.query();
  return amount === undefined ? undefined : new URLSearchParams({ amount, memo });
}

function checkEntry(typed: URLSearchParams | undefined, refundable: number, locale: Locale): FormProblems {
  if (typed === undefined) return {};
  try {
    const { amount = 0 } = entryOf(typed);
    return amount > refundable ? { amount: [errorTexts[locale].refund_exceeds] } : {};
  } catch (error) {
    return (error instanceof AppError && problemsOf(error, typed, locale)) || {};
  }
}

/** @throws AppError validation_failed */
function entryOf(form: URLSearchParams): RefundInput {
  return parseInput(refundInput, { amount: readAmount(textOf(form, 'amount')), memo: textOf(form, 'memo') });
}

const problemsOf: Explain = ({ code, texts }, _form, locale) => {
  if (code === 'validation_failed') {
    const isMemo = [texts].flat().some((problem) => problem.startsWith('memo'));
    return isMemo ? { memo: [walletTexts[locale].badMemo] } : { amount: [walletTexts[locale].badAmount] };
  }
  const isAmount =
    code === 'refund_exceeds' || code === 'insufficient_internal_credit' || code === 'amount_too_large';
  return isAmount ? { amount: [errorTexts[locale][code]] } : null;
};

/** Refunds only once, because a second click repeats the review's token. */
export const giveBack = memberForm({
  again: showRefund,
  explain: problemsOf,
  onError: moneyRefusal,
  async act({ deps, actor, id }, form) {
    const input = entryOf(form);
    const key = textOf(form, 'token').slice(0, 255);
    await refundTransfer(deps, personAt(actor), { ...input, transfer: id, key });
    return withQuery(movementPath(id), { done: 'refunded' });
  },
});

interface RefundProps extends Entry {
  readonly receipt: Receipt;
}

export function RefundCard({ receipt: { line, transfer }, ...entry }: RefundProps) {
  const texts = useTexts(movementTexts);
  const { amount, memo, memoHint, to, next } = useTexts(walletTexts);
  const { locale } = useView();
  const { cancel } = useTexts(commonTexts);
  const refundable = transfer?.refundable ?? 0;
  const most = fill(texts.refundMost, { amount: formatAmount(locale, refundable) });
  const lead = (transfer?.fees.total ?? 0) > 0 ? texts.refundFees : undefined;
  return (
    <Card title={texts.refundTitle} lead={lead} id="refund">
      <dl>
        <dt>{to}</dt>
        <dd>{line.counterparty !== null && <PartyLines {...line.counterparty} />}</dd>
      </dl>
      <form action={movementPath(line.id, 'refund')}>
        <Field
          {...fieldOf(entry, 'amount', formatNumber(locale, refundable))}
          label={amount}
          hint={most}
          input={{ required: true, inputmode: 'numeric' }}
        />
        <Field {...fieldOf(entry, 'memo')} label={memo} hint={memoHint} input={{ maxlength: 140 }} />
        <Actions>
          <Button look="main" text={next} />
          <LinkButton href={movementPath(line.id)} text={cancel} />
        </Actions>
      </form>
    </Card>
  );
}

interface ReviewProps {
  readonly receipt: Receipt;
  readonly wallet: Wallet;
  /** The valid entries. */
  readonly typed: URLSearchParams;
  /** Identifies one submission of the form. */
  readonly token: string;
}

/** Shows the amount and the recipient before the refund is made. */
export function RefundReview({ receipt: { line }, wallet, typed, token }: ReviewProps) {
  const texts = useTexts(movementTexts);
  const { message } = useTexts(walletTexts);
  const { locale } = useView();
  const [sum, memo] = [readAmount(textOf(typed, 'amount')), textOf(typed, 'memo')];
  const amount = formatAmount(locale, sum);
  const path = movementPath(line.id, 'refund');
  return (
    <Card title={texts.refundReview} lead={texts.refundLead} id="refund">
      <p class="amount">{amount}</p>
      {line.counterparty !== null && <PartyRow {...line.counterparty} />}
      <dl class="facts">
        <dt>{texts.balanceAfter}</dt>
        <dd class="number">{formatAmount(locale, (wallet.balances[0]?.balance ?? 0) - sum)}</dd>
        {memo !== '' && (
          <>
            <dt>{message}</dt>
            <dd>
              <Foreign text={memo} />
            </dd>
          </>
        )}
      </dl>
      <Form action={path} hidden={{ token, amount: String(sum), memo }} class="act">
        <Button look="main" name="decision" value="refund" text={fill(texts.refundAmount, { amount })} />
        <LinkButton href={`${path}?${typed}&change=1`} text={texts.refundChange} />
      </Form>
    </Card>
  );
}
