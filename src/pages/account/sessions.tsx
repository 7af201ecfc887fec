import type { ListedSession } from '../../features/session/schema.ts';
import type { Page } from '../../lib/page.ts';
import { accountPaths } from '../../lib/page-paths.ts';
import { Card } from '../../ui/components/card.tsx';
import { Button, Form, QuestionDialog } from '../../ui/components/form.tsx';
import { Icon } from '../../ui/components/icon.tsx';
import { Pager } from '../../ui/components/list.tsx';
import { Moment } from '../../ui/components/text.tsx';
import { formatCountry } from '../../ui/format.ts';
import { fill, useTexts, useView } from '../../ui/view.ts';
import { sessionTexts } from '../messages/account.ts';
import { type ProviderNames, useDeviceName, useProviderName } from '../shared/names.ts';

interface SessionsProps {
  readonly page: Page<ListedSession>;
  readonly isFirst: boolean;
  readonly names: ProviderNames;
}

/** The person's sessions. Other sessions can be revoked one by one or all together. */
export function SessionsPanel({ page, isFirst, names }: SessionsProps) {
  const texts = useTexts(sessionTexts);
  const hasOthers = !isFirst || page.nextCursor !== null || page.data.some(({ current }) => !current);
  return (
    <Card heading={texts.heading} lead={texts.lead} id="sessions">
      <ul class="plain">
        {page.data.map((session) => (
          <SessionItem {...{ session, names }} />
        ))}
      </ul>
      <Pager path={accountPaths.sessions} nextCursor={page.nextCursor} isFirst={isFirst}>
        {hasOthers && <EndOthers />}
      </Pager>
      {!hasOthers && <p class="hint">{texts.onlyThis}</p>}
    </Card>
  );
}

function SessionItem({ session, names }: { session: ListedSession; names: ProviderNames }) {
  const texts = useTexts(sessionTexts);
  const { locale } = useView();
  const device = useDeviceName()(session.device);
  const provider = useProviderName(names)(session.provider);
  const place = session.country === null ? [] : [formatCountry(locale, session.country)];
  return (
    <li class="item">
      <Icon name={/iPhone|iPad|Android/.test(session.device ?? '') ? 'phone' : 'laptop'} />
      <div>
        <p>
          <strong>{device}</strong> {session.current && <span class="badge">{texts.thisDevice}</span>}
        </p>
        <p class="quiet">{[...place, provider].join(' · ')}</p>
        <p class="quiet">
          <Moment text={texts.signedIn} at={session.createdAt} as="day" />
          {' · '}
          <Moment text={texts.lastUsed} at={session.lastUsedAt} />
        </p>
      </div>
      {!session.current && (
        <Form action={accountPaths.endSession} hidden={{ id: session.id }}>
          <Button label={fill(texts.endNamed, { device })} text={texts.end} />
        </Form>
      )}
    </li>
  );
}

/** Without script there is no confirmation: people can simply sign in again. */
function EndOthers() {
  const texts = useTexts(sessionTexts);
  const action = accountPaths.endOthers;
  const question = { id: 'end-others', title: `${texts.endOthers}?`, text: texts.endOthersConfirm, action };
  return (
    <>
      <Form action={action}>
        <Button look="danger" opens={question.id} text={texts.endOthers} />
      </Form>
      <QuestionDialog question={{ ...question, submit: texts.endOthers }} />
    </>
  );
}
