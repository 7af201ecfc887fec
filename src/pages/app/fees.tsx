import { type Balance, type Fee, type FeeList, feeOperations } from '../../features/ledger/schema.ts';
import { appPath } from '../../lib/page-paths.ts';
import { Card, Empty } from '../../ui/components/card.tsx';
import { ChoiceField, Field } from '../../ui/components/field.tsx';
import { Button } from '../../ui/components/form.tsx';
import { Table } from '../../ui/components/list.tsx';
import { formatAmount } from '../../ui/format.ts';
import { fill, useTexts, useView } from '../../ui/view.ts';
import { feeTexts } from '../messages/app.ts';
import { type Entry, fieldOf } from '../shared/form.ts';

interface FeesProps extends Entry {
  readonly appId: string;
  readonly fees: FeeList;
  readonly balance: Balance;
}

/** The app's revenue, and its fees. */
export function FeesPanel({ appId, fees, balance, ...entry }: FeesProps) {
  return (
    <>
      <RevenueCard {...{ appId, balance }} />
      <FeesCard {...{ appId, fees, ...entry }} />
    </>
  );
}

function RevenueCard({ appId, balance }: Pick<FeesProps, 'appId' | 'balance'>) {
  const texts = useTexts(feeTexts);
  const { locale } = useView();
  const { available, debt } = balance;
  return (
    <Card heading={texts.revenue} lead={texts.revenueLead} id="revenue">
      <p class="amount">{formatAmount(locale, available)}</p>
      {debt > 0 && <p>{fill(texts.debt, { amount: formatAmount(locale, debt) })}</p>}
      {available > 0 && (
        <form method="post" action={appPath(appId, 'sweep')}>
          <Button text={texts.sweep} />
        </form>
      )}
    </Card>
  );
}

function FeesCard({ appId, fees, ...entry }: Omit<FeesProps, 'balance'>) {
  const texts = useTexts(feeTexts);
  const operations = Object.fromEntries(feeOperations.map((name) => [name, texts[name]]));
  const number = (name: 'fixed' | 'bps' | 'min' | 'max', hint?: string) => (
    <Field
      {...fieldOf(entry, name)}
      label={texts[name]}
      {...(hint === undefined ? {} : { hint })}
      input={{ inputmode: 'numeric' }}
    />
  );
  return (
    <Card heading={texts.heading} lead={texts.lead} id="fees">
      {fees.data.length === 0 ? (
        <Empty title={texts.none} />
      ) : (
        <Table
          caption={texts.heading}
          columns={[texts.operation, texts.fee, texts.by]}
          rows={fees.data.map((fee) => [texts[fee.operation], <Charge fee={fee} />, texts[fee.payer]])}
        />
      )}
      <hr />
      <h3>{texts.change}</h3>
      <form method="post" action={appPath(appId, 'fees')}>
        <ChoiceField
          id="operation"
          label={texts.operation}
          choices={operations}
          value={entry.typed?.get('operation') ?? 'transfer'}
        />
        <div class="fields">
          {number('fixed')}
          {number('bps', texts.bpsHint)}
          {number('min')}
          {number('max')}
        </div>
        <ChoiceField
          id="payer"
          label={texts.by}
          choices={{ payer: texts.payer, payee: texts.payee }}
          value={entry.typed?.get('payer') ?? 'payer'}
          hint={texts.payerHint}
        />
        <Button look="main" text={texts.save} />
      </form>
    </Card>
  );
}

/** A fee in words: `IDR 500 + 0.7%, at least IDR 1,000`. */
function Charge({ fee: { fixed, bps, min, max } }: { fee: Fee }) {
  const texts = useTexts(feeTexts);
  const { locale } = useView();
  const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 });
  const parts = [
    [fixed > 0 && formatAmount(locale, fixed), bps > 0 && share.format(bps / 10_000)]
      .filter(Boolean)
      .join(' + '),
    min > 0 && fill(texts.least, { amount: formatAmount(locale, min) }),
    max !== null && fill(texts.most, { amount: formatAmount(locale, max) }),
  ];
  return <>{parts.filter(Boolean).join(', ') || texts.noFee}</>;
}
