import type { Grant } from '../../features/grant/schema.ts';
import type { Page } from '../../lib/page.ts';
import { accountPaths, developerPaths, grantPath } from '../../lib/page-paths.ts';
import { Card, Empty } from '../../ui/components/card.tsx';
import { Field, LinesField } from '../../ui/components/field.tsx';
import { Button, LinkButton, type Question } from '../../ui/components/form.tsx';
import { Pager } from '../../ui/components/list.tsx';
import { Initials, Moment } from '../../ui/components/text.tsx';
import { formatAmount, formatNumber } from '../../ui/format.ts';
import { fill, useTexts, useView } from '../../ui/view.ts';
import { grantTexts } from '../messages/grant.ts';
import { ScopeList } from '../shared/app-doubt.tsx';
import { type Entry, fieldOf, linesOf } from '../shared/form.ts';

/** The apps that the person has allowed, newest first. */
export function AllowedPanel({ page, isFirst }: { page: Page<Grant>; isFirst: boolean }) {
  const texts = useTexts(grantTexts);
  return (
    <>
      <Card heading={texts.heading} lead={texts.lead} id="allowed">
        {page.data.length === 0 ? (
          <Empty title={texts.empty} advice={texts.emptyAdvice} />
        ) : (
          <ul class="plain">
            {page.data.map((grant) => (
              <GrantItem grant={grant} />
            ))}
          </ul>
        )}
        <Pager path={accountPaths.apps} nextCursor={page.nextCursor} isFirst={isFirst} />
      </Card>
      <p class="quiet">
        {`${texts.developer} `}
        <a href={developerPaths.home}>{texts.ownApps}</a>
      </p>
    </>
  );
}

function GrantItem({ grant }: { grant: Grant }) {
  const texts = useTexts(grantTexts);
  const { id, app } = grant;
  return (
    <li class="item">
      <Initials name={app.name} />
      <div>
        <p>
          <strong>{app.name}</strong>
        </p>
        <Scopes scopes={grant.scopes} />
        <Places grant={grant} />
        <Times grant={grant} />
        <p class="row">
          <LinkButton
            href={grantPath(id)}
            text={texts.change}
            label={fill(texts.changeNamed, { app: app.name })}
          />
          <LinkButton
            href={grantPath(id, 'end')}
            look="danger"
            text={texts.end}
            label={fill(texts.endNamed, { app: app.name })}
          />
        </p>
      </div>
    </li>
  );
}

export function Scopes({ scopes }: { scopes: readonly string[] }) {
  return (
    <>
      <p>{useTexts(grantTexts).may}</p>
      <ScopeList scopes={scopes} />
    </>
  );
}

/** The hosts where the person has given the app permissions, and the resources for which it may get tokens. */
function Places({ grant: { hosts, resources } }: { grant: Grant }) {
  const texts = useTexts(grantTexts);
  return (
    <>
      {hosts.length > 0 && <p class="quiet">{fill(texts.allowedAt, { hosts: hosts.join(', ') })}</p>}
      {resources.length > 0 && <p class="quiet">{fill(texts.usedAt, { resources: resources.join(', ') })}</p>}
    </>
  );
}

export function Times({ grant: { createdAt, lastUsedAt, expiresAt } }: { grant: Grant }) {
  const texts = useTexts(grantTexts);
  return (
    <p class="quiet">
      <Moment text={texts.since} at={createdAt} as="day" />
      {' · '}
      {lastUsedAt === null ? texts.neverUsed : <Moment text={texts.used} at={lastUsedAt} />}
      {expiresAt !== null && (
        <>
          {' · '}
          <Moment text={texts.until} at={expiresAt} as="day" />
        </>
      )}
    </p>
  );
}

interface LimitsProps extends Entry {
  readonly grant: Grant;
}

/** Only payments have money limits. */
export function maySpend({ scopes }: Grant): boolean {
  return scopes.includes('fiat:transfer');
}

/** The app's permissions, and the form for limiting them. */
export function GrantPanel({ grant, ...entry }: LimitsProps) {
  const texts = useTexts(grantTexts);
  return (
    <>
      <p>
        <a href={accountPaths.apps}>{texts.all}</a>
      </p>
      <Card heading={grant.app.name} id="grant">
        <Scopes scopes={grant.scopes} />
        <Places grant={grant} />
        <Times grant={grant} />
        <p>
          <LinkButton href={grantPath(grant.id, 'end')} look="danger" text={texts.end} />
        </p>
      </Card>
      <Card
        heading={texts.limits}
        lead={maySpend(grant) ? <Result grant={grant} /> : texts.endLead}
        id="limits"
      >
        <form method="post" action={grantPath(grant.id)}>
          {maySpend(grant) ? <MoneyFields grant={grant} {...entry} /> : <LastDay grant={grant} {...entry} />}
          <Button look="main" text={texts.save} />
        </form>
      </Card>
    </>
  );
}

