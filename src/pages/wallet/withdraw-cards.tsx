import type { Wallet } from '../../features/ledger/schema.ts';
import type { BankList, Withdrawal, WithdrawalQuote } from '../../features/withdrawal/schema.ts';
import { accountPaths, withdrawPath } from '../../lib/page-paths.ts';
import { Card, Notice } from '../../ui/components/card.tsx';
import { ChoiceField, Field } from '../../ui/components/field.tsx';
import { Actions, Button, Form, LinkButton } from '../../ui/components/form.tsx';
import { Moment } from '../../ui/components/text.tsx';
import { formatAmount } from '../../ui/format.ts';
import { commonTexts } from '../../ui/messages.ts';
import { fill, useTexts, useView } from '../../ui/view.ts';
import { walletTexts, withdrawalTexts } from '../messages/wallet.ts';
import { type Entry, fieldOf } from '../shared/form.ts';
import { MoneyRow, MoneyRows } from './money-row.tsx';
import { availableIn } from './section.tsx';

interface ListProps {
  readonly withdrawals: readonly Withdrawal[];
  /** True if a withdrawal can be started now. */
  readonly isOffered: boolean;
}

/** The latest withdrawals with their states, and a link to start a new one. */
export function WithdrawalsCard({ withdrawals, isOffered }: ListProps) {
  const texts = useTexts(withdrawalTexts);
  return (
    <Card heading={texts.heading} id="withdrawals">
      {withdrawals.length > 0 && (
        <MoneyRows>
          {withdrawals.map((one) => (
            <Row of={one} />
          ))}
        </MoneyRows>
      )}
      {isOffered && (
        <p class="row">
          <LinkButton href={accountPaths.withdraw} text={texts.withdraw} />
        </p>
      )}
    </Card>
  );
}

/** The provider's own words are set apart from the surrounding text. */
function Row({ of }: { of: Withdrawal }) {
  const { id, status, failure, waitsFor, amount, fees, destination, totalDebit, createdAt } = of;
  const texts = useTexts(withdrawalTexts);
  const { withdrawal, withFee } = useTexts(walletTexts);
  const { locale } = useView();
  const money = (value: number) => formatAmount(locale, value);
  return (
    <MoneyRow
      icon="out"
      title={withdrawal}
      details={[
        destination,
        texts[waitsFor === 'debt' ? 'heldForDebt' : status],
        ...(failure === null ? [] : [<bdi>{failure}</bdi>]),
        ...(fees.total > 0 ? [fill(withFee, { fee: money(fees.total) })] : []),
      ]}
      sum={money(totalDebit)}
      at={<Moment at={createdAt} as="day" />}
    >
      {status === 'held' && (
        <Form action={withdrawPath(id, 'cancel')}>
          <Button look="link" text={texts.cancel} label={fill(texts.cancelOf, { amount: money(amount) })} />
        </Form>
      )}
    </MoneyRow>
  );
}

interface WithdrawProps extends Entry {
  readonly wallet: Wallet;
  readonly banks: BankList['data'];
}

/** Asks for the destination and the amount. */
export function WithdrawCard({ wallet, banks, ...entry }: WithdrawProps) {
  const texts = useTexts(withdrawalTexts);
  const { amount, amountHint, next } = useTexts(walletTexts);
  const available = formatAmount(useView().locale, availableIn(wallet));
  const field = (id: 'account' | 'amount', label: string, hint: string) => ({
    ...{ ...fieldOf(entry, id), label, hint },
    input: { required: true, inputmode: 'numeric' },
  });
  return (
    <Card title={texts.title} lead={fill(texts.lead, { available })} id="withdraw">
      <Form action={accountPaths.withdraw}>
        <ChoiceField
          id="bank"
          label={texts.bank}
          choices={Object.fromEntries(banks.map(({ code, name }) => [code, name]))}
          value={entry.typed?.get('bank') ?? ''}
        />
        <Field {...field('account', texts.account, texts.accountHint)} />
        <Field {...field('amount', amount, amountHint)} />
        <Actions>
          <Button look="main" text={next} />
          <LinkButton href={accountPaths.wallet} text={useTexts(commonTexts).cancel} />
        </Actions>
      </Form>
    </Card>
  );
}

interface ConfirmProps {
  /** Null for a quote that can no longer be confirmed. */
  readonly quote: (WithdrawalQuote & { readonly destination: string }) | null;
  readonly wallet: Wallet;
}

/** Shows the account holder and the cost, and withdraws after confirmation. */
export function ConfirmWithdrawalCard({ quote, wallet }: ConfirmProps) {
  const texts = useTexts(withdrawalTexts);
  const { toWallet, again } = useTexts(walletTexts);
  if (quote === null)
    return (
      <Card title={texts.confirmTitle} id="confirm">
        <Notice kind="warning" title={texts.gone} text={texts.goneAdvice} />
        <Actions>
          <LinkButton href={accountPaths.wallet} look="main" text={toWallet} />
          <LinkButton href={accountPaths.withdraw} text={again} />
        </Actions>
      </Card>
    );
  return (
    <Card title={texts.confirmTitle} id="confirm">
      <Facts quote={quote} />
      <Ending {...{ quote, wallet }} />
    </Card>
  );
}

type Quoted = { readonly quote: NonNullable<ConfirmProps['quote']> };

function Facts({ quote: { accountHolderName, destination, amount, fees, totalDebit } }: Quoted) {
  const texts = useTexts(withdrawalTexts);
  const { amount: amountText, fee, noFee } = useTexts(walletTexts);
  const { locale } = useView();
  const rows: readonly (readonly [string, string])[] = [
    [amountText, formatAmount(locale, amount)],
    [fee, fees.total === 0 ? noFee : formatAmount(locale, fees.total)],
    [texts.total, formatAmount(locale, totalDebit)],
  ];
  return (
    <dl>
      <dt>{texts.holder}</dt>
      <dd>
        <bdi>{accountHolderName}</bdi>
        <div class="quiet">{texts.checkHolder}</div>
      </dd>
      <dt>{texts.destination}</dt>
      <dd class="mono">{destination}</dd>
      {rows.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd class="number">{value}</dd>
        </>
      ))}
    </dl>
  );
}

/** The button that withdraws, or the reason why there is none. */
function Ending({
  quote: { withdrawalId, totalDebit, expiresAt },
  wallet,
}: Quoted & Pick<ConfirmProps, 'wallet'>) {
  const { locale } = useView();
  const texts = useTexts(walletTexts);
  const { confirm } = useTexts(withdrawalTexts);
  const { cancel } = useTexts(commonTexts);
  const total = formatAmount(locale, totalDebit);
  const available = availableIn(wallet);
  if (available < totalDebit)
    return (
      <>
        <Notice
          kind="warning"
          title={texts.tooLittle}
          text={fill(texts.tooLittleAdvice, { total, available: formatAmount(locale, available) })}
        />
        <Actions>
          <LinkButton href={accountPaths.wallet} look="main" text={texts.toWallet} />
        </Actions>
      </>
    );
  return (
    <>
      <p class="quiet">
        <Moment text={texts.valid} at={expiresAt} />
      </p>
      <Form action={withdrawPath(withdrawalId)} class="act">
        <Button look="main" text={fill(confirm, { amount: total })} />
        <LinkButton href={accountPaths.wallet} text={cancel} />
      </Form>
    </>
  );
}
