import type { Endpoint } from '../../http/endpoint.ts';
import { pageQuery } from '../../lib/page.ts';
import { callerOrApp } from '../grant/require-caller.ts';
import { member } from '../session/require-session.ts';

export const webhookEndpoints = {
  setWebhook: {
    method: 'POST',
    path: '/v1/apps/:id/webhook',
    actor: member,
    limit: 5,
    body: async () => (await import('./schema.ts')).webhookInput,
  },
  getWebhook: { method: 'GET', path: '/v1/apps/:id/webhook', actor: member, limit: 60 },
  deleteWebhook: { method: 'DELETE', path: '/v1/apps/:id/webhook', actor: member, limit: 20 },
  testWebhook: { method: 'POST', path: '/v1/apps/:id/webhook/test', actor: member, limit: 5 },
  listEvents: {
    method: 'GET',
    path: '/v1/apps/:id/events',
    actor: callerOrApp,
    limit: 60,
    query: pageQuery(/^\d{1,15}$/),
  },
  redeliverEvent: {
    method: 'POST',
    path: '/v1/apps/:id/events/:eventId/redeliver',
    actor: member,
    limit: 20,
  },
} as const satisfies Record<string, Endpoint>;
