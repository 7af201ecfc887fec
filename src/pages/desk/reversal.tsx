import type { Reversibility } from '../../features/admin/reversal.ts';
import { pidOf } from '../../lib/id.ts';
import { formatAmount } from '../../ui/format.ts';
import { fill, useTexts, useView } from '../../ui/view.ts';
import { deskMoneyTexts } from '../messages/desk-money.ts';
import { errorTexts } from '../messages/errors.ts';
import type { Entry } from '../shared/form.ts';
import { Ask } from './ask.tsx';

interface ReversalProps extends Entry {
  readonly id: string;
  readonly reversibility: Reversibility;
  /** The handle of the person at the desk, who cannot reverse a payment of their own. */
  readonly own: string | undefined;
  readonly proposal?: string | null;
  readonly needsSecond?: boolean;
  /** The page with the form. */
  readonly path: string;
}

/** The form that reverses a payment, or the reason why it cannot be reversed. */
export function Reversal(props: ReversalProps) {
  const texts = useTexts(deskMoneyTexts);
  const { locale } = useView();
  const { id, reversibility, path, needsSecond = false, typed, problems } = props;
  const { payer, payee, paid } = reversibility;
  const why = useWhyNot(props);
  if (why !== null) return <p class="quiet">{why}</p>;
  const asked = fill(texts.reverseAsk, { amount: formatAmount(locale, paid), payer, payee });
  const text = needsSecond ? `${asked} ${texts.secondAsk}` : asked;
  return <Ask act="reverse" of={id} {...{ path, text, typed, problems }} />;
}

function useWhyNot({ reversibility, proposal = null, own }: ReversalProps): string | null {
  const texts = useTexts(deskMoneyTexts);
  const errors = useTexts(errorTexts);
  const { state, refusal, payer, payee } = reversibility;
  if (state !== 'completed') return texts[`not_${state}`];
  if (proposal !== null) return fill(texts.proposed, { id: proposal });
  if (refusal === 'insufficient_internal_credit') return fill(texts.spent, { payee });
  if (refusal === 'wallet_closed') return fill(texts.closed, { payer, payee });
  if (refusal !== null) return fill(texts.notNow, { why: errors[refusal] });
  return own !== undefined && payer === pidOf(own) ? texts.ownMoney : null;
}
