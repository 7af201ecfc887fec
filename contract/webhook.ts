import { webhookEndpoints } from '../src/features/webhook/endpoints.ts';
import * as schemas from '../src/features/webhook/schema.ts';
import { webhookExamples } from './examples/webhook.ts';
import { answer, type FeatureApi, operationsOf } from './operation.ts';

const id = { description: "The app's id.", example: '$app' };

export const webhookApi: FeatureApi = {
  tag: 'Webhooks',
  description:
    'Events about an app. Deliveries are signed as Standard Webhooks specifies, arrive at least once under ' +
    'the same id, and are attempted ten times over three days.',
  examples: webhookExamples,
  schemas: {
    Webhook: schemas.webhook,
    WebhookInput: schemas.webhookInput,
    WebhookTest: schemas.testResult,
    Event: schemas.event,
    EventPage: schemas.eventPage,
  },
  operations: operationsOf(webhookEndpoints, {
    setWebhook: {
      summary: 'Set the webhook of an app',
      description:
        'Needs a sign-in less than 15 minutes old (FRESH_SECONDS). Absent fields stay unchanged. The response ' +
        'contains the signing secret if it is new: the first time, and after `rotateSecret`, when the previous ' +
        'secret also signs for `overlapSeconds`. Enabling a disabled webhook makes the events that failed in the ' +
        'meantime due again: the oldest immediately, the others within minutes.',
      params: { id },
      answers: [answer(200, 'The webhook.', { schema: schemas.webhook })],
      errors: ['app_not_found', 'app_suspended', 'not_fresh'],
    },
    getWebhook: {
      summary: 'Get the webhook of an app, without its secret',
      params: { id },
      answers: [answer(200, 'The webhook.', { schema: schemas.webhook })],
      errors: ['app_not_found', 'webhook_not_found'],
    },
    deleteWebhook: {
      summary: 'Delete the webhook of an app',
      description:
        'Waiting events are dropped: 100 of them immediately, the others within minutes. Safe to repeat.',
      params: { id },
      answers: [answer(204, 'Deleted.')],
      errors: ['app_not_found', 'app_suspended'],
    },
    testWebhook: {
      summary: 'Send the test event `ping`',
      description: 'The response contains the result, even for a failure.',
      params: { id },
      answers: [answer(200, 'The result.', { schema: schemas.testResult })],
      errors: ['app_not_found', 'app_suspended', 'webhook_not_found'],
    },
    listEvents: {
      summary: 'List the events of an app and their deliveries, newest first',
      description:
        'Events are kept for 30 days, with their last ten attempts. You can poll this list instead of using a ' +
        'webhook. The app itself may read it with its own access token (`client_credentials`).',
      params: { id },
      answers: [answer(200, 'One page.', { schema: schemas.eventPage })],
      errors: ['app_not_found'],
    },
    redeliverEvent: {
      summary: 'Redeliver an event',
      params: { id, eventId: { description: "The event's id.", example: '$event' } },
      answers: [answer(204, 'The event is due.')],
      errors: ['app_not_found', 'app_suspended', 'event_not_found', 'webhook_disabled'],
    },
  }),
};
