import type { Examples } from './example.ts';

const updatedAt = '2026-11-20T08:15:00.000Z';
const webhook = {
  url: 'https://hooks.example.org/pid',
  events: ['*'],
  status: 'active',
  failingSince: null,
  updatedAt,
};
const ofNobody = { title: 'Another person’s', as: 'member', params: { id: 'app_of_somebody_else' } } as const;
const notFound = { ...ofNobody, answer: { error: 'app_not_found' } } as const;
const none = {
  title: 'An app without one',
  as: 'member with an app',
  params: { id: '$app' },
  answer: { error: 'webhook_not_found' },
} as const;

export const webhookExamples = {
  setWebhook: [
    {
      title: 'The first one',
      as: 'member with an app',
      params: { id: '$app' },
      body: { url: webhook.url },
      answer: {
        status: 200,
        body: { ...webhook, secret: 'whsec_q0Vb2s8LxYc5dN7tFhJk3mPw9uRz1aEoGi4jKl6vTnM=' },
      },
    },
    {
      title: 'An address that is not public',
      as: 'member with an app',
      params: { id: '$app' },
      body: { url: 'https://10.0.0.7/hooks' },
      answer: { error: 'validation_failed', message: ['url must be a public https URL'] },
    },
    {
      title: 'After an old sign-in',
      as: 'member with an app who signed in an hour ago',
      params: { id: '$app' },
      body: { url: webhook.url },
      answer: { error: 'not_fresh' },
    },
    { ...notFound, body: { url: webhook.url } },
  ],
  getWebhook: [
    {
      title: 'A webhook',
      as: 'member with a webhook',
      params: { id: '$app' },
      answer: { status: 200, body: webhook },
    },
    none,
    notFound,
  ],
  deleteWebhook: [
    { title: 'A webhook', as: 'member with a webhook', params: { id: '$app' }, answer: { status: 204 } },
    notFound,
  ],
  testWebhook: [
    {
      title: 'An unreachable receiver',
      as: 'member with a webhook',
      params: { id: '$app' },
      answer: { status: 200, body: { status: 200, durationMs: 84, error: null } },
    },
    none,
    notFound,
  ],
  listEvents: [
    {
      title: 'A rotated secret',
      as: 'member with an event',
      params: { id: '$app' },
      query: { limit: '20' },
      answer: {
        status: 200,
        body: {
          data: [
            {
              id: '$event',
              type: 'app.secret_rotated',
              at: updatedAt,
              data: { appId: '$app', secretId: '$secret', hint: 'r7Qg' },
              state: 'waiting',
              nextAt: updatedAt,
              attempts: [],
            },
          ],
          nextCursor: null,
        },
      },
    },
    notFound,
  ],
  redeliverEvent: [
    {
      title: 'An event',
      as: 'member with an event',
      params: { id: '$app', eventId: '$event' },
      answer: { status: 204 },
    },
    {
      title: 'An app without a webhook',
      as: 'member whose app has two secrets',
      params: { id: '$app', eventId: '$event' },
      answer: { error: 'webhook_disabled' },
    },
    {
      title: 'One that the app does not have',
      as: 'member with a webhook',
      params: { id: '$app', eventId: 'evt_of_another_app' },
      answer: { error: 'event_not_found' },
    },
    { ...notFound, params: { id: 'app_of_somebody_else', eventId: '$event' } },
  ],
} satisfies Examples;
