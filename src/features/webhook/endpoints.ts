import { del, get, lazySchema, post } from '../../http/endpoint.ts';
import { pageQuery } from '../../lib/page.ts';
import { callerOrApp } from '../grant/require-caller.ts';
import { member } from '../session/require-session.ts';

const schema = lazySchema(() => import('./schema.ts'));

export const webhookEndpoints = {
  setWebhook: post('/v1/apps/:id/webhook', { actor: member, limit: 5, body: schema('webhookInput') }),
  getWebhook: get('/v1/apps/:id/webhook', { actor: member, limit: 60 }),
  deleteWebhook: del('/v1/apps/:id/webhook', { actor: member, limit: 20 }),
  testWebhook: post('/v1/apps/:id/webhook/test', { actor: member, limit: 5 }),
  listEvents: get('/v1/apps/:id/events', { actor: callerOrApp, limit: 60, query: pageQuery(/^\d{1,15}$/) }),
  redeliverEvent: post('/v1/apps/:id/events/:eventId/redeliver', { actor: member, limit: 20 }),
};
