import { webhookEndpoints } from '../src/features/webhook/endpoints.ts';
import * as schemas from '../src/features/webhook/schema.ts';
import { webhookExamples } from './examples/webhook.ts';
import { answer, type FeatureApi, operationsOf } from './operation.ts';

const id = { description: "The app's id.", example: '$app' };

export const webhookApi: FeatureApi = {
  tag: 'Webhooks',
  description:
    'Events that concern an app. Deliveries are signed by Standard Webhooks, arrive at least once under one id, and ' +
    'are tried ten times over three days.',
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
        'Needs a sign-in younger than 15 minutes (FRESH_SECONDS). What is absent stays as it is. The answer shows the ' +
        'signing secret when it is new: the first time, and with `rotateSecret`, when the former one signs along for ' +
        '`overlapSeconds`. Enabling a disabled webhook makes what failed meanwhile due again.',
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
      description: 'Nothing waits for it any more. Safe to repeat.',
      params: { id },
      answers: [answer(204, 'Deleted.')],
      errors: ['app_not_found', 'app_suspended'],
    },
    testWebhook: {
      summary: 'Send the test event `ping`',
      description: 'The response contains the result, also for a failure.',
      params: { id },
      answers: [answer(200, 'What came of it.', { schema: schemas.testResult })],
      errors: ['app_not_found', 'app_suspended', 'webhook_not_found'],
    },
    listEvents: {
      summary: 'List the events of an app and their deliveries, newest first',
      description:
        'Events are kept for 30 days, with their last ten attempts. Poll this list instead of a webhook, if you like. The app ' +
        'itself may read it with an access token of its own (`client_credentials`).',
      params: { id },
      answers: [answer(200, 'One page of them.', { schema: schemas.eventPage })],
      errors: ['app_not_found'],
    },
    redeliverEvent: {
      summary: 'Redeliver an event',
      params: { id, eventId: { description: "The event's id.", example: '$event' } },
      answers: [answer(204, 'It is due now.')],
      errors: ['app_not_found', 'app_suspended', 'event_not_found', 'webhook_disabled'],
    },
  }),
};
