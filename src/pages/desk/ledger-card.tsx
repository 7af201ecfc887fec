import type { Overview } from '../../features/admin/schema.ts';
import type { LedgerAlarm } from '../../features/admin/stopped.ts';
import { deskPath } from '../../lib/page-paths.ts';
import { Card, Notice } from '../../ui/components/card.tsx';
import { formatMoment } from '../../ui/format.ts';
import { fill, useTexts, useView } from '../../ui/view.ts';
import { deskLedgerTexts } from '../messages/desk-ledger.ts';
import { type Entry, textOf } from '../shared/form.ts';
import { AskForm } from './ask.tsx';

interface LedgerProps extends Entry, Pick<Overview, 'ledger'> {}

const dangers: readonly string[] = ['frozen', 'disabled', 'off'];

/** The switches that stop all money, each change with its effect and a question. */
export function LedgerCard({ ledger: { mode, withdrawals, reason }, typed, problems }: LedgerProps) {
  const texts = useTexts(deskLedgerTexts);
  const isWithdrawal = withdrawals ? 'on' : 'off';
  const changes = (['open', 'frozen', 'disabled', 'on', 'off'] as const).filter(
    (to) => to !== mode && to !== isWithdrawal,
  );
  const typedFor =
    typed && (textOf(typed, 'mode') || { true: 'on', false: 'off' }[textOf(typed, 'withdrawals')]);
  return (
    <Card heading={texts.heading} id="ledger">
      <dl>
        <dt>{texts.money}</dt>
        <dd>{texts[mode]}</dd>
        {reason !== null && (
          <>
            <dt>{texts.because}</dt>
            <dd>{reason}</dd>
          </>
        )}
        <dt>{texts.withdrawals}</dt>
        <dd>{texts[isWithdrawal]}</dd>
      </dl>
      <div class="row">
        {changes.map((to) => (
          <AskForm
            id={to}
            label={texts[`${to}Do`]}
            path={deskPath}
            hidden={{
              act: 'ledger',
              ...(to === 'on' || to === 'off' ? { withdrawals: String(to === 'on') } : { mode: to }),
            }}
            text={texts[`${to}Ask`]}
            isDanger={dangers.includes(to)}
            {...(typedFor === to ? { typed, problems } : {})}
          />
        ))}
      </div>
    </Card>
  );
}

/** Says on every page of the desk that all money is stopped. */
export function StoppedNotice({ mode, reason, at, isViolation }: LedgerAlarm) {
  const texts = useTexts(deskLedgerTexts);
  const since = formatMoment(useView(), at);
  return (
    <Notice kind="problem" title={texts.alarm} text={texts[mode]}>
      <p>{fill(texts.alarmSince, { at: since, reason: reason ?? '–' })}</p>
      {isViolation && <p>{texts.violated}</p>}
      <p>
        <a href={`${deskPath}#ledger`}>{texts.alarmLink}</a>
      </p>
    </Notice>
  );
}
