import type { FeatureApi } from '../../http/operation.ts';
import { activityEntry, activityPage, activityPageQuery } from './schema.ts';

export const activityApi: FeatureApi = {
  tag: 'Activity',
  description: 'What happened to the own identity.',
  schemas: { ActivityEntry: activityEntry, ActivityPage: activityPage },
  operations: [
    {
      method: 'GET',
      path: '/v1/me/activity',
      id: 'listActivity',
      summary: 'What happened, the newest first',
      description:
        'The types are `session.started`, `session.ended`, `credential.linked`, `credential.unlinked`, `password.changed` and `password.reset`; others may come.',
      needs: { anyOf: ['pid_access'] },
      limit: { name: 'GET /v1/me/activity', per: 'identity' },
      query: activityPageQuery,
      answers: [{ status: 200, description: 'One page of it.', schema: activityPage }],
      examples: [
        {
          title: 'A new member',
          as: 'member',
          query: { limit: '20' },
          answer: {
            status: 200,
            body: {
              data: [
                {
                  type: 'session.started',
                  at: '2026-11-20T08:15:00.000Z',
                  provider: 'idp',
                  reason: null,
                  device: 'Firefox on Linux',
                  country: 'ID',
                },
              ],
              nextCursor: null,
            },
          },
        },
        {
          title: 'A cursor that no page answered',
          as: 'member',
          query: { cursor: 'made-up' },
          answer: {
            error: 'validation_failed',
            message: ['cursor must be one that an earlier page answered'],
          },
        },
        { title: 'Nobody', as: 'nobody', answer: { error: 'unauthenticated' } },
      ],
    },
  ],
};
