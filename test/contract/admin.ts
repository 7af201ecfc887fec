import type { Examples } from './example.ts';

export const adminExamples = {
  setIdentityStatus: [
    {
      title: 'Suspend',
      as: 'administrator',
      params: { handle: '$other' },
      body: { status: 'suspended', reason: 'Reported for impersonation' },
      answer: { status: 200, body: { pid: '$other@pid', handle: '$other', status: 'suspended' } },
    },
    {
      title: 'Somebody who is not there',
      as: 'administrator',
      params: { handle: 'nobody.at.all' },
      body: { status: 'suspended', reason: 'Reported for impersonation' },
      answer: { error: 'identity_not_found' },
    },
    {
      title: 'Without a reason',
      as: 'administrator',
      params: { handle: '$other' },
      body: { status: 'suspended', reason: ' ' },
      answer: { error: 'validation_failed', message: ['reason must not be empty'] },
    },
    {
      title: 'A member',
      as: 'member',
      params: { handle: '$handle' },
      body: { status: 'suspended', reason: 'Curiosity' },
      answer: { error: 'admin_only' },
    },
    {
      title: 'Nobody',
      as: 'nobody',
      params: { handle: 'ketut' },
      body: { status: 'suspended', reason: 'Curiosity' },
      answer: { error: 'unauthenticated' },
    },
  ],
} satisfies Examples;
