import { grantEndpoints } from '../src/features/grant/endpoints.ts';
import * as schemas from '../src/features/grant/schema.ts';
import { grantExamples } from './examples/grant.ts';
import { answer, type FeatureApi, operationsOf } from './operation.ts';

const id = { description: "The grant's id.", example: '$grant' };

export const grantApi: FeatureApi = {
  tag: 'Grants',
  description:
    'What a person has allowed apps to do. There is one active grant for each app. Another person’s grant returns 404.',
  examples: grantExamples,
  schemas: { Grant: schemas.grant, GrantChanges: schemas.grantChanges, GrantPage: schemas.grantPage },
  operations: operationsOf(grantEndpoints, {
    listGrants: {
      summary: 'List active grants, newest first',
      answers: [answer(200, 'One page of them.', { schema: schemas.grantPage })],
    },
    limitGrant: {
      summary: 'Limit what an app may move without approval',
      description:
        'Needs a sign-in younger than 15 minutes (FRESH_SECONDS). What is absent stays as it is; null removes a limit. ' +
        'What was spent is never reset: a limit below it stops all further use. `perPeriod` and `periodDays` are given ' +
        'together. `payees` are at most 50 PIDs; null means anybody. `feeBps` and `feeFixed` are the highest fee of the app itself that ' +
        'a payment may have, 0 unless set: a payment with a higher one needs an approval. `expiresAt` ends the whole grant.',
      params: { id },
      answers: [answer(200, 'The grant as it is now.', { schema: schemas.grant })],
      errors: ['grant_not_found', 'grant_revoked', 'grant_expired', 'not_fresh'],
    },
    revokeGrant: {
      summary: 'Revoke a grant immediately',
      description:
        'Every request of the app from then on returns 403 `Grant has been revoked`. Revoking it again is not an error.',
      params: { id },
      answers: [answer(204, 'Revoked.')],
      errors: ['grant_not_found'],
    },
  }),
};
