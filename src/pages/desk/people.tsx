import type { FoundPeople, Person } from '../../features/admin/person-schema.ts';
import { handleOf, pidOf } from '../../lib/id.ts';
import { deskPaths, personPath } from '../../lib/page-paths.ts';
import { present } from '../../lib/present.ts';
import { Card } from '../../ui/components/card.tsx';
import { Pager } from '../../ui/components/list.tsx';
import { Initials } from '../../ui/components/text.tsx';
import { fill, useTexts } from '../../ui/view.ts';
import { deskFrameTexts } from '../messages/desk-frame.ts';
import { deskPeopleTexts } from '../messages/desk-people.ts';
import { MailsTable } from './mails.tsx';

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
      <ul class="plain">
        {data.map(({ pid, displayName, status, foundBy }) => (
          <li class="item">
            <Initials name={displayName ?? pid} />
            <div>
              <p>
                <a href={personPath(present(handleOf(pid), 'handle of a PID'))}>{pid}</a>{' '}
                {status !== 'active' && (
                  <span class="badge bad">{texts[status as 'suspended' | 'closed']}</span>
                )}
              </p>
              <p class="quiet">{[displayName, texts[foundBy]].filter(Boolean).join(' · ')}</p>
            </div>
          </li>
        ))}
      </ul>
      <Pager path={deskPaths.people} query={{ q }} words={{ newest, older }} {...{ nextCursor, isFirst }} />
    </Card>
  );
}

/** People whose handles are similar to one that does not exist. */
export function NearestCard({ handles }: { handles: readonly string[] }) {
  const texts = useTexts(deskPeopleTexts);
  if (handles.length === 0) return null;
  return (
    <Card heading={texts.nearest} id="nearest">
      <ul class="plain">
        {handles.map((handle) => (
          <li>
            <a href={personPath(handle)}>{pidOf(handle)}</a>
          </li>
        ))}
      </ul>
    </Card>
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
