import type { FeatureApi } from '../../http/operation.ts';
import { publicIdentity } from './schema.ts';

export const identityApi: FeatureApi = {
  tag: 'Identities',
  description: 'What anybody may know of an identity.',
  schemas: { PublicIdentity: publicIdentity },
  operations: [
    {
      method: 'GET',
      path: '/v1/identities/:pid',
      id: 'getIdentity',
      summary: 'An identity by its PID',
      description: 'A closed identity is not there, and neither is a text that is no PID.',
      limit: { name: 'GET /v1/identities/:pid', per: 'address' },
      params: { pid: { description: 'The PID, in any case.', example: '$other@pid' } },
      answers: [{ status: 200, description: 'The identity.', schema: publicIdentity }],
      errors: ['identity_not_found'],
      examples: [
        {
          title: 'Somebody',
          as: 'member',
          params: { pid: '$handle@pid' },
          answer: {
            status: 200,
            body: { pid: '$handle@pid', displayName: 'Wira Santoso', createdAt: '2026-11-20T08:15:00.000Z' },
          },
        },
        {
          title: 'A PID that nobody has',
          as: 'nobody',
          params: { pid: 'nobody.at.all@pid' },
          answer: { error: 'identity_not_found' },
        },
      ],
    },
  ],
};
