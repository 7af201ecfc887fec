import type { Examples } from './example.ts';

export const claimExamples = {
  previewClaim: [
    {
      title: 'A newcomer',
      as: 'newcomer with a ticket',
      answer: {
        status: 200,
        body: {
          id: '$ticket',
          provider: 'idp',
          email: 'wira@example.com',
          displayName: 'Wira Santoso',
          suggestedHandle: 'wira-santoso',
          expiresAt: '2026-11-20T08:25:00.000Z',
        },
      },
    },
    { title: 'No ticket', as: 'nobody', answer: { error: 'ticket_gone' } },
  ],
  checkHandle: [
    {
      title: 'Free',
      as: 'newcomer with a ticket',
      params: { handle: 'Ketut' },
      answer: {
        status: 200,
        body: { handle: 'ketut', pid: 'ketut@pid', available: true, reason: null, suggestions: [] },
      },
    },
    {
      title: 'Reserved',
      as: 'newcomer with a ticket',
      params: { handle: 'admin' },
      answer: {
        status: 200,
        body: {
          handle: 'admin',
          pid: 'admin@pid',
          available: false,
          reason: 'reserved',
          suggestions: ['wira-santoso'],
        },
      },
    },
    { title: 'No ticket', as: 'nobody', params: { handle: 'ketut' }, answer: { error: 'ticket_gone' } },
  ],
  claim: [
    {
      title: 'An available handle',
      as: 'newcomer with a ticket',
      body: { handle: 'Wira', displayName: 'Wira Santoso' },
      answer: {
        status: 200,
        body: {
          pid: 'wira@pid',
          handle: 'wira',
          profile: { displayName: 'Wira Santoso', locale: null },
          session: {
            id: '$session',
            provider: 'idp',
            authenticatedAt: '2026-11-20T08:15:00.000Z',
            expiresAt: '2027-02-18T08:15:00.000Z',
          },
          roles: [],
        },
      },
    },
    {
      title: 'A reserved handle',
      as: 'newcomer with a ticket',
      body: { handle: 'admin' },
      answer: { error: 'handle_taken' },
    },
    {
      title: 'A name that is too long',
      as: 'newcomer with a ticket',
      body: { handle: 'ketut', displayName: 'K'.repeat(65) },
      answer: {
        error: 'validation_failed',
        message: ['displayName must be shorter than or equal to 64 characters'],
      },
    },
    {
      title: 'No ticket, or one older than 10 minutes',
      as: 'nobody',
      body: { handle: 'ketut' },
      answer: { error: 'ticket_gone' },
    },
  ],
  linkTicket: [
    {
      title: 'A member with a ticket',
      as: 'member with a ticket',
      body: { id: '$ticket' },
      answer: {
        status: 200,
        body: {
          id: '$credential',
          provider: 'google',
          email: 'wira@example.org',
          linkedAt: '2026-11-20T08:15:00.000Z',
          lastLoginAt: '2026-11-20T08:15:00.000Z',
        },
      },
    },
    { title: 'Without a ticket', as: 'member', answer: { error: 'ticket_gone' } },
    {
      title: 'Another ticket',
      as: 'member with a ticket',
      body: { id: 'k3V9xQ2mT7aZ_wB1' },
      answer: { error: 'ticket_gone' },
    },
    { title: 'Without a session', as: 'newcomer with a ticket', answer: { error: 'unauthenticated' } },
  ],
  dropTicket: [
    { title: 'A newcomer', as: 'newcomer with a ticket', answer: { status: 204 } },
    { title: 'Nobody', as: 'nobody', answer: { status: 204 } },
  ],
} satisfies Examples;
