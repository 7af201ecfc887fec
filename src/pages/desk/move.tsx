import type { AdjustmentProblems, AdjustmentReview, Side } from '../../features/admin/adjustment-review.ts';
import type { Locale } from '../../http/context.ts';
import { handleOf } from '../../lib/id.ts';
import { deskPath, deskTransactionPath, personPath } from '../../lib/page-paths.ts';
import { Card } from '../../ui/components/card.tsx';
import { Actions, Button, Form } from '../../ui/components/form.tsx';
import { Foreign } from '../../ui/components/text.tsx';
import { formatAmount } from '../../ui/format.ts';
import { fill, useTexts, useView } from '../../ui/view.ts';
import { moneyCodeTexts } from '../messages/desk-codes.ts';
import { deskMoneyTexts } from '../messages/desk-money.ts';
import { deskMoveTexts } from '../messages/desk-move.ts';
import { type FormProblems, readAmount, textOf } from '../shared/form.ts';
import { useWords } from './code.tsx';

const operatorAccount = /^(platform|gateway|payout|suspense|bank|provider_fee)$/;

/** The API's name of an account as people type it: a handle needs neither `@pid` nor lower case. */
function accountOf(text: string): string {
  const name = text.trim().replace(/^@/, '').toLowerCase();
  return name === '' || name.includes('@') || name.startsWith('app_') || operatorAccount.test(name)
    ? name
    : `${name}@pid`;
}

export function moveInput(form: URLSearchParams) {
  return {
    from: accountOf(textOf(form, 'from')),
    to: accountOf(textOf(form, 'to')),
    amount: readAmount(textOf(form, 'amount')),
    reason: textOf(form, 'reason'),
  };
}

/** Why a correction would be rejected, next to its fields. */
export function moveProblems(
  { problems, available }: { readonly problems: AdjustmentProblems; readonly available: number },
  locale: Locale,
): FormProblems {
  const texts = deskMoveTexts[locale];
  const shown = { available: formatAmount(locale, available) };
  return Object.fromEntries(
    Object.entries(problems).map(([name, code]) => [name, [fill(texts[code], shown)]]),
  );
}

interface ReviewProps {
  readonly review: AdjustmentReview;
  readonly form: URLSearchParams;
}

/** Both accounts before and after a correction, and the button that makes it. */
export function MoveReview({ review: { from, to, amount, needsSecond }, form }: ReviewProps) {
  const texts = useTexts(deskMoveTexts);
  const { secondAsk } = useTexts(deskMoneyTexts);
  const { locale } = useView();
  const shown = formatAmount(locale, amount);
  const { reason } = moveInput(form);
  const hidden = { act: 'adjust', from: from.account, to: to.account, amount: String(amount), reason };
  return (
    <Card heading={texts.check} id="move">
      <p class="amount">{shown}</p>
      <dl>
        {[from, to].map((side) => (
          <>
            <dt>{side === from ? texts.from : texts.to}</dt>
            <dd>
              <SideName side={side} />
              <div class="quiet">
                {fill(texts.balances, {
                  before: formatAmount(locale, side.before),
                  after: formatAmount(locale, side.after),
                })}
              </div>
            </dd>
          </>
        ))}
        <dt>{texts.reason}</dt>
        <dd>
          <Foreign text={reason} />
        </dd>
      </dl>
      {needsSecond && <p>{secondAsk}</p>}
      <Form action={deskPath} hidden={{ ...hidden, key: form.get('key') }}>
        <Actions>
          <Button look="danger main" name="confirmed" value="1" text={fill(texts.move, { amount: shown })} />
          <Button name="edit" value="1" text={texts.edit} />
        </Actions>
      </Form>
    </Card>
  );
}

/** A person or app by name and id, or an operator account in words. */
function SideName({ side: { account, name } }: { side: Side }) {
  const wordsOf = useWords(moneyCodeTexts);
  const handle = handleOf(account);
  if (handle === null)
    return (
      <>
        {name === null ? wordsOf(account) : <Foreign text={name} />} <code>{account}</code>
      </>
    );
  return (
    <>
      {name !== null && <Foreign text={name} />}{' '}
      <a class="mono" href={personPath(handle)}>
        {account}
      </a>
    </>
  );
}

interface MovedProps {
  readonly id: string;
  readonly moved: { readonly from: Side; readonly to: Side; readonly amount: number };
}

/** Says what a correction moved, with a link to its page. */
export function MovedText({ id, moved: { from, to, amount } }: MovedProps) {
  const texts = useTexts(deskMoveTexts);
  const wordsOf = useWords(moneyCodeTexts);
  const named = ({ account, name }: Side) => (name === null ? wordsOf(account) : `${name} (${account})`);
  const shown = { amount: formatAmount(useView().locale, amount), from: named(from), to: named(to) };
  return (
    <>
      {fill(texts.moved, shown)} <a href={deskTransactionPath(id)}>{texts.show}</a>
    </>
  );
}
