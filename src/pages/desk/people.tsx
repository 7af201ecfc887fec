import type { SimilarPerson } from '../../features/admin/find-people.ts';
import type { FoundPeople, Person } from '../../features/admin/person-schema.ts';
import { handleOf } from '../../lib/id.ts';
import { deskPaths, personPath } from '../../lib/page-paths.ts';
import { present } from '../../lib/present.ts';
import { Card } from '../../ui/components/card.tsx';
import { Pager } from '../../ui/components/list.tsx';
import { Initials, Moment } from '../../ui/components/text.tsx';
import { fill, useTexts } from '../../ui/view.ts';
import { deskFrameTexts } from '../messages/desk-frame.ts';
import { deskPeopleTexts } from '../messages/desk-people.ts';
import { MailsTable } from './mails.tsx';
import { StatusBadge } from './person-card.tsx';

interface FoundProps {
  readonly found: FoundPeople;
  /** The search text. */
  readonly q: string;
  readonly isFirst: boolean;
}

/** A page of the search results. */
export function FoundCard({ found: { data, nextCursor }, q, isFirst }: FoundProps) {
  const texts = useTexts(deskPeopleTexts);
  const { firstPeople: newest, morePeople: older } = texts;
  return (
    <Card heading={useTexts(deskFrameTexts).people} id="found">
      <PeopleList people={data} />
      <Pager path={deskPaths.people} query={{ q }} words={{ newest, older }} {...{ nextCursor, isFirst }} />
    </Card>
  );
}

/** People whose handles are similar to one that does not exist. */
export function SimilarCard({ people }: { people: readonly SimilarPerson[] }) {
  const texts = useTexts(deskPeopleTexts);
  if (people.length === 0) return null;
  return (
    <Card heading={texts.nearest} id="nearest">
      <PeopleList people={people} />
    </Card>
  );
}

/** Lists enough to tell people apart: whoever's page is opened by mistake sees that in their activity. */
function PeopleList({
  people,
}: {
  people: readonly (SimilarPerson & Partial<FoundPeople['data'][number]>)[];
}) {
  const texts = useTexts(deskPeopleTexts);
  return (
    <ul class="plain">
      {people.map(({ pid, displayName, status, email, createdAt, foundBy }) => (
        <li class="item">
          <Initials name={displayName ?? pid} />
          <div>
            <p>
              <a href={personPath(present(handleOf(pid), 'handle of a PID'))}>{pid}</a>{' '}
              <StatusBadge status={status} />
            </p>
            <p class="quiet">
              {[displayName, email, foundBy && texts[foundBy]].filter(Boolean).join(' · ')} ·{' '}
              <Moment text={texts.sinceDay} at={createdAt} as="day" />
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** The emails to an address that nobody has verified, such as codes to sign up. */
export function AddressCard({ email, mails }: { email: string; mails: Person['mails'] }) {
  const texts = useTexts(deskPeopleTexts);
  return (
    <Card heading={fill(texts.mailsToAddress, { email })} id="mails">
      {mails.length === 0 ? <p>{texts.noMails}</p> : <MailsTable mails={mails} />}
    </Card>
  );
}
