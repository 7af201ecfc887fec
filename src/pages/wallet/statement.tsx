import { type Brand, brandOf } from '../../brand/brand-settings.ts';
import { ledgerEndpoints } from '../../features/ledger/endpoints.ts';
import { type Transaction, transactionKinds, transactionsQuery } from '../../features/ledger/schema.ts';
import { listTransactions } from '../../features/ledger/transactions.ts';
import { addDays } from '../../lib/jakarta.ts';
import { localDay, localTime, startOfLocalDay } from '../../lib/local-time.ts';
import type { Page } from '../../lib/page.ts';
import { accountPaths, movementPath } from '../../lib/page-paths.ts';
import { withQuery } from '../../lib/with-query.ts';
import { Card, Empty } from '../../ui/components/card.tsx';
import { ChoiceField, Field } from '../../ui/components/field.tsx';
import { Button, LinkButton } from '../../ui/components/form.tsx';
import { Pager } from '../../ui/components/list.tsx';
import { Foreign, Moment } from '../../ui/components/text.tsx';
import { formatWeekday, formatZone } from '../../ui/format.ts';
import { fill, useTexts, useView } from '../../ui/view.ts';
import { walletTexts } from '../messages/wallet.ts';
import { parseInput } from '../shared/form.ts';
import { MoneyRow, MoneyRows } from './money-row.tsx';
import { LineTitle, useSigned } from './movement.tsx';
import type { WalletSection } from './section.tsx';

const filterNames = ['kind', 'direction', 'from', 'until'] as const;

/** The line filter as entered in the form. */
type Filter = Readonly<Partial<Record<(typeof filterNames)[number], string>>>;

/** The transactions, page by page. */
export const statementSection: WalletSection = {
  async show({ c, deps, caller }) {
    const filter = readFilter(c.req.query());
    const cursor = c.req.query('cursor');
    const { until, ...same } = filter;
    const asked = {
      ...same,
      ...(until && { to: until }),
      ...(cursor !== undefined && { cursor }),
      limit: '10',
    };
    const query = { ...parseInput(transactionsQuery, asked), ...periodOf(brandOf(deps.config), filter) };
    const page = await listTransactions(deps, caller, query);
    return <StatementCard {...{ page, filter, isFirst: cursor === undefined }} />;
  },
};

/** A form sends an unselected option as an empty string. */
function readFilter(query: Readonly<Record<string, string>>): Filter {
  return Object.fromEntries(filterNames.flatMap((name) => (query[name] ? [[name, query[name]]] : [])));
}

/** The chosen days in the service's time zone. The API excludes the end of a period, but people mean the whole day. */
function periodOf({ TIME_ZONE }: Brand, { from, until }: Filter): { from?: number; to?: number } {
  const startOf = (day: string) => startOfLocalDay(TIME_ZONE, day.slice(0, 10));
  return {
    ...(from && { from: startOf(from) }),
    ...(until && { to: startOf(addDays(until.slice(0, 10), 1)) }),
  };
}

interface StatementProps {
  readonly page: Page<Transaction>;
  readonly filter: Filter;
  readonly isFirst: boolean;
}

export function StatementCard({ page, filter, isFirst }: StatementProps) {
  const texts = useTexts(walletTexts);
  const view = useView();
  const isNarrowed = Object.values(filter).some(Boolean);
  return (
    <Card heading={texts.statement} id="statement">
      {(isNarrowed || page.data.length > 0) && (
        <details open={isNarrowed}>
          <summary>{texts.choose}</summary>
          <FilterForm filter={filter} />
        </details>
      )}
      {page.data.length > 0 ? (
        <>
          <p class="hint">{fill(texts.zone, { zone: formatZone(view, view.now) })}</p>
          <Days lines={page.data} />
        </>
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

/** The lines under a heading for each day. */
function Days({ lines }: { lines: readonly Transaction[] }) {
  const texts = useTexts(walletTexts);
  const view = useView();
  const dayOf = (at: number) => localDay(view.brand.TIME_ZONE, at);
  const today = dayOf(view.now);
  const names: Record<string, string> = { [today]: texts.today, [addDays(today, -1)]: texts.yesterday };
  const days = Map.groupBy(lines, ({ createdAt }) => dayOf(Date.parse(createdAt)));
  return (
    <>
      {[...days].map(
        ([day, [first, ...others]]) =>
          first && (
            <>
              <h3 class="day">{names[day] ?? formatWeekday(view, first.createdAt)}</h3>
              <MoneyRows>
                {[first, ...others].map((line) => (
                  <Line line={line} />
                ))}
              </MoneyRows>
            </>
          ),
      )}
    </>
  );
}

/** A transaction, linked to its own page. Names and messages are isolated from the surrounding text. */
function Line({ line }: { line: Transaction }) {
  const { id, direction, counterparty, memo, createdAt } = line;
  return (
    <MoneyRow
      icon={direction}
      title={<LineTitle line={line} />}
      details={[...(counterparty ? [counterparty.pid] : []), ...(memo ? [<Memo text={memo} />] : [])]}
      sum={useSigned()(line)}
      isIn={direction === 'in'}
      at={<Moment at={createdAt} as="time" />}
      href={movementPath(id)}
    />
  );
}

/** At most two lines of a message; the receipt has all of it. */
function Memo({ text }: { text: string }) {
  return (
    <span class="clamp">
      <Foreign text={text} />
    </span>
  );
}

function FilterForm({ filter }: { filter: Filter }) {
  const { kind = '', direction = '', from, until } = filter;
  const texts = useTexts(walletTexts);
  const { brand } = useView();
  const kinds = Object.fromEntries(transactionKinds.map((name) => [name, texts[name]]));
  const period = Object.entries(periodOf(brand, filter)).map(([name, at]) => [
    name,
    localTime(brand.TIME_ZONE, at),
  ]);
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
          href={withQuery(ledgerEndpoints.getStatement.path, {
            format: 'csv',
            ...Object.fromEntries(period),
          })}
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
