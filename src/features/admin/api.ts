import { answer, type FeatureApi, operationsOf } from '../../http/operation.ts';
import { adminEndpoints } from './endpoints.ts';
import { identityStatus, identityStatusInput } from './schema.ts';

export const adminApi: FeatureApi = {
  tag: 'Administration',
  description: 'What the identities in ADMIN_PIDS may do. Every change leaves a line in the audit log.',
  schemas: { IdentityStatusInput: identityStatusInput, IdentityStatus: identityStatus },
  operations: operationsOf(adminEndpoints, {
    setIdentityStatus: {
      summary: 'Suspend an identity, or let it in again',
      description:
        'Suspending signs the identity out everywhere. Needs a sign-in younger than 15 minutes (FRESH_SECONDS).',
      params: { handle: { description: 'The handle, in lower case.', example: '$other' } },
      answers: [answer(200, 'The status it has now.', { schema: identityStatus })],
      errors: ['admin_only', 'not_fresh', 'identity_not_found', 'identity_final'],
    },
  }),
};
