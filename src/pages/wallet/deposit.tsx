import { cancelDeposit } from '../../features/deposit/cancel.ts';
import { checkout } from '../../features/deposit/checkout.ts';
import { findDeposit, listDeposits, syncDeposit, toDeposit } from '../../features/deposit/deposit.ts';
import { checkoutInput, type Deposit, type SecondPayment } from '../../features/deposit/schema.ts';
import { listSecondPayments } from '../../features/deposit/second-payments.ts';
import { getWallet } from '../../features/ledger/wallet.ts';
import type { AppContext } from '../../http/context.ts';
import { accountPaths, depositPath } from '../../lib/page-paths.ts';
import { createSecret } from '../../lib/secret.ts';
import { Card, Notice } from '../../ui/components/card.tsx';
import { ChoiceField, Field } from '../../ui/components/field.tsx';
import { Actions, Button, Form, LinkButton } from '../../ui/components/form.tsx';
import { Moment } from '../../ui/components/text.tsx';
import { formatAmount } from '../../ui/format.ts';
import { commonTexts } from '../../ui/messages.ts';
import { fill, useTexts, useView } from '../../ui/view.ts';
import { type Explain, memberForm } from '../member/form.tsx';
import type { Answer } from '../member/member.tsx';
import { renderMember } from '../member/page.tsx';
import { errorTexts } from '../messages/errors.ts';
import { depositTexts, walletTexts } from '../messages/wallet.ts';
import { type Entry, fieldOf, parseInput, readAmount, textOf } from '../shared/form.ts';
import { MoneyRow, MoneyRows } from './money-row.tsx';
import { moneyRefusal, personAt, refusalOrWallet, type WalletSection, walletPage } from './section.tsx';

const shownDeposits = 5;

/** Topping up: a form, then a deposit page that leads to the provider and shows its progress. */
export const topUpSection: WalletSection = {
  action: { path: accountPaths.topUp, text: 'topUp' },
  async show({ deps, caller }) {
    const [{ data }, second] = await Promise.all([
      listDeposits(deps, caller, { limit: shownDeposits }),
      listSecondPayments(deps, caller),
    ]);
    return data.length === 0 ? null : <DepositsCard deposits={data} second={second} />;
  },
};

export const showTopUp: Answer = async (member, refusal) => {
  const { c, deps, actor, locale } = member;
  try {
    await getWallet(deps, personAt(actor));
  } catch (error) {
    return c.redirect(walletPage(error), 303);
  }
  const provider = deps.config.gateways.payments?.name ?? null;
  const { typed = typedIn(c), problems } = refusal ?? {};
  const body = <TopUpCard {...{ provider, token: createSecret(deps.randomBytes), typed, problems }} />;
  const name = walletTexts[locale].topUp;
  const here = refusal && accountPaths.topUp;
  return renderMember(member, { ...{ tab: 'wallet', isStep: true }, name, body, refusal, here });
};

/** The amount with which a link fills in the form. */
function typedIn(c: AppContext): URLSearchParams {
  const amount = c.req.query('amount') ?? '';
  return new URLSearchParams(Number.isNaN(readAmount(amount)) ? {} : { amount });
}

/** The error texts next to the amount; null if a different amount would not help. */
const problemsOf: Explain = ({ code }, _form, locale) => {
  if (code === 'validation_failed') return { amount: [depositTexts[locale].badAmount] };
  return /^(deposit|amount)_too_/.test(code) ? { amount: [errorTexts[locale][code]] } : null;
};

/** Opens a deposit and shows its page. A second click finds the first deposit. */
export const beginTopUp = memberForm({
  again: showTopUp,
  explain: problemsOf,
  onError: refusalOrWallet,
  async act({ deps, actor }, form) {
    const typed = textOf(form, 'amount');
    const method = form.get('method') || 'auto';
    const key = [textOf(form, 'token'), typed, method].join(' ').slice(0, 255);
    const input = parseInput(checkoutInput, { amount: readAmount(typed), method });
    const { answer } = await checkout(deps, personAt(actor), { ...input, key });
    return depositPath(answer.id);
  },
});

export const showDeposit: Answer = async (member, refusal) => {
  const { deps, actor, id, locale } = member;
  const person = personAt(actor);
  const deposit = toDeposit(await findDeposit(deps, person, id));
  const { limits } = await getWallet(deps, person);
  const fits = deposit.appId === null || deposit.netAmount <= (limits?.held?.left ?? deposit.netAmount);
  const body = <DepositCard {...{ deposit, fits }} />;
  const name = walletTexts[locale].topUp;
  const here = depositPath(id);
  return renderMember(member, { ...{ tab: 'wallet', isStep: true }, name, body, refusal, here });
};

/** Queries the provider again, or cancels the deposit. */
export const changeDeposit = memberForm({
  again: showDeposit,
  onError: moneyRefusal,
  async act({ deps, actor, id }, form) {
    const change = form.get('do') === 'cancel' ? cancelDeposit : syncDeposit;
    await change(deps, personAt(actor), id);
    return depositPath(id);
  },
});

interface TopUpProps extends Entry {
  /** The provider's name; null if there is none. */
  readonly provider: string | null;
  /** Identifies one submission of the form, so that a second click does not open a second deposit. */
  readonly token: string;
}

