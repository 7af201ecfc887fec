import type { Child } from 'hono/jsx';
import type {
  AuditLine,
  Overview,
  RestrictedApps,
  ReviewedDeposit,
  Unexplained,
} from '../../features/admin/schema.ts';
import type { FeeCap } from '../../features/ledger/fee.ts';
import type { Report } from '../../features/reconcile/schema.ts';
import { deskPaths } from '../../lib/page-paths.ts';
import { Card } from '../../ui/components/card.tsx';
import { LinkButton } from '../../ui/components/form.tsx';
import { Moment } from '../../ui/components/text.tsx';
import { formatAmount, formatMoment } from '../../ui/format.ts';
import { fill, useTexts, useView } from '../../ui/view.ts';
import { deskTexts } from '../messages/desk.ts';
import { auditActionTexts, moneyCodeTexts } from '../messages/desk-codes.ts';
import { deskLedgerTexts } from '../messages/desk-ledger.ts';
import type { Entry } from '../shared/form.ts';
import { AppCard, type AppCardProps, RestrictedCard } from './app-card.tsx';
import { AuditTable, useFacts } from './audit-table.tsx';
import { MoneyState, useWords } from './code.tsx';
import { DeskDetails, DeskForm, deskGroups, entryOf } from './forms.tsx';
import { LedgerCard } from './ledger-card.tsx';
import { UnexplainedCard } from './unexplained-card.tsx';

interface DeskProps extends Entry, Pick<AppCardProps, 'appId' | 'app' | 'named'> {
  readonly overview: Overview;
  readonly feeCap: FeeCap;
  /** The newest deposits waiting for a decision. */
  readonly reviews: readonly ReviewedDeposit[];
  /** The newest reports from providers and the bank. */
  readonly reports: readonly Report[];
  readonly unexplained: Unexplained;
  readonly restricted: RestrictedApps;
  readonly lines: readonly AuditLine[];
  readonly requestKey: string;
}

/** The service's state, and a form for each change. */
export function DeskPage(props: DeskProps) {
  const { overview, feeCap, unexplained, restricted, appId, app, named, lines, requestKey } = props;
  const texts = useTexts(deskTexts);
  const entry = { typed: props.typed, problems: props.problems };
  return (
    <>
      <Contents {...props} />
      <DecisionsCard {...props} />
      <UnexplainedCard {...{ unexplained, requestKey, ...entry }} />
      <LedgerCard ledger={overview.ledger} {...entryOf(entry, 'act', 'ledger')} />
      <StateCard {...{ overview, feeCap }} />
      <TotalsCard overview={overview} />
      <FormsCard group="money" {...{ requestKey, ...entry }}>
        <p>
          <a href={deskPaths.people}>{texts.reverseHint}</a>
        </p>
      </FormsCard>
      <RestrictedCard apps={restricted} />
      <AppCard {...{ appId, app, named, requestKey, ...entry }} />
      <FormsCard group="cases" {...{ requestKey, ...entry }} />
      <AuditCard lines={lines} />
    </>
  );
}

/** Links to the parts of the page. */
function Contents(props: DeskProps) {
  const texts = useTexts(deskTexts);
  const links: [string, string][] = [
    ...(isWaiting(props) ? [['decisions', texts.decisions] as [string, string]] : []),
    ['unexplained', fill(texts.unexplained, { count: props.unexplained.count })],
    ['ledger', useTexts(deskLedgerTexts).heading],
    ['state', texts.state],
    ['totals', texts.balances],
    ['money', texts.moneyGroup],
    ['app', texts.appForm],
    ['cases', texts.casesGroup],
    ['audit', texts.audit],
  ];
  return (
    <nav aria-label={texts.contents}>
      <p class="row">
        {links.map(([id, text]) => (
          <LinkButton href={`#${id}`} text={text} />
        ))}
      </p>
    </nav>
  );
}

const isWaiting = ({ overview, reviews, reports }: DeskProps) =>
  reviews.length + overview.stuckWithdrawals.length + overview.proposals.length > 0 ||
  reports.some(({ status }) => status === 'read');

interface FormsProps extends Entry {
  readonly group: keyof typeof deskGroups;
  readonly requestKey: string;
  readonly children?: Child;
}

/** Forms that open on demand. */
function FormsCard({ group, requestKey, children, ...entry }: FormsProps) {
  const texts = useTexts(deskTexts);
  return (
    <Card heading={texts[`${group}Group`]} lead={texts[`${group}Lead`]} id={group}>
      {deskGroups[group].map((act) => (
        <DeskDetails {...{ act, requestKey, ...entryOf(entry, 'act', act) }} />
      ))}
      {children}
    </Card>
  );
}

