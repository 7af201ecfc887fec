import type { Endpoint } from '../../http/endpoint.ts';
import { member } from '../session/require-session.ts';
import { credentialNameInput } from './schema.ts';

export const credentialEndpoints = {
  listCredentials: { method: 'GET', path: '/v1/credentials', actor: member, limit: 60 },
  renamePasskey: {
    method: 'PATCH',
    path: '/v1/credentials/:id',
    actor: member,
    limit: 20,
    body: credentialNameInput,
  },
  unlinkCredential: { method: 'DELETE', path: '/v1/credentials/:id', actor: member, limit: 20 },
} as const satisfies Record<string, Endpoint>;
