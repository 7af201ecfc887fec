import * as z from 'zod/mini';
import type { FeatureApi } from '../../http/operation.ts';
import { credential, credentialNameInput } from './schema.ts';

const credentialList = z.array(credential);

export const credentialApi: FeatureApi = {
  tag: 'Credentials',
  description: 'What signs the person in. All kinds are equal, and one always stays.',
  schemas: { Credential: credential, CredentialList: credentialList, CredentialName: credentialNameInput },
  operations: [
    {
      method: 'GET',
      path: '/v1/credentials',
      id: 'listCredentials',
      summary: 'All credentials, the oldest first',
      needs: { anyOf: ['pid_access'] },
      limit: { name: 'GET /v1/credentials', per: 'identity' },
      answers: [{ status: 200, description: 'A plain array.', schema: credentialList }],
      examples: [
        {
          title: 'A member',
          as: 'member',
          answer: {
            status: 200,
            body: [
              {
                id: '$credential',
                provider: 'idp',
                email: 'wira@example.com',
                linkedAt: '2026-11-20T08:15:00.000Z',
                lastLoginAt: '2026-11-20T08:15:00.000Z',
              },
            ],
          },
        },
        { title: 'Nobody', as: 'nobody', answer: { error: 'unauthenticated' } },
      ],
    },
    {
      method: 'PATCH',
      path: '/v1/credentials/:id',
      id: 'renamePasskey',
      summary: 'Name a passkey',
      description: 'Other kinds of credential have the name of their provider.',
      needs: { anyOf: ['pid_access'] },
      limit: { name: 'PATCH /v1/credentials/:id', per: 'identity' },
      params: { id: { description: "The passkey's id.", example: '$credential' } },
      body: credentialNameInput,
      answers: [{ status: 200, description: 'The passkey, by its new name.', schema: credential }],
      errors: ['credential_not_found'],
      examples: [
        {
          title: 'A passkey',
          as: 'member with a passkey',
          params: { id: '$credential' },
          body: { name: 'My laptop' },
          answer: {
            status: 200,
            body: {
              id: '$credential',
              provider: 'passkey',
              email: null,
              linkedAt: '2026-11-20T08:15:00.000Z',
              lastLoginAt: '2026-11-20T08:15:00.000Z',
              name: 'My laptop',
              lastUsedAt: '2026-11-20T08:15:00.000Z',
              backedUp: true,
            },
          },
        },
        {
          title: 'Another kind of credential',
          as: 'member',
          params: { id: '$credential' },
          body: { name: 'My account' },
          answer: { error: 'validation_failed', message: ['id must be that of a passkey'] },
        },
        {
          title: 'Of somebody else',
          as: 'member',
          params: { id: 'crd_of_somebody_else' },
          body: { name: 'Mine' },
          answer: { error: 'credential_not_found' },
        },
      ],
    },
    {
      method: 'DELETE',
      path: '/v1/credentials/:id',
      id: 'unlinkCredential',
      summary: 'Unlink a credential',
      description:
        'Needs a sign-in younger than 15 minutes (FRESH_SECONDS). The sessions that the credential made end; the ' +
        'identity and its wallet stay as they are.',
      needs: { anyOf: ['pid_access'] },
      limit: { name: 'DELETE /v1/credentials/:id', per: 'identity' },
      params: { id: { description: "The credential's id.", example: '$credential' } },
      answers: [{ status: 204, description: 'Unlinked.' }],
      errors: ['last_credential', 'not_fresh', 'credential_not_found'],
      examples: [
        {
          title: 'One of two',
          as: 'member with two credentials',
          params: { id: '$credential' },
          answer: { status: 204 },
        },
        {
          title: 'The last one',
          as: 'member',
          params: { id: '$credential' },
          answer: { error: 'last_credential' },
        },
        {
          title: 'Signed in an hour ago',
          as: 'member who signed in an hour ago',
          params: { id: '$credential' },
          answer: { error: 'not_fresh' },
        },
        {
          title: 'Of somebody else',
          as: 'member with two credentials',
          params: { id: 'crd_of_somebody_else' },
          answer: { error: 'credential_not_found' },
        },
      ],
    },
  ],
};