function StateCard({ overview, feeCap }: Pick<DeskProps, 'overview' | 'feeCap'>) {
  const texts = useTexts(deskTexts);
  const { locale } = useView();
  const wordsOf = useWords(moneyCodeTexts);
  const { reviews, lastViolation, queues } = overview;
  return (
    <Card heading={texts.state} id="state">
      <dl>
        <dt>{texts.feeCap}</dt>
        <dd>
          {fill(texts.feeCapOf, { share: feeCap.bps / 100, fixed: formatAmount(locale, feeCap.fixed) })}
        </dd>
        <dt>{texts.reviews}</dt>
        <dd>{String(reviews)}</dd>
        <dt>{texts.lastViolation}</dt>
        <dd>
          {lastViolation === null ? (
            texts.never
          ) : (
            <>
              <Moment at={lastViolation.at} /> {lastViolation.reason}
            </>
          )}
        </dd>
        <dt>{texts.queues}</dt>
        <dd>
          {Object.entries(queues)
            .map(([name, count]) => `${wordsOf(name)} ${count}`)
            .join(', ')}
        </dd>
      </dl>
    </Card>
  );
}

/** Everything waiting for a decision, each with its form. */
function DecisionsCard(props: DeskProps) {
  const { overview, reviews, reports, requestKey } = props;
  const texts = useTexts(deskTexts);
  const view = useView();
  const { locale } = view;
  const [wordsOf, actionOf, factsOf] = [useWords(moneyCodeTexts), useWords(auditActionTexts), useFacts()];
  const codedOf = (code: string | null) => (code === null ? '' : `${wordsOf(code)} (${code})`);
  const amountIn = (asset: string, amount: number | null, currency: string | null) =>
    amount !== null && currency === asset
      ? formatAmount(locale, amount)
      : `${amount ?? '?'} ${currency ?? ''}`;
  const waiting = [
    ...reviews.map(({ id, pid, failure, asset, amount, paidAmount, paidCurrency }) => {
      const [asked, paid] = [formatAmount(locale, amount), amountIn(asset, paidAmount, paidCurrency)];
      return {
        act: 'review' as const,
        id,
        about: fill(texts.reviewed, { pid, failure: codedOf(failure), asked, paid }),
      };
    }),
    ...overview.stuckWithdrawals.map(({ id, pid, status, failure, amount, heldAt }) => {
      const known = { pid, amount: formatAmount(locale, amount), at: formatMoment(view, heldAt) };
      return {
        act: 'withdrawal' as const,
        id,
        about: fill(texts.heldSince, {
          ...known,
          status: failure === null ? wordsOf(status) : codedOf(failure),
        }),
      };
    }),
    ...reports
      .filter(({ status }) => status === 'read')
      .map(({ id, source, firstDay, lastDay, summary }) => {
        const outcomes = summary.outcomes
          .map(({ outcome, count }) => `${wordsOf(outcome)} ${count}`)
          .join(', ');
        const days = firstDay === lastDay ? firstDay : `${firstDay} – ${lastDay}`;
        return { act: 'report' as const, id, about: fill(texts.reported, { source, days, outcomes }) };
      }),
    ...overview.proposals.map(({ id, maker, action, target, amount, gainers, detail, reason, expiresAt }) => {
      const known = { maker, action: actionOf(action), target, amount: formatAmount(locale, amount), reason };
      return {
        act: 'proposal' as const,
        id,
        about: fill(texts.proposed, {
          ...known,
          gainers: gainers.join(', ') || texts.operator,
          detail: factsOf(detail) && ` (${factsOf(detail)})`,
          at: formatMoment(view, expiresAt),
        }),
      };
    }),
  ];
  if (!isWaiting(props)) return null;
  return (
    <Card heading={texts.decisions} id="decisions">
      <ul class="plain">
        {waiting.map(({ act, id, about }) => (
          <li>
            <h3>
              <code>{id}</code>
            </h3>
            <p class="quiet">{about}</p>
            <DeskForm {...{ act, of: id, requestKey, ...entryOf(props, 'id', id) }} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function TotalsCard({ overview: { day, totals, accounts } }: Pick<DeskProps, 'overview'>) {
  const texts = useTexts(deskTexts);
  const { locale } = useView();
  return (
    <Card heading={fill(texts.totals, { day })} id="totals">
      {totals.length === 0 && <p class="quiet">{texts.nothing}</p>}
      <dl>
        {totals.map(({ kind, amount, count }) => (
          <>
            <dt>
              <MoneyState status={kind} />
            </dt>
            <dd>{fill(texts.counted, { amount: formatAmount(locale, amount), count })}</dd>
          </>
        ))}
      </dl>
      <h3>{texts.accounts}</h3>
      <dl>
        {accounts.map(({ kind, balance }) => (
          <>
            <dt>
              <MoneyState status={kind} />
            </dt>
            <dd>{formatAmount(locale, balance)}</dd>
          </>
        ))}
      </dl>
    </Card>
  );
}

function AuditCard({ lines }: Pick<DeskProps, 'lines'>) {
  const texts = useTexts(deskTexts);
  return (
    <Card heading={texts.audit} lead={texts.lines} id="audit">
      <AuditTable lines={lines} />
    </Card>
  );
}
