import { identityEndpoints } from '../src/features/identity/endpoints.ts';
import { publicIdentity } from '../src/features/identity/schema.ts';
import { identityExamples } from './examples/identity.ts';
import { answer, type FeatureApi, operationsOf } from './operation.ts';

export const identityApi: FeatureApi = {
  tag: 'Identities',
  description: 'What anybody may know of an identity.',
  examples: identityExamples,
  schemas: { PublicIdentity: publicIdentity },
  operations: operationsOf(identityEndpoints, {
    getIdentity: {
      summary: 'Get an identity by its PID',
      description: 'A closed identity is not there, and neither is a text that is no PID.',
      params: { pid: { description: 'The PID, in any case.', example: '$other@pid' } },
      answers: [answer(200, 'The identity.', { schema: publicIdentity })],
      errors: ['identity_not_found'],
    },
  }),
};
