import type { Transaction } from '../../features/ledger/schema.ts';
import { handleOf } from '../../lib/id.ts';
import { deskTransactionPath, personPath } from '../../lib/page-paths.ts';
import { Card } from '../../ui/components/card.tsx';
import { Table } from '../../ui/components/list.tsx';
import { Foreign, Moment } from '../../ui/components/text.tsx';
import { formatAmount } from '../../ui/format.ts';
import { fill, useTexts, useView } from '../../ui/view.ts';
import { deskPeopleTexts } from '../messages/desk-people.ts';
import { walletTexts } from '../messages/wallet.ts';
import { PartyName, useSigned } from '../wallet/movement.tsx';
import { Ask } from './ask.tsx';
import { MoneyState } from './code.tsx';
import { ListCard, type PersonProps, StatusBadge } from './person-card.tsx';
import { Reversal } from './reversal.tsx';

export function WalletCard({
  person: { wallet, pid, handle },
  isAdministrator,
  typed,
  problems,
}: PersonProps) {
  const texts = useTexts(deskPeopleTexts);
  const { locale } = useView();
  const balance = wallet?.balances[0];
  if (!wallet || !balance) return null;
  const amount = formatAmount(locale, balance.balance);
  const act = wallet.status === 'active' ? 'freeze' : 'unfreeze';
  return (
    <Card heading={texts.wallet} id="wallet">
      <dl>
        <dt>{texts.status}</dt>
        <dd>{wallet.status === 'active' ? texts.active : <StatusBadge status={wallet.status} />}</dd>
        <dt>{texts.balance}</dt>
        <dd>{amount}</dd>
        <dt>{texts.held}</dt>
        <dd>{formatAmount(locale, balance.held)}</dd>
        <dt>{texts.debt}</dt>
        <dd>{formatAmount(locale, balance.debt)}</dd>
      </dl>
      {isAdministrator && wallet.status !== 'closed' && (
        <Ask
          {...{ act, path: personPath(handle), typed, problems }}
          text={fill(texts[`${act}Ask`], { pid, amount })}
        />
      )}
    </Card>
  );
}

export function TransactionsCard(props: PersonProps) {
  const { transactions } = props.person;
  const texts = useTexts(deskPeopleTexts);
  return (
    <ListCard id="transactions" heading={texts.transactions} count={transactions.length}>
      <Table
        caption={texts.transactions}
        columns={[texts.what, texts.change, texts.when]}
        rows={transactions.map((line) => [
          <>
            <Movement line={line} />
            <ReverseAsk line={line} {...props} />
          </>,
          <Change line={line} />,
          <>
            <Moment at={line.createdAt} as="both" />
            <div>
              <a class="mono" href={deskTransactionPath(line.id)}>
                {line.id}
              </a>
            </div>
          </>,
        ])}
      />
    </ListCard>
  );
}

/** The kind of a transaction, with the counterparty. */
function Movement({ line: { kind, counterparty, memo } }: { line: Transaction }) {
  const texts = useTexts(walletTexts);
  return (
    <>
      {texts[kind]}{' '}
      {counterparty !== null && (
        <>
          <PartyName {...counterparty} /> <PidLink pid={counterparty.pid} />
        </>
      )}
      {memo !== null && (
        <div class="quiet">
          <Foreign text={memo} />
        </div>
      )}
    </>
  );
}

/** A counterparty's PID; an app has an id instead. */
function PidLink({ pid }: { pid: string }) {
  const handle = handleOf(pid);
  if (handle === null) return <span class="mono">{pid}</span>;
  return (
    <a class="mono" href={personPath(handle)}>
      {pid}
    </a>
  );
}

function Change({ line }: { line: Transaction }) {
  const { balanceAfter } = useTexts(deskPeopleTexts);
  const { locale } = useView();
  return (
    <>
      {useSigned()(line)}
      <div class="quiet">{fill(balanceAfter, { amount: formatAmount(locale, line.balanceAfter) })}</div>
    </>
  );
}

function ReverseAsk({
  line,
  person,
  own,
  reversals,
  isAdministrator,
  ...entry
}: PersonProps & { line: Transaction }) {
  const { id, kind } = line;
  const reversibility = reversals?.get(id);
  if (kind !== 'transfer' || !isAdministrator || !reversibility) return null;
  const { typed, problems } = entry;
  return <Reversal {...{ id, reversibility, own, path: personPath(person.handle), typed, problems }} />;
}

export function ProviderMoneyCard({ person: { deposits, withdrawals } }: PersonProps) {
  const texts = useTexts(deskPeopleTexts);
  const { locale } = useView();
  const lines = [
    ...deposits.map((one) => ({ ...one, text: texts.deposit })),
    ...withdrawals.map((one) => ({ ...one, text: texts.withdrawal })),
  ].sort((one, other) => other.createdAt.localeCompare(one.createdAt));
  return (
    <ListCard id="provider-money" heading={texts.providerMoney} count={lines.length}>
      <Table
        caption={texts.providerMoney}
        columns={[texts.what, texts.amount, texts.fate, texts.when]}
        rows={lines.map(({ id, text, amount, status, failure, createdAt }) => [
          <>
            {text}{' '}
            <a class="mono" href={deskTransactionPath(id)}>
              {id}
            </a>
          </>,
          formatAmount(locale, amount),
          <MoneyState {...{ status, failure }} />,
          <Moment at={createdAt} as="both" />,
        ])}
      />
    </ListCard>
  );
}