/** The days of a period, unless the person chooses others. */
export const usualDays = 30;

/** Summarizes the stored limits in one sentence, followed by the restrictions. */
function Result({ grant: { app, limits } }: { grant: Grant }) {
  const texts = useTexts(grantTexts);
  const { locale } = useView();
  const { perTransfer, perPeriod, periodDays, total, maxUses, payees, feeBps, feeFixed } = limits;
  const days = periodDays ?? usualDays;
  const amounts = [
    [texts.eachPayment, perTransfer] as const,
    [days === usualDays ? texts.eachMonth : texts.eachPeriod, perPeriod] as const,
    [texts.altogether, total] as const,
  ].flatMap(([text, most]) =>
    most === null ? [] : fill(text, { amount: formatAmount(locale, most), days }),
  );
  const list = new Intl.ListFormat(locale === 'en' ? 'en-GB' : 'id').format(amounts);
  const fee = [
    ...(feeBps > 0 ? [`${formatNumber(locale, feeBps / 100)}%`] : []),
    ...(feeFixed > 0 ? [formatAmount(locale, feeFixed)] : []),
  ].join(' + ');
  return (
    <>
      {fill(amounts.length === 0 ? texts.asks : texts.pays, { app: app.name, amounts: list })}
      {amounts.length > 0 && (
        <>
          {perPeriod === null && total === null && maxUses === null && ` ${texts.anyNumber}`}
          {maxUses !== null && ` ${fill(texts.uses, { uses: maxUses })}`}
          {payees !== null && ` ${fill(texts.onlyTo, { payees: payees.join(', ') })}`}
          {fee !== '' && ` ${fill(texts.fee, { fee })}`}
        </>
      )}
    </>
  );
}

function LastDay({ grant: { expiresAt }, ...entry }: LimitsProps) {
  return (
    <Field
      {...fieldOf(entry, 'expiresAt', expiresAt?.slice(0, 10))}
      label={useTexts(grantTexts).expiresAt}
      input={{ type: 'date' }}
    />
  );
}

/** The two amounts that most people set, and the other limits behind them. */
function MoneyFields({ grant, ...entry }: LimitsProps) {
  const texts = useTexts(grantTexts);
  const { locale } = useView();
  const { limits, spent } = grant;
  const [total, period] = [formatAmount(locale, spent.total), formatAmount(locale, spent.period)];
  const days = limits.periodDays ?? usualDays;
  const number = (id: string, label: string, value: number | null) => (
    <Field
      {...fieldOf(entry, id, value === null ? '' : formatNumber(locale, value))}
      label={label}
      input={{ inputmode: id === 'feePercent' ? 'decimal' : 'numeric' }}
    />
  );
  const isOpen = Object.keys(entry.problems ?? {}).some((id) => id !== 'perTransfer' && id !== 'perPeriod');
  return (
    <>
      <p class="quiet">{fill(texts.spent, { ...spent, total, period })}</p>
      <div class="fields">
        {number('perTransfer', texts.perTransfer, limits.perTransfer)}
        {number(
          'perPeriod',
          days === usualDays ? texts.perMonth : fill(texts.perPeriod, { days }),
          limits.perPeriod,
        )}
      </div>
      <p class="hint">{texts.emptyHint}</p>
      <details class="field" open={isOpen}>
        <summary>{texts.advanced}</summary>
        {number('periodDays', texts.periodDays, days)}
        {number('total', texts.total, limits.total)}
        {number('maxUses', texts.maxUses, limits.maxUses)}
        {number('feePercent', texts.feePercent, limits.feeBps / 100)}
        {number('feeFixed', texts.feeFixed, limits.feeFixed)}
        <LinesField
          id="payees"
          label={texts.payees}
          lines={entry.typed ? linesOf(entry.typed.get('payees')) : (limits.payees ?? [])}
          hint={texts.payeesHint}
          problems={entry.problems?.['payees'] ?? []}
        />
        <LastDay grant={grant} {...entry} />
      </details>
    </>
  );
}

export function useEndQuestion({ id, app }: Grant): Question {
  const texts = useTexts(grantTexts);
  return {
    id: 'end-grant',
    title: fill(texts.endTitle, { app: app.name }),
    text: texts.endText,
    action: grantPath(id, 'end'),
    submit: texts.end,
  };
}
