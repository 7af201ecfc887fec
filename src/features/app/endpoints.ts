import * as z from 'zod/mini';
import type { Endpoint } from '../../http/endpoint.ts';
import { pageQuery } from '../../lib/page.ts';
import { member } from '../session/require-session.ts';

export const appEndpoints = {
  createApp: {
    method: 'POST',
    path: '/v1/apps',
    actor: member,
    limit: 10,
    body: async () => (await import('./schema.ts')).appInput,
  },
  listApps: {
    method: 'GET',
    path: '/v1/apps',
    actor: member,
    limit: 30,
    query: pageQuery(/^app_[0-9a-z]{26}$/),
  },
  getApp: { method: 'GET', path: '/v1/apps/:id', actor: member, limit: 60 },
  updateApp: {
    method: 'PATCH',
    path: '/v1/apps/:id',
    actor: member,
    limit: 20,
    body: async () => (await import('./schema.ts')).appChanges,
  },
  deleteApp: { method: 'DELETE', path: '/v1/apps/:id', actor: member, limit: 20 },
  rotateAppSecret: {
    method: 'POST',
    path: '/v1/apps/:id/secret',
    actor: member,
    limit: 5,
    body: async () => (await import('./schema.ts')).rotationInput,
  },
  listAppSecrets: { method: 'GET', path: '/v1/apps/:id/secrets', actor: member, limit: 60 },
  revokeAppSecret: {
    method: 'DELETE',
    path: '/v1/apps/:id/secrets/:secretId',
    actor: member,
    limit: 20,
    query: z.object({ force: z._default(z.enum(['true', 'false']), 'false') }),
  },
  addResource: {
    method: 'POST',
    path: '/v1/apps/:id/resources',
    actor: member,
    limit: 10,
    body: async () => (await import('./schema.ts')).resourceInput,
  },
  removeResource: {
    method: 'DELETE',
    path: '/v1/apps/:id/resources',
    actor: member,
    limit: 20,
    query: async () => (await import('./schema.ts')).resourceInput,
  },
} as const satisfies Record<string, Endpoint>;
