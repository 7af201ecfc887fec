import { ledgerEndpoints } from '../../features/ledger/endpoints.ts';
import { type Transaction, transactionKinds, transactionsQuery } from '../../features/ledger/schema.ts';
import { listTransactions } from '../../features/ledger/transactions.ts';
import type { Page } from '../../lib/page.ts';
import { accountPaths } from '../../lib/page-paths.ts';
import { withQuery } from '../../lib/with-query.ts';
import { Card, Empty } from '../../ui/components/card.tsx';
import { ChoiceField, Field } from '../../ui/components/field.tsx';
import { Button, LinkButton } from '../../ui/components/form.tsx';
import { Pager, Table } from '../../ui/components/list.tsx';
import { Filled, Moment } from '../../ui/components/text.tsx';
import { formatAmount } from '../../ui/format.ts';
import { fill, useTexts, useView } from '../../ui/view.ts';
import { walletTexts } from '../messages/wallet.ts';
import { parseInput } from '../shared/form.ts';
import type { WalletSection } from './section.tsx';

const filterNames = ['kind', 'direction', 'from', 'until'] as const;

/** The line filter as entered in the form. */
type Filter = Readonly<Partial<Record<(typeof filterNames)[number], string>>>;

/** The movements, in pages. */
export const statementSection: WalletSection = {
  async show({ c, deps, caller }) {
    const filter = readFilter(c.req.query());
    const { until, ...same } = filter;
    const cursor = c.req.query('cursor');
    const query = parseInput(transactionsQuery, {
      ...same,
      ...(until === undefined ? {} : { to: dayAfter(until) }),
      ...(cursor === undefined ? {} : { cursor }),
      limit: '10',
    });
    const page = await listTransactions(deps, caller, query);
    return <StatementCard {...{ page, filter, isFirst: cursor === undefined }} />;
  },
};

/** A form sends an unselected option as an empty string. */
function readFilter(query: Readonly<Record<string, string>>): Filter {
  return Object.fromEntries(filterNames.flatMap((name) => (query[name] ? [[name, query[name]]] : [])));
}

/** The API excludes the end of a period, but people mean the whole day. */
function dayAfter(day: string): string {
  const at = Date.parse(day);
  return Number.isNaN(at) ? day : new Date(at + 86_400_000).toISOString().slice(0, 10);
}

interface StatementProps {
  readonly page: Page<Transaction>;
  readonly filter: Filter;
  readonly isFirst: boolean;
}

export function StatementCard({ page, filter, isFirst }: StatementProps) {
  const texts = useTexts(walletTexts);
  const isNarrowed = Object.values(filter).some(Boolean);
  return (
    <Card heading={texts.statement} lead={texts.statementLead} id="statement">
      {(isNarrowed || page.data.length > 0) && (
        <details open={isNarrowed}>
          <summary>{texts.choose}</summary>
          <FilterForm filter={filter} />
        </details>
      )}
      {page.data.length > 0 ? (
        <Table
          caption={texts.statement}
          columns={[texts.what, texts.change, texts.when]}
          rows={page.data.map((line) => [
            <What line={line} />,
            <Change line={line} />,
            <Moment at={line.createdAt} />,
          ])}
        />
      ) : (
        <Empty
          title={isNarrowed ? texts.noneFound : texts.empty}
          {...(isNarrowed ? {} : { advice: texts.emptyAdvice })}
        />
      )}
      <Pager path={accountPaths.wallet} query={filter} nextCursor={page.nextCursor} isFirst={isFirst} />
    </Card>
  );
}

function FilterForm({ filter: { kind = '', direction = '', from, until } }: { filter: Filter }) {
  const texts = useTexts(walletTexts);
  const kinds = Object.fromEntries(transactionKinds.map((name) => [name, texts[name]]));
  const period = { from, to: until && dayAfter(until) };
  return (
    <form action={accountPaths.wallet}>
      <div class="fields">
        <ChoiceField id="kind" label={texts.kind} choices={{ '': texts.all, ...kinds }} value={kind} />
        <ChoiceField
          id="direction"
          label={texts.direction}
          choices={{ '': texts.all, in: texts.in, out: texts.out }}
          value={direction}
        />
        <DayField id="from" label={texts.from} value={from} />
        <DayField id="until" label={texts.until} value={until} />
      </div>
      <p class="row">
        <Button text={texts.filter} />
        <LinkButton
          href={withQuery(ledgerEndpoints.getStatement.path, { format: 'csv', ...period })}
          text={texts.csv}
        />
      </p>
      <p class="hint">{texts.csvHint}</p>
    </form>
  );
}

function DayField({ id, label, value = '' }: { id: string; label: string; value?: string | undefined }) {
  return <Field {...{ id, label, value }} input={{ type: 'date' }} />;
}

function Change({ line: { direction, amount, balanceAfter } }: { line: Transaction }) {
  const { after } = useTexts(walletTexts);
  const { locale } = useView();
  return (
    <>
      {formatAmount(locale, direction === 'in' ? amount : -amount, 'always')}
      <div class="quiet">{fill(after, { amount: formatAmount(locale, balanceAfter) })}</div>
    </>
  );
}

/** A line in words, with names and messages isolated so that right-to-left text cannot affect the text around them. */
function What({ line: { kind, direction, counterparty, fees, memo } }: { line: Transaction }) {
  const texts = useTexts(walletTexts);
  const { locale } = useView();
  const { transferIn, transferOut, refundIn, refundOut } = texts;
  const ways: Partial<Record<Transaction['kind'], Record<'in' | 'out', string>>> = {
    transfer: { in: transferIn, out: transferOut },
    refund: { in: refundIn, out: refundOut },
  };
  const text = ways[kind]?.[direction] ?? `${texts[kind]}: {who}`;
  return (
    <>
      {counterparty === null ? (
        texts[kind]
      ) : (
        <Filled text={text}>
          <bdi>{counterparty.displayName}</bdi> <span class="mono">{counterparty.pid}</span>
        </Filled>
      )}
      {memo !== null && (
        <div class="quiet">
          <bdi>{memo}</bdi>
        </div>
      )}
      {fees > 0 && <div class="quiet">{fill(texts.withFee, { fee: formatAmount(locale, fees) })}</div>}
    </>
  );
}
