import { adminEndpoints } from '../../features/admin/endpoints.ts';
import type { AuditLine } from '../../features/admin/schema.ts';
import type { Page } from '../../lib/page.ts';
import { deskPaths } from '../../lib/page-paths.ts';
import { withQuery } from '../../lib/with-query.ts';
import { Card } from '../../ui/components/card.tsx';
import { ChoiceField, Field } from '../../ui/components/field.tsx';
import { Button, LinkButton } from '../../ui/components/form.tsx';
import { Pager } from '../../ui/components/list.tsx';
import { useTexts } from '../../ui/view.ts';
import { auditActionTexts } from '../messages/desk-codes.ts';
import { deskFrameTexts } from '../messages/desk-frame.ts';
import { deskPeopleTexts } from '../messages/desk-people.ts';
import type { FormProblems } from '../shared/form.ts';
import { AuditTable } from './audit-table.tsx';

export const auditFilters = ['actor', 'action', 'target', 'from', 'to'] as const;

export type AuditFilterText = Readonly<Partial<Record<(typeof auditFilters)[number], string>>>;

interface AuditProps {
  readonly page: Page<AuditLine>;
  readonly filter: AuditFilterText;
  readonly problems?: FormProblems;
  readonly isFirst: boolean;
}

/** The audit log, with its filter. */
export function AuditView({ page, filter, problems = {}, isFirst }: AuditProps) {
  const texts = { ...useTexts(deskFrameTexts), ...useTexts(deskPeopleTexts) };
  const action = filter.action === everything ? undefined : filter.action;
  const csv = withQuery(adminEndpoints.listAudit.path, { ...filter, action, format: 'csv' });
  return (
    <Card heading={texts.audit} id="audit">
      <form action={deskPaths.audit}>
        <ActionFilter action={filter.action} />
        <div class="fields">
          {auditFilters
            .filter((id) => id !== 'action')
            .map((id) => (
              <Field
                {...{ id, label: texts[id], value: filter[id], problems: problems[id] ?? [] }}
                input={
                  id === 'from' || id === 'to'
                    ? { type: 'date' }
                    : { autocapitalize: 'none', spellcheck: 'false' }
                }
                {...(id === 'to' ? { hint: texts.dayHint } : {})}
              />
            ))}
        </div>
        <p class="row">
          <Button text={texts.filter} />
          <LinkButton href={csv} text={texts.csv} />
        </p>
      </form>
      {page.data.length === 0 ? <p class="quiet">{texts.noLines}</p> : <AuditTable lines={page.data} />}
      <Pager path={deskPaths.audit} query={filter} nextCursor={page.nextCursor} isFirst={isFirst} />
    </Card>
  );
}

/** The value of the filter that shows searches, too. */
export const everything = 'all';

/** A choice of the known actions, and of one in the address that is not among them. */
function ActionFilter({ action = '' }: { action: string | undefined }) {
  const texts = { ...useTexts(deskFrameTexts), ...useTexts(deskPeopleTexts) };
  const words = Object.entries(useTexts(auditActionTexts))
    .map(([key, text]) => [key.replace(/^(second_payment|[a-z]+)_/, '$1.'), text] as const)
    .sort(([, one], [, other]) => one.localeCompare(other));
  const choices = {
    ...(action === '' ? {} : { [action]: action }),
    ...{ '': texts.withoutSearches, [everything]: texts.withSearches },
    ...Object.fromEntries(words),
  };
  return <ChoiceField {...{ id: 'action', label: texts.action, choices, value: action }} />;
}
