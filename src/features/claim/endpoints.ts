import { anyBody, type Endpoint } from '../../http/endpoint.ts';
import { failClosed } from '../../http/rate-limit.ts';
import { member } from '../session/require-session.ts';
import { claimInput } from './schema.ts';

export const previewClaimEndpoint = {
  method: 'GET',
  path: '/v1/auth/claim',
  limit: 60,
} as const satisfies Endpoint;

export const checkHandleEndpoint = {
  method: 'GET',
  path: '/v1/auth/claim/handles/:handle',
  limit: 60,
} as const satisfies Endpoint;

export const claimEndpoint = {
  method: 'POST',
  path: '/v1/auth/claim',
  limit: failClosed(10),
  body: claimInput,
} as const satisfies Endpoint;

export const linkTicketEndpoint = {
  method: 'POST',
  path: '/v1/auth/claim/link',
  actor: member,
  limit: 20,
  body: anyBody,
} as const satisfies Endpoint;

export const dropTicketEndpoint = {
  method: 'DELETE',
  path: '/v1/auth/claim',
  limit: 20,
} as const satisfies Endpoint;

export const claimEndpoints: readonly Endpoint[] = [
  previewClaimEndpoint,
  checkHandleEndpoint,
  claimEndpoint,
  linkTicketEndpoint,
  dropTicketEndpoint,
];
