import type { FeatureApi } from '../../http/operation.ts';
import { listActivityEndpoint } from './endpoints.ts';
import { activityEntry, activityPage } from './schema.ts';

export const activityApi: FeatureApi = {
  tag: 'Activity',
  description: 'What happened to the own identity.',
  schemas: { ActivityEntry: activityEntry, ActivityPage: activityPage },
  operations: [
    {
      endpoint: listActivityEndpoint,
      id: 'listActivity',
      summary: 'What happened, the newest first',
      description:
        'The types are `session.started`, `session.ended`, `credential.linked`, `credential.unlinked`, `password.changed` and `password.reset`; others may come.',
      answers: [{ status: 200, description: 'One page of it.', schema: activityPage }],
    },
  ],
};
