import type {
  AuditLine,
  Overview,
  RestrictedApps,
  ReviewedDeposit,
  Unexplained,
} from '../../features/admin/schema.ts';
import type { FeeCap } from '../../features/ledger/fee.ts';
import type { Report } from '../../features/reconcile/schema.ts';
import { Card } from '../../ui/components/card.tsx';
import { Moment } from '../../ui/components/text.tsx';
import { formatAmount, formatMoment } from '../../ui/format.ts';
import { fill, useTexts, useView } from '../../ui/view.ts';
import { deskTexts } from '../messages/desk.ts';
import { auditActionTexts, moneyCodeTexts } from '../messages/desk-codes.ts';
import { AppCard, type AppCardProps, RestrictedCard } from './app-card.tsx';
import { AuditTable, useFacts } from './audit-table.tsx';
import { MoneyState, useWords } from './code.tsx';
import { type DeskAct, DeskDetails, DeskForm, deskForms } from './forms.tsx';
import { UnexplainedCard } from './unexplained-card.tsx';

interface DeskProps extends Pick<AppCardProps, 'appId' | 'app'> {
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
  readonly typed?: URLSearchParams | undefined;
}

/** The service's state, and a form for each change. */
export function DeskPage({
  overview,
  feeCap,
  reviews,
  reports,
  unexplained,
  restricted,
  appId,
  app,
  lines,
  requestKey,
  typed,
}: DeskProps) {
  const texts = useTexts(deskTexts);
  return (
    <>
      <DecisionsCard {...{ overview, reviews, reports, requestKey, typed }} />
      <UnexplainedCard {...{ unexplained, requestKey, typed }} />
      <StateCard {...{ overview, feeCap }} />
      <TotalsCard overview={overview} />
      <RestrictedCard apps={restricted} />
      <AppCard {...{ appId, app, requestKey, typed: typed?.get('act') === 'app' ? typed : undefined }} />
      <Card heading={texts.changes} lead={texts.lead} id="changes">
        {(Object.keys(deskForms) as DeskAct[])
          .filter((act) => act !== 'app')
          .map((act) => (
            <DeskDetails {...{ act, requestKey, typed: typed?.get('act') === act ? typed : undefined }} />
          ))}
      </Card>
      <AuditCard lines={lines} />
    </>
  );
}

function StateCard({ overview, feeCap }: Pick<DeskProps, 'overview' | 'feeCap'>) {
  const texts = useTexts(deskTexts);
  const { locale } = useView();
  const wordsOf = useWords(moneyCodeTexts);
  const { ledger, reviews, lastViolation, queues } = overview;
  return (
    <Card heading={texts.state} id="state">
      <dl>
        <dt>{texts.mode}</dt>
        <dd>{texts[ledger.mode]}</dd>
        {ledger.reason !== null && (
          <>
            <dt>{texts.because}</dt>
            <dd>{ledger.reason}</dd>
          </>
        )}
        <dt>{texts.withdrawals}</dt>
        <dd>{ledger.withdrawals ? texts.on : texts.off}</dd>
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
function DecisionsCard({
  overview,
  reviews,
  reports,
  requestKey,
  typed,
}: Pick<DeskProps, 'overview' | 'reviews' | 'reports' | 'requestKey' | 'typed'>) {
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
  if (waiting.length === 0) return null;
  return (
    <Card heading={texts.decisions} id="decisions">
      <ul class="plain">
        {waiting.map(({ act, id, about }) => (
          <li>
            <h3>
              <code>{id}</code>
            </h3>
            <p class="quiet">{about}</p>
            <DeskForm {...{ act, of: id, requestKey }} typed={typed?.get('id') === id ? typed : undefined} />
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
