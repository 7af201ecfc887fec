import type { Examples } from './example.ts';

export const identityExamples = {
  getIdentity: [
    {
      title: 'A person',
      as: 'member',
      params: { pid: '$handle@pid' },
      answer: {
        status: 200,
        body: { pid: '$handle@pid', displayName: 'Wira Santoso', createdAt: '2026-11-20T08:15:00.000Z' },
      },
    },
    {
      title: 'An unknown PID',
      as: 'nobody',
      params: { pid: 'nobody.at.all@pid' },
      answer: { error: 'identity_not_found' },
    },
  ],
} satisfies Examples;
