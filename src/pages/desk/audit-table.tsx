import type { AuditLine } from '../../features/admin/schema.ts';
import { handleOf, pidOf } from '../../lib/id.ts';
import { deskPaths, personPath } from '../../lib/page-paths.ts';
import { withQuery } from '../../lib/with-query.ts';
import { Table } from '../../ui/components/list.tsx';
import { Moment } from '../../ui/components/text.tsx';
import { formatAmount } from '../../ui/format.ts';
import { useTexts, useView } from '../../ui/view.ts';
import { auditActionTexts, auditDetailTexts, moneyCodeTexts } from '../messages/desk-codes.ts';
import { deskFrameTexts } from '../messages/desk-frame.ts';
import { ActionName, useWords } from './code.tsx';

/** Lines of the audit log. */
export function AuditTable({ lines }: { lines: readonly AuditLine[] }) {
  const texts = useTexts(deskFrameTexts);
  const factsOf = useFacts();
  return (
    <Table
      caption={texts.audit}
      columns={[texts.action, texts.actor, texts.when]}
      rows={lines.map(({ at, actor, action, target, detail }) => [
        <>
          <ActionName {...{ action, detail }} /> <Target target={target} />
          <div class="quiet">{factsOf(detail)}</div>
        </>,
        <Actor actor={actor} />,
        <>
          <Moment at={at} />
          <div class="quiet">
            <Moment at={at} as="moment" />
          </div>
        </>,
      ])}
    />
  );
}

/** The actor of an entry: a person, the command line or the service. */
export function Actor({ actor }: { actor: string }) {
  const { operator, system } = useTexts(deskFrameTexts);
  if (actor === 'operator' || actor === 'system') return <>{actor === 'system' ? system : operator}</>;
  return <>{pidOf(actor)}</>;
}

/** Targets that are not handles, although they look like handles. */
const things = ['ledger', 'people', 'mails', 'deposit', 'transfer', 'withdrawal'];

/** A person's handle links to their page, and an id to the search. */
function Target({ target }: { target: string }) {
  if (/^[a-z]+_[0-9a-z]{26}$/.test(target))
    return (
      <a class="mono" href={withQuery(deskPaths.people, { q: target })}>
        {target}
      </a>
    );
  if (handleOf(pidOf(target)) === null || things.includes(target)) return <code>{target}</code>;
  return <a href={personPath(target)}>{target}</a>;
}

/** The details in words: `new state: frozen, reason: Reported stolen`. */
export function useFacts(): (detail: AuditLine['detail']) => string {
  const wordsOf = useWords(auditDetailTexts);
  const [moneyOf, actionOf] = [useWords(moneyCodeTexts), useWords(auditActionTexts)];
  const { locale } = useView();
  const isAmount = /^(amount|asked|paid|before|returned|returnedAmount|borne|fixed|min|max)$/;
  const isCode = /^(status|level|mode|decision|outcome)$/;
  const wordsFor = (name: string, value: AuditLine['detail'][string]) => {
    if (name === 'bps') return `${Number(value) / 100}%`;
    if (typeof value === 'number') return isAmount.test(name) ? formatAmount(locale, value) : String(value);
    if (typeof value === 'boolean' || isCode.test(name)) return wordsOf(String(value));
    if (name === 'found' && value === '') return wordsOf('nobody');
    if (name === 'decides') return actionOf(value);
    return /^(failure|state)$/.test(name) ? moneyOf(value) : value;
  };
  return (detail) =>
    Object.entries(detail)
      .map(([name, value]) => `${wordsOf(name)}: ${wordsFor(name, value)}`)
      .join(', ');
}
