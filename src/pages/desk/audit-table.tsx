import type { AuditLine } from '../../features/admin/schema.ts';
import { handleOf, pidOf } from '../../lib/id.ts';
import { deskPaths, personPath } from '../../lib/page-paths.ts';
import { withQuery } from '../../lib/with-query.ts';
import { Table } from '../../ui/components/list.tsx';
import { Moment } from '../../ui/components/text.tsx';
import { useTexts } from '../../ui/view.ts';
import { deskFrameTexts } from '../messages/desk-frame.ts';

/** Lines of the audit log. */
export function AuditTable({ lines }: { lines: readonly AuditLine[] }) {
  const texts = useTexts(deskFrameTexts);
  return (
    <Table
      caption={texts.audit}
      columns={[texts.action, texts.actor, texts.when]}
      rows={lines.map(({ at, actor, action, target, detail }) => [
        <>
          <strong>{action}</strong> <Target target={target} />
          <div class="quiet">{factsOf(detail)}</div>
        </>,
        actor,
        <Moment at={at} />,
      ])}
    />
  );
}

/** A person's handle links to their page. */
function Target({ target }: { target: string }) {
  if (/^[a-z]+_[0-9a-z]{26}$/.test(target))
    return <a href={withQuery(deskPaths.people, { q: target })}>{target}</a>;
  if (handleOf(pidOf(target)) === null || ['ledger', 'people'].includes(target)) return <code>{target}</code>;
  return <a href={personPath(target)}>{target}</a>;
}

export function factsOf(detail: AuditLine['detail']): string {
  return Object.entries(detail)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ');
}
