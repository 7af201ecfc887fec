import type { FoundPeople } from '../../features/admin/person-schema.ts';
import { handleOf } from '../../lib/id.ts';
import { personPath } from '../../lib/page-paths.ts';
import { Card } from '../../ui/components/card.tsx';
import { Initials } from '../../ui/components/text.tsx';
import { useTexts } from '../../ui/view.ts';
import { deskFrameTexts } from '../messages/desk-frame.ts';
import { deskPeopleTexts } from '../messages/desk-people.ts';

/** The search results. */
export function FoundCard({ found: { data } }: { found: FoundPeople }) {
  const texts = useTexts(deskPeopleTexts);
  return (
    <Card heading={useTexts(deskFrameTexts).people} id="found">
      <ul class="plain">
        {data.map(({ pid, displayName, status, foundBy }) => (
          <li class="item">
            <Initials name={displayName ?? pid} />
            <div>
              <p>
                <a href={personPath(handleOf(pid) ?? '')}>{pid}</a>{' '}
                {status !== 'active' && <span class="badge">{texts[status as 'suspended' | 'closed']}</span>}
              </p>
              <p class="quiet">{[displayName, texts[foundBy]].filter(Boolean).join(' · ')}</p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
