import type { Examples } from './example.ts';

export const credentialExamples = {
  listCredentials: [
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
  renamePasskey: [
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
      title: 'Another person’s',
      as: 'member',
      params: { id: 'crd_of_somebody_else' },
      body: { name: 'Mine' },
      answer: { error: 'credential_not_found' },
    },
  ],
  unlinkCredential: [
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
      title: 'Another person’s',
      as: 'member with two credentials',
      params: { id: 'crd_of_somebody_else' },
      answer: { error: 'credential_not_found' },
    },
  ],
} satisfies Examples;
