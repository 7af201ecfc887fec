import type { Child } from 'hono/jsx';
import type { Reversibility } from '../../features/admin/reversal.ts';
import type { DeskParty, DeskTransaction } from '../../features/admin/transaction.ts';
import { pidOf } from '../../lib/id.ts';
import { deskPath, deskTransactionPath, personPath } from '../../lib/page-paths.ts';
import { withQuery } from '../../lib/with-query.ts';
import { Card } from '../../ui/components/card.tsx';
import { CopyButton } from '../../ui/components/form.tsx';
import { Table } from '../../ui/components/list.tsx';
import { Foreign, Moment } from '../../ui/components/text.tsx';
import { formatAmount } from '../../ui/format.ts';
import { fill, useTexts, useView } from '../../ui/view.ts';
import { moneyCodeTexts } from '../messages/desk-codes.ts';
import { deskFrameTexts } from '../messages/desk-frame.ts';
import { deskMoneyTexts } from '../messages/desk-money.ts';
import type { Entry } from '../shared/form.ts';
import type { ProviderNames } from '../shared/names.ts';
import { Actor, AuditTable } from './audit-table.tsx';
import { MoneyState, useWords } from './code.tsx';
import { ConsentText } from './consent.tsx';
import { ListCard } from './person-card.tsx';
import { Reversal } from './reversal.tsx';

interface TransactionProps extends Entry {
  readonly transaction: DeskTransaction;
  /** The handle of the person at the desk. */
  readonly own: string;
  readonly isAdministrator: boolean;
  /** The page's full address, which support sends to an administrator. */
  readonly address: string;
  readonly names: ProviderNames;
  /** True if the page was opened by the id of the reversal. */
  readonly isReversal?: boolean;
}

/** Everything about a transaction, with the form that reverses it. */
export function TransactionView(props: TransactionProps) {
  const { transaction, isReversal = false } = props;
  const texts = useTexts(deskMoneyTexts);
  const legs = transaction.legs.filter(({ kind }) => !isReversal || kind.endsWith('_reversal'));
  return (
    <>
      <Card id="transaction" heading={isReversal ? texts.reversalTitle : texts.title}>
        <dl>
          <Facts {...{ ...props, isReversal }} />
        </dl>
        {isReversal ? null : <Reverse {...props} />}
      </Card>
      <ListCard id="legs" heading={texts.legs} count={legs.length}>
        <LegsTable legs={legs} />
      </ListCard>
      <ListCard id="audit" heading={useTexts(deskFrameTexts).audit} count={transaction.audit.length}>
        <AuditTable lines={transaction.audit} />
      </ListCard>
    </>
  );
}

function Reverse({ transaction, own, isAdministrator, address, typed, problems }: TransactionProps) {
  const { id, reversibility, proposal, needsSecond } = transaction;
  const texts = useTexts(deskMoneyTexts);
  if (reversibility === null) return null;
  if (!isAdministrator && reversibility.refusal === null)
    return (
      <>
        <p>{texts.onlyAdministrators}</p>
        <p class="row">
          <code id="address">{address}</code>
          <CopyButton id="address" text={texts.copyAddress} />
        </p>
      </>
    );
  const about = { id, reversibility, own, proposal, needsSecond };
  return <Reversal {...{ ...about, path: deskTransactionPath(id), typed, problems }} />;
}

