import type { Unexplained } from '../../features/admin/schema.ts';
import { Card } from '../../ui/components/card.tsx';
import { formatAmount, formatMoment } from '../../ui/format.ts';
import { fill, useTexts, useView } from '../../ui/view.ts';
import { deskTexts } from '../messages/desk.ts';
import { moneyCodeTexts } from '../messages/desk-codes.ts';
import type { Entry } from '../shared/form.ts';
import { useWords } from './code.tsx';
import { DeskForm, entryOf } from './forms.tsx';

interface UnexplainedProps extends Entry {
  readonly unexplained: Unexplained;
  readonly requestKey: string;
}

const advice = {
  deposit: 'caseDeposit',
  second_payment: 'caseSecond',
  unfinished_deposit: 'caseUnfinished',
  withdrawal: 'caseWithdrawal',
  difference: 'caseDifference',
  debt: 'caseDebt',
  suspense: 'caseSuspense',
} as const;

/** Every open money case, oldest first, with the person, the age and the possible actions. */
export function UnexplainedCard({ unexplained: { count, data }, requestKey, ...entry }: UnexplainedProps) {
  const texts = useTexts(deskTexts);
  const view = useView();
  const wordsOf = useWords(moneyCodeTexts);
  return (
    <Card heading={fill(texts.unexplained, { count })} lead={texts.unexplainedLead} id="unexplained">
      {count === 0 && <p class="quiet">{texts.nothing}</p>}
      <ul class="plain">
        {data.map(({ kind, id, status, amount, pid, since }) => {
          const what = [wordsOf(status), ...(pid === null || pid === id ? [] : [pid])].join(', ');
          const at = formatMoment(view, since);
          return (
            <li>
              <h3>
                {wordsOf(kind)} <code>{id}</code>
              </h3>
              <p>{fill(texts.caseSince, { what, amount: formatAmount(view.locale, amount), at })}</p>
              <p class="quiet">{kind in advice && texts[advice[kind as keyof typeof advice]]}</p>
              {(kind === 'second_payment' || kind === 'difference') && (
                <DeskForm
                  act={kind === 'difference' ? 'difference' : 'second'}
                  of={id}
                  requestKey={requestKey}
                  {...entryOf(entry, 'id', id)}
                />
              )}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
