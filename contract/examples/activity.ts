import type { Examples } from './example.ts';

export const activityExamples = {
  listActivity: [
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
              amount: null,
              party: null,
              reason: null,
              app: null,
              device: 'Firefox on Linux',
              country: 'ID',
            },
          ],
          nextCursor: null,
        },
      },
    },
    {
      title: 'A cursor that no page returned',
      as: 'member',
      query: { cursor: 'made-up' },
      answer: {
        error: 'validation_failed',
        message: ['cursor must be one that an earlier page answered'],
      },
    },
    { title: 'Nobody', as: 'nobody', answer: { error: 'unauthenticated' } },
  ],
} satisfies Examples;
