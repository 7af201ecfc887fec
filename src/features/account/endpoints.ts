import type { Endpoint } from '../../http/endpoint.ts';
import { member } from '../session/require-session.ts';
import { activityPageQuery, closeInput, profileInput } from './schema.ts';

export const getMeEndpoint = {
  method: 'GET',
  path: '/v1/me',
  actor: member,
  limit: 60,
} as const satisfies Endpoint;

export const updateMeEndpoint = {
  method: 'PATCH',
  path: '/v1/me',
  actor: member,
  limit: 20,
  body: profileInput,
} as const satisfies Endpoint;

export const closeMeEndpoint = {
  method: 'DELETE',
  path: '/v1/me',
  actor: member,
  limit: 20,
  body: closeInput,
} as const satisfies Endpoint;

export const exportMeEndpoint = {
  method: 'GET',
  path: '/v1/me/export',
  actor: member,
  limit: 60,
} as const satisfies Endpoint;

export const listActivityEndpoint = {
  method: 'GET',
  path: '/v1/me/activity',
  actor: member,
  limit: 60,
  query: activityPageQuery,
} as const satisfies Endpoint;

export const accountEndpoints: readonly Endpoint[] = [
  getMeEndpoint,
  updateMeEndpoint,
  closeMeEndpoint,
  exportMeEndpoint,
  listActivityEndpoint,
];
