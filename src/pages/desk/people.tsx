import type { FoundPeople } from '../../features/admin/person-schema.ts';
import { handleOf } from '../../lib/id.ts';
import { deskPaths, personPath } from '../../lib/page-paths.ts';
import { Card } from '../../ui/components/card.tsx';
import { Pager } from '../../ui/components/list.tsx';
import { Initials } from '../../ui/components/text.tsx';
import { useTexts } from '../../ui/view.ts';
import { deskFrameTexts } from '../messages/desk-frame.ts';
import { deskPeopleTexts } from '../messages/desk-people.ts';

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
                <a href={personPath(handleOf(pid) ?? '')}>{pid}</a>{' '}
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
