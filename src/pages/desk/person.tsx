import type { AuditLine } from '../../features/admin/schema.ts';
import type { Page } from '../../lib/page.ts';
import { personPath } from '../../lib/page-paths.ts';
import { Card } from '../../ui/components/card.tsx';
import { LinkButton } from '../../ui/components/form.tsx';
import { Pager } from '../../ui/components/list.tsx';
import { Foreign, Moment, Person as PersonLines } from '../../ui/components/text.tsx';
import { formatCountry } from '../../ui/format.ts';
import { fill, useTexts, useView } from '../../ui/view.ts';
import { ActivityTable } from '../account/activity.tsx';
import { Scopes } from '../grant/cards.tsx';
import { deskFrameTexts } from '../messages/desk-frame.ts';
import { deskPeopleTexts } from '../messages/desk-people.ts';
import { useDeviceName, useProviderName } from '../shared/names.ts';
import { Ask } from './ask.tsx';
import { AuditTable } from './audit-table.tsx';
import { MailsTable } from './mails.tsx';
import { ListCard, type PersonProps, StatusBadge } from './person-card.tsx';
import { ProviderMoneyCard, TransactionsCard, WalletCard } from './person-money.tsx';
import { WaysBackCard } from './ways-back.tsx';

/** The lines of the audit log on a person's page; the others have a page of their own. */
const shownLines = 10;

/** All details about a person, each with its actions. */
export function PersonView(props: PersonProps) {
  const { person, names } = props;
  const texts = useTexts(deskPeopleTexts);
  return (
    <>
      <StateCard {...props} />
      <WaysBackCard {...props} />
      <WalletCard {...props} />
      <SessionsCard {...props} />
      <CredentialsCard {...props} />
      <MailsCard {...props} />
      <TransactionsCard {...props} />
      <ProviderMoneyCard {...props} />
      <GrantsCard {...props} />
      <ListCard id="activity" heading={texts.activity} count={person.activity.length}>
        <ActivityTable
          entries={person.activity}
          names={names}
          others={{
            supportViewed: texts.supportViewed,
            supportRecovery: texts.supportRecovery,
            grantCreated: texts.grantCreated,
          }}
        />
      </ListCard>
      <ListCard id="audit" heading={useTexts(deskFrameTexts).audit} count={person.audit.length}>
        <AuditTable lines={person.audit.slice(0, shownLines)} />
        {person.audit.length > shownLines && (
          <p>
            <LinkButton href={personPath(person.handle, 'personAudit')} text={texts.olderAudit} />
          </p>
        )}
      </ListCard>
      <EmptyLists person={person} />
    </>
  );
}

/** Names the lists that have nothing, which take no place of their own. */
function EmptyLists({ person }: Pick<PersonProps, 'person'>) {
  const texts = useTexts(deskPeopleTexts);
  const names = (['sessions', 'credentials', 'mails', 'transactions', 'grants', 'activity'] as const)
    .filter((name) => person[name].length === 0)
    .map((name) => texts[name]);
  if (person.wallet === null) names.unshift(texts.wallet);
  if (person.deposits.length + person.withdrawals.length === 0) names.push(texts.providerMoney);
  return names.length === 0 ? null : <p class="quiet">{fill(texts.empty, { names: names.join(' · ') })}</p>;
}

function StateCard(props: PersonProps) {
  const { person, isAdministrator } = props;
  const texts = useTexts(deskPeopleTexts);
  const { pid, handle, status, level, emails, sessions } = person;
  const isOpen = status !== 'closed';
  const may = { path: personPath(handle), typed: props.typed, problems: props.problems };
  const other = level === 'verified' ? 'unverify' : 'verify';
  return (
    <Card id="person">
      <h2 class="person">
        <PersonLines name={person.displayName ?? handle} detail={pid} />
        <StatusBadge status={status} />
        {person.wallet?.status === 'frozen' && <span class="badge bad">{texts.walletFrozen}</span>}
      </h2>
      <dl>
        <dt>{texts.status}</dt>
        <dd>{texts[status as 'active' | 'suspended' | 'closed']}</dd>
        <dt>{texts.level}</dt>
        <dd>{texts[level]}</dd>
        <dt>{texts.since}</dt>
        <dd>
          <Moment at={person.createdAt} as="day" />
        </dd>
        <dt>{texts.emails}</dt>
        <dd>{emails.join(', ') || texts.none}</dd>
      </dl>
      <div class="row">
        {isOpen && isAdministrator && (
          <>
            {status === 'active' ? (
              <Ask act="suspend" {...may} text={fill(texts.suspendAsk, { pid, count: sessions.length })} />
            ) : (
              <Ask act="activate" {...may} text={fill(texts.activateAsk, { pid })} />
            )}
            <Ask act={other} {...may} text={fill(texts[`${other}Ask`], { pid })} />
          </>
        )}
      </div>
      <p class="hint">{fill(texts.looked, { pid })}</p>
    </Card>
  );
}

