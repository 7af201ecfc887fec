import type { Child } from 'hono/jsx';
import type { Person } from '../../features/admin/person-schema.ts';
import type { Reversibility } from '../../features/admin/reversal.ts';
import { Card } from '../../ui/components/card.tsx';
import { useTexts } from '../../ui/view.ts';
import { deskPeopleTexts } from '../messages/desk-people.ts';
import type { Entry } from '../shared/form.ts';
import type { ProviderNames } from '../shared/names.ts';

export interface PersonProps extends Entry {
  readonly person: Person;
  /** Whether each payment can be reversed, by id. */
  readonly reversals?: ReadonlyMap<string, Reversibility>;
  /** The handle of the person at the desk. */
  readonly own?: string;
  /** True for support, which sees only its own actions. */
  readonly isAdministrator?: boolean;
  readonly names: ProviderNames;
}

/** A list about a person or a transaction; nothing if it is empty. */
export function ListCard({
  id,
  heading,
  count,
  children,
}: {
  id: string;
  heading: string;
  count: number;
  children: Child;
}) {
  return count === 0 ? null : <Card {...{ id, heading }}>{children}</Card>;
}

/** A state that the reader must not miss, such as `suspended`; nothing for an ordinary one. */
export function StatusBadge({ status }: { status: string }) {
  const texts = useTexts(deskPeopleTexts);
  if (status === 'active') return null;
  return <span class="badge bad">{texts[status as 'suspended' | 'frozen' | 'closed']}</span>;
}
