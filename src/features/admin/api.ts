import type { FeatureApi } from '../../http/operation.ts';
import { identityStatus, identityStatusInput } from './schema.ts';

export const adminApi: FeatureApi = {
  tag: 'Administration',
  description: 'What the identities in ADMIN_PIDS may do. Every change leaves a line in the audit log.',
  schemas: { IdentityStatusInput: identityStatusInput, IdentityStatus: identityStatus },
  operations: [
    {
      method: 'PATCH',
      path: '/v1/admin/identities/:handle',
      id: 'setIdentityStatus',
      summary: 'Suspend an identity, or let it in again',
      description:
        'Suspending signs the identity out everywhere. Needs a sign-in younger than 15 minutes (FRESH_SECONDS).',
      needs: { anyOf: ['pid_access'] },
      limit: { name: 'PATCH /v1/admin/identities/:handle', per: 'identity' },
      params: { handle: { description: 'The handle, in lower case.', example: '$other' } },
      body: identityStatusInput,
      answers: [{ status: 200, description: 'The status it has now.', schema: identityStatus }],
      errors: ['admin_only', 'not_fresh', 'identity_not_found', 'identity_final'],
      examples: [
        {
          title: 'Suspend',
          as: 'administrator',
          params: { handle: '$other' },
          body: { status: 'suspended', reason: 'Reported for impersonation' },
          answer: { status: 200, body: { pid: '$other@pid', handle: '$other', status: 'suspended' } },
        },
        {
          title: 'Somebody who is not there',
          as: 'administrator',
          params: { handle: 'nobody.at.all' },
          body: { status: 'suspended', reason: 'Reported for impersonation' },
          answer: { error: 'identity_not_found' },
        },
        {
          title: 'Without a reason',
          as: 'administrator',
          params: { handle: '$other' },
          body: { status: 'suspended', reason: ' ' },
          answer: { error: 'validation_failed', message: ['reason must not be empty'] },
        },
        {
          title: 'A member',
          as: 'member',
          params: { handle: '$handle' },
          body: { status: 'suspended', reason: 'Curiosity' },
          answer: { error: 'admin_only' },
        },
        {
          title: 'Nobody',
          as: 'nobody',
          params: { handle: 'ketut' },
          body: { status: 'suspended', reason: 'Curiosity' },
          answer: { error: 'unauthenticated' },
        },
      ],
    },
  ],
};