function SessionsCard({ person: { sessions, pid, handle }, names, typed, problems }: PersonProps) {
  const texts = useTexts(deskPeopleTexts);
  const { locale } = useView();
  const deviceOf = useDeviceName();
  const providerOf = useProviderName(names);
  const may = { path: personPath(handle), typed, problems };
  return (
    <ListCard id="sessions" heading={texts.sessions} count={sessions.length}>
      <ul class="plain">
        {sessions.map(({ id, provider, device, address, country, lastUsedAt }) => (
          <li id={id}>
            <p>
              <strong>{deviceOf(device)}</strong> <code>{id}</code>
            </p>
            <p class="quiet">
              {[providerOf(provider), address, country && formatCountry(locale, country)]
                .filter(Boolean)
                .join(' · ')}
              {' · '}
              <Moment text={texts.lastUsed} at={lastUsedAt} as="both" />
            </p>
            <Ask act="end" of={id} {...may} text={fill(texts.endAsk, { pid, device: deviceOf(device) })} />
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <Ask act="endAll" {...may} text={fill(texts.endAllAsk, { pid, count: sessions.length })} />
      )}
    </ListCard>
  );
}

function CredentialsCard({ person: { credentials }, names }: PersonProps) {
  const texts = useTexts(deskPeopleTexts);
  const providerOf = useProviderName(names);
  return (
    <ListCard id="credentials" heading={texts.credentials} count={credentials.length}>
      <ul class="plain">
        {credentials.map(({ provider, subject, name, email, lastLoginAt }) => (
          <li>
            <p>
              <strong>{providerOf(provider)}</strong> {email} {name !== null && <Foreign text={name} />}
            </p>
            <p class="quiet last">
              {provider !== 'passkey' && subject !== email && (
                <>
                  <code>{subject}</code> ·{' '}
                </>
              )}
              <Moment text={texts.lastLogin} at={lastLoginAt} as="both" />
            </p>
          </li>
        ))}
      </ul>
    </ListCard>
  );
}

function MailsCard({ person: { mails } }: PersonProps) {
  const texts = useTexts(deskPeopleTexts);
  return (
    <ListCard id="mails" heading={texts.mails} count={mails.length}>
      <MailsTable mails={mails} />
    </ListCard>
  );
}

function GrantsCard({ person: { grants } }: PersonProps) {
  const texts = useTexts(deskPeopleTexts);
  return (
    <ListCard id="grants" heading={texts.grants} count={grants.length}>
      <ul class="plain">
        {grants.map(({ id, app, scopes, createdAt }) => (
          <li>
            <p>
              <strong>{app.name}</strong> <code>{id}</code>
            </p>
            <Scopes scopes={scopes} />
            <p class="quiet last">
              <Moment at={createdAt} as="both" />
            </p>
          </li>
        ))}
      </ul>
    </ListCard>
  );
}

interface PersonAuditProps {
  readonly handle: string;
  readonly heading: string;
  readonly page: Page<AuditLine>;
  readonly isFirst: boolean;
}

/** The audit log about a person, in pages. */
export function PersonAudit({ handle, heading, page, isFirst }: PersonAuditProps) {
  const { backToPerson } = useTexts(deskPeopleTexts);
  return (
    <Card heading={heading} id="audit">
      <p>
        <a href={personPath(handle)}>{backToPerson}</a>
      </p>
      <AuditTable lines={page.data} />
      <Pager path={personPath(handle, 'personAudit')} nextCursor={page.nextCursor} isFirst={isFirst} />
    </Card>
  );
}
