import type { Endpoint } from '../../http/endpoint.ts';
import { member } from '../session/require-session.ts';
import { activityPageQuery } from './schema.ts';

export const listActivityEndpoint = {
  method: 'GET',
  path: '/v1/me/activity',
  actor: member,
  limit: 60,
  query: activityPageQuery,
} as const satisfies Endpoint;

export const activityEndpoints: readonly Endpoint[] = [listActivityEndpoint];
