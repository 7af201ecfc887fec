import type { Endpoint } from '../../http/endpoint.ts';
import { member } from '../session/require-session.ts';
import { credentialNameInput } from './schema.ts';

export const listCredentialsEndpoint = {
  method: 'GET',
  path: '/v1/credentials',
  actor: member,
  limit: 60,
} as const satisfies Endpoint;

export const renamePasskeyEndpoint = {
  method: 'PATCH',
  path: '/v1/credentials/:id',
  actor: member,
  limit: 20,
  body: credentialNameInput,
} as const satisfies Endpoint;

export const unlinkCredentialEndpoint = {
  method: 'DELETE',
  path: '/v1/credentials/:id',
  actor: member,
  limit: 20,
} as const satisfies Endpoint;

export const credentialEndpoints: readonly Endpoint[] = [
  listCredentialsEndpoint,
  renamePasskeyEndpoint,
  unlinkCredentialEndpoint,
];
