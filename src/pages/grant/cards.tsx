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

/** The numeric limits, with their API names. */
export const numberLimits = ['perTransfer', 'perPeriod', 'periodDays', 'total', 'maxUses'] as const;

/** The limits in rupiah. */
export const moneyLimits: readonly string[] = ['perTransfer', 'perPeriod', 'total', 'feeFixed'];

/** The app's highest fee. */
export const feeLimits = ['feeBps', 'feeFixed'] as const;

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
      <Card heading={texts.limits} lead={maySpend(grant) ? texts.limitsLead : texts.endLead} id="limits">
        <form method="post" action={grantPath(grant.id)}>
          {maySpend(grant) && <MoneyFields grant={grant} {...entry} />}
          <Field
            {...fieldOf(entry, 'expiresAt', grant.expiresAt?.slice(0, 10))}
            label={texts.expiresAt}
            input={{ type: 'date' }}
          />
          <Button look="main" text={texts.save} />
        </form>
      </Card>
    </>
  );
}

function MoneyFields({ grant: { limits, spent }, typed, problems = {} }: LimitsProps) {
  const texts = useTexts(grantTexts);
  const { locale } = useView();
  const [total, period] = [formatAmount(locale, spent.total), formatAmount(locale, spent.period)];
  const kept = (name: (typeof numberLimits | typeof feeLimits)[number]) => {
    const limit = limits[name];
    return limit === null ? '' : moneyLimits.includes(name) ? formatNumber(locale, limit) : String(limit);
  };
  return (
    <>
      <p class="quiet">{fill(texts.spent, { ...spent, total, period })}</p>
      {[...numberLimits, ...feeLimits].map((name) => (
        <Field
          {...fieldOf({ typed, problems }, name, kept(name))}
          label={texts[name]}
          input={{ inputmode: 'numeric' }}
          {...(['perTransfer', 'perPeriod', 'total'].includes(name) ? { hint: texts.amountHint } : {})}
          {...(name === 'feeBps'
            ? { hint: texts.feeBpsHint }
            : name === 'feeFixed'
              ? { hint: texts.feeFixedHint }
              : {})}
        />
      ))}
      <LinesField
        id="payees"
        label={texts.payees}
        lines={typed ? linesOf(typed.get('payees')) : (limits.payees ?? [])}
        hint={texts.payeesHint}
        problems={problems['payees'] ?? []}
      />
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