/** Asks for the amount and the payment method. */
export function TopUpCard({ provider, token, ...entry }: TopUpProps) {
  const texts = useTexts(depositTexts);
  const heading = useTexts(walletTexts).topUp;
  const back = <LinkButton href={accountPaths.wallet} text={useTexts(commonTexts).cancel} />;
  if (provider === null)
    return (
      <Card title={heading} id="top-up">
        <Notice kind="warning" title={texts.noGateway} text={texts.noGatewayAdvice} />
        {back}
      </Card>
    );
  const { auto, qris, va, card, ewallet } = texts;
  return (
    <Card title={heading} lead={fill(texts.lead, { provider: nameOf(provider) })} id="top-up">
      <Form action={accountPaths.topUp} hidden={{ token }}>
        <Field
          {...fieldOf(entry, 'amount')}
          label={texts.amount}
          hint={texts.amountHint}
          input={{ required: true, inputmode: 'numeric' }}
        />
        <ChoiceField
          id="method"
          label={texts.method}
          choices={{ auto, qris, va, card, ewallet }}
          value={entry.typed?.get('method') ?? 'auto'}
        />
        <Actions>
          <Button look="main" text={texts.next} />
          {back}
        </Actions>
      </Form>
    </Card>
  );
}

/** The provider's display name, such as `Midtrans`. */
function nameOf(provider: string): string {
  return provider.charAt(0).toUpperCase() + provider.slice(1);
}

/** Shows an app's fee on its own line. */
function feeLines({ app, platform }: Deposit['fees']): (readonly ['fee' | 'appFee' | 'ownFee', number])[] {
  if (app === 0) return [['fee', platform]];
  return platform === 0
    ? [['appFee', app]]
    : [
        ['appFee', app],
        ['ownFee', platform],
      ];
}

/** The colour of each state, next to its name: only a credited deposit is a success. */
const looks: Readonly<Record<Deposit['status'], '' | 'warn' | 'open'>> = {
  creating: 'open',
  pending: 'open',
  credited: '',
  expired: 'open',
  failed: 'warn',
  review: 'warn',
  reversed: 'warn',
};

/**
 * The cost of a deposit, its state, and the next actions.
 * @param fits true if it is also within the wallet's balance limit
 */
export function DepositCard({ deposit, fits = true }: { deposit: Deposit; fits?: boolean }) {
  const texts = useTexts(depositTexts);
  const { toWallet } = useTexts(walletTexts);
  const { locale } = useView();
  const { id, status, amount, fees, netAmount, provider, checkoutUrl, expiresAt } = deposit;
  const isOpen = status === 'creating' || status === 'pending';
  const wasPaid = status === 'credited' || status === 'reversed';
  const money = (value: number) => formatAmount(locale, value);
  return (
    <Card
      isDone={status === 'credited'}
      title={fill(texts.title, { amount: formatAmount(locale, amount) })}
      id="deposit"
    >
      <Notice
        kind={looks[status] === 'warn' ? 'warning' : 'info'}
        title={texts[status]}
        text={texts[`${status}Advice`]}
      />
      <dl>
        {[
          [isOpen ? texts.pays : wasPaid ? texts.paid : texts.amount, money(amount)],
          ...(isOpen || wasPaid
            ? [
                ...feeLines(fees).map(([name, fee]) => [texts[name], fee === 0 ? texts.noFee : money(fee)]),
                [wasPaid ? texts.arrived : texts.arrives, money(netAmount)],
              ]
            : []),
          [texts.provider, nameOf(provider)],
        ].map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd class="number">{value}</dd>
          </>
        ))}
      </dl>
      {isOpen && (
        <p class="quiet">
          <Moment text={texts.ends} at={expiresAt} />
        </p>
      )}
      {checkoutUrl !== null && !fits && <Notice kind="warning" title={errorTexts[locale].limit_held} />}
      <Form action={depositPath(id)} class="act">
        {checkoutUrl !== null && fits && (
          <LinkButton href={checkoutUrl} look="main" text={fill(texts.pay, { provider: nameOf(provider) })} />
        )}
        {isOpen ? (
          <Button
            name="do"
            value="check"
            text={texts.check}
            {...(checkoutUrl === null && { look: 'main' })}
          />
        ) : (
          <LinkButton href={accountPaths.wallet} look="main" text={toWallet} />
        )}
      </Form>
      {isOpen ? (
        <Form action={depositPath(id)}>
          <p class="row">
            <Button name="do" value="cancel" look="link" text={texts.cancel} />
            <a href={accountPaths.wallet}>{toWallet}</a>
          </p>
        </Form>
      ) : (
        <a href={accountPaths.topUp}>{texts.again}</a>
      )}
    </Card>
  );
}

interface DepositsProps {
  readonly deposits: readonly Deposit[];
  /** Second payments of credited deposits, which wait for an administrator's decision. */
  readonly second: readonly SecondPayment[];
}

/** The newest deposits, each with a link to its page, below those paid twice. */
export function DepositsCard({ deposits, second }: DepositsProps) {
  const texts = useTexts(depositTexts);
  const { deposit: topUp } = useTexts(walletTexts);
  const { locale } = useView();
  return (
    <Card heading={texts.deposits} id="deposits">
      {second.map(({ amount }) => (
        <Notice
          kind="info"
          title={fill(texts.twice, { amount: formatAmount(locale, amount) })}
          text={texts.twiceAdvice}
        />
      ))}
      <MoneyRows>
        {deposits.map(({ id, amount, status, createdAt }) => (
          <MoneyRow
            icon="in"
            title={topUp}
            details={[<span class={`badge ${looks[status]}`.trim()}>{texts[status]}</span>]}
            sum={formatAmount(locale, amount)}
            at={<Moment at={createdAt} as="day" />}
            href={depositPath(id)}
          />
        ))}
      </MoneyRows>
    </Card>
  );
}
