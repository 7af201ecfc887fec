import { grantEndpoints } from '../src/features/grant/endpoints.ts';
import * as schemas from '../src/features/grant/schema.ts';
import { grantExamples } from './examples/grant.ts';
import { answer, type FeatureApi, operationsOf } from './operation.ts';

const id = { description: "The grant's id.", example: '$grant' };

export const grantApi: FeatureApi = {
  tag: 'Grants',
  description:
    "A person's permissions for apps. There is one active grant per app. Another person's grant returns 404.",
  examples: grantExamples,
  schemas: { Grant: schemas.grant, GrantChanges: schemas.grantChanges, GrantPage: schemas.grantPage },
  operations: operationsOf(grantEndpoints, {
    listGrants: {
      summary: 'List active grants, newest first',
      answers: [answer(200, 'One page.', { schema: schemas.grantPage })],
    },
    limitGrant: {
      summary: 'Limit the money that an app may move without approval',
      description:
        'Needs a sign-in less than 15 minutes old (FRESH_SECONDS). Absent fields stay unchanged; null removes a ' +
        'limit. The amount spent is never reset: a limit below it prevents further use. `perPeriod` and ' +
        '`periodDays` are given together. `payees` are at most 50 PIDs; null means anyone. `feeBps` and ' +
        '`feeFixed` are the maximum app fee of a payment, 0 by default: a payment with a higher fee needs an ' +
        'approval. `expiresAt` is the end of the whole grant.',
      params: { id },
      answers: [answer(200, 'The current state of the grant.', { schema: schemas.grant })],
      errors: ['grant_not_found', 'grant_revoked', 'grant_expired', 'not_fresh'],
    },
    revokeGrant: {
      summary: 'Revoke a grant immediately',
      description:
        'All further requests by the app return 403 `Grant has been revoked`. Revoking it again is not an error.',
      params: { id },
      answers: [answer(204, 'Revoked.')],
      errors: ['grant_not_found'],
    },
  }),
};
