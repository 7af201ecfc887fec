import type { Attempt, ListedEvent, TestResult, Webhook } from '../../features/webhook/schema.ts';
import type { Page } from '../../lib/page.ts';
import { appPath } from '../../lib/page-paths.ts';
import { Card, Empty, Notice } from '../../ui/components/card.tsx';
import { Field } from '../../ui/components/field.tsx';
import { Button, Form, LinkButton, type Question } from '../../ui/components/form.tsx';
import { Pager, Table } from '../../ui/components/list.tsx';
import { Moment } from '../../ui/components/text.tsx';
import { fill, useTexts } from '../../ui/view.ts';
import { secretTexts, webhookTexts } from '../messages/app.ts';
import { type Entry, fieldOf } from '../shared/form.ts';
import { OverlapField } from './secrets.tsx';

interface WebhookProps extends Entry {
  readonly appId: string;
  /** Null if the app has no webhook. */
  readonly webhook: Webhook | null;
  readonly test?: TestResult | undefined;
}

/** The app's webhook: its URL, its state, and its actions. */
export function WebhookCard({ appId, webhook, test, ...entry }: WebhookProps) {
  const texts = useTexts(webhookTexts);
  const action = appPath(appId, 'webhook');
  return (
    <Card heading={texts.heading} lead={texts.lead} id="webhook">
      {webhook && <State webhook={webhook} />}
      {test && <Outcome test={test} />}
      <form method="post" action={action}>
        <Field
          {...fieldOf(entry, 'url', webhook?.url)}
          label={texts.url}
          hint={texts.urlHint}
          input={{ required: true, inputmode: 'url', autocapitalize: 'none', spellcheck: 'false' }}
        />
        <Button text={webhook ? texts.save : texts.set} />
      </form>
      {webhook && <Actions {...{ appId, webhook }} />}
    </Card>
  );
}

/** The classes of the badge of a webhook and of an event. */
const badgeOf = {
  active: 'badge',
  delivered: 'badge',
  waiting: 'badge',
  none: 'badge',
  failed: 'badge bad',
  disabled: 'badge bad',
} as const;

function State({ webhook: { status, failingSince } }: { webhook: Webhook }) {
  const texts = useTexts(webhookTexts);
  return (
    <>
      <p>
        <span class={badgeOf[status === 'active' && failingSince !== null ? 'failed' : status]}>
          {texts[status]}
        </span>
      </p>
      {status === 'disabled' && <Notice kind="warning" text={texts.disabledNotice} />}
      {status === 'active' && failingSince !== null && (
        <Notice kind="warning">
          <p>
            <Moment text={texts.failing} at={failingSince} />
          </p>
        </Notice>
      )}
    </>
  );
}

/** The result of a test, announced when the page opens. */
function Outcome({ test: { status, durationMs: ms, error } }: { test: TestResult }) {
  const texts = useTexts(webhookTexts);
  const text = error === null ? texts.took : status === null ? texts.noAnswer : texts.refusedIt;
  return (
    <div role="status">
      <Notice kind={error === null ? 'info' : 'problem'}>
        <p>{fill(text, { status, ms, error })}</p>
      </Notice>
    </div>
  );
}

function Actions({ appId, webhook }: { appId: string; webhook: Webhook }) {
  const texts = useTexts(webhookTexts);
  const action = appPath(appId, 'webhook');
  const { url } = webhook;
  const isActive = webhook.status === 'active';
  return (
    <>
      <hr />
      <div class="row">
        <form method="post" action={appPath(appId, 'test')}>
          <Button text={texts.test} />
        </form>
        <Form action={action} hidden={{ url, enabled: String(!isActive) }}>
          <Button text={isActive ? texts.disable : texts.enable} />
        </Form>
        <LinkButton
          href={appPath(appId, 'removeWebhook')}
          look="danger"
          opens="delete-webhook"
          text={texts.delete}
        />
      </div>
      <hr />
      <h3>{texts.rotateHeading}</h3>
      <Form action={action} hidden={{ url, rotateSecret: 'true' }}>
        <OverlapField id="sign-along" label={useTexts(secretTexts).signAlong} />
        <Button text={texts.rotate} />
      </Form>
    </>
  );
}

export function useDeleteWebhookQuestion(appId: string): Question {
  const texts = useTexts(webhookTexts);
  return {
    id: 'delete-webhook',
    title: texts.deleteTitle,
    text: texts.deleteText,
    action: appPath(appId, 'removeWebhook'),
    submit: texts.delete,
  };
}

interface EventsProps {
  readonly appId: string;
  readonly page: Page<ListedEvent>;
  readonly isFirst: boolean;
  /** True if events can be sent to the webhook. */
  readonly isActive: boolean;
}

/** The app's events, with the outcome of each delivery. */
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
      <Pager path={appPath(appId, 'webhook')} nextCursor={page.nextCursor} isFirst={isFirst} />
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
      <span class={badgeOf[state]}>{texts[state]}</span>{' '}
      {nextAt !== null && <Moment text={texts.next} at={nextAt} />}
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
      {status === null ? texts.unanswered : fill(texts.answered, { status, ms })}
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
