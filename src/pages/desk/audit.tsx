import { adminEndpoints } from '../../features/admin/endpoints.ts';
import type { AuditLine } from '../../features/admin/schema.ts';
import type { Page } from '../../lib/page.ts';
import { deskPaths } from '../../lib/page-paths.ts';
import { withQuery } from '../../lib/with-query.ts';
import { Card } from '../../ui/components/card.tsx';
import { Field } from '../../ui/components/field.tsx';
import { Button, LinkButton } from '../../ui/components/form.tsx';
import { Pager } from '../../ui/components/list.tsx';
import { useTexts } from '../../ui/view.ts';
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
  const csv = withQuery(adminEndpoints.listAudit.path, { ...filter, format: 'csv' });
  return (
    <Card heading={texts.audit} id="audit">
      <form action={deskPaths.audit}>
        <div class="fields">
          {auditFilters.map((id) => (
            <Field
              {...{ id, label: texts[id], value: filter[id] ?? '', problems: problems[id] ?? [] }}
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
