import * as z from 'zod/mini';
import { del, get, lazySchema, patch, post } from '../../http/endpoint.ts';
import { pageQuery } from '../../lib/page.ts';
import { member } from '../session/require-session.ts';

const schema = lazySchema(() => import('./schema.ts'));

export const appEndpoints = {
  createApp: post('/v1/apps', { actor: member, limit: 10, body: schema('appInput') }),
  listApps: get('/v1/apps', { actor: member, limit: 30, query: pageQuery(/^app_[0-9a-z]{26}$/) }),
  getApp: get('/v1/apps/:id', { actor: member, limit: 60 }),
  updateApp: patch('/v1/apps/:id', { actor: member, limit: 20, body: schema('appChanges') }),
  deleteApp: del('/v1/apps/:id', { actor: member, limit: 20 }),
  rotateAppSecret: post('/v1/apps/:id/secret', {
    actor: member,
    limit: 5,
    body: schema('rotationInput'),
    causesEvents: true,
  }),
  listAppSecrets: get('/v1/apps/:id/secrets', { actor: member, limit: 60 }),
  revokeAppSecret: del('/v1/apps/:id/secrets/:secretId', {
    actor: member,
    limit: 20,
    query: z.object({ force: z._default(z.enum(['true', 'false']), 'false') }),
  }),
  addResource: post('/v1/apps/:id/resources', { actor: member, limit: 10, body: schema('resourceInput') }),
  removeResource: del('/v1/apps/:id/resources', { actor: member, limit: 20, query: schema('resourceInput') }),
};
