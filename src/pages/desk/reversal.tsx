import type { Reversibility } from '../../features/admin/reversal.ts';
import { formatAmount } from '../../ui/format.ts';
import { fill, useTexts, useView } from '../../ui/view.ts';
import { deskMoneyTexts } from '../messages/desk-money.ts';
import { errorTexts } from '../messages/errors.ts';
import type { Entry } from '../shared/form.ts';
import { Ask } from './ask.tsx';

interface ReversalProps extends Entry {
  readonly id: string;
  readonly reversibility: Reversibility;
  readonly amount: number;
  readonly payer: string;
  readonly payee: string;
  /** True if the person at the desk would get the money. */
  readonly isOwn: boolean;
  readonly proposal?: string | null;
  readonly needsSecond?: boolean;
  /** The page with the form. */
  readonly path: string;
}

/** The form that reverses a payment, or the reason why it cannot be reversed. */
export function Reversal(props: ReversalProps) {
  const texts = useTexts(deskMoneyTexts);
  const { locale } = useView();
  const { id, amount, payer, payee, path, needsSecond = false, typed, problems } = props;
  const why = useWhyNot(props);
  if (why !== null) return <p class="quiet">{why}</p>;
  const asked = fill(texts.reverseAsk, { amount: formatAmount(locale, amount), payer, payee });
  const text = needsSecond ? `${asked} ${texts.secondAsk}` : asked;
  return <Ask act="reverse" of={id} {...{ path, text, typed, problems }} />;
}

function useWhyNot({ reversibility, proposal = null, isOwn, payee }: ReversalProps): string | null {
  const texts = useTexts(deskMoneyTexts);
  const errors = useTexts(errorTexts);
  const { state, refusal } = reversibility;
  if (state !== 'completed') return texts[`not_${state}`];
  if (proposal !== null) return fill(texts.proposed, { id: proposal });
  if (refusal === 'insufficient_internal_credit') return fill(texts.spent, { payee });
  if (refusal !== null) return fill(texts.notNow, { why: errors[refusal] });
  return isOwn ? texts.ownMoney : null;
}
