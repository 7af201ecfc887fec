import type { Examples } from './example.ts';

const createdAt = '2026-11-20T08:15:00.000Z';
const limits = {
  perTransfer: null,
  perPeriod: null,
  periodDays: null,
  total: null,
  maxUses: null,
  payees: null,
  feeBps: 0,
  feeFixed: 0,
};
const grant = {
  id: '$grant',
  app: { id: '$app', name: 'Corner Shop' },
  scopes: ['fiat:transfer', 'openid', 'profile'],
  resources: [],
  hosts: ['shop.example.com'],
  limits,
  spent: { period: 0, total: 0, uses: 0 },
  expiresAt: null,
  lastUsedAt: null,
  createdAt,
};
const notFound = {
  title: 'Another person’s',
  as: 'member',
  params: { id: 'grt_of_somebody_else' },
  answer: { error: 'grant_not_found' },
} as const;

export const grantExamples = {
  listGrants: [
    {
      title: 'One app',
      as: 'member who allowed an app',
      query: { limit: '20' },
      answer: { status: 200, body: { data: [grant], nextCursor: null } },
    },
  ],
  limitGrant: [
    {
      title: 'A monthly allowance',
      as: 'member who allowed an app',
      params: { id: '$grant' },
      body: { limits: { perTransfer: 50_000, perPeriod: 200_000, periodDays: 30, payees: ['wira@pid'] } },
      answer: {
        status: 200,
        body: {
          ...grant,
          limits: {
            ...limits,
            perTransfer: 50_000,
            perPeriod: 200_000,
            periodDays: 30,
            payees: ['wira@pid'],
          },
        },
      },
    },
    {
      title: 'A limit of zero',
      as: 'member who allowed an app',
      params: { id: '$grant' },
      body: { limits: { perTransfer: 0 } },
      answer: {
        error: 'validation_failed',
        message: ['limits.perTransfer must be a whole number from 1 to 1000000000000'],
      },
    },
    {
      title: 'After an old sign-in',
      as: 'member who allowed an app and signed in an hour ago',
      params: { id: '$grant' },
      body: { limits: { maxUses: 3 } },
      answer: { error: 'not_fresh' },
    },
    {
      title: 'One that has ended',
      as: 'member who ended what an app may do',
      params: { id: '$grant' },
      body: { limits: { maxUses: 3 } },
      answer: { error: 'grant_revoked' },
    },
    { ...notFound, body: { limits: { maxUses: 3 } } },
  ],
  revokeGrant: [
    {
      title: 'A grant',
      as: 'member who allowed an app',
      params: { id: '$grant' },
      answer: { status: 204 },
    },
    notFound,
  ],
} satisfies Examples;
