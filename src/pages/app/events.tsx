import type { Attempt, ListedEvent } from '../../features/webhook/schema.ts';
import type { Page } from '../../lib/page.ts';
import { appPath } from '../../lib/page-paths.ts';
import { Card, Empty } from '../../ui/components/card.tsx';
import { Button, Form } from '../../ui/components/form.tsx';
import { Pager, Table } from '../../ui/components/list.tsx';
import { Moment } from '../../ui/components/text.tsx';
import { fill, useTexts } from '../../ui/view.ts';
import { webhookTexts } from '../messages/app.ts';

interface EventsProps {
  readonly appId: string;
  readonly page: Page<ListedEvent>;
  readonly isFirst: boolean;
  /** Whether the webhook can be sent anything. */
  readonly isActive: boolean;
}

/** What happened to the app, and what became of each delivery. */
export function EventsCard({ appId, page, isFirst, isActive }: EventsProps) {
  const texts = useTexts(webhookTexts);
  return (
    <Card heading={texts.events} lead={texts.eventsLead} id="events">
      {page.data.length === 0 ? (
        <Empty title={texts.noEvents} advice={texts.noEventsAdvice} />
      ) : (
        <Table
          caption={texts.events}
          columns={[texts.event, texts.state, ...(isActive ? [texts.action] : [])]}
          rows={page.data.map((event) => [
            <What event={event} />,
            <Delivery event={event} />,
            ...(isActive ? [<Redeliver appId={appId} id={event.id} />] : []),
          ])}
        />
      )}
      <Pager path={appPath(appId)} nextCursor={page.nextCursor} isFirst={isFirst} />
    </Card>
  );
}

function What({ event: { id, type, at, data } }: { event: ListedEvent }) {
  return (
    <>
      <strong>{type}</strong> <Moment at={at} />
      <details>
        <summary>
          <code>{id}</code>
        </summary>
        <code>{JSON.stringify(data)}</code>
      </details>
    </>
  );
}

function Delivery({ event: { state, nextAt, attempts } }: { event: ListedEvent }) {
  const texts = useTexts(webhookTexts);
  return (
    <>
      <span class="badge">{texts[state]}</span> {nextAt !== null && <Moment text={texts.next} at={nextAt} />}
      {attempts.length > 0 && (
        <details>
          <summary>{fill(texts.attempts, { count: attempts.length })}</summary>
          <ul class="last">
            {attempts.map((attempt) => (
              <li>
                <AttemptLine attempt={attempt} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function AttemptLine({ attempt: { at, status, durationMs: ms, error } }: { attempt: Attempt }) {
  const texts = useTexts(webhookTexts);
  return (
    <>
      <Moment at={at} />
      {': '}
      {status === null ? fill(texts.unanswered, { ms }) : fill(texts.answered, { status, ms })}
      {status === null && error !== null && <small>{` (${error})`}</small>}
    </>
  );
}

function Redeliver({ appId, id }: { appId: string; id: string }) {
  const texts = useTexts(webhookTexts);
  return (
    <Form action={appPath(appId, 'redeliver')} hidden={{ event: id }}>
      <Button label={fill(texts.redeliverNamed, { id })} text={texts.redeliver} />
    </Form>
  );
}
