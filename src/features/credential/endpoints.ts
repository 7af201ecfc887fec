import { del, get, patch } from '../../http/endpoint.ts';
import { member } from '../session/require-session.ts';
import { credentialNameInput } from './schema.ts';

export const credentialEndpoints = {
  listCredentials: get('/v1/credentials', { actor: member, limit: 60 }),
  renamePasskey: patch('/v1/credentials/:id', { actor: member, limit: 20, body: credentialNameInput }),
  unlinkCredential: del('/v1/credentials/:id', { actor: member, limit: 20, endsSessions: true }),
};
