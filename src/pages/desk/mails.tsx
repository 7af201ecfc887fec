import { brandName } from '../../brand/brand-name.ts';
import type { Person } from '../../features/admin/person-schema.ts';
import { type MailKind, messageKinds } from '../../features/mail/kinds.ts';
import { messagesAnHour } from '../../features/mail/mail.ts';
import { mailTexts } from '../../features/mail/texts.ts';
import { isoTime } from '../../lib/id.ts';
import { Notice } from '../../ui/components/card.tsx';
import { Table } from '../../ui/components/list.tsx';
import { Moment } from '../../ui/components/text.tsx';
import { formatMoment } from '../../ui/format.ts';
import { fill, useTexts, useView } from '../../ui/view.ts';
import { deskPeopleTexts } from '../messages/desk-people.ts';

type Mails = Person['mails'];

const hourMs = 3_600_000;

/** Emails with their subject, which recipients can quote, their delivery, and whether the hourly limit is reached. */
export function MailsTable({ mails }: { mails: Mails }) {
  const texts = useTexts(deskPeopleTexts);
  const view = useView();
  const full = fullAddresses(mails, view.now);
  return (
    <>
      {full.map(({ to, at }) => (
        <Notice kind="warning" text={fill(texts.mailsFull, { to, at: formatMoment(view, isoTime(at)) })} />
      ))}
      <Table
        caption={texts.mails}
        columns={[texts.what, texts.mailTo, texts.when, texts.fate]}
        rows={mails.map(({ kind, to, createdAt, fate, tries, sentAt }) => [
          <>
            <Subject kind={kind} />{' '}
            <span class="quiet">
              <code>{kind}</code>
            </span>
          </>,
          to,
          <Moment at={createdAt} as="both" />,
          sentAt === null ? fill(texts[fate], { tries }) : <Moment text={texts.sent} at={sentAt} />,
        ])}
      />
      <p class="hint">{texts.mailsHint}</p>
    </>
  );
}

/** The subject in the language of the page, without the values that only the email has. */
function Subject({ kind }: { kind: string }) {
  const { locale, brand } = useView();
  const subject = mailTexts[locale][kind as MailKind]?.subject ?? kind;
  return <>{fill(subject, { brand: brandName(brand) }).replace(/\{\w+\}/g, '…')}</>;
}

/** The addresses that have reached the limit for codes, and when it ends. */
function fullAddresses(mails: Mails, now: number): { to: string; at: number }[] {
  const kinds: readonly string[] = messageKinds;
  return [...new Set(mails.map(({ to }) => to))].flatMap((to) => {
    const times = mails
      .filter((mail) => mail.to === to && kinds.includes(mail.kind))
      .map(({ createdAt }) => Date.parse(createdAt))
      .filter((at) => at > now - hourMs);
    // Newest first: the limit ends when the fifth newest is an hour old.
    const fifth = times[messagesAnHour - 1];
    return fifth === undefined ? [] : [{ to, at: fifth + hourMs }];
  });
}