function Facts({ transaction, isReversal, isAdministrator, names }: TransactionProps) {
  const texts = useTexts(deskMoneyTexts);
  const { locale } = useView();
  const wordsOf = useWords(moneyCodeTexts);
  const money = (amount: number) => formatAmount(locale, amount);
  const { id, kind, status, failure, amount, paid, received, appFee, platformFee } = transaction;
  const { memo, app, provider, reference, movedAt, consent, refundOf, refunds } = transaction;
  const [from, to] = isReversal ? [transaction.to, transaction.from] : [transaction.from, transaction.to];
  const shown = reversalOf(id);
  const link = (to: string) => (
    <a class="mono" href={deskTransactionPath(to)}>
      {to}
    </a>
  );
  return (
    <>
      <Fact name={texts.id} value={<code>{isReversal ? shown : id}</code>} />
      <Fact name={texts.kind} value={isReversal ? wordsOf('reversal') : wordsOf(kind)} />
      {!isReversal && (
        <Fact
          name={texts.state}
          value={
            <span class={isBad(status) ? 'badge bad' : undefined}>
              <MoneyState {...{ status, failure }} />
            </span>
          }
        />
      )}
      <Fact name={texts.from} value={<PartyOf party={from} />} />
      <Fact name={texts.to} value={<PartyOf party={to} />} />
      <Fact name={texts.amount} value={money(amount)} />
      {appFee + platformFee > 0 && (
        <>
          <Fact name={texts.appFee} value={money(appFee)} />
          <Fact name={texts.platformFee} value={money(platformFee)} />
          <Fact name={texts.paid} value={money(paid)} />
          <Fact name={texts.received} value={money(received)} />
        </>
      )}
      {memo !== null && <Fact name={texts.memo} value={<Foreign text={memo} />} />}
      {app !== null && (
        <Fact
          name={texts.app}
          value={
            <>
              {isAdministrator ? (
                <a href={`${withQuery(deskPath, { app: app.id })}#app`}>{app.name}</a>
              ) : (
                <Foreign text={app.name} />
              )}{' '}
              <code>{app.id}</code>
            </>
          }
        />
      )}
      {provider !== null && <Fact name={texts.provider} value={provider} />}
      {reference !== null && <Fact name={texts.reference} value={<code>{reference}</code>} />}
      <Fact name={texts.createdAt} value={<Moment at={transaction.createdAt} as="moment" />} />
      {movedAt !== null && <Fact name={texts.movedAt} value={<Moment at={movedAt} as="moment" />} />}
      {consent !== null && !isReversal && (
        <Fact name={texts.agreed} value={<ConsentText {...{ consent, transaction, names }} />} />
      )}
      <ReversedFact transaction={transaction}>
        {!isReversal && kind === 'transfer' && <>({link(shown)})</>}
      </ReversedFact>
      {isReversal && <Fact name={texts.reversalOf} value={link(id)} />}
      {refundOf !== null && <Fact name={texts.refundOf} value={link(refundOf)} />}
      {refunds.length > 0 && (
        <Fact name={texts.refunds} value={refunds.map((refund) => <div>{link(refund)}</div>)} />
      )}
    </>
  );
}

const isBad = (status: string) => ['reversed', 'failed', 'returned', 'review'].includes(status);

const reversalOf = (id: string) => id.replace(/^trf_/, 'rev_');

function Fact({ name, value }: { name: string; value: Child }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}

/** When a transaction was reversed, and by whom, unless it was a provider. */
function ReversedFact({ transaction, children }: { transaction: DeskTransaction; children: Child }) {
  const texts = useTexts(deskMoneyTexts);
  const { reversedAt, reversedBy } = transaction;
  if (reversedAt === null) return null;
  const who = reversedBy !== null && (
    <>
      {texts.by} <Actor actor={reversedBy} />{' '}
    </>
  );
  return (
    <Fact
      name={texts.reversed}
      value={
        <>
          <Moment at={reversedAt} as="moment" /> {who}
          {children}
        </>
      }
    />
  );
}

/** A person with a link to their page, or where money came from or went. */
function PartyOf({ party: { handle, name } }: { party: DeskParty }) {
  const wordsOf = useWords(moneyCodeTexts);
  if (handle === null) return <>{name === null ? '–' : wordsOf(name)}</>;
  return (
    <>
      {name !== null && name !== pidOf(handle) && <Foreign text={name} />}{' '}
      <a class="mono" href={personPath(handle)}>
        {pidOf(handle)}
      </a>
    </>
  );
}

function LegsTable({ legs }: Pick<DeskTransaction, 'legs'>) {
  const texts = useTexts(deskMoneyTexts);
  const { locale } = useView();
  return (
    <Table
      caption={texts.legs}
      columns={[texts.kind, texts.fromTo, texts.amount, texts.movedAt]}
      rows={legs.map(({ kind, from, to, amount, at }) => [
        <MoneyState status={kind} />,
        <>
          <PartyOf party={from} /> → <PartyOf party={to} />
        </>,
        formatAmount(locale, amount),
        <Moment at={at} as="both" />,
      ])}
    />
  );
}

/** Says that a payment is reversed, with the parties and the amount. */
export function ReversedText({ reversibility: { payer, payee, paid } }: { reversibility: Reversibility }) {
  const { reverseDone } = useTexts(deskMoneyTexts);
  const amount = formatAmount(useView().locale, paid);
  return <>{fill(reverseDone, { amount, payer, payee })}</>;
}
