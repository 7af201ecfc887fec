import type { Examples } from './example.ts';

const createdAt = '2026-11-20T08:15:00.000Z';
const profile = { displayName: 'Wira Santoso', locale: 'id' };
const shown = {
  pid: '$handle@pid',
  handle: '$handle',
  createdAt,
  profile,
  email: 'wira@example.com',
  stepUpAmount: null,
  wallet: null,
};

export const accountExamples = {
  getMe: [
    { title: 'A member', as: 'member', answer: { status: 200, body: shown } },
    { title: 'Nobody', as: 'nobody', answer: { error: 'unauthenticated' } },
  ],
  updateMe: [
    {
      title: 'A new name',
      as: 'member',
      body: { displayName: 'Wira S.', locale: 'id-ID' },
      answer: { status: 200, body: { ...shown, profile: { displayName: 'Wira S.', locale: 'id-ID' } } },
    },
    {
      title: 'An amount above which approvals need a new sign-in',
      as: 'member',
      body: { stepUpAmount: 500_000 },
      answer: { status: 200, body: { ...shown, stepUpAmount: 500_000 } },
    },
    {
      title: 'The same an hour after the sign-in',
      as: 'member who signed in an hour ago',
      body: { stepUpAmount: null },
      answer: { error: 'not_fresh' },
    },
    {
      title: 'A name that is too long',
      as: 'member',
      body: { displayName: 'W'.repeat(65) },
      answer: {
        error: 'validation_failed',
        message: ['displayName must be shorter than or equal to 64 characters'],
      },
    },
    {
      title: 'Nobody',
      as: 'nobody',
      body: { displayName: 'Wira S.' },
      answer: { error: 'unauthenticated' },
    },
  ],
  closeMe: [
    { title: 'A member', as: 'member', body: { handle: '$handle' }, answer: { status: 204 } },
    {
      title: 'Another handle',
      as: 'member',
      body: { handle: 'somebody-else' },
      answer: { error: 'wrong_handle' },
    },
    {
      title: 'Signed in an hour ago',
      as: 'member who signed in an hour ago',
      body: { handle: '$handle' },
      answer: { error: 'not_fresh' },
    },
  ],
  exportMe: [
    {
      title: 'A new member',
      as: 'member',
      answer: {
        status: 200,
        body: {
          exportedAt: createdAt,
          complete: true,
          identity: {
            pid: '$handle@pid',
            handle: '$handle',
            status: 'active',
            createdAt,
            level: 'unverified',
          },
          profile: { ...profile, stepUpAmount: null, updatedAt: createdAt },
          emails: [{ email: 'wira@example.com', verifiedAt: createdAt }],
          credentials: [
            {
              id: '$credential',
              provider: 'idp',
              providerUserId: '248289761001',
              email: 'wira@example.com',
              name: null,
              linkedAt: createdAt,
              lastLoginAt: createdAt,
            },
          ],
          sessions: [
            {
              id: '$session',
              provider: 'idp',
              createdAt,
              lastUsedAt: createdAt,
              expiresAt: '2027-02-18T08:15:00.000Z',
              endedAt: null,
              endedBecause: null,
              userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
              address: '192.0.2.7',
              country: 'ID',
            },
          ],
          activity: [
            {
              type: 'session.started',
              at: createdAt,
              provider: 'idp',
              amount: null,
              party: null,
              reason: null,
              app: null,
              device: 'Firefox on Linux',
              country: 'ID',
            },
          ],
          apps: [],
          grants: [],
          appSessions: [],
          wallet: null,
          withdrawals: [],
          deposits: [],
        },
      },
    },
    { title: 'Nobody', as: 'nobody', answer: { error: 'unauthenticated' } },
  ],
} satisfies Examples;
