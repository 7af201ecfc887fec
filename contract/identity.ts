import { identityEndpoints } from '../src/features/identity/endpoints.ts';
import { publicIdentity } from '../src/features/identity/schema.ts';
import { identityExamples } from './examples/identity.ts';
import { answer, type FeatureApi, operationsOf } from './operation.ts';

export const identityApi: FeatureApi = {
  tag: 'Identities',
  description: 'Public information about an identity.',
  examples: identityExamples,
  schemas: { PublicIdentity: publicIdentity },
  operations: operationsOf(identityEndpoints, {
    getIdentity: {
      summary: 'Get an identity by its PID',
      description: '404 for a closed identity, and for text that is not a PID.',
      params: { pid: { description: 'The PID, in upper or lower case.', example: '$other@pid' } },
      answers: [answer(200, 'The identity.', { schema: publicIdentity })],
      errors: ['identity_not_found'],
    },
  }),
};
